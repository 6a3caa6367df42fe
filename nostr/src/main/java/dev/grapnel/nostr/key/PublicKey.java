package dev.grapnel.nostr.key;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.Word256;

/// A BIP-340 x-only public key. Whether it lies on the curve is known only when a signature is checked.
public record PublicKey(long a, long b, long c, long d) implements Word256, Comparable<PublicKey> {
    private static final Maker<PublicKey> MAKER = PublicKey::new;

    /// Reads exactly 64 lower-case hex digits.
    public static Parsed<PublicKey> parse(String hex) {
        return MAKER.parse(hex);
    }

    /// From 64 digits that were checked already.
    public static PublicKey ofHex(byte[] ascii, int at) {
        return MAKER.ofHex(ascii, at);
    }

    /// From 32 bytes beginning at an index.
    public static PublicKey of(byte[] bytes, int at) {
        return MAKER.ofBytes(bytes, at);
    }

    @Override
    public int compareTo(PublicKey other) {
        return Word256.compare(this, other);
    }

    /// 64 lower-case hex digits.
    @Override
    public String toString() {
        return toHex();
    }
}
