package dev.grapnel.bench.sync;

import dev.grapnel.bench.purgatory.Report;
import dev.grapnel.bench.purgatory.Rounds;
import dev.grapnel.sync.index.Level;
import dev.grapnel.sync.index.PairMarks;
import dev.grapnel.sync.index.WantedIndex;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/// What changes of the index cost at full load and at a tenth of it, in turns: the same change must cost the same
/// (sync 8.3).
final class IndexCosts {
    private static final int CHANGED = 1_000;
    private static final int WARMUPS = 30;
    private static final int ROUNDS = 30;

    private final FilledIndex small;
    private final FilledIndex full;
    private final Map<String, double[][]> table = new LinkedHashMap<>();
    private final Map<String, String> bounds = new LinkedHashMap<>();
    private long sum;

    private IndexCosts(FilledIndex small, FilledIndex full) {
        this.small = small;
        this.full = full;
    }

    static void print(Load load, Path directory) throws IOException {
        try (var small = new FilledIndex(load.tenth(), directory.resolve("small"), new OwnStates());
                var full = new FilledIndex(load, directory.resolve("full"), new OwnStates())) {
            fillings(small);
            fillings(full);
            new IndexCosts(small, full).print();
            tables(full);
            audit(full);
        }
    }

    private static void fillings(FilledIndex filled) {
        Report.line("%n## Filling an index: %s%n", filled.load());
        Report.line("| | CPU, s | slowest window of 50,000, ms | tables, MB | bytes each |%n|---|--:|--:|--:|--:|");
        for (var stage : filled.stages()) {
            Report.line(
                    "| %,d %s | %.1f | %.0f | %,.1f | %.1f |",
                    stage.count(),
                    stage.name(),
                    stage.seconds(),
                    stage.slowest(),
                    stage.bytes() / 1e6,
                    (double) stage.bytes() / Math.max(1, stage.count()));
        }
    }

    private static void tables(FilledIndex filled) {
        Report.line("%n## Its large tables%n%n| | MB |%n|---|--:|");
        filled.tables().forEach((name, bytes) -> Report.line("| %s | %,.1f |", name, bytes / 1e6));
    }

    private void print() {
        for (int round = 0; round < WARMUPS + ROUNDS; round++) {
            var first = round % 2 == 0 ? small : full;
            measure(first, round);
            measure(first == small ? full : small, round);
        }
        Report.line("%n## The same changes at a tenth of the load and at all of it, CPU%n");
        Report.line("| | a tenth | all | bound | all against a tenth |%n|---|--:|--:|--:|--:|");
        table.forEach((name, costs) -> Report.line(
                "| %s | %s | %s | %s | %.2f |",
                name,
                Rounds.of(costs[0]).shown(2),
                Rounds.of(costs[1]).shown(2),
                bounds.getOrDefault(name, ""),
                Rounds.of(costs[1]).median() / Rounds.of(costs[0]).median()));
        Report.line("%n(Sum of what was read: %,d.)", sum);
    }

    private void measure(FilledIndex filled, int round) {
        var made = filled.made();
        int step = filled.load().repos() / CHANGED;
        var changed = FilledIndex.window(0, CHANGED, number -> made.announcement(number * step, round + 1));
        note(filled, round, "1,000 changed repositories, ms", "10", filled.apply(changed) / 1e6);
        int roots = filled.load().roots() + round * CHANGED;
        var opened = FilledIndex.window(roots, roots + CHANGED, made::root);
        note(filled, round, "1,000 new roots, ms", "", filled.apply(opened) / 1e6);
        int members = filled.load().members() + round * CHANGED;
        var answered = FilledIndex.window(members, members + CHANGED, made::member);
        note(filled, round, "1,000 new members, ms", "", filled.apply(answered) / 1e6);
        diff(filled, round);
    }

    /// What a diff reads of the pairs of changed repositories: how much more is wanted than was asked.
    private void diff(FilledIndex filled, int round) {
        var index = filled.index();
        int relay = filled.busiest();
        int count = index.pairCount(relay);
        index.forEachPair(relay, _ -> {}); // puts them in order, which is part of the next row
        long begun = Report.cpuNanos();
        index.forEachPair(relay, pair -> sum += due(index, pair));
        double nanos = Report.cpuNanos() - begun;
        note(filled, round, "diff of one pair, ns", "100", nanos / count);
        var marks = index.marks();
        long again = Report.cpuNanos();
        index.forEachPair(relay, pair -> marks.setRoots(pair, PairMarks.ASKED, 0));
        index.forEachPair(relay, pair -> sum += due(index, pair));
        note(filled, round, "the same for a whole relay, ms", "100", (Report.cpuNanos() - again) / 1e6);
    }

    private static long due(WantedIndex index, int pair) {
        int repo = index.repo(pair);
        boolean isFull = index.level(repo) == Level.FULL;
        return isFull ? index.rootCount(repo) - index.marks().roots(pair, PairMarks.ASKED) : 0;
    }

    private void note(FilledIndex filled, int round, String name, String bound, double cost) {
        if (round >= WARMUPS) {
            bounds.put(name, bound);
            table.computeIfAbsent(name, _ -> new double[2][ROUNDS])[filled == small ? 0 : 1][round - WARMUPS] = cost;
        }
    }

    private static void audit(FilledIndex filled) {
        long begun = Report.cpuNanos();
        int differences = filled.index().audit();
        Report.line("%nAudit: %,d differences, %.1f s of CPU.", differences, (Report.cpuNanos() - begun) / 1e9);
    }
}
