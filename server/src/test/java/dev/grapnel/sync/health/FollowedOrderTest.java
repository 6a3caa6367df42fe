package dev.grapnel.sync.health;

import static dev.grapnel.sync.health.DialGround.BOOTSTRAP;
import static dev.grapnel.sync.health.DialGround.DOUBTFUL;
import static dev.grapnel.sync.health.DialGround.ONE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.outbound.Failure;
import dev.grapnel.sync.health.DialGround.Behaviour;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Who of those that are named is followed, and what becomes of whom nobody names any more (R1.16).
final class FollowedOrderTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final DialGround ground = new DialGround();

    private static Standing full(int count) {
        return new Standing(false, false, count, false);
    }

    /// What the operator names is a reason by itself.
    @Test
    void whoTheOperatorNamesKeepsItsPlace() {
        var ground = new DialGround(DialGround.config(2, 2));
        ground.want(1, new Standing(false, true, 0, false));
        ground.want(2, new Standing(false, false, 7, false));
        ground.want(3, new Standing(false, false, 8, false));
        ground.pass(Duration.ofMinutes(1));
        assertEquals(List.of(1, 3), List.copyOf(ground.followed));
    }

    @Test
    void whoFindsNoPlaceIsToldOfOnceAndNotFollowed() {
        var ground = new DialGround(DialGround.config(10, 10));
        ground.wantAll(0, 50, ONE);
        ground.pass(Duration.ofMinutes(10));
        assertEquals(10, ground.followedMax);
        assertEquals(40, ground.notes(HealthNote.KeptWaiting.class).size());
        ground.want(20, ONE);
        ground.order.unwant(3);
        ground.pass(Duration.ofMinutes(10));
        assertEquals(10, ground.followed.size());
        assertFalse(ground.followed.contains(3));
        assertEquals(40, ground.notes(HealthNote.KeptWaiting.class).size());
    }

    /// Row 30.
    @Test
    void relaysOfPurgatoryComeThirtyAMinute() {
        ground.wantAll(0, 1_000, DOUBTFUL);
        ground.pass(SECOND);
        assertEquals(30, ground.order.figures().followed());
        ground.pass(Duration.ofSeconds(58));
        assertEquals(30, ground.order.figures().followed());
        ground.pass(Duration.ofSeconds(2));
        assertEquals(60, ground.order.figures().followed());
        ground.pass(Duration.ofHours(1));
        assertEquals(500, ground.order.figures().followed(), "a quarter of 2,000");
        assertEquals(500, ground.order.figures().waiting());
    }

    @Test
    void whoIsNamedByAServedAnnouncementDoesNotWaitWithThem() {
        ground.wantAll(0, 100, DOUBTFUL);
        ground.want(100);
        ground.want(99, ONE);
        ground.want(101, new Standing(false, true, 0, true));
        ground.pass(Duration.ofSeconds(10));
        assertEquals(33, ground.up.size());
        assertTrue(ground.up.keySet().containsAll(List.of(99, 100, 101)));
    }

    @Test
    void beyondTheCapThoseWithFewerRepositoriesWait() {
        var small = new DialGround(DialGround.config(10, 10));
        for (int relay = 0; relay < 20; relay++) {
            small.want(relay, full(1 + relay));
        }
        small.pass(Duration.ofSeconds(10));
        assertEquals(new TreeSet<>(IntStream.range(10, 20).boxed().toList()), small.up.navigableKeySet());
        small.want(3, full(100));
        small.pass(Duration.ofSeconds(10));
        assertEquals(Set.of(3, 11, 12, 13, 14, 15, 16, 17, 18, 19), small.up.keySet());
        small.want(19, full(1));
        small.pass(Duration.ofSeconds(10));
        assertEquals(Set.of(3, 10, 11, 12, 13, 14, 15, 16, 17, 18), small.up.keySet());
        small.order.unwant(18);
        small.pass(Duration.ofSeconds(10));
        assertEquals(Set.of(3, 9, 10, 11, 12, 13, 14, 15, 16, 17), small.up.keySet());
        assertTrue(small.notes.isEmpty(), "nobody failed");
    }

    @Test
    void equalsDoNotDisplaceEachOther() {
        var small = new DialGround(DialGround.config(10, 10));
        small.wantAll(0, 1_000, ONE);
        small.pass(Duration.ofMinutes(1));
        assertEquals(new TreeSet<>(IntStream.range(0, 10).boxed().toList()), small.up.navigableKeySet());
        assertEquals(10, small.attempts.size());
    }

    @Test
    void bootstrapRelayNeverWaitsForAPlace() {
        var small = new DialGround(DialGround.config(2, 10));
        small.wantAll(0, 2, BOOTSTRAP);
        small.want(2, BOOTSTRAP);
        small.pass(SECOND);
        assertEquals(3, small.up.size());
    }

    /// Row 123.
    @Test
    void removingAndAddingARelayKeepsItsBackoff() {
        ground.does(7, Behaviour.fails(new Failure.ConnectFailed()));
        ground.want(7);
        ground.pass(Duration.ofSeconds(36)); // four failures: next after 40 s
        for (int i = 0; i < 38; i++) {
            ground.order.unwant(7);
            ground.want(7);
            ground.pass(SECOND);
        }
        assertEquals(List.of(0L, 5L, 15L, 35L), ground.secondsOf(7));
        ground.pass(SECOND);
        assertEquals(List.of(0L, 5L, 15L, 35L, 75L), ground.secondsOf(7));
    }

    @Test
    void unwantedRelayIsLeftAndMayComeBackWhileItsLinkEnds() {
        ground.want(7);
        ground.pass(SECOND);
        ground.order.unwant(7);
        assertEquals(List.of(7), ground.left);
        ground.want(7, full(9));
        ground.pass(SECOND);
        assertTrue(ground.up.containsKey(7));
        assertEquals(2, ground.attempts.size());
        ground.order.unwant(7);
        ground.pass(SECOND);
        assertTrue(ground.up.isEmpty());
        assertEquals(0, ground.order.figures().followed());
        assertEquals(RelayStatus.DISCONNECTED, ground.status(7));
    }

    @Test
    void attemptAtAnUnwantedRelayIsGivenUp() {
        ground.usually(Behaviour.accepts().after(Duration.ofSeconds(10)));
        ground.wantAll(0, 3, ONE);
        ground.order.unwant(1);
        assertEquals(List.of(1), ground.left);
        assertEquals(2, ground.order.figures().dialling());
        ground.pass(Duration.ofMinutes(1));
        assertEquals(Set.of(0, 2), ground.up.keySet());
    }
}
