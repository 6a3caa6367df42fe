package dev.grapnel.bench;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Hex;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.key.SecretKey;
import dev.grapnel.nostr.key.Signature;

/// What stands where a signature belongs. Ids do not depend on it.
public enum Signatures {
    /// The author's signature; making one takes several times as long as all the rest.
    REAL {
        @Override
        void write(EventId id, SecretKey author, byte[] out, int at) {
            Hex.write(author.sign(id, NO_AUXILIARY).bytes().toArray(), 0, Signature.BYTES, out, at);
        }
    },
    /// Digits that look like one, for measuring what does not check signatures.
    MADE_UP {
        @Override
        void write(EventId id, SecretKey author, byte[] out, int at) {
            for (int word = 0; word < Signature.DIGITS / 16; word++) {
                Hex.writeWord(Chance.mix(id.a(), word), out, at + 16 * word);
            }
        }
    };

    private static final Bytes NO_AUXILIARY = Bytes.wrap(new byte[32]);

    /// Writes 128 digits.
    abstract void write(EventId id, SecretKey author, byte[] out, int at);
}
