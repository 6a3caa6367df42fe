package dev.grapnel.sync.health;

import static dev.grapnel.sync.health.DialGround.BOOTSTRAP;
import static dev.grapnel.sync.health.DialGround.DOUBTFUL;
import static dev.grapnel.sync.health.DialGround.ONE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.outbound.Failure;
import dev.grapnel.sync.health.DialGround.Behaviour;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// Who is connected where a host or a machine has many relays (R1.16).
final class DialPlacesTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final DialGround ground = new DialGround();

    private static Standing full(int count) {
        return new Standing(false, false, count, false);
    }

    @Test
    void threeUrlsOfAHostAreConnectedAtOnceAndTheOthersWait() {
        ground.address(relay -> HealthBookTest.url("wss://h" + relay / 10 + ".example/" + relay));
        ground.wantAll(0, 20, ONE);
        ground.pass(Duration.ofMinutes(1));
        assertEquals(Set.of(0, 1, 2, 10, 11, 12), ground.up.keySet());
        assertEquals(14, ground.order.figures().queued());
        ground.order.unwant(1);
        ground.pass(SECOND);
        assertEquals(Set.of(0, 2, 3, 10, 11, 12), ground.up.keySet());
    }

    @Test
    void portsAreApartAndTheBootstrapRelayNeedsNoPlace() {
        ground.address(relay -> HealthBookTest.url("wss://h.example:" + (relay < 10 ? 2000 : 3000) + "/" + relay));
        ground.wantAll(0, 4, ONE);
        ground.wantAll(10, 14, ONE);
        ground.pass(SECOND);
        ground.want(5, BOOTSTRAP);
        ground.pass(SECOND);
        assertEquals(Set.of(0, 1, 2, 5, 10, 11, 12), ground.up.keySet());
    }

    /// A stranger names three paths of somebody's relay, and waits for it to fail once.
    @Test
    void placesOfAHostGoToTheUrlThatMoreRepositoriesName() {
        ground.address(relay -> HealthBookTest.url("wss://h.example/" + relay));
        ground.want(0, full(50));
        ground.wantAll(1, 9, ONE);
        ground.pass(SECOND);
        assertEquals(Set.of(0, 1, 2), ground.up.keySet());
        ground.drop(0, new Failure.Broken(), false);
        ground.pass(SECOND);
        assertEquals(Set.of(1, 2, 3), ground.up.keySet());
        ground.pass(Duration.ofSeconds(5));
        assertTrue(ground.up.containsKey(0), ground.up.toString());
        assertEquals(3, ground.up.size());
    }

    @Test
    void placeOfAHostGoesToWhoeverGetsMoreRepositories() {
        ground.address(relay -> HealthBookTest.url("wss://h.example/" + relay));
        ground.wantAll(0, 5, ONE);
        ground.pass(SECOND);
        ground.want(4, full(2));
        ground.pass(SECOND);
        assertEquals(Set.of(0, 1, 4), ground.up.keySet());
    }

    /// Paths of one server that as many repositories name: nobody waits for ever.
    @Test
    void equalsOfAHostTakeTurnsAtItsLastPlace() {
        ground.address(relay -> HealthBookTest.url("wss://h.example/" + relay));
        ground.wantAll(0, 6, ONE);
        var seen = new TreeSet<Integer>();
        for (int minute = 0; minute < 60; minute++) {
            ground.pass(Duration.ofMinutes(1));
            ground.order.check();
            assertTrue(ground.up.size() <= 3, ground.up.toString());
            seen.addAll(ground.up.keySet());
        }
        assertEquals(Set.of(0, 1, 2, 3, 4, 5), seen);
        assertTrue(ground.up.keySet().containsAll(Set.of(0, 1)), "some stay connected");
        assertTrue(ground.attempts.size() < 20, ground.attempts.size() + " attempts are no turns");
    }

    /// A path that leads nowhere does not cost the others their places.
    @Test
    void whoCannotBeReachedLeavesTheTurnToOthers() {
        ground.address(relay -> HealthBookTest.url("wss://h.example/" + relay));
        ground.wantAll(0, 4, ONE);
        ground.does(3, Behaviour.fails(new Failure.ConnectFailed()));
        ground.pass(Duration.ofMinutes(11));
        ground.order.check();
        ground.pass(Duration.ofSeconds(2));
        assertEquals(List.of(660L), ground.secondsOf(3));
        ground.pass(Duration.ofSeconds(60));
        assertEquals(Set.of(0, 1, 2), ground.up.keySet());
    }

    /// Eight names of one address that a stranger made up keep nobody out.
    @Test
    void ninthRelayOfAMachineDisplacesWhoIsNamedByFewer() {
        ground.machine(_ -> "10.0.0.1");
        ground.wantAll(0, 8, DOUBTFUL);
        ground.pass(Duration.ofMinutes(1));
        assertEquals(8, ground.up.size());
        ground.want(8, ONE);
        ground.pass(Duration.ofSeconds(2));
        assertTrue(ground.up.containsKey(8), ground.up.toString());
        assertEquals(8, ground.up.size());
        assertEquals(DialWait.Cause.HOST, ground.order.findWait(7).orElseThrow().cause());
    }

    @Test
    void equalsOfAMachineTakeTurnsAtItsLastPlace() {
        ground.machine(_ -> "10.0.0.1");
        ground.wantAll(0, 11, ONE);
        var seen = new TreeSet<Integer>();
        for (int minute = 0; minute < 90; minute++) {
            ground.pass(Duration.ofMinutes(1));
            assertTrue(ground.up.size() <= 8, ground.up.toString());
            ground.order.check();
            seen.addAll(ground.up.keySet());
        }
        assertEquals(11, seen.size(), seen.toString());
        assertTrue(ground.attempts.size() < 40, ground.attempts.size() + " attempts are no turns");
    }

    /// What the operator names has places of its own, so it does not take others'.
    @Test
    void whoTheOperatorNamesTakesNoPlaceOfAMachine() {
        ground.machine(relay -> relay == 0 ? "10.0.0.1" : "10.0.0.2");
        ground.want(0, BOOTSTRAP);
        ground.wantAll(1, 9, ONE);
        ground.pass(Duration.ofMinutes(1));
        assertEquals(9, ground.up.size());
    }
}
