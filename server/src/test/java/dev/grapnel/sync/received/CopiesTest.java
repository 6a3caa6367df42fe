package dev.grapnel.sync.received;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.sync.received.Arrivals.Outcome;
import dev.grapnel.sync.received.Arrivals.Path;
import dev.grapnel.sync.world.Gate.Ruling;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Copies of one event that come while nobody has decided about it (R7.11), and faults of ours meanwhile: everybody
/// hears of an outcome, once.
final class CopiesTest {
    private final IntakeFixture world = new IntakeFixture();
    private final Event event = Unsigned.event(0, 1, "[]");

    private static void fail(Outcome outcome) {
        throw new IllegalStateException("failing, as the test wants");
    }

    /// A liar signs one event in any number of ways.
    @Test
    void forgedCopiesAreNotLinedUpAgainForEachOther() {
        int count = 500;
        world.isGateShut = true;
        var forged = new ArrayList<List<Outcome>>();
        for (int number = 1; number <= count; number++) {
            forged.add(world.begin(Unsigned.copy(event, number), 1));
        }
        var genuine = world.begin(event, 2);
        var again = world.begin(Unsigned.copy(event, 1), 3);
        world.policy = copy -> copy.equals(event) ? new Ruling.Stored() : new Ruling.Forged();
        world.openGate();
        assertEquals(Collections.nCopies(count, List.of(Outcome.FORGED)), forged);
        assertEquals(List.of(Outcome.FORGED), again);
        assertEquals(List.of(Outcome.STORED), genuine);
        assertEquals(count + 1, world.admitted.size());
        long linedUp = world.intake.entrance().linedUp();
        assertTrue(linedUp <= 4L * count, () -> linedUp + " times");
    }

    @Test
    void whatAnotherRelayBroughtIsJudgedThoughOneIsOverItsQuota() {
        var copies = new Copies(delivery(event, 1));
        copies.add(delivery(event, 2));
        copies.add(delivery(Unsigned.copy(event, 1), 1));
        copies.add(delivery(Unsigned.copy(event, 2), 2));
        assertEquals(2, copies.takeOf(1).size());
        assertEquals(List.of(2), List.copyOf(copies.relays()));
        assertEquals(delivery(event, 2).event(), copies.first().event());
        assertEquals(1, copies.takeSame().size());
        assertEquals(Unsigned.copy(event, 2), copies.first().event());
        assertEquals(1, copies.takeAll().size());
        assertTrue(copies.isEmpty());
        assertEquals(List.of(), List.copyOf(copies.relays()));
    }

    private static Delivery delivery(Event event, int relay) {
        return new Delivery(event, relay, IntakeFixture.url(relay), Path.LIVE, 0, _ -> {});
    }

    @Test
    void whatFailsWhenAnOutcomeIsNotedIsToldAsAFailure() {
        world.isCountingFailing = true;
        var first = world.begin(event, 1);
        var second = world.begin(event, 2);
        assertThrows(IllegalStateException.class, world.loop::settle);
        world.loop.settle();
        assertEquals(List.of(Outcome.FAILED), first);
        assertEquals(List.of(Outcome.FAILED), second);
        assertEquals(0, world.intake.figures().underWay());
        assertEquals(0, world.intake.figures().inGate());
        world.isCountingFailing = false;
        assertEquals(Outcome.KNOWN, world.bring(event));
    }

    @Test
    void whatTheGateDoesNotTakeIsToldAsAFailure() {
        world.isGateFailing = true;
        var told = new ArrayList<Outcome>();
        assertThrows(IllegalStateException.class, () -> world.intake.receive(event, 1, Path.LIVE, told::add));
        assertEquals(List.of(Outcome.FAILED), told);
        assertEquals(0, world.intake.figures().inGate());
        world.isGateFailing = false;
        assertEquals(Outcome.STORED, world.bring(event));
    }

    @Test
    void whoCannotBearAnOutcomeKeepsNobodyBehindItWaiting() {
        var told = new ArrayList<Outcome>();
        world.intake.receive(event, 1, Path.LIVE, told::add);
        world.intake.receive(event, 2, Path.LIVE, CopiesTest::fail);
        world.intake.receive(event, 3, Path.LIVE, told::add);
        assertThrows(IllegalStateException.class, world.loop::settle);
        world.loop.settle();
        assertEquals(List.of(Outcome.STORED, Outcome.KNOWN), told);
        assertEquals(0, world.intake.figures().underWay());
    }
}
