package dev.grapnel.purgatory.hunt;

import static dev.grapnel.purgatory.hunt.ScriptedWorld.id;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.repository.Identifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class DomainQueueTest {
    private static final int SEEDS = Integer.getInteger("grapnel.hunt.seeds", 100);

    private final DomainQueue queue = new DomainQueue();

    private void add(String... names) {
        for (var name : names) {
            queue.add(id(name), Set.of());
        }
    }

    /// Gives a turn and ends it.
    private String turn() {
        var identifier = queue.take(this);
        queue.endTurn(identifier, this, Set.of());
        return identifier.text();
    }

    /// Row 125.
    @Test
    void identifiersHaveTheirTurnsInRound() {
        add("id1", "id2", "id3");
        assertEquals(List.of("id1", "id2", "id3", "id1"), List.of(turn(), turn(), turn(), turn()));
    }

    /// Row 125.
    @Test
    void thoseWithTheirTurnAreSkipped() {
        add("id1", "id2", "id3");
        assertEquals(id("id1"), queue.take("first"));
        assertEquals(id("id2"), queue.take("second"));
        assertEquals(id("id3"), queue.take("third"));
        assertEquals(Optional.empty(), queue.next());
        queue.endTurn(id("id2"), "second", Set.of());
        assertEquals(Optional.of(id("id2")), queue.next());
    }

    /// Row 126.
    @Test
    void leavingBeforeAtAndBehindTheCursorKeepsTheOrder() {
        add("id1", "id2", "id3", "id4");
        assertEquals(List.of("id1", "id2"), List.of(turn(), turn()));
        queue.leave(id("id1")); // before
        assertEquals(Optional.of(id("id3")), queue.next());
        queue.leave(id("id3")); // at
        assertEquals(Optional.of(id("id4")), queue.next());
        queue.leave(id("id2"));
        queue.leave(id("id4")); // the last
        add("id5", "id6");
        assertEquals(List.of("id5", "id6", "id5"), List.of(turn(), turn(), turn()));
    }

    /// Row 126: a newcomer does not overtake those before the cursor.
    @Test
    void afterTheLastTheFirstIsNextAndNotANewcomer() {
        add("id1", "id2");
        assertEquals(List.of("id1", "id2"), List.of(turn(), turn()));
        add("id3");
        assertEquals(List.of("id1", "id2", "id3"), List.of(turn(), turn(), turn()));
    }

    /// Row 126: nor do two who come and go, which with newcomers at the end of a list would take turns for ever.
    @Test
    void whoComesAgainAndAgainDoesNotKeepOthersWaiting() {
        add("patient", "id1", "id2");
        assertEquals("patient", turn());
        for (int i = 0; i < 3; i++) {
            var first = turn();
            queue.leave(id(first));
            add(first);
            if (i == 2) {
                assertEquals("patient", first);
            }
        }
    }

    /// Row 127.
    @Test
    void enteringAgainMergesWhatWasTriedAndKeepsThePlace() {
        queue.add(id("id1"), Set.of("a"));
        add("id2");
        queue.add(id("id1"), Set.of("b"));
        assertEquals(Set.of("a", "b"), queue.tried(id("id1")));
        assertEquals(List.of("id1", "id2"), List.of(turn(), turn()));
        queue.clearTried(id("id1"));
        assertEquals(Set.of(), queue.tried(id("id1")));
    }

    /// Row 127: what a turn tries that began before the new event does not count after it.
    @Test
    void freshStartDuringATurnLetsItsUrlBeTriedAgain() {
        add("id1");
        assertEquals(id("id1"), queue.take(this));
        queue.clearTried(id("id1"));
        queue.endTurn(id("id1"), this, Set.of("a"));
        assertEquals(Set.of(), queue.tried(id("id1")));
    }

    @Test
    void whoLeavesDuringItsTurnGoesWhenItEnds() {
        add("id1");
        assertEquals(id("id1"), queue.take(this));
        queue.leave(id("id1"));
        assertTrue(queue.contains(id("id1")));
        queue.endTurn(id("id1"), this, Set.of());
        assertTrue(queue.isEmpty());
    }

    @Test
    void turnsThatHaveEndedEndNothingElse() {
        add("id1");
        assertEquals(id("id1"), queue.take("old"));
        queue.endTurn(id("id1"), "old", Set.of());
        assertEquals(id("id1"), queue.take("new"));
        queue.endTurn(id("id1"), "old", Set.of());
        queue.dropTurn(id("id1"), "old");
        assertEquals(Optional.empty(), queue.next());
        assertTrue(queue.contains(id("id1")));
    }

    /// Against a plain list.
    @Test
    void ordersLikeAListThatIsPassedFromItsStart() {
        for (int seed = 0; seed < SEEDS; seed++) {
            var chance = new SplittableRandom(seed);
            var real = new DomainQueue();
            var model = new ListQueue();
            for (int step = 0; step < 300; step++) {
                var who = id("i" + chance.nextInt(8));
                switch (chance.nextInt(5)) {
                    case 0, 1 -> {
                        real.add(who, Set.of());
                        model.add(who);
                    }
                    case 2 -> {
                        if (real.next().isPresent()) {
                            assertEquals(model.take(), real.take("turn"), "seed " + seed + " step " + step);
                        }
                    }
                    case 3 -> {
                        real.endTurn(who, "turn", Set.of());
                        model.end(who);
                    }
                    default -> {
                        real.leave(who);
                        model.leave(who);
                    }
                }
                assertEquals(model.next(), real.next(), "seed " + seed + " step " + step);
            }
        }
    }

    /// Whoever has its turn goes to the end.
    private static final class ListQueue {
        private final List<Identifier> all = new ArrayList<>();
        private final List<Identifier> busy = new ArrayList<>();
        private final List<Identifier> leaving = new ArrayList<>();

        void add(Identifier who) {
            if (!all.contains(who)) {
                all.add(who);
            }
            leaving.remove(who);
        }

        Optional<Identifier> next() {
            return all.stream().filter(who -> !busy.contains(who)).findFirst();
        }

        Identifier take() {
            var who = next().orElseThrow();
            busy.add(who);
            all.remove(who);
            all.add(who);
            return who;
        }

        void end(Identifier who) {
            if (busy.remove(who) && leaving.remove(who)) {
                all.remove(who);
            }
        }

        void leave(Identifier who) {
            if (busy.contains(who)) {
                leaving.remove(who);
                leaving.add(who);
            } else {
                all.remove(who);
            }
        }
    }
}
