package dev.grapnel.bench.load;

import java.util.LinkedHashMap;
import java.util.Map;

/// Named numbers in the order in which they are to be read; a name ends with the unit.
final class Figures {
    private static final double MICROS = 1e3;

    private final Map<String, Double> values = new LinkedHashMap<>();

    Figures put(String name, double value) {
        values.put(name, value);
        return this;
    }

    Figures put(String name, long value) {
        return put(name, (double) value);
    }

    /// Median, 99th percentile and maximum, in microseconds.
    Figures put(String name, Histogram nanos) {
        if (nanos.count() > 0) {
            put(name + " p50, µs", nanos.percentile(0.5) / MICROS);
            put(name + " p99, µs", nanos.percentile(0.99) / MICROS);
            put(name + " max, µs", nanos.max() / MICROS);
        }
        return this;
    }

    Map<String, Double> values() {
        return new LinkedHashMap<>(values);
    }
}
