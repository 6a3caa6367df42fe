package dev.grapnel.nostr.negentropy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Parsed;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a stranger may send instead of a message.
final class NegentropyMalformedTest {
    private static final long SEED = 161;
    private static final String EMPTY_FINGERPRINT = "7f9c9e31ac8256ca2f258583df262dbc";

    private static final List<Item> ITEMS = randomItems(200);
    private static final NegentropyItems SEALED = Item.seal(ITEMS);

    /// Words by which other programs sort refusals (relay 2.2, sync R4.20).
    private static final List<String> FORBIDDEN =
            List.of("blocked", "restricted", "member", "too many", "duplicate", "negentropy", "envelope");

    @ParameterizedTest
    @CsvSource({
        "'', unknown protocol version",
        "10, unknown protocol version",
        "5f, unknown protocol version",
        "70, unknown protocol version",
        "61000003, unknown range mode",
        "61000081808000, unknown range mode",
        "61818181818181818181810000 00, number longer than 10 bytes",
        "6180808080808080808080 00 00 00, number longer than 10 bytes",
        "61828080808080808080 00 00 00, number beyond 64 bits",
        "61ffffffffffffffffff7f 00 00, number beyond 64 bits",
        "6100 21 00, bound prefix longer than 32 bytes",
        "6100 81ffffffffffffffff7f 00, bound prefix longer than 32 bytes",
        "610201ff00 010180 00, bounds must not decrease",
        "6102012000 0100 00, bounds must not decrease",
        "61000000 02000000, data after the bound at infinity",
        "61000000 000000, data after the bound at infinity",
        "6181ffffffffffffffff7f0000 81ffffffffffffffff7f 0000 05, data after the bound at infinity",
        "6100000201, id list longer than the message",
        "610000029080808080808080 00, id list longer than the message",
        "61000002888080808080808000, id list longer than the message",
        "6100000281ffffffffffffffff7f, id list longer than the message",
        "61000001aabb, message ends early",
        "610002aa, message ends early",
        "618080, message ends early"
    })
    void malformedMessageIsRefusedWithItsReason(String hex, String reason) {
        var message = bytes(hex.replace(" ", ""));
        assertEquals(Parsed.invalid(reason), new NegentropyResponder(SEALED, 0).respond(message));
        assertEquals(new NegentropyStep.Invalid(reason), openInitiator().next(message));
    }

    @Test
    void unusualButSoundMessageIsRead() {
        var leadingZeros = "80".repeat(9) + "01" + "0000";
        var longMode = "00" + "00" + "8000";
        var repeatedBound = "0201fe00" + "0101fe00";
        var latest = "81ffffffffffffffff7f" + "20" + "00".repeat(31) + "ff" + "00";
        for (var ranges : List.of(leadingZeros, longMode, repeatedBound, latest)) {
            assertEquals(
                    Parsed.valid(bytes("61")),
                    new NegentropyResponder(SEALED, 0).respond(bytes("61" + ranges)),
                    ranges);
        }
    }

    @Test
    void timeBeyond64BitsIsInfinity() {
        var beyond = bytes("6181ffffffffffffffff7e0000" + "81ffffffffffffffff7e0002" + "00");
        assertEquals(
                "61" + "81ffffffffffffffff7e0000" + "000002" + "00",
                new NegentropyResponder(Item.seal(List.of()), 0)
                        .respond(beyond)
                        .require()
                        .toHex());
    }

    @Test
    void messageCutInsideOfRangeIsRefusedAndBetweenRangesIsNot() {
        for (var whole : List.of(wholeFingerprints(), wholeIdLists())) {
            for (int length = 0; length < whole.length(); length++) {
                var cut = Bytes.copyOf(whole.toArray(), 0, length);
                boolean sound = length > 0 && isRangeEnd(whole, length);
                var answer = new NegentropyResponder(SEALED, 0).respond(cut);
                assertEquals(sound, answer.find().isPresent(), "cut at " + length);
                boolean read = !(openInitiator().next(cut) instanceof NegentropyStep.Invalid);
                assertEquals(sound, read, "cut at " + length);
            }
        }
    }

    @Test
    void randomBytesNeverThrowAndReasonsAvoidWordsOthersSearchFor() {
        var random = new SplittableRandom(SEED);
        var base = wholeFingerprints().toArray();
        for (int i = 0; i < 20_000; i++) {
            var bytes = base.clone();
            for (int changes = random.nextInt(1, 6); changes > 0; changes--) {
                bytes[random.nextInt(1, 60)] = (byte) random.nextInt(256);
            }
            var message = Bytes.wrap(bytes);
            if (new NegentropyResponder(SEALED, 4096).respond(message) instanceof Parsed.Invalid<Bytes>(var reason)) {
                assertHarmless(reason);
            }
            if (openInitiator().next(message) instanceof NegentropyStep.Invalid(var reason)) {
                assertHarmless(reason);
            }
        }
    }

    @Test
    void fingerprintOfNothingAfterInfinityIsForgivenResponders() {
        var filled = bytes("61" + "00000200" + "000001" + EMPTY_FINGERPRINT);
        var step =
                assertInstanceOf(NegentropyStep.Complete.class, openInitiator().next(filled));
        assertEquals(ITEMS.size(), step.have().size());
        assertFalse(new NegentropyResponder(SEALED, 0).respond(filled).find().isPresent());
    }

    @Test
    void otherFingerprintAfterInfinityIsNotForgiven() {
        var message = bytes("61" + "00000200" + "000001" + "00".repeat(16));
        assertInstanceOf(NegentropyStep.Invalid.class, openInitiator().next(message));
    }

    private static void assertHarmless(String reason) {
        var text = reason.toLowerCase(Locale.ROOT);
        assertTrue(FORBIDDEN.stream().noneMatch(text::contains), reason);
    }

    private static boolean isRangeEnd(Bytes whole, int length) {
        return length == 1 || NaivePeer.parse(whole).stream().anyMatch(span -> span.endsAt() == length);
    }

    private static Bytes wholeFingerprints() {
        return new NegentropyInitiator(SEALED, NegentropyLimits.DEFAULTS).first();
    }

    /// Two lists and a Skip between them.
    private static Bytes wholeIdLists() {
        return bytes("61" + "02000201" + "ab".repeat(32) + "0301cd00" + "00000202" + "ef".repeat(64));
    }

    private static NegentropyInitiator openInitiator() {
        var initiator = new NegentropyInitiator(SEALED, NegentropyLimits.DEFAULTS);
        initiator.first();
        return initiator;
    }

    private static List<Item> randomItems(int count) {
        var random = new SplittableRandom(SEED);
        return Stream.generate(() -> Item.random(random, 50)).limit(count).toList();
    }

    private static Bytes bytes(String hex) {
        return Bytes.parseHex(hex).require();
    }
}
