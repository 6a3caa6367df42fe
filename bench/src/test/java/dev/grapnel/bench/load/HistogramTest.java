package dev.grapnel.bench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class HistogramTest {
    @Test
    void smallValuesAreExact() {
        var histogram = new Histogram();
        for (int value = 1; value <= 60; value++) {
            histogram.record(value);
        }
        assertEquals(30, histogram.percentile(0.5));
        assertEquals(60, histogram.percentile(1));
        assertEquals(1, histogram.percentile(0));
        assertEquals(60, histogram.max());
        assertEquals(60, histogram.count());
    }

    @Test
    void percentilesAreNeverBelowAndHardlyAboveTheTruth() {
        var random = new SplittableRandom(3);
        for (int times = 0; times < 50; times++) {
            var histogram = new Histogram();
            var values = random.longs(1 + random.nextInt(3000), 0, 1L << random.nextInt(1, 62))
                    .toArray();
            Arrays.stream(values).forEach(histogram::record);
            Arrays.sort(values);
            for (double share : new double[] {0.01, 0.5, 0.9, 0.99, 0.999, 1}) {
                long truth = values[Math.max(1, (int) Math.ceil(share * values.length)) - 1];
                long told = histogram.percentile(share);
                assertTrue(told >= truth, () -> "told " + told + " for " + truth);
                assertTrue(told - truth <= truth / 64, () -> "told " + told + " for " + truth);
            }
            assertEquals(values[values.length - 1], histogram.max());
        }
    }

    @Test
    void sumOfTwoIsAsIfOneHadCountedAll() {
        var first = new Histogram();
        var second = new Histogram();
        var both = new Histogram();
        for (int i = 0; i < 1000; i++) {
            (i % 3 == 0 ? first : second).record(i * 1000L);
            both.record(i * 1000L);
        }
        first.add(second);
        assertEquals(both.percentile(0.5), first.percentile(0.5));
        assertEquals(both.percentile(0.99), first.percentile(0.99));
        assertEquals(both.max(), first.max());
        assertEquals(both.count(), first.count());
    }

    @Test
    void extremesAreCounted() {
        var histogram = new Histogram();
        assertEquals(0, histogram.percentile(0.99));
        histogram.record(-5);
        histogram.record(Long.MAX_VALUE);
        assertEquals(0, histogram.percentile(0.5));
        assertEquals(Long.MAX_VALUE, histogram.percentile(1));
    }
}
