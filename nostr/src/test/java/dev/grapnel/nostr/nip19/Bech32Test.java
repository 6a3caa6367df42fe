package dev.grapnel.nostr.nip19;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.grapnel.nostr.Parsed;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class Bech32Test {
    private static final String NPUB = "npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6";
    private static final String LETTERS = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";

    /// From BIP-173, those whose data are whole bytes.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "A12UEL5L",
                "a12uel5l",
                "an83characterlonghumanreadablepartthatcontainsthenumber1andtheexcludedcharactersbio1tt5tgs",
                "abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw",
                "split1checkupstagehandshakeupstreamerranterredcaperred2y9e3w",
                "?1ezyfcl"
            })
    void textOfTheStandardIsReadAndWrittenAgain(String text) {
        var decoded = Bech32.decode(text).require();
        assertEquals(
                text.toLowerCase(Locale.ROOT),
                Bech32.encode(decoded.prefix(), decoded.data()).require());
    }

    /// From BIP-173.
    @ParameterizedTest
    @ValueSource(
            strings = {
                " 1nwldj5",
                "\u007f1axkwrx",
                "\u00801eym55h",
                "pzry9x0s0muk",
                "1pzry9x0s0muk",
                "x1b4n0q5v",
                "li1dgmt3",
                "de1lg7wt\u00ff",
                "A1G7SGD8",
                "10a06t8",
                "1qzzfhee"
            })
    void badTextOfTheStandardIsRefused(String text) {
        assertEquals(Optional.empty(), Bech32.decode(text).find());
    }

    @Test
    void anyOtherLetterAtAnyPlaceIsRefused() {
        for (int at = 0; at < NPUB.length(); at++) {
            for (int i = 0; i < LETTERS.length(); i++) {
                char letter = LETTERS.charAt(i);
                if (letter != NPUB.charAt(at)) {
                    var spoilt = NPUB.substring(0, at) + letter + NPUB.substring(at + 1);
                    assertEquals(Optional.empty(), Bech32.decode(spoilt).find(), spoilt);
                }
            }
        }
    }

    @Test
    void twoNeighboursExchangedAreRefused() {
        for (int at = 0; at + 1 < NPUB.length(); at++) {
            if (NPUB.charAt(at) != NPUB.charAt(at + 1)) {
                var spoilt = NPUB.substring(0, at) + NPUB.charAt(at + 1) + NPUB.charAt(at) + NPUB.substring(at + 2);
                assertEquals(Optional.empty(), Bech32.decode(spoilt).find(), spoilt);
            }
        }
    }

    @Test
    void textCutAtAnyPlaceIsRefused() {
        for (int end = 0; end < NPUB.length(); end++) {
            assertEquals(Optional.empty(), Bech32.decode(NPUB.substring(0, end)).find(), "first " + end);
        }
    }

    @Test
    void oneUpperCaseLetterAnywhereIsRefused() {
        for (int at = 0; at < NPUB.length(); at++) {
            if (Character.isLowerCase(NPUB.charAt(at))) {
                var mixed = NPUB.substring(0, at) + Character.toUpperCase(NPUB.charAt(at)) + NPUB.substring(at + 1);
                assertEquals(
                        Parsed.<Bech32.Decoded>invalid("not bech32: lower and upper case are mixed"),
                        Bech32.decode(mixed));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        // the key of NPUB with the checksum of BIP-350
        "npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkws3w8ktc, bech32m instead of bech32",
        // the same with the last padding bit set
        "npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkw3eyr0ng, bits are left over after the last byte",
        // its first 31 bytes and a letter more than they need
        "npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6g5qetka9w, bits are left over after the last byte",
    })
    void goodChecksumDoesNotExcuseOtherFaults(String text, String reason) {
        assertEquals(Parsed.<Bech32.Decoded>invalid(reason), Bech32.decode(text));
    }

    @Test
    void fiveThousandCharactersAreTheLimitOfWriting() {
        // n, 1, six for the checksum: 4992 letters are left for 3120 bytes
        var longest = Bech32.encode("n", new byte[3120]).require();
        assertEquals(5000, longest.length());
        assertEquals(Optional.empty(), Bech32.encode("n", new byte[3121]).find());
        assertArrayEquals(new byte[3120], Bech32.decode(longest).require().data());
    }

    @Test
    void fiveThousandCharactersAreTheLimitOfReading() {
        var reason = Parsed.<Bech32.Decoded>invalid("longer than 5000 characters");
        assertNotEquals(reason, Bech32.decode("q".repeat(5000)));
        assertEquals(reason, Bech32.decode("q".repeat(5001)));
    }

    @Test
    void anyBytesComeBack() {
        long seed = new Random().nextLong();
        var random = new Random(seed);
        for (int round = 0; round < 2000; round++) {
            var data = new byte[random.nextInt(300)];
            random.nextBytes(data);
            var text = Bech32.encode("note", data).require();
            var message = "seed " + seed + ", round " + round;
            assertArrayEquals(data, Bech32.decode("note", text).require(), message);
            assertArrayEquals(
                    data, Bech32.decode("note", text.toUpperCase(Locale.ROOT)).require(), message);
        }
    }
}
