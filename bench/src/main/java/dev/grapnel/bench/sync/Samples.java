package dev.grapnel.bench.sync;

import java.util.Arrays;
import java.util.Locale;

/// Many measurements of one thing, in nanoseconds.
final class Samples {
    private long[] values = new long[16];
    private int count;

    void add(long nanos) {
        if (count == values.length) {
            values = Arrays.copyOf(values, count * 2);
        }
        values[count] = nanos;
        count++;
    }

    int count() {
        return count;
    }

    /// The value that a share of all do not exceed; 0 if there are none.
    long at(double share) {
        var sorted = sorted();
        return count == 0 ? 0 : sorted[Math.min(count - 1, (int) (share * count))];
    }

    /// Median, 99th percentile and most, as text.
    String micros() {
        return shown(1e3);
    }

    /// The same in milliseconds.
    String millis() {
        return shown(1e6);
    }

    private String shown(double unit) {
        return String.format(
                Locale.ROOT, "%,.1f (p99 %,.1f, most %,.1f)", at(0.5) / unit, at(0.99) / unit, at(1) / unit);
    }

    private long[] sorted() {
        var sorted = Arrays.copyOf(values, count);
        Arrays.sort(sorted);
        return sorted;
    }
}
