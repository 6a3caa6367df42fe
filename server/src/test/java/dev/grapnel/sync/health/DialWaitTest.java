package dev.grapnel.sync.health;

import static dev.grapnel.sync.health.DialGround.ONE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.outbound.Failure;
import dev.grapnel.sync.health.DialGround.Behaviour;
import dev.grapnel.sync.health.DialWait.Cause;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Why a relay is not dialled, and when it will be.
final class DialWaitTest {
    private final DialGround ground = new DialGround();

    private DialWait waitOf(Behaviour behaviour) {
        ground.usually(behaviour);
        ground.wantAll(1, 2, ONE);
        ground.pass(Duration.ofSeconds(1));
        return ground.order.findWait(1).orElseThrow();
    }

    @Test
    void whoIsConnectedOrUnknownWaitsForNothing() {
        ground.wantAll(1, 2, ONE);
        ground.pass(Duration.ofSeconds(1));
        assertEquals(Optional.empty(), ground.order.findWait(1));
        assertEquals(Optional.empty(), ground.order.findWait(2));
    }

    @Test
    void theReasonThatLastsLongestIsTold() {
        assertEquals(new DialWait(Cause.FAILED, Duration.ofSeconds(4)), waitOf(Behaviour.fails(new Failure.Broken())));
    }

    @Test
    void aBrokenSetUpOutlastsTheFailureThatShowedIt() {
        var wait = waitOf(Behaviour.fails(new Failure.CertificateInvalid()));
        assertEquals(Cause.NAUGHTY, wait.cause());
        assertEquals(Duration.ofHours(12).minusSeconds(1), wait.left());
    }

    @Test
    void whoTurnsUsAwayIsParkedAndWhoIsBusyCools() {
        assertEquals(Cause.PARKED, waitOf(Behaviour.answers(403)).cause());
        var other = new DialWaitTest();
        assertEquals(Cause.COOLING, other.waitOf(Behaviour.answers(429)).cause());
    }
}
