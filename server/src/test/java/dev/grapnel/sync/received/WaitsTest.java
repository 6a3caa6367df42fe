package dev.grapnel.sync.received;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.SequencedSet;
import org.junit.jupiter.api.Test;

/// Who waits for what, compared with maps of lists.
final class WaitsTest {
    @Test
    void agreesWithAMapOfLists() {
        for (int seed = 0; seed < 20; seed++) {
            compare(new Random(seed), "seed " + seed);
        }
    }

    private static void compare(Random random, String message) {
        var waits = new Waits(100_000);
        var rows = new HashMap<Integer, Integer>();
        var slots = new HashMap<Integer, List<Long>>();
        Map<Long, SequencedSet<Integer>> keys = new HashMap<>();
        for (int step = 0; step < 3_000; step++) {
            int slot = random.nextInt(200);
            var wanted = slots.remove(slot);
            if (wanted == null) {
                var more = random.longs(random.nextInt(5), 0, 40)
                        .distinct()
                        .boxed()
                        .toList();
                int row = Waits.NONE;
                for (long key : more) {
                    row = waits.add(key, slot, row);
                    keys.computeIfAbsent(key, _ -> new LinkedHashSet<>()).add(slot);
                }
                rows.put(slot, row);
                slots.put(slot, more);
            } else {
                var told = new ArrayList<Long>();
                int row = Objects.requireNonNull(rows.get(slot));
                waits.forEachKey(row, told::add);
                assertEquals(wanted.reversed(), told, message);
                waits.removeAll(row);
                wanted.forEach(key -> Objects.requireNonNull(keys.get(key)).remove(slot));
            }
            long key = random.nextInt(40);
            var waiting = keys.getOrDefault(key, new LinkedHashSet<>());
            assertEquals(waiting.isEmpty() ? Waits.NONE : waiting.getFirst(), waits.findFirst(key), message);
            assertEquals(!waiting.isEmpty(), waits.isAwaited(key), message);
        }
        assertEquals(slots.values().stream().mapToInt(List::size).sum(), waits.count(), message);
    }

    @Test
    void numberIsBounded() {
        var waits = new Waits(2);
        waits.add(1, 1, Waits.NONE);
        assertTrue(waits.hasRoomFor(1));
        assertFalse(waits.hasRoomFor(2));
        waits.add(2, 1, Waits.NONE);
        assertThrows(IllegalStateException.class, () -> waits.add(3, 1, Waits.NONE));
    }
}
