package dev.grapnel.sync.received;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.sync.received.Arrivals.Knowledge;
import org.junit.jupiter.api.Test;

/// Ids whose fate is final, a fixed number of them.
final class SeenIdsTest {
    private final SeenIds seen = new SeenIds(100, new KeyHash(3));

    private static EventId id(long number) {
        return new EventId(number, ~number, 1, 2);
    }

    @Test
    void fatesAreToldApart() {
        seen.addDeleted(id(1));
        seen.addSuperseded(id(2));
        assertEquals(Knowledge.DELETED, seen.find(id(1)));
        assertEquals(Knowledge.SUPERSEDED, seen.find(id(2)));
        assertEquals(Knowledge.UNKNOWN, seen.find(id(3)));
    }

    @Test
    void latestFateCounts() {
        seen.addSuperseded(id(1));
        seen.addDeleted(id(1));
        assertEquals(Knowledge.DELETED, seen.find(id(1)));
        assertEquals(1, seen.count());
    }

    @Test
    void oldestAreForgotten() {
        for (int i = 0; i < 1_000; i++) {
            seen.addDeleted(id(i));
        }
        assertEquals(100, seen.count());
        assertEquals(Knowledge.UNKNOWN, seen.find(id(899)));
        assertEquals(Knowledge.DELETED, seen.find(id(900)));
        assertEquals(Knowledge.DELETED, seen.find(id(999)));
    }
}
