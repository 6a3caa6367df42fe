package dev.grapnel.sync.received;

import static dev.grapnel.sync.received.IntakeFixture.ORPHAN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.sync.world.Gate.Ruling;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Strangers can have any number of events wait for one thing: no turn of the loop has more than its share of what
/// follows when that comes (sync 8.3).
final class AwakeningTest {
    private static final int MANY = 5_000;

    private final IntakeFixture world = new IntakeFixture();

    private static Event wordy(int number, Event parent) {
        var names = IntStream.range(0, 199)
                .mapToObj(name -> "[\"e\",\"%064x\"]".formatted(1_000L * number + name))
                .collect(Collectors.joining(","));
        return Unsigned.event(number, 1111, "[[\"e\",\"" + parent.id() + "\"]," + names + "]");
    }

    @Test
    void eventsDatedAheadAreAskedForOverSeveralTurns() {
        var near = world.loop.wall().plus(Duration.ofSeconds(90));
        world.policy = _ -> new Ruling.Ahead(near);
        for (int number = 0; number < MANY; number++) {
            world.bring(Unsigned.event(number, 1, "[]"), 3);
        }
        world.loop.runFor(Duration.ofSeconds(100));
        assertEquals(0, world.refetched.size());
        world.runInTurns(Duration.ofSeconds(60), world.refetched::size, 1_000);
        assertEquals(MANY, world.refetched.size());
        assertEquals(MANY, new HashSet<>(world.refetched).size());
        assertTrue(world.relaysSought < 20, () -> "looked for the relay " + world.relaysSought + " times");
    }

    @Test
    void whateverWaitsIsJudgedAgainOverSeveralTurnsIfNothingIsKnown() {
        world.policy = _ -> ORPHAN;
        var root = Unsigned.event(0, 1, "[]");
        for (int number = 1; number <= MANY; number++) {
            world.bring(Unsigned.comment(number, root), number % 16);
        }
        world.admitted.clear();
        world.intake.missed();
        world.runInTurns(Duration.ZERO, () -> world.intake.figures().underWay(), 1_000);
        assertEquals(MANY, world.admitted.size());
        assertEquals(MANY, world.intake.figures().refused());
    }

    @Test
    void wordyEventsTakeTheirTurnsByWhatTheyReferTo() {
        world.policy = _ -> ORPHAN;
        var root = Unsigned.event(0, 1, "[]");
        for (int number = 1; number <= 400; number++) {
            world.bring(wordy(number, root), number % 16);
        }
        world.admitted.clear();
        world.intake.appeared(List.of(IntakeFixture.appearance(root)), world.archive.commit, () -> {});
        assertTrue(world.intake.figures().underWay() <= 50);
        world.runInTurns(Duration.ZERO, () -> world.intake.figures().underWay(), 50);
        assertEquals(400, world.admitted.size());
    }
}
