package dev.grapnel.sync.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/// When it is rather us (R6.6).
final class OutageGuardTest {
    private final OutageGuard guard = new OutageGuard();
    private long now = 17;

    private void pass(Duration time) {
        now += time.toNanos();
    }

    private boolean failDifferent(int count) {
        boolean isOn = false;
        for (int relay = 0; relay < count; relay++) {
            isOn = guard.failed(relay, now);
        }
        return isOn;
    }

    @Test
    void fiveRelaysInVainShowIt() {
        assertFalse(failDifferent(4));
        assertFalse(guard.failed(3, now), "that one was tried before");
        assertTrue(guard.failed(4, now));
        assertTrue(guard.isOn());
        assertFalse(guard.failed(5, now), "told once");
    }

    @Test
    void attemptsLongAgoDoNotCount() {
        failDifferent(4);
        pass(OutageGuard.WINDOW.plusNanos(1));
        assertFalse(guard.failed(4, now));
        assertFalse(guard.isOn());
    }

    @Test
    void whoHasALinkIsNotCutOff() {
        guard.succeeded(now);
        pass(Duration.ofHours(1));
        assertFalse(failDifferent(10));
        guard.ended();
        assertTrue(guard.failed(10, now));
    }

    @Test
    void successWithinTheLastMinutesSpeaksAgainstIt() {
        guard.succeeded(now);
        guard.ended();
        pass(OutageGuard.WINDOW);
        assertFalse(failDifferent(10));
        pass(Duration.ofNanos(1));
        assertTrue(guard.failed(10, now));
    }

    @Test
    void oneSuccessEndsItAndItsTimeDoesNotCount() {
        assertEquals(new Moment(now, now), guard.moment(now));
        failDifferent(5);
        long before = now;
        pass(Duration.ofHours(30));
        assertEquals(new Moment(now, before), guard.moment(now));
        assertTrue(guard.succeeded(now));
        assertFalse(guard.isOn());
        assertEquals(new Moment(now, before), guard.moment(now));
        pass(Duration.ofHours(1));
        assertEquals(before + Duration.ofHours(1).toNanos(), guard.moment(now).counted());
        assertFalse(guard.succeeded(now), "it is over already");
    }
}
