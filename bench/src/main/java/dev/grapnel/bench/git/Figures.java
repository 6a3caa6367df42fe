package dev.grapnel.bench.git;

import java.util.Arrays;
import java.util.Locale;

/// Prints what was measured, as lines of a table.
final class Figures {
    private Figures() {}

    static void head() {
        System.out.println("| | grapnel | http-backend | ratio | git on disk |\n|---|--:|--:|--:|--:|");
    }

    /// One line. Ratios are those of each round: whatever disturbed one server most likely disturbed the other, too.
    ///
    /// @param values of ours and of the other, for each round
    /// @param disk the same without any server, if that was measured
    static void row(String what, double[][] values, double disk) {
        var ratios = new double[values[0].length];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = values[0][i] / values[1][i];
        }
        System.out.printf(
                Locale.ROOT,
                "| %s | %s | %s | %s | %s |%n",
                what,
                spread(values[0]),
                spread(values[1]),
                spread(ratios),
                Double.isNaN(disk) ? "" : String.format(Locale.ROOT, "%.0f", disk));
    }

    private static String spread(double[] values) {
        var sorted = values.clone();
        Arrays.sort(sorted);
        var format = sorted[sorted.length / 2] < 20 ? "%.2f (%.2f to %.2f)" : "%,.0f (%,.0f to %,.0f)";
        return String.format(Locale.ROOT, format, median(values), sorted[0], sorted[sorted.length - 1]);
    }

    static double median(double[] values) {
        var sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
