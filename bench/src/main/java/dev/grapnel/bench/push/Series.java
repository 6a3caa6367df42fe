package dev.grapnel.bench.push;

import dev.grapnel.bench.purgatory.Rounds;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// Durations of one thing, in milliseconds, round by round.
public final class Series {
    private final List<List<Double>> rounds = new ArrayList<>();

    /// Adds one to a round; a round below 0 only warms up.
    public void add(int round, long nanos) {
        if (round < 0) {
            return;
        }
        while (rounds.size() <= round) {
            rounds.add(new ArrayList<>());
        }
        rounds.get(round).add(nanos / 1e6);
    }

    int size() {
        return rounds.stream().mapToInt(List::size).sum();
    }

    /// The least value of all rounds that so large a share is not above; 0.5 for the median.
    public double percentile(double share) {
        return percentile(rounds.stream().flatMap(List::stream).toList(), share);
    }

    private static double percentile(List<Double> values, double share) {
        if (values.isEmpty()) {
            return Double.NaN;
        }
        var sorted = values.stream().sorted().toList();
        return sorted.get(Math.max(0, (int) Math.ceil(share * sorted.size()) - 1));
    }

    /// The median of each round.
    List<Double> medians() {
        return rounds.stream().map(round -> percentile(round, 0.5)).toList();
    }

    /// The spread of the rounds' medians.
    public Rounds spread() {
        return rounds(medians());
    }

    /// The rounds' medians against those of another: what disturbed a round disturbed both.
    public Rounds against(Series other) {
        var ours = medians();
        var theirs = other.medians();
        return rounds(IntStream.range(0, ours.size())
                .mapToObj(i -> ours.get(i) / theirs.get(i))
                .toList());
    }

    private static Rounds rounds(List<Double> values) {
        return Rounds.of(values.stream().mapToDouble(Double::doubleValue).toArray());
    }
}
