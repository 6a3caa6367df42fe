package dev.grapnel.sync.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// How failures, links and requests to wait add up (sync 6).
final class RelayRecordTest {
    private static final Backoff BACKOFF = HealthConfig.DEFAULTS.backoff();

    private final RelayRecord record = new RelayRecord();
    private long now;

    private Moment moment() {
        return new Moment(now, now);
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }

    private long fail() {
        record.failed(moment(), BACKOFF, RelayRecord.DEAD);
        return Duration.ofNanos(record.left(now)).toSeconds();
    }

    private void waitAndFail(int times) {
        for (int i = 0; i < times; i++) {
            now += record.left(now);
            fail();
        }
    }

    private long drop() {
        record.ended(moment());
        return fail();
    }

    /// Row 115.
    @Test
    void waitsDoubleUpToAnHour() {
        var waits = IntStream.rangeClosed(1, 13).mapToObj(n -> BACKOFF.after(n).toSeconds());
        assertEquals(
                List.of(5L, 10L, 20L, 40L, 80L, 160L, 320L, 640L, 1280L, 2560L, 3600L, 3600L, 3600L), waits.toList());
        assertEquals(3600, BACKOFF.after(Integer.MAX_VALUE).toSeconds());
        assertEquals(Duration.ofSeconds(7), new Backoff(Duration.ofSeconds(3), Duration.ofSeconds(7)).after(3));
    }

    /// Row 115: what a relay sees that always refuses.
    @Test
    void tenAttemptsInTheFirstHourAnd33InTheFirstDay() {
        assertEquals(10, attemptsWithin(Duration.ofHours(1)));
        assertEquals(33, new RelayRecordTest().attemptsWithin(Duration.ofHours(24)));
    }

    private int attemptsWithin(Duration time) {
        int count = 0;
        for (; now < time.toNanos(); now += record.left(now)) {
            fail();
            count++;
        }
        return count;
    }

    /// Row 116.
    @Test
    void relayThatAcceptsAndDropsAtOnceKeepsDoubling() {
        for (long expected : new long[] {5, 10, 20, 40, 80}) {
            record.opened(now);
            pass(Duration.ofSeconds(2));
            assertEquals(expected, drop());
            now += record.left(now);
        }
        record.opened(now);
        assertEquals(RelayStatus.DEGRADED, record.status(moment()));
        pass(Duration.ofMinutes(5).minusNanos(1));
        assertEquals(5, record.streak(now));
        pass(Duration.ofNanos(1));
        assertEquals(0, record.streak(now));
        assertEquals(RelayStatus.HEALTHY, record.status(moment()));
        assertEquals(5, drop(), "R6.3: the loss of a stable link is the first failure");
    }

    /// Row 117.
    @Test
    void deadAfterADayThenOneAttemptADay() {
        waitAndFail(33);
        assertEquals(RelayStatus.DEGRADED, record.status(moment()));
        now = RelayRecord.DEAD.toNanos();
        assertEquals(RelayStatus.DEAD, record.status(moment()));
        assertTrue(record.failed(moment(), BACKOFF, RelayRecord.DEAD), "news");
        assertEquals(RelayRecord.DEAD.toNanos(), record.left(now));
        pass(RelayRecord.DEAD);
        assertFalse(record.failed(moment(), BACKOFF, RelayRecord.DEAD), "no news");
        assertEquals(RelayRecord.DEAD.toNanos(), record.left(now));
    }

    @Test
    void oneStableLinkRevives() {
        waitAndFail(35);
        assertEquals(RelayStatus.DEAD, record.status(moment()));
        record.opened(now);
        assertEquals(RelayStatus.DEAD, record.status(moment()), "that alone says nothing");
        pass(Duration.ofMinutes(5));
        assertEquals(RelayStatus.HEALTHY, record.status(moment()));
    }

    @Test
    void linkThatLivedAMinuteRestartsTheClockTowardsDead() {
        waitAndFail(35);
        record.opened(now);
        pass(Duration.ofSeconds(60));
        assertEquals(RelayStatus.DEGRADED, record.status(moment()));
        record.ended(moment());
        pass(Duration.ofHours(1));
        fail();
        assertEquals(RelayStatus.DEGRADED, record.status(moment()));
        assertEquals(36, record.streak(now), "but the failures still count");
        pass(Duration.ofHours(23));
        assertEquals(RelayStatus.DEAD, record.status(moment()));
    }

    @Test
    void linkThatDidNotLiveAMinuteDoesNot() {
        waitAndFail(35);
        record.opened(now);
        pass(Duration.ofSeconds(59));
        record.ended(moment());
        assertEquals(RelayStatus.DEAD, record.status(moment()));
    }

    @Test
    void plannedEndIsNoFailure() {
        record.opened(now);
        pass(Duration.ofSeconds(1));
        record.ended(moment());
        assertEquals(0, record.left(now));
        assertEquals(RelayStatus.DISCONNECTED, record.status(moment()));
    }

    /// R6.5, R4.30.
    @Test
    void failureShortensNoOtherWait() {
        record.park(now, Duration.ofHours(24));
        assertEquals(24 * 3600, fail());
        assertEquals(RelayStatus.POLICY_LIMITED, record.status(moment()));
        record.coolDown(now, Duration.ZERO);
        assertEquals(RelayStatus.RATE_LIMITED, record.status(moment()), "the first that fits");
        pass(Duration.ofSeconds(65));
        assertEquals(RelayStatus.POLICY_LIMITED, record.status(moment()));
        record.park(now, Duration.ofSeconds(1));
        assertEquals(Duration.ofHours(24).minusSeconds(65).toNanos(), record.left(now), "nor does another parking");
        record.unpark();
        assertEquals(RelayStatus.DEGRADED, record.status(moment()));
    }

    @Test
    void cooldownIsNoFailureAndOutlivesLinks() {
        record.opened(now);
        assertTrue(record.coolDown(now, Duration.ZERO));
        assertEquals(Duration.ofSeconds(65), record.coolingFor(now));
        record.ended(moment());
        record.opened(now);
        assertTrue(record.isCooling(now));
        assertEquals(0, record.streak(now));
        pass(Duration.ofSeconds(65));
        assertEquals(RelayStatus.HEALTHY, record.status(moment()));
        assertTrue(record.coolDown(now, Duration.ZERO));
        assertEquals(Duration.ofSeconds(130), record.coolingFor(now), "a link resets nothing");
    }

    /// R6.10.
    @Test
    void protocolFaultLastsFromItsFirstOccurrence() {
        var period = Duration.ofHours(12);
        assertTrue(record.addProtocolFault(now, period));
        pass(Duration.ofHours(11));
        assertFalse(record.addProtocolFault(now, period));
        assertEquals(2, record.protocol().count());
        assertEquals(Duration.ofHours(1).toNanos(), record.protocolLeft(now));
        pass(Duration.ofHours(1));
        assertEquals(0, record.protocolLeft(now));
        assertFalse(record.addProtocolFault(now, period), "it is known already");
        assertEquals(period.toNanos(), record.protocolLeft(now));
        assertEquals(1, record.protocol().count());
    }

    @Test
    void numbersOfStatesAreThoseOfTheTable() {
        var gauges = Arrays.stream(RelayStatus.values()).map(RelayStatus::gauge).toList();
        assertEquals(List.of(1, 2, 3, 4, 5, 6), gauges);
    }
}
