package dev.grapnel.nostr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// Digits that are written and read eight at a time, against the JDK's.
final class HexTest {
    @Test
    void wordsAreWrittenAndReadAsTheirDigits() {
        var edges = LongStream.of(0, 1, -1, 0x0123456789abcdefL, 0x9a9a9a9a9a9a9a9aL, 0xf0f0f0f0f0f0f0f0L, 1L << 63);
        var some = new Random(7).longs(10_000);
        LongStream.concat(edges, some).forEach(word -> {
            var digits = new byte[20];
            Hex.writeWord(word, digits, 2);
            var text = new String(digits, StandardCharsets.ISO_8859_1);
            assertEquals("\0\0" + HexFormat.of().toHexDigits(word) + "\0\0", text);
            assertTrue(Hex.isHex(digits, 2, 18));
            assertEquals(word, Hex.word(digits, 2));
        });
    }

    @Test
    void nothingElseIsADigit() {
        var good = HexFormat.of().toHexDigits(0x0123456789abcdefL).getBytes(StandardCharsets.US_ASCII);
        for (int at = 0; at < good.length; at++) {
            for (int value = 0; value < 256; value++) {
                var digits = good.clone();
                digits[at] = (byte) value;
                boolean isDigit = "0123456789abcdef".indexOf(value) >= 0;
                if (isDigit) {
                    assertTrue(Hex.isHex(digits, 0, 16));
                } else {
                    assertFalse(Hex.isHex(digits, 0, 16), at + ": " + value);
                }
            }
        }
    }
}
