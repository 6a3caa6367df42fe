package dev.grapnel.bench.store;

import dev.grapnel.bench.Community;
import dev.grapnel.bench.Landmarks;
import dev.grapnel.bench.Signatures;
import dev.grapnel.bench.store.TableLog.Change;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.store.QueryLimits;
import dev.grapnel.store.QueryRequest;
import dev.grapnel.store.QueryStep;
import dev.grapnel.store.StoreRules;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.Viewer;
import dev.grapnel.store.engine.TableStore;
import dev.grapnel.store.engine.WriterConfig;
import dev.grapnel.store.lmdb.LmdbConfig;
import dev.grapnel.store.lmdb.LmdbEngine;
import dev.grapnel.store.table.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.SplittableRandom;

/// Fills a store and asks it what git clients ask.
public final class StoreBench {
    private static final int BATCH = 1_000;
    private static final int BLOCK = 1 << 20;

    /// No sweeps in between.
    private static final WriterConfig QUIET =
            new WriterConfig(10_000, 64L << 20, 1_000, 8L << 20, Duration.ofHours(9), Duration.ofHours(9), 1_000_000);

    private static final Duration LONG = Duration.ofMinutes(1);

    private final Path directory;
    private final int events;

    private StoreBench(Path directory, int events) {
        this.directory = directory;
        this.events = events;
    }

    /// Runs everything and prints tables fit for a document.
    ///
    /// @param args directory for the files, which are removed afterwards; number of events; questions of each
    /// shape
    public static void main(String[] args) throws IOException, InterruptedException {
        var directory = Files.createTempDirectory(Path.of(args[0]), "store-bench");
        try {
            var bench = new StoreBench(directory, Integer.parseInt(args[1]));
            var marks = bench.ingest();
            bench.sizes();
            bench.open();
            bench.ask(marks, Integer.parseInt(args[2]));
            Signed.run(directory, Math.min(bench.events, 200_000));
        } finally {
            removeAll(directory);
        }
    }

    private static void removeAll(Path directory) throws IOException {
        try (var files = Files.walk(directory)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private Path storeDirectory() {
        return directory.resolve("store");
    }

    static TableStore open(LmdbEngine engine) {
        return new TableStore(engine, StoreRules.DEFAULTS, QUIET, InstantSource.system(), new Complaints());
    }

    private Landmarks ingest() throws IOException, InterruptedException {
        Files.createDirectories(storeDirectory());
        var bareDirectory = Files.createDirectories(directory.resolve("bare"));
        var log = new TableLog();
        var engine = new LoggingEngine(LmdbEngine.open(storeDirectory(), LmdbConfig.DEFAULTS), log);
        Landmarks marks;
        try (var store = new TableStore(engine, StoreRules.DEFAULTS, QUIET, InstantSource.system(), new Complaints());
                var bare = new BareLmdb(bareDirectory)) {
            var race = new Race(store, bare, log);
            var batch = new ArrayList<Event>(BATCH);
            marks = new Community(7, events).forEach(Signatures.MADE_UP, event -> {
                batch.add(event);
                if (batch.size() == BATCH) {
                    race.run(batch);
                    batch.clear();
                }
            });
            race.run(batch);
            race.finish();
            race.print(events);
        }
        return marks;
    }

    /// The store and bare LMDB write the same batches. Who goes first changes with every turn, because the device
    /// is slower for the second; so bare LMDB, which writes what the store wrote, is a batch or two behind.
    private static final class Race {
        private final TableStore to;
        private final BareLmdb other;
        private final TableLog log;
        private final Queue<List<Change>> behind = new ArrayDeque<>();
        private final List<Long> store = new ArrayList<>();
        private final List<Long> bare = new ArrayList<>();

        Race(TableStore to, BareLmdb other, TableLog log) {
            this.to = to;
            this.other = other;
            this.log = log;
        }

        void run(List<Event> batch) {
            if (store.isEmpty()) {
                writeStore(batch);
            } else if (store.size() % 2 == 0) {
                writeStore(batch);
                writeBare();
            } else {
                writeBare();
                writeStore(batch);
            }
        }

        private void writeStore(List<Event> batch) {
            log.clear();
            long begin = System.nanoTime();
            to.write(Urgency.WAITING, 0, transaction -> {
                        batch.forEach(transaction::save);
                        return true;
                    })
                    .join();
            store.add(System.nanoTime() - begin);
            behind.add(List.copyOf(log.changes()));
        }

        private void writeBare() {
            long begin = System.nanoTime();
            other.write(behind.remove());
            bare.add(System.nanoTime() - begin);
        }

        void finish() {
            while (!behind.isEmpty()) {
                writeBare();
            }
        }

        void print(int events) {
            double storeSeconds = sum(store) / 1e9;
            double bareSeconds = sum(bare) / 1e9;
            print("## Ingest, %,d events in durable batches of %,d, in turns with bare LMDB%n", events, BATCH);
            print("| | events/s | seconds |%n|---|--:|--:|");
            print("| store | %,.0f | %.1f |", events / storeSeconds, storeSeconds);
            print("| bare LMDB, same keys and values | %,.0f | %.1f |", events / bareSeconds, bareSeconds);
            print("| ratio | %.2f | |", bareSeconds / storeSeconds);
            int tenth = Math.max(1, store.size() / 10);
            for (int from = 0; from + tenth <= store.size(); from += tenth) {
                print(
                        "| ratio, batches %d to %d | %.2f | |",
                        from,
                        from + tenth,
                        (double) sum(bare.subList(from, from + tenth)) / sum(store.subList(from, from + tenth)));
            }
        }

        private static long sum(List<Long> values) {
            return values.stream().mapToLong(Long::longValue).sum();
        }

        private static void print(String format, Object... values) {
            StoreBench.print(format, values);
        }
    }

    static void print(String format, Object... values) {
        System.out.printf(Locale.ROOT, format + "%n", values);
    }

    private void sizes() {
        try (var engine = LmdbEngine.open(storeDirectory(), LmdbConfig.DEFAULTS)) {
            var stats = engine.stats();
            var rows = stats.tables().get(Table.EVENTS);
            long stored = rows == null ? 0 : rows.entries();
            print("%n## Size, %,d events in the end (the others were replaced or deleted)%n", stored);
            print("| table | entries | bytes | bytes per event |%n|---|--:|--:|--:|");
            stats.tables().forEach((table, size) -> {
                if (size.entries() > 0) {
                    print(
                            "| %s | %,d | %,d | %.1f |",
                            table.storedName(), size.entries(), size.bytes(), (double) size.bytes() / stored);
                }
            });
            print("| all, in use | | %,d | %.1f |", stats.usedBytes(), (double) stats.usedBytes() / stored);
            print("| free pages | %,d | %,d | |", stats.freePages(), stats.freePages() * 4_096);
        }
    }

    private void open() {
        var times = new long[20];
        for (int i = 0; i < times.length; i++) {
            long begin = System.nanoTime();
            var engine = LmdbEngine.open(storeDirectory(), LmdbConfig.DEFAULTS);
            try (var store = open(engine)) {
                answer(store, Filter.builder().kinds(30_617).limit(1).build());
                times[i] = System.nanoTime() - begin;
            }
        }
        Arrays.sort(times);
        print("%n## Opening%n");
        print("Open until the first answer: median %.1f ms, slowest %.1f ms", times[10] / 1e6, times[19] / 1e6);
    }

    private void ask(Landmarks marks, int questions) {
        var engine = LmdbEngine.open(storeDirectory(), LmdbConfig.DEFAULTS);
        try (var store = open(engine)) {
            print("%n## Questions on %,d events%n", events);
            print("| question | results | p50 µs | p99 µs | events/s |%n|---|--:|--:|--:|--:|");
            for (var shape : QueryShape.values()) {
                measure(store, shape, marks, questions);
            }
            Rarity.run(store);
            long before = heap();
            for (int i = 0; i < 20; i++) {
                answer(store, Filter.builder().kinds(1111).build());
            }
            print("%nHeap after questions: %,d kB; after twenty scans of 5,000 more: %,d kB", before, heap());
        }
    }

    private static long heap() {
        System.gc();
        var runtime = Runtime.getRuntime();
        return (runtime.totalMemory() - runtime.freeMemory()) / 1_024;
    }

    private static void measure(TableStore store, QueryShape shape, Landmarks marks, int questions) {
        var random = new SplittableRandom(5);
        for (int i = 0; i < questions / 2; i++) {
            answer(store, shape.filter(marks, random));
        }
        var times = new long[questions];
        long results = 0;
        for (int i = 0; i < questions; i++) {
            var filter = shape.filter(marks, random);
            long begin = System.nanoTime();
            results += answer(store, filter);
            times[i] = System.nanoTime() - begin;
        }
        long sum = Arrays.stream(times).sum();
        Arrays.sort(times);
        print(
                "| %s | %,.1f | %,.0f | %,.0f | %,.0f |",
                shape.title(),
                (double) results / questions,
                times[questions / 2] / 1e3,
                times[questions * 99 / 100] / 1e3,
                results * 1e9 / sum);
    }

    /// Reads a whole answer and says how many events it has.
    static int answer(TableStore store, Filter filter) {
        int count = 0;
        try (var query = store.query(new QueryRequest(List.of(filter), Viewer.ALL, QueryLimits.DEFAULTS))) {
            QueryStep step;
            do {
                step = query.next(BLOCK, LONG);
                count += step.events().size();
            } while (step instanceof QueryStep.More);
        }
        return count;
    }
}
