package dev.grapnel.bench.sync;

import dev.grapnel.bench.purgatory.Report;
import dev.grapnel.bench.purgatory.Rounds;
import java.util.ArrayList;
import java.util.List;

/// What clients waited while nothing was streamed and while much was, in slices of a quarter of a minute.
final class StreamTable {
    private static final double MILLIS = 1e6;

    private final List<Samples> quiet = new ArrayList<>();
    private final List<Samples> streaming = new ArrayList<>();
    private final List<Double> memory = new ArrayList<>();

    void quiet(List<Samples> slices) {
        quiet.addAll(slices);
    }

    void streaming(List<Samples> slices) {
        streaming.addAll(slices);
    }

    void memory(double megabytes) {
        memory.add(megabytes);
    }

    void print() {
        Report.line("| | | goal |%n|---|--:|--:|");
        for (double share : new double[] {0.5, 0.99}) {
            var without = rounds(quiet, share);
            var with = rounds(streaming, share);
            var name = share == 0.5 ? "p50" : "p99";
            Report.line("| EOSE %s without the stream, ms | %s | |", name, without.shown(2));
            Report.line("| EOSE %s with it, ms | %s | |", name, with.shown(2));
            Report.line(
                    "| ratio of %s | %.2f | %s |", name, with.median() / without.median(), share == 0.5 ? "" : "1.20");
        }
        var shown = memory.stream().map("%.0f"::formatted).toList();
        Report.line("| memory that is no file, MB, every 15 s | %s | no growth |", String.join(" ", shown));
    }

    private static Rounds rounds(List<Samples> slices, double share) {
        return Rounds.of(
                slices.stream().mapToDouble(slice -> slice.at(share) / MILLIS).toArray());
    }
}
