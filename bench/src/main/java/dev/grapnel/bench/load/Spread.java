package dev.grapnel.bench.load;

import java.util.List;

/// Least, median and most of several rounds; of an even number of rounds the median lies between the middle
/// two.
record Spread(double least, double median, double most) {
    /// @throws IllegalArgumentException if there are none
    static Spread of(List<Double> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("a spread of nothing");
        }
        var sorted = values.stream().sorted().toList();
        int half = sorted.size() / 2;
        double median = sorted.size() % 2 == 1 ? sorted.get(half) : (sorted.get(half - 1) + sorted.get(half)) / 2;
        return new Spread(sorted.getFirst(), median, sorted.getLast());
    }
}
