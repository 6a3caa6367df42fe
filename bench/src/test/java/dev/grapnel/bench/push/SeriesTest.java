package dev.grapnel.bench.push;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.bench.purgatory.Rounds;
import dev.grapnel.bench.push.SteadyPushes.Attempt;
import dev.grapnel.bench.push.SteadyPushes.Outcome;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What is computed from moments.
final class SeriesTest {
    private static final long MILLI = 1_000_000;

    private static Series series(int... millisOfTwoRounds) {
        var series = new Series();
        for (int i = 0; i < millisOfTwoRounds.length; i++) {
            series.add(i < millisOfTwoRounds.length / 2 ? 0 : 1, millisOfTwoRounds[i] * MILLI);
        }
        return series;
    }

    @Test
    void percentilesAreThoseOfAllRounds() {
        var series = series(9, 1, 8, 2, 7, 3, 6, 4, 5, 10);
        assertEquals(5, series.percentile(0.5));
        assertEquals(9, series.percentile(0.9));
        assertEquals(10, series.percentile(1));
    }

    @Test
    void roundsThatWarmUpDoNotCount() {
        var series = new Series();
        series.add(-1, 1_000 * MILLI);
        series.add(0, MILLI);
        assertEquals(1, series.size());
        assertEquals(1, series.percentile(1));
    }

    @Test
    void ratiosAreThoseOfEachRound() {
        var plain = series(10, 10, 10, 100, 100, 100);
        var served = series(11, 12, 13, 150, 150, 150);
        assertEquals(new Rounds(1.5, 1.2, 1.5), served.against(plain));
    }

    @Test
    void failedPushIsCountedAndHasNoLatency() {
        var attempts = List.of(
                new Attempt(0, 20 * MILLI, ""),
                new Attempt(500 * MILLI, 510 * MILLI, "refused"),
                new Attempt(1_000 * MILLI, 1_040 * MILLI, ""),
                new Attempt(1_500 * MILLI, 1_510 * MILLI, "refused"));
        var outcome = Outcome.of(attempts, 2, 0);
        assertEquals(Map.of("refused", 2), outcome.problems());
        assertEquals(2, outcome.errors());
        assertEquals(4, outcome.offered());
        assertEquals(2, outcome.latency().size());
        assertEquals(40, outcome.latency().percentile(1));
        assertEquals(1.0, outcome.perSecond());
    }

    @Test
    void serverThatDoesNotKeepUpHasALowerRate() {
        var attempts = List.of(new Attempt(0, 2_000 * MILLI, ""), new Attempt(500 * MILLI, 4_000 * MILLI, ""));
        assertEquals(0.5, Outcome.of(attempts, 2, 0).perSecond());
    }
}
