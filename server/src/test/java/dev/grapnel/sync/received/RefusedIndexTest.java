package dev.grapnel.sync.received;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.store.row.RefusedEvent.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// The index of refusals, compared with an ordered map, and at its bounds.
final class RefusedIndexTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant LATER = NOW.plus(Duration.ofDays(7));

    private final List<EventId> ousted = new ArrayList<>();

    private RefusedIndex index(int max, int waitsMax) {
        var all = new RefusedIndex[1];
        all[0] = new RefusedIndex(max, waitsMax, new KeyHash(9), slot -> ousted.add(all[0].id(slot)));
        return all[0];
    }

    private static EventId id(long number) {
        return new EventId(number, number * 31, number * 17, number);
    }

    private static RefusedEntry entry(long number) {
        return entry(number, LATER);
    }

    private static RefusedEntry entry(long number, Instant until) {
        return new RefusedEntry(
                id(number),
                (int) (number % 40_000),
                number,
                Reason.ORPHAN,
                "wss://r" + number % 9,
                NOW,
                until,
                1,
                true,
                -1);
    }

    private static RefusedEntry from(String relay, long number) {
        return new RefusedEntry(id(number), 1, number, Reason.ORPHAN, relay, NOW, LATER, 1, true, -1);
    }

    private static final long[] NOTHING = new long[0];

    @Test
    void everythingComesBackAsItWentIn() {
        var index = index(10, 10);
        var entry = new RefusedEntry(
                id(7), 30_617, 4_000_000_000L, Reason.SUPERSEDED, "wss://r.example.org", NOW, LATER, 3, false, 77);
        index.add(entry, new long[] {4, 5});
        int slot = index.find(id(7));
        assertEquals(entry, index.entry(slot));
        var keys = new ArrayList<Long>();
        index.forEachKey(slot, keys::add);
        assertEquals(List.of(5L, 4L), keys);
        assertTrue(index.isAwaitedGroup(77));
        index.remove(slot);
        assertEquals(-1, index.find(id(7)));
        assertTrue(!index.isAwaitedGroup(77) && !index.isAwaited(4));
    }

    @Test
    void oldestMakesRoom() {
        var index = index(3, 10);
        LongStream.range(0, 5).forEach(number -> index.add(entry(number), NOTHING));
        assertEquals(List.of(id(0), id(1)), ousted);
        assertEquals(3, index.count());
        assertTrue(index.find(id(2)) >= 0 && index.find(id(0)) < 0);
    }

    @Test
    void oldestMakesRoomForWhatOthersWaitFor() {
        var index = index(100, 6);
        for (long number = 0; number < 4; number++) {
            index.add(entry(number), new long[] {1, 2, number + 10});
        }
        assertEquals(List.of(id(0), id(1)), ousted);
        assertEquals(6, index.waitCount());
        assertEquals(index.find(id(2)), index.findAwaiting(1, index.next()));
    }

    /// R7.15: no relay pushes out what others brought.
    @Test
    void relayWhoseEventsWaitForMuchMakesRoomForItself() {
        var index = index(1_000, 80);
        index.add(from("wss://honest", 1), new long[] {1, 2});
        for (long number = 2; number < 200; number++) {
            index.add(from("wss://greedy", number), new long[] {3, 4, 5, number, -number});
        }
        assertTrue(index.find(id(1)) >= 0, "another relay's");
        assertEquals(LongStream.range(2, 196).mapToObj(RefusedIndexTest::id).toList(), ousted);
        assertEquals(2 + 20, index.waitCount());
        index.add(from("wss://greedy", 200), NOTHING);
        index.add(from("wss://other", 201), new long[] {3});
        assertEquals(194, ousted.size(), "there is room");
    }

    /// What waits for nothing takes no room that others need.
    @Test
    void onlyWhoWaitsMakesRoomForWhoWaits() {
        var index = index(100_000, 40);
        LongStream.range(0, 50_000).forEach(number -> index.add(entry(number), NOTHING));
        for (long number = 50_000; number < 50_006; number++) {
            index.add(from("wss://r" + number, number), new long[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
        }
        assertEquals(50_004, index.count());
        assertEquals(List.of(id(50_000), id(50_001)), ousted);
    }

    @Test
    void whatIsReadBackTakesNoMoreThanItsRelaysShare() {
        var index = index(100, 8);
        assertTrue(index.restore(5, from("wss://r", 1), new long[] {1, 2}));
        assertTrue(!index.restore(6, from("wss://r", 2), new long[] {1}));
        assertTrue(index.restore(7, from("wss://r", 3), NOTHING));
        assertTrue(index.restore(8, from("wss://s", 4), new long[] {1}));
    }

    @Test
    void onlyWhatWasRefusedBeforeIsFound() {
        var index = index(4, 100);
        for (long number = 0; number < 6; number++) {
            long before = index.next();
            index.add(entry(number), new long[] {1});
            int first = index.findAwaiting(1, before);
            assertEquals(number == 0 ? -1 : index.find(id(Math.max(0, number - 3))), first);
        }
    }

    @Test
    void whatIsOverGoesOldestFirstAndSomeAtATime() {
        var index = index(100, 100);
        LongStream.range(0, 10).forEach(number -> index.add(entry(number, NOW.plusSeconds(number)), NOTHING));
        var expired = new ArrayList<EventId>();
        assertTrue(!index.expire(NOW.plusSeconds(5), 3, slot -> expired.add(index.id(slot))));
        assertEquals(List.of(id(0), id(1), id(2)), expired);
        assertTrue(index.expire(NOW.plusSeconds(5), 100, slot -> expired.add(index.id(slot))));
        assertEquals(6, expired.size());
        assertEquals(4, index.count());
    }

    @Test
    void agreesWithAnOrderedMap() {
        for (int seed = 0; seed < 10; seed++) {
            compare(new Random(seed), "seed " + seed);
        }
    }

    /// A ring with gaps holds a little less than a map does: whatever it has is among the newest of the map.
    private void compare(Random random, String message) {
        int max = 50;
        var index = index(max, 10_000);
        var model = new LinkedHashMap<Long, Long>();
        for (long step = 0; step < 3_000; step++) {
            long number = random.nextInt(200);
            int slot = index.find(id(number));
            if (slot >= 0) {
                index.remove(slot);
                model.remove(number);
            } else {
                index.add(entry(number), new long[] {number % 7, 100 + number % 3});
                model.remove(number);
                model.put(number, step);
            }
            long present = model.keySet().stream()
                    .filter(key -> index.find(id(key)) >= 0)
                    .count();
            assertEquals(present, index.count(), message);
            assertEquals(2 * present, index.waitCount(), message);
            model.keySet().removeIf(key -> index.find(id(key)) < 0);
        }
    }

    @Test
    void changedChunksAreTold() {
        var index = index(RefusedChunk.SIZE + 10, 100);
        assertEquals(2, index.chunkCount());
        assertEquals(new BitSet(), index.changed());
        index.add(entry(1), NOTHING);
        assertEquals(BitSet.valueOf(new long[] {1}), index.changed());
        index.clearChanged(0);
        assertEquals(new BitSet(), index.changed());
        index.remove(index.find(id(1)));
        assertEquals(BitSet.valueOf(new long[] {1}), index.changed());
    }
}
