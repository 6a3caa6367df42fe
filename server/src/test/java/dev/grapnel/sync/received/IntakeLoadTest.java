package dev.grapnel.sync.received;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.sync.received.Arrivals.Outcome;
import dev.grapnel.sync.world.Gate.Ruling;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Two thousand events a second, of which four hundred are new (sync 8.1, test 144), for two minutes: an hour of
/// it, and what it costs, is a matter of the bench.
final class IntakeLoadTest {
    private static final int NEW_PER_SECOND = 400;
    private static final int RELAYS = 5;

    /// So many of them bring an event before anybody has judged it.
    private static final int FIRST = 3;

    private static final int SECONDS = 120;

    /// Every eighth of the new ones is refused.
    private static final int REFUSED = NEW_PER_SECOND / 8;

    private static final int HOT_MAX = 500;
    private static final int COLD_MAX = 2_000;
    private static final int SEEN_MAX = 1_000;

    private final IntakeFixture world = new IntakeFixture(new IntakeConfig(
            IntakeFixture.HOT, IntakeFixture.COLD, "rules", HOT_MAX, 64L << 20, COLD_MAX, 10_000, SEEN_MAX, 256, 600));
    private final Map<Outcome, Integer> outcomes = new EnumMap<>(Outcome.class);

    @Test
    void everyEventIsJudgedOnceAndNoMoreIsKeptThanMayBe() {
        world.policy = event -> isRefused(event) ? IntakeFixture.FINAL : new Ruling.Stored();
        for (int second = 0; second < SECONDS; second++) {
            bring(events(second));
            assertEquals(NEW_PER_SECOND, new HashSet<>(world.admitted).size(), "none is lost");
            assertEquals(NEW_PER_SECOND, world.admitted.size(), "and none is judged twice");
            var figures = world.intake.figures();
            assertEquals(0, figures.underWay() + figures.inGate());
            assertTrue(figures.refused() <= HOT_MAX + COLD_MAX, figures::toString);
            assertTrue(figures.seen() <= SEEN_MAX, figures::toString);
            world.admitted.clear();
            world.counted.clear();
            world.archive.served.clear();
        }
        assertTrue(SECONDS * REFUSED > 2 * (HOT_MAX + COLD_MAX), "it is full since long");
        assertEquals(
                Map.of(
                        Outcome.STORED,
                        SECONDS * (NEW_PER_SECOND - REFUSED),
                        Outcome.KNOWN,
                        SECONDS * (NEW_PER_SECOND - REFUSED) * (RELAYS - 1),
                        Outcome.REFUSED_INVALID,
                        SECONDS * REFUSED * FIRST,
                        Outcome.REFUSED,
                        SECONDS * REFUSED * (RELAYS - FIRST)),
                outcomes);
    }

    private static boolean isRefused(Event event) {
        return Integer.parseInt(event.content()) % 8 == 0;
    }

    private static List<Event> events(int second) {
        var events = new ArrayList<Event>();
        for (int i = 0; i < NEW_PER_SECOND; i++) {
            events.add(Unsigned.event(second * NEW_PER_SECOND + i, 1, "[]"));
        }
        return events;
    }

    private void bring(List<Event> events) {
        for (int relay = 0; relay < RELAYS; relay++) {
            for (var event : events) {
                world.intake.receive(
                        event, relay, Arrivals.Path.LIVE, outcome -> outcomes.merge(outcome, 1, Integer::sum));
            }
            if (relay == FIRST - 1) {
                world.loop.runFor(Duration.ofMillis(500));
            }
        }
        world.loop.runFor(Duration.ofMillis(500));
    }
}
