package dev.grapnel.sync.received;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// Events that depend on each other go one after the other, relays take turns, and all of them go.
final class LineTest {
    private static final long KEYS = 12;

    private final Line line = new Line();

    private static Passage passage(int relay, Set<Long> own, Set<Long> shared) {
        var event = Unsigned.event(1, 1, "[]");
        var passage = new Passage(new Delivery(event, relay, IntakeFixture.url(relay), Arrivals.Path.LIVE, 0, _ -> {}));
        passage.claim(new Claims(own, shared));
        return passage;
    }

    private Passage add(int relay, Set<Long> own, Set<Long> shared) {
        var passage = passage(relay, own, shared);
        line.add(passage, relay);
        return passage;
    }

    private Optional<Passage> poll() {
        return line.poll(_ -> true);
    }

    private List<Passage> pollAll() {
        var all = new ArrayList<Passage>();
        for (var next = poll(); next.isPresent(); next = poll()) {
            all.add(next.get());
        }
        return all;
    }

    @Test
    void conflictingOnesNeverOverlapAndAllGo() {
        for (int seed = 0; seed < 200; seed++) {
            new Run(new Random(seed), "seed " + seed).go();
        }
    }

    private static final class Run {
        private final Random random;
        private final String message;
        private final Line line = new Line();
        private final Set<Passage> waiting = new HashSet<>();
        private final List<Passage> inside = new ArrayList<>();

        Run(Random random, String message) {
            this.random = random;
            this.message = message;
        }

        void go() {
            for (int number = 0; number < 200; number++) {
                enter();
                poll();
                while (!inside.isEmpty() && random.nextInt(3) == 0) {
                    leave();
                }
            }
            while (!inside.isEmpty()) {
                leave();
            }
            assertEquals(Set.of(), waiting, message);
        }

        private void enter() {
            var passage = passage(random.nextInt(5), keys(), keys());
            waiting.add(passage);
            line.add(passage, passage.relay());
            if (random.nextInt(5) == 0) {
                int relay = random.nextInt(5);
                passage.join(
                        new Delivery(passage.event(), relay, IntakeFixture.url(relay), Arrivals.Path.LIVE, 0, _ -> {}));
                line.add(passage, relay);
            }
        }

        private Set<Long> keys() {
            var keys = new TreeSet<Long>();
            for (int i = random.nextInt(3); i > 0; i--) {
                keys.add(random.nextLong(KEYS));
            }
            return keys;
        }

        private void poll() {
            for (var next = line.poll(_ -> true); next.isPresent(); next = line.poll(_ -> true)) {
                var passage = next.get();
                assertTrue(waiting.remove(passage), message);
                for (var other : inside) {
                    assertTrue(!conflict(passage, other) && !conflict(other, passage), message);
                }
                inside.add(passage);
            }
        }

        private static boolean conflict(Passage one, Passage other) {
            var own = set(one.claims().own());
            var all = set(other.claims().own());
            all.addAll(set(other.claims().shared()));
            return own.stream().anyMatch(all::contains);
        }

        private static Set<Long> set(long[] keys) {
            var set = new TreeSet<Long>();
            for (long key : keys) {
                set.add(key);
            }
            return set;
        }

        private void leave() {
            line.leave(inside.remove(random.nextInt(inside.size())));
            poll();
        }
    }

    @Test
    void nobodyWaitsWithoutAReason() {
        for (int i = 0; i < 5; i++) {
            add(1, Set.of(), Set.of(3L));
        }
        assertEquals(5, pollAll().size());
    }

    @Test
    void whoWaitsKeepsNothingFromOthers() {
        var first = add(1, Set.of(1L), Set.of());
        add(1, Set.of(1L), Set.of(2L)); // has it reserved, as the first one that cannot go
        add(1, Set.of(1L), Set.of(3L));
        var other = add(2, Set.of(3L), Set.of());
        assertEquals(List.of(first, other), pollAll());
    }

    @Test
    void relaysTakeTurns() {
        var expected = new ArrayList<Passage>();
        var second = new ArrayList<Passage>();
        for (int i = 0; i < 3; i++) {
            expected.add(add(1, Set.of(), Set.of()));
        }
        for (int i = 0; i < 3; i++) {
            second.add(add(2, Set.of(), Set.of()));
        }
        for (int i = 0; i < 3; i++) {
            expected.add(2 * i + 1, second.get(i));
        }
        assertEquals(expected, pollAll());
    }

    @Test
    void whatCannotGoYetKeepsOthersOfItsRelayBackOnlyIfThereAreMany() {
        var first = add(1, Set.of(1L), Set.of());
        for (int i = 0; i < 14; i++) {
            add(1, Set.of(1L), Set.of());
        }
        var free = add(1, Set.of(2L), Set.of());
        assertEquals(List.of(first, free), pollAll());
        add(1, Set.of(1L), Set.of());
        add(1, Set.of(1L), Set.of());
        add(1, Set.of(3L), Set.of());
        assertEquals(List.of(), pollAll());
        line.leave(first);
        assertEquals(2, pollAll().size()); // a next one, and behind it there is one more to look at
    }

    @Test
    void whoIsNotAdmittedIsPassedOver() {
        var barred = add(1, Set.of(1L), Set.of());
        var other = add(1, Set.of(2L), Set.of());
        assertEquals(Optional.of(other), line.poll(passage -> !passage.equals(barred)));
        assertEquals(Optional.empty(), line.poll(passage -> !passage.equals(barred)));
        line.leave(other);
        assertEquals(Optional.of(barred), poll());
    }

    /// Each relay has one of its events preferred in its turn.
    @Test
    void whatIsSharedWithoutAnEndIsHadAloneInTheEnd() {
        add(1, Set.of(), Set.of(1L));
        var sharing = new ArrayList<>(pollAll());
        var alone = add(2, Set.of(1L), Set.of());
        for (int i = 0; i < 3; i++) {
            add(1, Set.of(), Set.of(1L));
            sharing.addAll(pollAll());
            line.leave(sharing.removeFirst());
            var next = pollAll();
            if (next.contains(alone)) {
                return;
            }
            sharing.addAll(next);
        }
        throw new AssertionError("it did not go");
    }
}
