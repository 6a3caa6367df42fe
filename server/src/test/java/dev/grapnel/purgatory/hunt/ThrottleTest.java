package dev.grapnel.purgatory.hunt;

import static dev.grapnel.purgatory.hunt.ScriptedWorld.id;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.config.DomainLimits;
import dev.grapnel.nostr.url.Host;
import dev.grapnel.purgatory.hunt.HuntConfig.Limits;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ThrottleTest {
    private static final Host A = new Host("a.example");
    private static final Host B = new Host("b.example");
    private static final Limits LIMITS = HuntConfig.DEFAULTS.limits();

    private final VirtualTime time = new VirtualTime();
    private final List<Turn> turns = new ArrayList<>();
    private final List<HuntNote> notes = new ArrayList<>();
    private final Throttle throttle = new Throttle(LIMITS, time.timeline(), time, turns::add, notes::add);

    private static Limits limits(int concurrent, int perMinute, int fetches, int perAddress) {
        return new Limits(concurrent, perMinute, List.of(), fetches, perAddress);
    }

    private Lease acquire(Host host) {
        return throttle.tryAcquire(host).orElseThrow();
    }

    private void useUp(Host host) {
        for (int i = 0; i < 30; i++) {
            acquire(host).release();
        }
    }

    private DomainPicture picture(Host host) {
        return throttle.picture().getOrDefault(host, new DomainPicture(-1, -1, -1, Optional.empty()));
    }

    private List<String> names() {
        return turns.stream().map(turn -> turn.identifier().text()).toList();
    }

    /// Row 119.
    @Test
    void sixthConversationIsRefusedUntilOneEnds() {
        var leases = new ArrayList<Lease>();
        for (int i = 0; i < 5; i++) {
            leases.add(acquire(A));
        }
        assertEquals(Optional.empty(), throttle.tryAcquire(A));
        assertEquals(new HuntNote.Throttled(A, Obstacle.CONCURRENT), notes.getLast());
        assertTrue(throttle.tryAcquire(B).isPresent());
        leases.getFirst().release();
        assertTrue(throttle.tryAcquire(A).isPresent());
    }

    /// Row 120.
    @Test
    void thirtyFirstStartIsAllowedExactlySixtySecondsAfterTheFirst() {
        useUp(A);
        assertEquals(Optional.of(Obstacle.RATE), throttle.obstacle(A));
        time.advance(Duration.ofMillis(59_999));
        assertEquals(Optional.empty(), throttle.tryAcquire(A));
        time.advance(Duration.ofMillis(1));
        assertTrue(throttle.tryAcquire(A).isPresent());
    }

    /// Row 122, the stall that P-648 is about: nothing is in flight, and only the window is in the way.
    @Test
    void queueGoesOnByItselfWhenTheWindowMoves() {
        useUp(A);
        throttle.enqueue(A, id("x"), Set.of());
        assertEquals(List.of(), turns);
        time.advance(Duration.ofMillis(59_999));
        assertEquals(List.of(), turns);
        time.advance(Duration.ofMillis(1));
        assertEquals(List.of("x"), names());
    }

    /// Row 122, for a rate that was lowered below what is used already.
    @Test
    void windowTimerRingsWhenEnoughStartsHaveLeft() {
        for (int i = 0; i < 30; i++) {
            acquire(A).release();
            time.advance(Duration.ofSeconds(1));
        }
        throttle.change(limits(5, 10, 32, 10), false);
        throttle.enqueue(A, id("x"), Set.of());
        time.advanceTo(79_999);
        assertEquals(List.of(), turns);
        time.advanceTo(80_000); // starts 20 to 29 are left, and then nine of them
        assertEquals(List.of("x"), names());
    }

    /// Row 124.
    @Test
    void asManyTurnsStartAsThereAreFreeSlots() {
        throttle.pause(A, Duration.ofSeconds(10));
        for (int i = 0; i < 8; i++) {
            throttle.enqueue(A, id("x" + i), Set.of());
        }
        assertEquals(List.of(), turns);
        time.advance(Duration.ofSeconds(10));
        assertEquals(List.of("x0", "x1", "x2", "x3", "x4"), names());
        turns.get(1).lease().release();
        assertEquals("x5", names().getLast());
    }

    /// The stall that P-646 is about: the last dispatch comes after the turn has ended.
    @Test
    void identifierAloneInTheQueueHasItsNextTurnAtOnce() {
        throttle.enqueue(A, id("x"), Set.of());
        turns.getFirst().lease().release();
        assertEquals(1, turns.size());
        throttle.endTurn(turns.getFirst(), Set.of("one"));
        assertEquals(2, turns.size());
        assertEquals(Set.of("one"), turns.getLast().tried());
    }

    /// Row 128.
    @Test
    void turnWithNothingToAskFreesItsSlotForTheNext() {
        throttle.change(limits(1, 30, 32, 10), false);
        throttle.enqueue(A, id("x"), Set.of());
        throttle.enqueue(A, id("y"), Set.of());
        assertEquals(List.of("x"), names());
        throttle.drop(turns.getFirst());
        assertEquals(List.of("x", "y"), names());
        assertEquals(Set.of(), throttle.waitingAt(id("x")));
    }

    /// Row 129.
    @Test
    void leaseIsGivenBackOnlyOnce() {
        var one = acquire(A);
        var other = acquire(A);
        one.release();
        one.release();
        one.refund();
        assertEquals(1, picture(A).inFlight());
        assertEquals(2, picture(A).starts());
        other.release();
        assertEquals(0, throttle.inFlight());
    }

    /// Row 130.
    @Test
    void refundedLeaseDoesNotCountAsAStart() {
        for (int i = 0; i < 100; i++) {
            acquire(A).refund();
        }
        assertEquals(0, picture(A).starts());
        assertTrue(throttle.tryAcquire(A).isPresent());
    }

    /// Row 131.
    @Test
    void newcomersDoNotOvertakeThoseWhoWait() {
        throttle.enqueue(A, id("x"), Set.of());
        assertEquals(Optional.of(Obstacle.QUEUE), throttle.obstacle(A));
        assertEquals(Optional.empty(), throttle.tryAcquire(A));
        throttle.drop(turns.getFirst());
        assertTrue(throttle.tryAcquire(A).isPresent());
    }

    /// Row 132.
    @Test
    void overridesApplyAndTheMostSpecificWins() {
        var hub = new DomainLimits(new Host("hub.example"), false, 10, 60);
        var wild = new DomainLimits(new Host("example"), true, 2, 3);
        var deep = new DomainLimits(new Host("deep.example"), true, 7, 8);
        var limits = new Limits(5, 30, List.of(hub, deep, wild), 32, 10);
        assertEquals(new Domain.Rate(10, 60), Domain.Rate.of(new Host("hub.example"), limits));
        assertEquals(new Domain.Rate(2, 3), Domain.Rate.of(A, limits));
        assertEquals(new Domain.Rate(2, 3), Domain.Rate.of(new Host("deep.example"), limits));
        assertEquals(new Domain.Rate(7, 8), Domain.Rate.of(new Host("a.deep.example"), limits));
        assertEquals(new Domain.Rate(5, 30), Domain.Rate.of(new Host("example"), limits));
        assertEquals(new Domain.Rate(5, 30), Domain.Rate.of(new Host("other.org"), limits));
    }

    /// Row 132.
    @Test
    void higherLimitsWakeTheQueues() {
        for (int i = 0; i < 9; i++) {
            throttle.enqueue(A, id("x" + i), Set.of());
        }
        assertEquals(5, turns.size());
        var override = new DomainLimits(A, false, 8, 60);
        throttle.change(new Limits(5, 30, List.of(override), 32, 10), false);
        assertEquals(8, turns.size());
    }

    /// Row 134.
    @Test
    void idleDomainsAreForgotten() {
        for (int i = 0; i < 10_000; i++) {
            acquire(new Host("h" + i + ".example")).release();
        }
        throttle.pause(B, Duration.ofSeconds(90));
        assertEquals(10_001, throttle.picture().size());
        time.advance(Duration.ofSeconds(60));
        throttle.sweep();
        assertEquals(Set.of(B), throttle.picture().keySet());
        time.advance(Duration.ofSeconds(30));
        throttle.sweep();
        assertEquals(Set.of(), throttle.picture().keySet());
    }

    /// P-654.
    @Test
    void allConversationsTogetherAreBoundedAndDomainsWaitInTurn() {
        throttle.change(limits(5, 30, 2, 10), false);
        var one = acquire(A);
        var other = acquire(B);
        assertEquals(Optional.of(Obstacle.CAP), throttle.obstacle(new Host("c.example")));
        throttle.enqueue(new Host("c.example"), id("c1"), Set.of());
        throttle.enqueue(new Host("d.example"), id("d1"), Set.of());
        throttle.enqueue(new Host("c.example"), id("c2"), Set.of());
        assertEquals(List.of(), turns);
        one.release();
        assertEquals(List.of("c1"), names());
        other.release();
        assertEquals(List.of("c1", "d1"), names());
        throttle.drop(turns.getFirst());
        assertEquals(List.of("c1", "d1", "c2"), names());
        assertEquals(2, throttle.inFlight());
    }

    /// Otherwise a few domains with long queues and long fetches would keep all places for ever.
    @Test
    void domainWithMuchWorkLeavesTheNextPlaceToThoseWhoWaited() {
        throttle.change(limits(5, 30, 1, 10), false);
        var first = acquire(A);
        throttle.enqueue(A, id("x"), Set.of());
        throttle.enqueue(A, id("y"), Set.of());
        throttle.enqueue(B, id("z"), Set.of());
        first.release();
        turns.getFirst().lease().release();
        turns.getLast().lease().release();
        assertEquals(List.of("x", "z", "y"), names());
    }

    /// P-654: names for one machine share its connections, and who waits for one gets it.
    @Test
    void oneMachineHasItsConnectionsHoweverManyNames() throws UnknownHostException {
        var address = InetAddress.getByAddress(new byte[] {(byte) 198, 51, 100, 7});
        throttle.change(limits(5, 30, 32, 2), false);
        var one = acquire(A);
        var other = acquire(B);
        assertTrue(one.connect(address));
        assertTrue(one.connect(address));
        assertTrue(other.connect(address));
        var c = new Host("c.example");
        var third = acquire(c);
        assertFalse(third.connect(address));
        third.refund();
        assertEquals(Optional.of(Obstacle.ADDRESS), throttle.obstacle(c));
        throttle.enqueue(c, id("x"), Set.of());
        assertEquals(List.of(), turns);
        one.release();
        assertEquals(List.of("x"), names());
        assertTrue(turns.getFirst().lease().connect(address));
        assertFalse(acquire(new Host("d.example")).connect(address));
    }

    /// Whoever was woken for a machine and went elsewhere leaves its connection to the next.
    @Test
    void reservedConnectionThatIsNotUsedGoesToTheNext() throws UnknownHostException {
        var address = InetAddress.getByAddress(new byte[] {(byte) 198, 51, 100, 7});
        throttle.change(limits(5, 30, 32, 1), false);
        var one = acquire(A);
        assertTrue(one.connect(address));
        for (var name : List.of("c.example", "d.example")) {
            var lease = acquire(new Host(name));
            assertFalse(lease.connect(address));
            lease.refund();
            throttle.enqueue(new Host(name), id(name), Set.of());
        }
        one.release();
        assertEquals(List.of("c.example"), names());
        throttle.drop(turns.getFirst());
        assertEquals(List.of("c.example", "d.example"), names());
    }

    /// P-805.
    @Test
    void redirectIsChargedToItsTarget() {
        throttle.change(limits(1, 30, 32, 10), false);
        var lease = acquire(A);
        assertTrue(lease.redirect(Site.secure(A)));
        assertTrue(lease.redirect(Site.secure(B)));
        assertTrue(lease.redirect(Site.secure(B)));
        assertEquals(1, picture(B).inFlight());
        assertEquals(1, picture(B).starts());
        assertEquals(Optional.empty(), throttle.tryAcquire(B));
        var other = acquire(new Host("c.example"));
        assertFalse(other.redirect(Site.secure(B)));
        lease.release();
        assertEquals(0, picture(B).inFlight());
        assertTrue(other.redirect(Site.secure(B)));
    }

    /// P-643.
    @Test
    void furtherRequestsTakeStartsUnderTheSameSlot() {
        var lease = acquire(A);
        for (int i = 1; i < 30; i++) {
            assertTrue(lease.tryFurther());
        }
        assertFalse(lease.tryFurther());
        assertEquals(1, picture(A).inFlight());
        lease.release();
        time.advance(Duration.ofSeconds(61));
        assertFalse(lease.tryFurther());
    }

    /// Row 120: names may take long to resolve, and the other server counts what it sees.
    @Test
    void startCountsFromItsFirstConnection() throws UnknownHostException {
        throttle.change(limits(5, 1, 32, 10), false);
        var lease = acquire(A);
        time.advance(Duration.ofSeconds(20));
        assertTrue(lease.connect(InetAddress.getByAddress(new byte[] {9, 9, 9, 1})));
        time.advance(Duration.ofSeconds(5));
        assertTrue(lease.connect(InetAddress.getByAddress(new byte[] {9, 9, 9, 2})));
        lease.release();
        throttle.enqueue(A, id("x"), Set.of());
        time.advance(Duration.ofMillis(54_999));
        assertEquals(Optional.of(Obstacle.QUEUE), throttle.obstacle(A));
        assertEquals(List.of(), names());
        time.advance(Duration.ofMillis(1));
        assertEquals(List.of("x"), names());
    }

    /// Row 202: guesses only while half of the rate is unused, and six in a minute.
    @Test
    void guessesHaveTheirOwnBudget() {
        var lease = acquire(A);
        for (int i = 0; i < 6; i++) {
            assertTrue(lease.tryGuess(6));
        }
        assertFalse(lease.tryGuess(6));
        time.advance(Duration.ofSeconds(60));
        for (int i = 0; i < 15; i++) {
            assertTrue(lease.tryFurther());
        }
        assertFalse(lease.tryGuess(6));
        assertFalse(lease.trySpare());
    }

    @Test
    void nothingStartsWhileHuntingRests() {
        throttle.change(LIMITS, true);
        assertEquals(Optional.empty(), throttle.tryAcquire(A));
        throttle.enqueue(A, id("x"), Set.of());
        assertEquals(List.of(), turns);
        throttle.change(LIMITS, false);
        assertEquals(List.of("x"), names());
    }

    /// P-651.
    @Test
    void identifierLeavesAllQueues() {
        useUp(A);
        useUp(B);
        throttle.enqueue(A, id("x"), Set.of());
        throttle.enqueue(B, id("x"), Set.of());
        assertEquals(Set.of(A, B), throttle.waitingAt(id("x")));
        throttle.leave(id("x"));
        assertEquals(Set.of(), throttle.waitingAt(id("x")));
        time.advance(Duration.ofMinutes(2));
        assertEquals(List.of(), turns);
    }

    /// A server that asked for ten minutes is not asked after one because another answer says so.
    @Test
    void shorterPauseDoesNotEndALongerOne() {
        throttle.pause(A, Duration.ofMinutes(10));
        throttle.pause(A, Duration.ofMinutes(1));
        time.advance(Duration.ofMinutes(9));
        assertEquals(Optional.of(Obstacle.PAUSED), throttle.obstacle(A));
        time.advance(Duration.ofMinutes(1));
        assertEquals(Optional.empty(), throttle.obstacle(A));
    }
}
