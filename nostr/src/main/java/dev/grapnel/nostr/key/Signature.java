package dev.grapnel.nostr.key;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Hex;
import dev.grapnel.nostr.Parsed;

/// A BIP-340 signature: 64 bytes, not yet checked against anything.
public record Signature(Bytes bytes) {
    /// Bytes in binary form.
    public static final int BYTES = 64;

    /// Hex digits in text form.
    public static final int DIGITS = 128;

    /// @throws IllegalArgumentException if there are not 64 bytes
    public Signature {
        if (bytes.length() != BYTES) {
            throw new IllegalArgumentException("a signature has 64 bytes, not " + bytes.length());
        }
    }

    /// Reads exactly 128 lower-case hex digits.
    public static Parsed<Signature> parse(String hex) {
        return Hex.isHex(hex, DIGITS)
                ? Bytes.parseHex(hex).map(Signature::new)
                : Parsed.invalid("not 128 lower-case hex digits");
    }

    /// 128 lower-case hex digits.
    @Override
    public String toString() {
        return bytes.toHex();
    }
}
