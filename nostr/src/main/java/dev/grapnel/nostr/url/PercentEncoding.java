package dev.grapnel.nostr.url;

import dev.grapnel.nostr.Parsed;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/// Percent-encoding of one path segment (service 2.4). A plus sign is a plus sign.
public final class PercentEncoding {
    private static final HexFormat UPPER_CASE = HexFormat.of().withUpperCase();

    private PercentEncoding() {}

    /// Escapes every byte outside `A-Z a-z 0-9 - _ . ~`.
    public static String encode(String segment) {
        var out = new StringBuilder(segment.length() + 16);
        for (byte value : segment.getBytes(StandardCharsets.UTF_8)) {
            if (isUnreserved(value)) {
                out.append((char) value);
            } else {
                UPPER_CASE.toHexDigits(out.append('%'), value);
            }
        }
        return out.toString();
    }

    /// Resolves every escape exactly once. The result is as hostile as a stranger can make it: it may hold
    /// slashes and control characters.
    public static Parsed<String> decode(String segment) {
        if (segment.indexOf('%') < 0) {
            return Parsed.valid(segment);
        }
        var bytes = segment.getBytes(StandardCharsets.UTF_8);
        var out = new ByteArrayOutputStream(bytes.length);
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] != '%') {
                out.write(bytes[i]);
            } else if (isEscape(bytes, i)) {
                out.write(HexFormat.fromHexDigit(bytes[i + 1]) << 4 | HexFormat.fromHexDigit(bytes[i + 2]));
                i += 2;
            } else {
                return Parsed.invalid("a percent sign without two hex digits");
            }
        }
        return textOf(out.toByteArray());
    }

    private static boolean isEscape(byte[] bytes, int at) {
        return at + 2 < bytes.length && HexFormat.isHexDigit(bytes[at + 1]) && HexFormat.isHexDigit(bytes[at + 2]);
    }

    private static boolean isUnreserved(byte c) {
        return (c >= 'A' && c <= 'Z')
                || (c >= 'a' && c <= 'z')
                || (c >= '0' && c <= '9')
                || c == '-'
                || c == '_'
                || c == '.'
                || c == '~';
    }

    private static Parsed<String> textOf(byte[] utf8) {
        try {
            return Parsed.valid(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(utf8))
                    .toString());
        } catch (CharacterCodingException _) {
            return Parsed.invalid("escapes that are not UTF-8");
        }
    }
}
