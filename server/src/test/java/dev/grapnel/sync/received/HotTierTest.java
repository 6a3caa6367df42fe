package dev.grapnel.sync.received;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.EventId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Whole refused events at their bounds (R7.15). Numbers are rows of sync 11.
final class HotTierTest {
    private final List<EventId> ousted = new ArrayList<>();

    private static HotTier.Hot hot(int number, int relay) {
        return new HotTier.Hot(Unsigned.event(number, 1, "[]"), relay, IntakeFixture.url(relay), 0);
    }

    private HotTier tier(int eventsMax, long bytesMax) {
        return new HotTier(eventsMax, bytesMax, gone -> ousted.add(gone.id()));
    }

    /// Row 138.
    @Test
    void oneRelayLeavesThreeQuartersToOthers() {
        var tier = tier(100, 1L << 30);
        for (int i = 0; i < 75; i++) {
            tier.add(hot(i, 2 + i % 5));
        }
        for (int i = 0; i < 1_000; i++) {
            tier.add(hot(1_000 + i, 1));
        }
        assertEquals(25, tier.count(1));
        assertEquals(100, tier.count());
        assertTrue(tier.contains(hot(0, 2).id()));
        assertFalse(tier.contains(hot(1_000, 1).id()));
        assertTrue(tier.contains(hot(1_999, 1).id()));
    }

    @Test
    void oldestGoesFirst() {
        var tier = tier(8, 1L << 30);
        for (int i = 0; i < 10; i++) {
            tier.add(hot(i, i));
        }
        assertEquals(List.of(hot(0, 0).id(), hot(1, 1).id()), ousted);
        assertEquals(8, tier.count());
    }

    @Test
    void bytesAreBoundedInAllAndForEachRelay() {
        long each = hot(10, 0).event().json().length() + 512L;
        var tier = tier(1_000, 8 * each);
        for (int i = 10; i < 20; i++) {
            tier.add(hot(i, 1));
        }
        assertEquals(2, tier.count(1));
        for (int i = 20; i < 40; i++) {
            tier.add(hot(i, 10 + i));
        }
        assertEquals(8, tier.count());
    }

    @Test
    void whatIsTakenOutIsGone() {
        var tier = tier(8, 1L << 30);
        tier.add(hot(1, 1));
        assertEquals(hot(1, 1), tier.remove(hot(1, 1).id()).orElseThrow());
        assertTrue(tier.remove(hot(1, 1).id()).isEmpty());
        assertEquals(0, tier.count(1));
        assertTrue(tier.findOldest().isEmpty());
        assertEquals(List.of(), ousted);
    }
}
