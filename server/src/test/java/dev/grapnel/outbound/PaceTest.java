package dev.grapnel.outbound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.outbound.Failure.Limit;
import dev.grapnel.outbound.Pace.Phase;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// P-665.
final class PaceTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private long now = Long.MAX_VALUE - (5 * SECOND);
    private final Pace pace = new Pace(LineLimits.DEFAULTS, now);

    @Test
    void stepsHaveLimitsOfTheirOwn() {
        assertStepEndsAt(Phase.LOOKUP, Limit.LOOKUP, 10);
        assertStepEndsAt(Phase.CONNECT, Limit.CONNECT, 10);
        assertStepEndsAt(Phase.TLS, Limit.TLS, 10);
        assertStepEndsAt(Phase.FIRST_BYTE, Limit.FIRST_BYTE, 30);
        assertStepEndsAt(Phase.SEND, Limit.SILENCE, 120);
        assertStepEndsAt(Phase.RECEIVE, Limit.SILENCE, 120);
    }

    @Test
    void bytesThatComePutOffTheEndOfPatience() {
        pace.enter(Phase.RECEIVE, now);
        for (int i = 0; i < 5; i++) {
            assertEquals(Optional.empty(), receive(119 * SECOND, 1 << 20));
        }
        assertEquals(Optional.of(Limit.SILENCE), waitFor(120 * SECOND));
    }

    @Test
    void beginningThatDripsIsNone() {
        pace.enter(Phase.FIRST_BYTE, now);
        assertEquals(Optional.empty(), receive(20 * SECOND, 1));
        assertEquals(Optional.of(Limit.FIRST_BYTE), waitFor(10 * SECOND));
    }

    @Test
    void timeInWhichWeAreBusyIsNotThePeers() {
        pace.enter(Phase.RECEIVE, now);
        receive(SECOND, 1 << 20);
        now += 1_000 * SECOND;
        assertEquals(Optional.empty(), pace.findExceeded(now));
        assertEquals(Optional.empty(), waitFor(119 * SECOND));
    }

    @Test
    void lessThanOneKibibytePerSecondOverFiveMinutesIsTooSlow() {
        pace.enter(Phase.RECEIVE, now);
        long begun = now;
        var exceeded = Optional.<Limit>empty();
        for (int i = 0; i < 100 && exceeded.isEmpty(); i++) {
            exceeded = receive(10 * SECOND, 10_000);
        }
        assertEquals(Optional.of(Limit.RATE), exceeded);
        assertEquals(300, (now - begun) / SECOND);
    }

    @Test
    void slownessIsSeenAfterLongHasteToo() {
        pace.enter(Phase.RECEIVE, now);
        for (int i = 0; i < 100; i++) {
            assertEquals(Optional.empty(), receive(10 * SECOND, 1 << 20));
        }
        long begun = now;
        var exceeded = Optional.<Limit>empty();
        for (int i = 0; i < 100 && exceeded.isEmpty(); i++) {
            exceeded = receive(10 * SECOND, 10);
        }
        assertEquals(Optional.of(Limit.RATE), exceeded);
        long seconds = (now - begun) / SECOND;
        assertTrue(seconds >= 290 && seconds <= 340, () -> seconds + " s");
    }

    @Test
    void steadyKibibytePerSecondIsFastEnough() {
        pace.enter(Phase.RECEIVE, now);
        for (int i = 0; i < 50; i++) {
            assertEquals(Optional.empty(), receive(60 * SECOND, 62_000));
        }
    }

    /// Row 164.
    @Test
    void whatFlowsForFiftyMinutesGoesOnAndEndsAfterAnHour() {
        pace.enter(Phase.RECEIVE, now);
        for (int i = 0; i < 59; i++) {
            assertEquals(Optional.empty(), receive(60 * SECOND, 1 << 20));
        }
        assertEquals(Optional.of(Limit.WHOLE), receive(60 * SECOND, 1 << 20));
    }

    @Test
    void silenceCanBeAllowedForLonger() {
        pace.enter(Phase.RECEIVE, now);
        pace.allowSilence(Duration.ofSeconds(290));
        assertEquals(Optional.empty(), waitFor(289 * SECOND));
        assertEquals(Optional.of(Limit.SILENCE), waitFor(290 * SECOND));
    }

    @Test
    void nextLookComesBeforeAnyLimitCanBeExceeded() {
        pace.enter(Phase.FIRST_BYTE, now);
        pace.beginWait(now);
        assertEquals(30 * SECOND, pace.nanosUntilLook(now));
        now += 29 * SECOND;
        assertEquals(SECOND, pace.nanosUntilLook(now));
        pace.endWait(now, 1);
        pace.enter(Phase.RECEIVE, now);
        assertTrue(pace.nanosUntilLook(now) <= 20 * SECOND);
    }

    private void assertStepEndsAt(Phase phase, Limit limit, long seconds) {
        pace.enter(phase, now);
        assertEquals(Optional.empty(), waitFor((seconds * SECOND) - 1), phase::name);
        pace.enter(phase, now);
        assertEquals(Optional.of(limit), waitFor(seconds * SECOND), phase::name);
    }

    private Optional<Limit> waitFor(long nanos) {
        return receive(nanos, 0);
    }

    private Optional<Limit> receive(long nanos, long bytes) {
        pace.beginWait(now);
        now += nanos;
        if (bytes == 0) {
            var exceeded = pace.findExceeded(now);
            pace.endWait(now, 0);
            return exceeded;
        }
        pace.endWait(now, bytes);
        return pace.findExceeded(now);
    }
}
