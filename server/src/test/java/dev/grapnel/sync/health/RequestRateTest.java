package dev.grapnel.sync.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.sync.health.Learned.Trait;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/// How fast a relay is asked (R3.15, rows 155 and 156).
final class RequestRateTest {
    private static final Duration REST = Duration.ofSeconds(65);

    private final Learned learned = new Learned();
    private long now = -1_000_000;
    private Instant wall = Instant.parse("2026-01-01T00:00:00Z");
    private RequestRate rate = new RequestRate(learned, 10, now, wall);

    private void pass(Duration time) {
        now += time.toNanos();
        wall = wall.plus(time);
    }

    /// Asks as often as may be for a while.
    private int askFor(Duration time) {
        long end = now + time.toNanos();
        int count = 0;
        while (now < end) {
            while (rate.tryTake(now)) {
                count++;
            }
            pass(Duration.ofNanos(Math.min(rate.untilNext(now).toNanos(), end - now)));
        }
        return count;
    }

    @Test
    void tenAtOnceThenTwoInASecond() {
        assertEquals(10, askFor(Duration.ofMillis(499)));
        assertEquals(2, askFor(Duration.ofSeconds(1)));
        assertEquals(20, askFor(Duration.ofSeconds(10)));
    }

    @Test
    void anyHighestRateMayBeSet() {
        rate = new RequestRate(learned, Integer.MAX_VALUE, now, wall);
        assertEquals(2_000, rate.perThousandSeconds());
        assertEquals(10, askFor(Duration.ofMillis(499)));
    }

    @Test
    void nextMomentIsExact() {
        for (int i = 0; i < 10; i++) {
            assertEquals(Duration.ZERO, rate.untilNext(now));
            assertTrue(rate.tryTake(now));
        }
        assertEquals(Duration.ofMillis(500), rate.untilNext(now));
        pass(Duration.ofMillis(500).minusNanos(1));
        assertFalse(rate.tryTake(now));
        pass(Duration.ofNanos(1));
        assertTrue(rate.tryTake(now));
    }

    @Test
    void everyMinuteInWhichWorkWaitsDoublesUpToTheMaximum() {
        assertEquals(2_000, rate.perThousandSeconds());
        askFor(Duration.ofSeconds(61));
        assertEquals(4_000, rate.perThousandSeconds());
        askFor(Duration.ofSeconds(61));
        assertEquals(8_000, rate.perThousandSeconds());
        askFor(Duration.ofSeconds(61));
        assertEquals(10_000, rate.perThousandSeconds());
        askFor(Duration.ofSeconds(61));
        assertEquals(10_000, rate.perThousandSeconds());
        assertEquals(OptionalLong.empty(), learned.find(Trait.RATE, wall), "nothing was learned");
    }

    @Test
    void withoutWorkThatWaitsNothingRises() {
        for (int i = 0; i < 600; i++) {
            assertTrue(rate.tryTake(now));
            pass(Duration.ofMillis(500));
        }
        assertEquals(2_000, rate.perThousandSeconds());
    }

    @Test
    void refusalHalvesAndStopsTheRiseForAnHour() {
        rate.refused(now, REST, wall);
        assertEquals(1_000, rate.perThousandSeconds());
        assertEquals(OptionalLong.of(1_000), learned.find(Trait.RATE, wall));
        askFor(Duration.ofMinutes(60));
        assertEquals(1_000, rate.perThousandSeconds());
        askFor(Duration.ofMinutes(5));
        assertEquals(10_000, rate.perThousandSeconds());
        assertEquals(OptionalLong.of(10_000), learned.find(Trait.RATE, wall));
        assertEquals(
                OptionalLong.empty(),
                learned.find(Trait.RATE, wall.plus(Duration.ofHours(23))),
                "24 h from the refusal");
    }

    @Test
    void severalRefusalsWithinAMinuteAreOne() {
        rate.refused(now, REST, wall);
        pass(Duration.ofSeconds(59));
        rate.refused(now, REST, wall);
        assertEquals(1_000, rate.perThousandSeconds());
        pass(Duration.ofSeconds(1));
        rate.refused(now, REST, wall);
        assertEquals(500, rate.perThousandSeconds());
    }

    @Test
    void neverBelowOneInTenSeconds() {
        for (int i = 0; i < 10; i++) {
            rate.refused(now, REST, wall);
            pass(REST);
        }
        assertEquals(100, rate.perThousandSeconds());
        askFor(Duration.ofSeconds(10));
        assertEquals(6, askFor(Duration.ofSeconds(60)));
    }

    @Test
    void nothingIsSavedUpWhileTheRelayRests() {
        rate.refused(now, REST, wall);
        assertEquals(REST.plusSeconds(1), rate.untilNext(now));
        pass(REST);
        assertFalse(rate.tryTake(now));
        assertEquals(60, askFor(Duration.ofSeconds(60).plusNanos(1)));
    }

    /// Row 155: such a relay counts up to 120 requests in any minute.
    @Test
    void relayWith120InAMinuteRefusesOnceInAnHour() {
        var allowed = new SlidingLimit(120, Duration.ofMinutes(1));
        int refusals = 0;
        long resumeAt = now;
        for (long end = now + Duration.ofHours(1).toNanos(); now < end; pass(Duration.ofMillis(50))) {
            if (now >= resumeAt && rate.tryTake(now) && !allowed.tryTake(now)) {
                refusals++;
                rate.refused(now, REST, wall);
                resumeAt = now + REST.toNanos();
            }
        }
        assertEquals(1, refusals);
    }

    @Test
    void whatWasLearnedOutlivesTheProcess() {
        rate.refused(now, REST, wall);
        pass(Duration.ofMinutes(30));
        rate = new RequestRate(learned, 10, now, wall);
        assertEquals(1_000, rate.perThousandSeconds());
        askFor(Duration.ofMinutes(30));
        assertEquals(1_000, rate.perThousandSeconds(), "the hour goes on");
        askFor(Duration.ofMinutes(5));
        assertEquals(10_000, rate.perThousandSeconds());
        pass(Duration.ofHours(24));
        assertEquals(2_000, new RequestRate(learned, 10, now, wall).perThousandSeconds());
    }

    @Test
    void neverAboveWhatTheOperatorAllows() {
        rate = new RequestRate(learned, 1, now, wall);
        assertEquals(1_000, rate.perThousandSeconds());
        askFor(Duration.ofMinutes(5));
        assertEquals(1_000, rate.perThousandSeconds());
    }

    @Test
    void longIdlenessFillsTheBucketAndNoMore() {
        pass(Duration.ofDays(10_000));
        assertEquals(10, askFor(Duration.ofMillis(1)));
    }

    /// Row 156.
    @Test
    void framesStayBelowFiftyInAnySecond() {
        var frames = SlidingLimit.frames();
        int sent = 0;
        for (int millis = 0; millis < 60_000; millis++) {
            sent += frames.tryTake(now) ? 1 : 0;
            pass(Duration.ofMillis(1));
        }
        assertEquals(49 * 60, sent);
    }

    @Test
    void slidingLimitHoldsWhereverTheSpanBegins() {
        var limit = new SlidingLimit(2, Duration.ofSeconds(1));
        assertTrue(limit.tryTake(0));
        assertTrue(limit.tryTake(900_000_000));
        assertFalse(limit.tryTake(999_999_999));
        assertEquals(Duration.ofNanos(1), limit.untilNext(999_999_999));
        assertTrue(limit.tryTake(1_000_000_000));
        assertFalse(limit.tryTake(1_800_000_000));
    }
}
