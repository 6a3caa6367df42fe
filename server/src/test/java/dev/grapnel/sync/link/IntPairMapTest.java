package dev.grapnel.sync.link;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class IntPairMapTest {
    @Test
    void behavesLikeTwoMaps() {
        for (long seed = 1; seed <= 20; seed++) {
            var random = new SplittableRandom(seed);
            var map = new IntPairMap(Room.endless());
            var firsts = new HashMap<Integer, Integer>();
            var seconds = new HashMap<Integer, Integer>();
            for (int i = 0; i < 2_000; i++) {
                int key = random.nextInt(500);
                int value = random.nextInt(1_000);
                if (random.nextBoolean()) {
                    map.setFirst(key, value);
                    firsts.put(key, value);
                } else {
                    map.setSecond(key, value);
                    seconds.put(key, value);
                }
            }
            for (int key = 0; key < 500; key++) {
                assertEquals(firsts.getOrDefault(key, 0), map.first(key), "seed " + seed);
                assertEquals(seconds.getOrDefault(key, 0), map.second(key), "seed " + seed);
            }
            map.resetFirsts();
            for (int key = 0; key < 500; key++) {
                assertEquals(map.second(key), map.first(key), "seed " + seed);
            }
        }
    }

    @Test
    void keepsEverythingWhenItIsCutIntoParts() {
        var map = new IntPairMap(Room.endless());
        int count = 200_000;
        for (int key = 0; key < count; key++) {
            map.setFirst(key, key + 1);
            map.setSecond(key, key + 2);
        }
        assertEquals(count, map.size());
        for (int key = 0; key < count; key++) {
            assertEquals(key + 1, map.first(key));
            assertEquals(key + 2, map.second(key));
        }
        map.clear();
        assertEquals(0, map.size());
    }

    @Test
    void whatIsForgottenLeavesRoomAndNobodyElseIsLost() {
        for (long seed = 1; seed <= 20; seed++) {
            var random = new SplittableRandom(seed);
            var room = new Room(300);
            var map = new IntPairMap(room);
            var firsts = new HashMap<Integer, Integer>();
            for (int i = 0; i < 5_000; i++) {
                int key = random.nextInt(500);
                if (random.nextInt(3) == 0) {
                    map.forget(key);
                    firsts.remove(key);
                } else if (map.hasRoom(key)) {
                    int value = random.nextInt(5_000); // some are too far ahead to stand beside the second number
                    map.setFirst(key, value);
                    firsts.put(key, value);
                }
                assertEquals(firsts.size(), map.size(), "seed " + seed);
                assertEquals(firsts.size(), room.taken(), "seed " + seed);
            }
            for (int key = 0; key < 500; key++) {
                assertEquals(firsts.containsKey(key), map.has(key), "seed " + seed);
                assertEquals(firsts.getOrDefault(key, 0), map.first(key), "seed " + seed);
            }
            map.clear();
            assertEquals(0, room.taken());
        }
    }
}
