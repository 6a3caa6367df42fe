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
            var map = new IntPairMap();
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
}
