package dev.grapnel.nostr.nip19;

import dev.grapnel.nostr.Parsed;
import java.util.function.Function;

/// What a text of NIP-19 can say. Each case writes itself; there is no way to write any of them without
/// looking, because one is a secret.
public sealed interface Nip19 permits Npub, Nsec, Note, Nprofile, Nevent, Naddr, Nrelay {
    /// Reads text that is all in lower or, as BIP-173 allows, all in upper case.
    static Parsed<Nip19> parse(String text) {
        return Bech32.decode(text).then(decoded -> {
            var data = decoded.data();
            return switch (decoded.prefix()) {
                case Npub.PREFIX -> any(Npub.read(data));
                case Nsec.PREFIX -> any(Nsec.read(data));
                case Note.PREFIX -> any(Note.read(data));
                case Nprofile.PREFIX -> any(Nprofile.read(data));
                case Nevent.PREFIX -> any(Nevent.read(data));
                case Naddr.PREFIX -> any(Naddr.read(data));
                case Nrelay.PREFIX -> any(Nrelay.read(data));
                default -> Parsed.invalid("a prefix that NIP-19 does not know");
            };
        });
    }

    private static <T extends Nip19> Parsed<Nip19> any(Parsed<T> one) {
        return one.map(Function.<Nip19>identity());
    }
}
