package dev.grapnel.bench.sync;

import dev.grapnel.bench.Scratch;
import dev.grapnel.bench.purgatory.Report;
import dev.grapnel.sync.index.IndexChange;
import dev.grapnel.sync.index.IndexLimits;
import dev.grapnel.sync.index.IndexTables;
import dev.grapnel.sync.index.Level;
import dev.grapnel.sync.index.MappedTables;
import dev.grapnel.sync.index.PairMarks;
import dev.grapnel.sync.index.WantedIndex;
import dev.grapnel.sync.world.Mutation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Fills the index to the loads it must hold (sync 8.1) and prints bytes and times beside the bounds (sync
/// 8.3).
@Command(
        name = "index-bench",
        mixinStandardHelpOptions = true,
        description = "Fills the index of what sync wants, and prints tables.")
public final class IndexBench implements Callable<Integer> {
    private static final int WINDOW = 50_000;
    private static final int CHANGED = 1000;
    private static final int ROUNDS = 20;

    @Parameters(index = "0", paramLabel = "DIRECTORY", description = "Where files are made and removed again.")
    private Path place = Path.of("");

    @Option(names = "--repos", defaultValue = "100000", description = "Repositories (default: 100000).")
    private int repos;

    @Option(names = "--roots", defaultValue = "5000000", description = "Root events (default: 5000000).")
    private int roots;

    @Option(names = "--members", defaultValue = "5000000", description = "Thread members (default: 5000000).")
    private int members;

    @Option(names = "--relays", defaultValue = "1000", description = "Relays (default: 1000).")
    private int relays;

    private final Counted told = new Counted();
    private long slowest;

    /// Runs it.
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new IndexBench()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException {
        try (var scratch = Scratch.in(place, "index-bench");
                var tables = new MappedTables(scratch.directory())) {
            measure(tables);
        }
        return ExitCode.OK;
    }

    private void measure(IndexTables tables) {
        Report.line(
                "%n## Index of %,d repositories, %,d roots, %,d members, %,d relays%n", repos, roots, members, relays);
        Report.line("| | time, ms | slowest window, ms | tables, MB | heap, MB |%n|---|--:|--:|--:|--:|");
        var made = new MadeUp(repos, roots, relays);
        var index = new WantedIndex(IndexLimits.DEFAULTS, tables, new OwnStates(), new SplittableRandom(1));
        fill(index, "announcements", repos, made::announcement);
        fill(index, "roots", roots, made::root);
        fill(index, "members", members, made::member);
        Report.line("%n| | time | bound |%n|---|--:|--:|");
        change(index, made);
        lookAtWholeRelay(index);
        timed("audit, ms", 1, "", index::audit);
        Report.line("| changes that were told | %,d | |", told.count);
    }

    private interface Source {
        Mutation get(int number);
    }

    private void fill(WantedIndex index, String what, int count, Source source) {
        slowest = 0;
        long nanos = 0;
        for (int from = 0; from < count; from += WINDOW) {
            nanos += apply(index, window(from, Math.min(count, from + WINDOW), source));
        }
        Report.line(
                "| %s | %,d | %,.1f | %,.1f | %,.1f |",
                what, nanos / 1_000_000, slowest / 1e6, index.figures().bytes() / 1e6, Report.heapMegabytes());
    }

    private static List<Mutation> window(int from, int to, Source source) {
        var window = new ArrayList<Mutation>(to - from);
        for (int number = from; number < to; number++) {
            window.add(source.get(number));
        }
        return window;
    }

    private long apply(WantedIndex index, List<Mutation> window) {
        long begun = Report.cpuNanos();
        index.apply(window, told);
        long nanos = Report.cpuNanos() - begun;
        slowest = Math.max(slowest, nanos);
        return nanos;
    }

    private void change(WantedIndex index, MadeUp made) {
        long nanos = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            int version = round + 1;
            var window = window(0, CHANGED, number -> made.announcement(number * (repos / CHANGED), version));
            nanos = Math.min(nanos, apply(index, window));
        }
        Report.line("| %,d changed repositories, ms | %.2f | 10 ms |", CHANGED, nanos / 1e6);
    }

    /// What a diff of a whole relay reads of the one that most repositories name.
    private static void lookAtWholeRelay(WantedIndex index) {
        int[] most = {0};
        index.forEachRelay(relay -> most[0] = index.pairCount(relay) > index.pairCount(most[0]) ? relay : most[0]);
        for (int round = 0; round < 3; round++) {
            long[] due = {0};
            var name = "pairs of a relay with %,d, ms".formatted(index.pairCount(most[0]));
            timed(name, 1, "100 ms", () -> index.forEachPair(most[0], pair -> due[0] += due(index, pair)));
            timed(
                    "its roots, asked once each, ns",
                    Math.max(1, due[0]),
                    "",
                    () -> index.forEachPair(most[0], pair -> {
                        int repo = index.repo(pair);
                        for (int at = 0; at < index.rootCount(repo); at++) {
                            due[0] += index.asksFor(pair, index.root(repo, at)) ? 1 : 0;
                        }
                    }));
        }
    }

    private static long due(WantedIndex index, int pair) {
        int repo = index.repo(pair);
        boolean isFull = index.level(repo) == Level.FULL;
        return isFull ? index.rootCount(repo) - index.marks().roots(pair, PairMarks.ASKED) : 0;
    }

    private static void timed(String name, long parts, String bound, Runnable work) {
        long begun = Report.cpuNanos();
        work.run();
        double nanos = Report.cpuNanos() - begun;
        Report.line("| %s | %.2f | %s |", name, parts == 1 ? nanos / 1e6 : nanos / parts, bound);
    }

    /// Hears everything, as links would.
    private static final class Counted implements IndexChange {
        private long count;

        @Override
        public void grown(int pair) {
            count++;
        }

        @Override
        public void shrunk(int pair) {
            count++;
        }

        @Override
        public void ended(int pair) {
            count++;
        }

        @Override
        public void threadChanged(int root) {
            count++;
        }
    }
}
