package dev.grapnel.sync.received;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.HashMap;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Slots are found by hashes, whatever was added and removed before.
final class SlotIndexTest {
    private static final int SLOTS = 4_000;

    private final long[] hashes = new long[SLOTS];
    private final SlotIndex index = new SlotIndex(slot -> hashes[slot]);

    /// Few hashes for many slots, so that there are long runs of equal and neighbouring ones.
    @Test
    void findsWhatAMapFinds() {
        for (int seed = 0; seed < 20; seed++) {
            compare(new Random(seed), "seed " + seed);
        }
    }

    private void compare(Random random, String message) {
        var here = new HashMap<Integer, Long>();
        for (int step = 0; step < 4_000; step++) {
            int slot = random.nextInt(SLOTS);
            Long hash = here.get(slot);
            if (hash == null) {
                hashes[slot] = (long) random.nextInt(3) << 56 | random.nextInt(300);
                index.add(hashes[slot], slot);
                here.put(slot, hashes[slot]);
            } else {
                index.remove(hash, slot);
                here.remove(slot);
            }
        }
        for (int slot = 0; slot < SLOTS; slot++) {
            int wanted = slot;
            int expected = here.containsKey(slot) ? slot : -1;
            assertEquals(expected, index.find(hashes[slot], found -> found == wanted), message);
        }
        here.forEach((slot, hash) -> index.remove(hash, slot));
    }

    @Test
    void slotTakesThePlaceOfAnother() {
        hashes[1] = 5;
        hashes[2] = 5;
        index.add(5, 1);
        index.replace(5, 1, 2);
        assertEquals(2, index.find(5, _ -> true));
        index.remove(5, 2);
        assertEquals(-1, index.find(5, _ -> true));
    }

    @Test
    void removingWhatIsNotThereIsAMistake() {
        assertThrows(IllegalStateException.class, () -> index.remove(5, 1));
    }
}
