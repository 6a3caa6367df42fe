package dev.grapnel.server.web;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/// When a connection is late with its head.
final class HeadClockTest {
    private static final long ALLOWED = 10;

    @Test
    void firstHeadIsDueFromAcceptingOnWhateverTrickles() {
        var clock = new HeadClock(100);
        assertFalse(clock.isLate(100, 0, ALLOWED));
        assertFalse(clock.isLate(109, 9, ALLOWED));
        assertTrue(clock.isLate(110, 10, ALLOWED));
        assertTrue(new HeadClock(100).isLate(110, 0, ALLOWED), "silence is late, too");
    }

    @Test
    void requestMayTakeAsLongAsItTakes() {
        var clock = new HeadClock(0);
        clock.begin();
        assertFalse(clock.isLate(1_000, 5_000, ALLOWED));
        assertFalse(clock.isQuiet(1_000, ALLOWED));
    }

    @Test
    void nextHeadIsDueFromItsFirstByteOn() {
        var clock = new HeadClock(0);
        clock.begin();
        clock.end(5, 70);
        assertFalse(clock.isLate(1_000, 70, ALLOWED), "waiting is no sin");
        assertFalse(clock.isLate(1_001, 71, ALLOWED));
        assertFalse(clock.isLate(1_010, 80, ALLOWED));
        assertTrue(clock.isLate(1_011, 81, ALLOWED));
    }

    @Test
    void everyAnswerStartsTheClockAgain() {
        var clock = new HeadClock(0);
        clock.begin();
        clock.end(5, 70);
        assertFalse(clock.isLate(6, 71, ALLOWED));
        clock.begin();
        clock.end(15, 140);
        assertFalse(clock.isLate(100, 141, ALLOWED));
        assertTrue(clock.isLate(110, 141, ALLOWED));
    }

    @Test
    void quietIsMeasuredFromTheLastAnswerOfAll() {
        var clock = new HeadClock(0);
        clock.begin();
        clock.begin();
        clock.end(5, 1);
        assertFalse(clock.isQuiet(100, ALLOWED), "one is still running");
        clock.end(100, 1);
        assertFalse(clock.isQuiet(109, ALLOWED));
        assertTrue(clock.isQuiet(110, ALLOWED));
    }
}
