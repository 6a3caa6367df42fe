package dev.grapnel.bench.sync;

import dev.grapnel.bench.purgatory.Report;
import dev.grapnel.sync.index.IndexChange;
import dev.grapnel.sync.index.IndexLimits;
import dev.grapnel.sync.index.MappedTables;
import dev.grapnel.sync.index.WantedIndex;
import dev.grapnel.sync.world.Archive;
import dev.grapnel.sync.world.Mutation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntFunction;

/// An index with a load in it, and what filling it took.
final class FilledIndex implements AutoCloseable {
    /// As many as a window holds (R1.12).
    private static final int WINDOW = 50_000;

    private final Load load;
    private final CountedTables tables;
    private final MadeUp made;
    private final WantedIndex index;
    private final Silent told = new Silent();
    private final List<Stage> stages = new ArrayList<>();
    private long slowest;

    /// One part of it.
    ///
    /// @param seconds of CPU
    /// @param slowest window, in milliseconds of CPU
    /// @param bytes the tables have grown by
    record Stage(String name, int count, double seconds, double slowest, long bytes) {}

    /// @param directory for its tables
    FilledIndex(Load load, Path directory, Archive archive) throws IOException {
        this.load = load;
        this.tables = new CountedTables(new MappedTables(directory));
        this.made = new MadeUp(load.repos(), load.roots(), load.relays());
        this.index = new WantedIndex(IndexLimits.DEFAULTS, tables, archive, new SplittableRandom(1));
        fill("announcements", load.repos(), made::announcement);
        fill("roots", load.roots(), made::root);
        fill("members", load.members(), made::member);
    }

    private void fill(String name, int count, IntFunction<Mutation> source) {
        slowest = 0;
        long nanos = 0;
        long before = index.figures().bytes();
        for (int from = 0; from < count; from += WINDOW) {
            nanos += apply(window(from, Math.min(count, from + WINDOW), source));
        }
        stages.add(new Stage(
                name, count, nanos / 1e9, slowest / 1e6, index.figures().bytes() - before));
    }

    /// Mutations by their numbers.
    static List<Mutation> window(int from, int to, IntFunction<Mutation> source) {
        var window = new ArrayList<Mutation>(to - from);
        for (int number = from; number < to; number++) {
            window.add(source.apply(number));
        }
        return window;
    }

    /// Applies a window.
    ///
    /// @return nanoseconds of CPU
    long apply(List<Mutation> window) {
        long begun = Report.cpuNanos();
        index.apply(window, told);
        long nanos = Report.cpuNanos() - begun;
        slowest = Math.max(slowest, nanos);
        return nanos;
    }

    Load load() {
        return load;
    }

    MadeUp made() {
        return made;
    }

    WantedIndex index() {
        return index;
    }

    /// Bytes of the large tables, by name.
    Map<String, Long> tables() {
        return tables.bytes();
    }

    List<Stage> stages() {
        return List.copyOf(stages);
    }

    /// The relay that most repositories name.
    int busiest() {
        int[] most = {0};
        index.forEachRelay(relay -> most[0] = index.pairCount(relay) > index.pairCount(most[0]) ? relay : most[0]);
        return most[0];
    }

    @Override
    public void close() {
        index.close();
    }

    /// Hears everything, as links would.
    private static final class Silent implements IndexChange {
        @Override
        public void grown(int pair) {
            // nobody is to be told
        }

        @Override
        public void shrunk(int pair) {
            // nobody is to be told
        }

        @Override
        public void ended(int pair) {
            // nobody is to be told
        }

        @Override
        public void threadChanged(int root) {
            // nobody is to be told
        }
    }
}
