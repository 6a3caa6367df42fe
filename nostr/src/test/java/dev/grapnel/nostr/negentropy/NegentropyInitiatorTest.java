package dev.grapnel.nostr.negentropy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.negentropy.NegentropyStep.Continue;
import dev.grapnel.nostr.negentropy.NegentropyStep.Exceeded;
import dev.grapnel.nostr.negentropy.NegentropyStep.Limit;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The initiator against peers that do not play fair.
final class NegentropyInitiatorTest {
    private static final long SEED = 168;
    private static final NegentropyItems ITEMS =
            Item.seal(TwoSets.random(1000, 0, 100, SEED).left());

    @Test
    void peerThatAlwaysChangesFingerprintsIsAbandoned() {
        var initiator = open(ITEMS, NegentropyLimits.DEFAULTS);
        var random = new SplittableRandom(SEED);
        for (int sent = 1; sent < 250; sent++) {
            assertInstanceOf(Continue.class, initiator.next(anyFingerprint(random)), "after " + sent);
        }
        assertEquals(new Exceeded(Limit.ROUNDS, List.of(), List.of()), initiator.next(anyFingerprint(random)));
    }

    @Test
    void peerThatListsEndlesslyIsAbandonedAtTheLimitOfNeededIds() {
        var initiator = open(ITEMS, new NegentropyLimits(60_000, 250, 1000));
        var random = new SplittableRandom(SEED);
        var needed = new HashSet<EventId>();
        for (int i = 0; i < 10; i++) {
            var step = assertInstanceOf(Continue.class, initiator.next(listAndFingerprint(100, random)));
            needed.addAll(step.need());
        }
        assertEquals(1000, needed.size());
        var last = assertInstanceOf(Exceeded.class, initiator.next(listAndFingerprint(100, random)));
        assertEquals(Limit.NEED, last.limit());
    }

    @Test
    void limitIsNotPassedByRepeatingIds() {
        var initiator = open(ITEMS, new NegentropyLimits(60_000, 250, 10));
        var random = new SplittableRandom(SEED);
        var message = listAndFingerprint(10, random);
        assertEquals(
                10,
                assertInstanceOf(Continue.class, initiator.next(message)).need().size());
        for (int i = 0; i < 20; i++) {
            assertEquals(
                    List.of(),
                    assertInstanceOf(Continue.class, initiator.next(message)).need());
        }
    }

    @Test
    void idListedTwiceInOneMessageIsNeededOnce() {
        var initiator = open(ITEMS, NegentropyLimits.DEFAULTS);
        var message = bytes("61" + "020002" + "02" + "ab".repeat(64) + "000002" + "01" + "ab".repeat(32));
        var step = assertInstanceOf(NegentropyStep.Complete.class, initiator.next(message));
        assertEquals(List.of(EventId.parse("ab".repeat(32)).require()), step.need());
    }

    @Test
    void ownIdsArePartOfHaveOnlyOnce() {
        var initiator = open(ITEMS, NegentropyLimits.DEFAULTS);
        var random = new SplittableRandom(SEED);
        var emptyList = "0a0002" + "00";
        var first = bytes("61" + emptyList + "000001" + randomHex(16, random));
        assertTrue(
                !assertInstanceOf(Continue.class, initiator.next(first)).have().isEmpty());
        assertEquals(
                List.of(),
                assertInstanceOf(Continue.class, initiator.next(first)).have());
    }

    @ParameterizedTest
    @ValueSource(ints = {0x60, 0x62, 0x6f})
    void otherVersionEndsTheSession(int version) {
        var initiator = open(ITEMS, NegentropyLimits.DEFAULTS);
        assertEquals(new NegentropyStep.UnsupportedVersion(version), initiator.next(Bytes.copyOf((byte) version)));
        assertThrows(IllegalStateException.class, () -> initiator.next(bytes("61")));
    }

    @Test
    void sessionIsOpenedOnceAndBeforeAnyAnswer() {
        var initiator = new NegentropyInitiator(ITEMS, NegentropyLimits.DEFAULTS);
        assertThrows(IllegalStateException.class, () -> initiator.next(bytes("61")));
        initiator.first();
        assertThrows(IllegalStateException.class, initiator::first);
    }

    @Test
    void framesBelow4096AreNoLimits() {
        assertThrows(IllegalArgumentException.class, () -> NegentropyLimits.DEFAULTS.withFrameBytes(4095));
        assertThrows(IllegalArgumentException.class, () -> new NegentropyResponder(ITEMS, 4095));
        assertEquals(4096, NegentropyLimits.DEFAULTS.withFrameBytes(4096).frameBytes());
    }

    private static NegentropyInitiator open(NegentropyItems items, NegentropyLimits limits) {
        var initiator = new NegentropyInitiator(items, limits);
        initiator.first();
        return initiator;
    }

    private static Bytes anyFingerprint(SplittableRandom random) {
        return bytes("61" + "000001" + randomHex(16, random));
    }

    /// Ids before the first second, of which the initiator has none, and something to go on with.
    private static Bytes listAndFingerprint(int ids, SplittableRandom random) {
        var count = String.format("%02x", ids);
        return bytes("61" + "010002" + count + randomHex(32 * ids, random) + "000001" + randomHex(16, random));
    }

    private static String randomHex(int count, SplittableRandom random) {
        var bytes = new byte[count];
        random.nextBytes(bytes);
        return Bytes.wrap(bytes).toHex();
    }

    private static Bytes bytes(String hex) {
        return Bytes.parseHex(hex).require();
    }
}
