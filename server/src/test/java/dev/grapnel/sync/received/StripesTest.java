package dev.grapnel.sync.received;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Events that depend on each other go one after the other, and all of them go.
final class StripesTest {
    private static final int STRIPES = 12;

    /// What one event wants.
    private record Wish(int number, BitSet own, BitSet shared) {
        boolean conflictsWith(Wish other) {
            return own.intersects(other.own) || own.intersects(other.shared) || shared.intersects(other.own);
        }
    }

    private static Wish wish(int number, Random random) {
        var own = new BitSet();
        var shared = new BitSet();
        for (int i = random.nextInt(3); i >= 0; i--) {
            (random.nextInt(3) == 0 ? own : shared).set(random.nextInt(STRIPES));
        }
        return new Wish(number, own, shared);
    }

    @Test
    void conflictingOnesNeverOverlapAndKeepTheirOrder() {
        for (int seed = 0; seed < 200; seed++) {
            new Run(new Random(seed), "seed " + seed).go();
        }
    }

    private static final class Run {
        private final Random random;
        private final String message;
        private final Stripes stripes = new Stripes(this::clear);
        private final Map<Passage, Wish> wishes = new HashMap<>();
        private final Map<Passage, Stripes.Claim> claims = new HashMap<>();
        private final List<Passage> inside = new ArrayList<>();
        private final List<Wish> waiting = new ArrayList<>();

        Run(Random random, String message) {
            this.random = random;
            this.message = message;
        }

        void go() {
            for (int number = 0; number < 200; number++) {
                enter(wish(number, random));
                while (!inside.isEmpty() && random.nextInt(3) == 0) {
                    leave();
                }
            }
            while (!inside.isEmpty()) {
                leave();
            }
            assertEquals(List.of(), waiting, message);
        }

        private void enter(Wish wish) {
            var delivery =
                    new Delivery(Unsigned.event(1, 1, "[]"), 1, IntakeFixture.url(1), Arrivals.Path.LIVE, 0, _ -> {});
            var passage = new Passage(delivery);
            wishes.put(passage, wish);
            waiting.add(wish);
            claims.put(passage, stripes.enter(passage, wish.own(), wish.shared()));
        }

        private void leave() {
            var passage = inside.remove(random.nextInt(inside.size()));
            stripes.leave(Objects.requireNonNull(claims.get(passage)));
        }

        private Wish wishOf(Passage passage) {
            return Objects.requireNonNull(wishes.get(passage));
        }

        private void clear(Passage passage) {
            var wish = wishOf(passage);
            for (var other : inside) {
                assertFalse(wish.conflictsWith(wishOf(other)), message);
            }
            for (var other : waiting) {
                assertFalse(other.number() < wish.number() && wish.conflictsWith(other), message);
            }
            waiting.remove(wish);
            inside.add(passage);
        }
    }

    @Test
    void nobodyWaitsWithoutAReason() {
        var clear = new ArrayList<Passage>();
        var stripes = new Stripes(clear::add);
        var shared = new BitSet();
        shared.set(3);
        for (int i = 0; i < 5; i++) {
            var delivery =
                    new Delivery(Unsigned.event(i, 1, "[]"), 1, IntakeFixture.url(1), Arrivals.Path.LIVE, 0, _ -> {});
            stripes.enter(new Passage(delivery), new BitSet(), shared);
        }
        assertEquals(5, clear.size());
        assertTrue(clear.stream().allMatch(passage -> passage.relay() == 1));
    }
}
