package dev.grapnel.bench.purgatory;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.DoubleSupplier;
import java.util.stream.DoubleStream;

/// The same measured again and again: the median, and the least to the most.
public record Rounds(double median, double least, double most) {
    static Rounds of(int warmups, int rounds, DoubleSupplier measure) {
        for (int i = 0; i < warmups; i++) {
            var _ = measure.getAsDouble();
        }
        return of(DoubleStream.generate(measure).limit(rounds).toArray());
    }

    /// Of these.
    public static Rounds of(double... values) {
        var sorted = values.clone();
        Arrays.sort(sorted);
        return new Rounds(sorted[sorted.length / 2], sorted[0], sorted[sorted.length - 1]);
    }

    /// As text with so many decimals.
    public String shown(int decimals) {
        var format = "%,." + decimals + "f (%,." + decimals + "f to %,." + decimals + "f)";
        return String.format(Locale.ROOT, format, median, least, most);
    }
}
