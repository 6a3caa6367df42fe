package dev.grapnel.nostr.nip19;

import dev.grapnel.nostr.Parsed;
import java.util.Arrays;
import java.util.Locale;

/// Bech32 of BIP-173 without its limit of 90 characters, which NIP-19 replaces by one of 5000.
final class Bech32 {
    /// Longer text is neither read nor written.
    static final int LENGTH_MAX = 5000;

    private static final String LETTERS = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
    private static final byte[] VALUES = values();
    private static final int[] GENERATOR = {0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3};
    private static final int CHECKSUM_LETTERS = 6;
    private static final int CHECKSUM = 1;
    private static final int CHECKSUM_OF_BECH32M = 0x2bc830a3;

    private Bech32() {}

    /// What the text said: its prefix in lower case and its bytes, which may be secret.
    static final class Decoded {
        private final String prefix;
        private final byte[] data;

        private Decoded(String prefix, byte[] data) {
            this.prefix = prefix;
            this.data = data;
        }

        String prefix() {
            return prefix;
        }

        /// The array itself: nobody else has it.
        byte[] data() {
            return data;
        }
    }

    /// Reads text that is all in lower or all in upper case.
    static Parsed<Decoded> decode(String text) {
        if (text.length() > LENGTH_MAX) {
            return Parsed.invalid("longer than 5000 characters");
        }
        if (!text.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            return Parsed.invalid("not bech32: a character other than visible ASCII");
        }
        var lower = text.toLowerCase(Locale.ROOT);
        if (!text.equals(lower) && !text.equals(text.toUpperCase(Locale.ROOT))) {
            return Parsed.invalid("not bech32: lower and upper case are mixed");
        }
        return decodeLowerCase(lower);
    }

    /// Reads text that must have this prefix.
    static Parsed<byte[]> decode(String prefix, String text) {
        return decode(text)
                .then(decoded -> decoded.prefix().equals(prefix)
                        ? Parsed.valid(decoded.data())
                        : Parsed.invalid("does not begin with " + prefix + "1"));
    }

    /// The text in lower case, or that it would be too long.
    static Parsed<String> encode(String prefix, byte[] data) {
        var values = regroupToFives(data);
        var body = Arrays.copyOf(values, values.length + CHECKSUM_LETTERS);
        if (prefix.length() + 1 + body.length > LENGTH_MAX) {
            return Parsed.invalid("longer than 5000 characters");
        }
        int sum = checksum(prefix, body) ^ CHECKSUM;
        for (int i = 0; i < CHECKSUM_LETTERS; i++) {
            body[values.length + i] = (byte) (sum >> (5 * (CHECKSUM_LETTERS - 1 - i)) & 31);
        }
        var text = new StringBuilder(prefix.length() + 1 + body.length)
                .append(prefix)
                .append('1');
        for (byte value : body) {
            text.append(LETTERS.charAt(value));
        }
        return Parsed.valid(text.toString());
    }

    private static Parsed<Decoded> decodeLowerCase(String text) {
        int separator = text.lastIndexOf('1');
        int letters = text.length() - separator - 1;
        if (separator < 1 || letters < CHECKSUM_LETTERS) {
            return Parsed.invalid("not bech32: no prefix or no checksum");
        }
        var body = new byte[letters];
        for (int i = 0; i < letters; i++) {
            body[i] = VALUES[text.charAt(separator + 1 + i)];
            if (body[i] < 0) {
                return Parsed.invalid("not bech32: a character that is not one of its letters");
            }
        }
        var prefix = text.substring(0, separator);
        return switch (checksum(prefix, body)) {
            case CHECKSUM -> regroupToBytes(body, letters - CHECKSUM_LETTERS).map(data -> new Decoded(prefix, data));
            case CHECKSUM_OF_BECH32M -> Parsed.invalid("bech32m instead of bech32");
            default -> Parsed.invalid("wrong checksum");
        };
    }

    /// The prefix goes in twice, high bits and low bits, with a zero between (BIP-173).
    private static int checksum(String prefix, byte[] body) {
        int sum = 1;
        for (int i = 0; i < prefix.length(); i++) {
            sum = step(sum, prefix.charAt(i) >> 5);
        }
        sum = step(sum, 0);
        for (int i = 0; i < prefix.length(); i++) {
            sum = step(sum, prefix.charAt(i) & 31);
        }
        for (byte value : body) {
            sum = step(sum, value);
        }
        return sum;
    }

    private static int step(int sum, int value) {
        int next = (sum & 0x1ffffff) << 5 ^ value;
        for (int i = 0; i < GENERATOR.length; i++) {
            next ^= -(sum >> (25 + i) & 1) & GENERATOR[i];
        }
        return next;
    }

    private static Parsed<byte[]> regroupToBytes(byte[] fives, int count) {
        var bytes = new byte[count * 5 / 8];
        int bits = 0;
        int bitCount = 0;
        int next = 0;
        for (int i = 0; i < count; i++) {
            bits = bits << 5 | fives[i];
            bitCount += 5;
            if (bitCount >= 8) {
                bitCount -= 8;
                bytes[next++] = (byte) (bits >> bitCount);
                bits &= (1 << bitCount) - 1;
            }
        }
        return bitCount >= 5 || bits != 0
                ? Parsed.invalid("bits are left over after the last byte")
                : Parsed.valid(bytes);
    }

    private static byte[] regroupToFives(byte[] bytes) {
        var fives = new byte[(bytes.length * 8 + 4) / 5];
        int bits = 0;
        int bitCount = 0;
        int next = 0;
        for (byte value : bytes) {
            bits = bits << 8 | (value & 0xff);
            for (bitCount += 8; bitCount >= 5; bitCount -= 5) {
                fives[next++] = (byte) (bits >> (bitCount - 5) & 31);
            }
            bits &= (1 << bitCount) - 1;
        }
        if (bitCount > 0) {
            fives[next] = (byte) (bits << (5 - bitCount));
        }
        return fives;
    }

    private static byte[] values() {
        var values = new byte[128];
        Arrays.fill(values, (byte) -1);
        for (byte i = 0; i < LETTERS.length(); i++) {
            values[LETTERS.charAt(i)] = i;
        }
        return values;
    }
}
