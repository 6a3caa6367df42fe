package dev.grapnel.purgatory.hunt;

import static dev.grapnel.purgatory.hunt.ScriptedWorld.id;
import static dev.grapnel.purgatory.hunt.ScriptedWorld.oid;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.purgatory.hunt.HuntNote.HedgeOutcome;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A second source beside a slow one (P-633), and what a slow one keeps from expiring (P-667).
final class HedgeTest {
    private static final String A = "https://a.example/x.git";
    private static final String A2 = "https://a.example/y.git";
    private static final String B = "https://b.example/x.git";
    private static final String C = "https://c.example/x.git";
    private static final Duration LONG = Duration.ofSeconds(1000);

    private final Huntsman man = new Huntsman();

    private List<HedgeOutcome> hedges() {
        return man.notes(HuntNote.HedgeEnded.class).stream()
                .map(HuntNote.HedgeEnded::outcome)
                .toList();
    }

    /// Row 204.
    @Test
    void secondSourceIsAskedAfterThirtySecondsAndItsSuccessCancelsTheFirst() {
        man.world.server(A).has(oid(1)).takes(LONG);
        man.world.server(B).has(oid(1)).takes(Duration.ofSeconds(5));
        man.world.waits(id("x"), List.of(oid(1)), A, A2, B, C);
        man.synced(id("x"));
        man.seconds(30.9);
        assertEquals(List.of(A), man.world.urls("visit"));
        man.seconds(0.2);
        assertEquals(List.of(A, B), man.world.urls("visit"));
        assertEquals(1, man.domain("b.example").inFlight());
        man.seconds(5);
        assertEquals(List.of("36000 x#1"), man.world.released);
        assertEquals(0, man.world.talking());
        assertEquals(List.of(HedgeOutcome.DELIVERED), hedges());
        assertEquals(List.of(), man.notes(HuntNote.Failed.class));
        assertEquals(0, man.hunt.counts().queued());
    }

    /// Row 204: one only.
    @Test
    void thereIsNeverAThird() {
        for (var url : List.of(A, B, C)) {
            man.world.server(url).has(oid(1)).takes(LONG);
        }
        man.world.waits(id("x"), List.of(oid(1)), A, B, C);
        man.synced(id("x"));
        man.seconds(900);
        assertEquals(List.of(A, B), man.world.urls("visit"));
        man.seconds(200);
        assertEquals(List.of("1001000 x#1"), man.world.released);
        assertEquals(List.of(HedgeOutcome.CANCELLED), hedges());
    }

    /// Row 204: when the second one ends in vain, the loop goes on beside the first.
    @Test
    void loopGoesOnBesideTheSlowOneWhenTheOtherFails() {
        man.world.server(A).has(oid(1)).takes(LONG);
        man.world.server(B).fails(new Failure.NotThere());
        man.world.server(C).has(oid(1)).takes(Duration.ofSeconds(5));
        man.world.waits(id("x"), List.of(oid(1)), A, B, C);
        man.synced(id("x"));
        man.seconds(40);
        assertEquals(List.of(A, B, C), man.world.urls("visit"));
        assertEquals(List.of("36000 x#1"), man.world.released);
        assertEquals(List.of(HedgeOutcome.FAILED), hedges());
    }

    /// Row 204: another domain.
    @Test
    void sameDomainIsNoSecondSource() {
        man.world.server(A).has(oid(1)).takes(LONG);
        man.world.server(A2).has(oid(1));
        man.world.waits(id("x"), List.of(oid(1)), A, A2);
        man.synced(id("x"));
        man.seconds(900);
        assertEquals(List.of(A), man.world.urls("visit"));
    }

    /// Row 204: its own permits.
    @Test
    void secondSourceNeedsAPermit() {
        man.world.server(A).has(oid(1)).takes(LONG);
        man.world.server(B).has(oid(1));
        for (int i = 0; i < 5; i++) {
            var url = "https://b.example/" + i;
            man.world.server(url).has(oid(10 + i)).takes(Duration.ofSeconds(70));
            man.world.waits(id("y" + i), List.of(oid(10 + i)), url);
            man.synced(id("y" + i));
        }
        man.world.waits(id("x"), List.of(oid(1)), A, B);
        man.synced(id("x"));
        man.seconds(69);
        assertFalse(man.world.urls("visit").contains(B));
        man.seconds(30);
        assertTrue(man.world.urls("visit").contains(B));
        assertTrue(man.world.waiting.isEmpty());
    }

    /// Row 204: none while another fetch of the identifier runs, and none from the domain path.
    @Test
    void turnsOfQueuesAreNotHedged() {
        for (int i = 0; i < 5; i++) {
            var url = "https://a.example/" + i;
            man.world.server(url).has(oid(10 + i)).takes(Duration.ofSeconds(10));
            man.world.waits(id("y" + i), List.of(oid(10 + i)), url);
            man.synced(id("y" + i));
        }
        man.seconds(2);
        man.world.server(A).has(oid(1)).takes(Duration.ofSeconds(500));
        man.world.server(B).fails(new Failure.NotThere());
        man.world.waits(id("x"), List.of(oid(1)), A, B);
        man.synced(id("x"));
        man.seconds(12); // A is fetched by its queue from now on
        assertEquals(1, man.world.talking());
        man.world.server(B).works();
        man.world.server(B).has(oid(2)).takes(Duration.ofSeconds(100));
        man.world.server(C).has(oid(2));
        man.world.waits(id("x"), List.of(oid(2)), B, C);
        man.synced(id("x"));
        man.seconds(60); // B runs on the main path beside it: it is not alone, so nobody hedges
        assertEquals(List.of(), man.notes(HuntNote.Hedged.class));
        assertEquals(2, man.world.talking());
    }

    @Test
    void hedgeOfZeroMeansNever() {
        var d = HuntConfig.DEFAULTS;
        var never = new Huntsman(
                new HuntConfig(
                        true,
                        d.loopEvery(),
                        d.delays(),
                        d.limits(),
                        d.guesses(),
                        d.expiry(),
                        d.refreshEvery(),
                        d.dormantEvery(),
                        d.attemptLimit(),
                        Duration.ZERO),
                1);
        never.world.server(A).has(oid(1)).takes(LONG);
        never.world.server(B).has(oid(1));
        never.world.waits(id("x"), List.of(oid(1)), A, B);
        never.synced(id("x"));
        never.seconds(900);
        assertEquals(List.of(A), never.world.urls("visit"));
    }

    /// Row 205.
    @Test
    void nothingExpiresWhileAFetchRunsThatBeganBefore() {
        man.world.server(A).has(oid(1)).takes(Duration.ofSeconds(100));
        man.world.waits(id("x"), List.of(oid(1)), A).until(50_000);
        man.synced(id("x"));
        man.seconds(60);
        man.world.expire(id("x"));
        assertEquals(1, man.world.waiting.size());
        man.seconds(60);
        assertEquals(List.of("101000 x#1"), man.world.released);
    }

    /// Row 205: judged after the reconcile and before the next URL; a chain prolongs nothing.
    @Test
    void entryPastItsDeadlineGoesBeforeTheNextUrl() {
        man.world.server(A).answersAfter(Duration.ofSeconds(20)).fails(new Failure.NotThere());
        man.world.server(B).has(oid(1));
        man.world.waits(id("x"), List.of(oid(1)), A, B).until(10_000);
        man.synced(id("x"));
        man.seconds(100);
        assertEquals(List.of(A), man.world.urls("visit"));
        assertTrue(man.world.waiting.isEmpty());
        assertEquals(0, man.hunt.counts().queued());
    }

    /// Row 205: fetches that began after the deadline, for others' sake, keep nothing.
    @Test
    void overlappingFetchesDoNotProlongAnEntry() {
        man.world.server(A).answersAfter(Duration.ofSeconds(40)).fails(new Failure.NotThere());
        man.world.server(B).answersAfter(Duration.ofSeconds(400)).fails(new Failure.NotThere());
        man.world.waits(id("x"), List.of(oid(1)), A, B).until(20_000);
        man.world.waits(id("x"), List.of(oid(2)), A, B);
        man.synced(id("x"));
        man.seconds(35); // B has begun as a second source, after the deadline
        assertEquals(2, man.world.talking());
        assertTrue(man.hunt.isFetching(id("x"), 20_000));
        man.seconds(10);
        assertEquals(1, man.world.talking());
        assertFalse(man.hunt.isFetching(id("x"), 20_000));
        assertEquals(1, man.world.waiting.getOrDefault(id("x"), List.of()).size());
    }

    /// P-667: no fetch begins only for those whose time is over.
    @Test
    void nothingIsFetchedForOverdueEntriesAlone() {
        man.world.server(A).has(oid(1));
        man.world.waits(id("x"), List.of(oid(1)), A).until(0);
        man.synced(id("x"));
        man.seconds(100);
        assertEquals(List.of(), man.world.calls);
    }

    /// Row 206.
    @Test
    void fetchKeepsOnlyEntriesOfItsOwnIdentifier() {
        man.world.server(A).has(oid(1)).takes(Duration.ofSeconds(100));
        man.world.waits(id("x"), List.of(oid(1)), A);
        man.synced(id("x"));
        man.seconds(2);
        assertTrue(man.hunt.isFetching(id("x"), 50_000));
        assertFalse(man.hunt.isFetching(id("x"), 1_000));
        assertFalse(man.hunt.isFetching(id("y"), 50_000));
    }
}
