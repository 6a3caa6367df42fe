package dev.grapnel.bench.sync;

import dev.grapnel.bench.load.wire.Loop;
import dev.grapnel.bench.purgatory.Report;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;

/// Fifty relays that stream to one server, each new event from five of them, while clients of the server ask at a
/// steady rate: before, meanwhile and afterwards (sync 8.1).
final class SteadyStream {
    private static final int RELAYS = 50;
    private static final int REPOS = 200;
    private static final int COPIES = 5;
    private static final int ISSUES_BEFORE = 1_000;
    private static final int COMMENTS_BEFORE = 2_000;
    private static final int ASKERS = 8;
    private static final int ASKED_PER_SECOND = 200;
    private static final int WARMUP_SECONDS = 40;
    private static final int SLICE_SECONDS = 15;
    private static final int LINK_SECONDS = 120;
    /// What others answer must have been streamed long enough for filters to be open for it (R1.12, R3.20).
    private static final int RIPE_SECONDS = 90;
    private static final long COPY_DELAY = TimeUnit.MILLISECONDS.toNanos(40);
    private static final double NANOS = 1e9;

    private final int perSecond;
    private final int seconds;
    private final int quietSeconds;
    private final Stock stock = new Stock();
    private final List<Event> before = new ArrayList<>();
    private final List<Stock.Entry> entries = new ArrayList<>();
    private final Map<EventId, Integer> numbers = new HashMap<>();
    private final AtomicLongArray sentAt;
    private final Samples lags = new Samples();
    private final int[] cursors = new int[COPIES];
    private long begun;
    private long sent;
    private long unmatched;
    private int asked;

    private SteadyStream(int perSecond, int seconds, int quietSeconds) {
        this.perSecond = perSecond;
        this.seconds = seconds;
        this.quietSeconds = quietSeconds;
        this.sentAt = new AtomicLongArray(perSecond * seconds);
    }

    /// @param perSecond new events in a second
    static void print(Path directory, int perSecond, int seconds, int quietSeconds)
            throws IOException, InterruptedException {
        new SteadyStream(perSecond, seconds, quietSeconds).run(directory);
    }

    private void run(Path directory) throws IOException, InterruptedException {
        try (var relays = new StockRelays(RELAYS, stock, false)) {
            var followed = new Followed(REPOS, relays.urls(), COPIES);
            make(followed);
            relays.serve(followed);
            followed.fill(directory, before);
            try (var server = new LinkedServer(directory);
                    var clients = new Clients(server.url(), ASKERS, ASKED_PER_SECOND, this::question, this::saw)) {
                awaitLinks(relays);
                measure(relays, followed, server, clients);
            }
        }
    }

    // ---- what there is

    private void make(Followed followed) {
        var issues = new ArrayList<Stock.Entry>();
        var comments = new ArrayList<Stock.Entry>();
        for (int i = 0; i < ISSUES_BEFORE; i++) {
            int repo = i % REPOS;
            issues.add(entry(followed.issue(i, repo, Followed.BEGIN + i), repo));
        }
        for (int i = 0; i < COMMENTS_BEFORE; i++) {
            var issue = issues.get(i % ISSUES_BEFORE);
            comments.add(entry(followed.comment(i, issue.event(), Followed.BEGIN + 10_000 + i), issue.repo()));
        }
        issues.forEach(entry -> before.add(entry.event()));
        comments.forEach(entry -> before.add(entry.event()));
        issues.forEach(stock::add);
        comments.forEach(stock::add);
        long first = Instant.now().getEpochSecond();
        int ripe = RIPE_SECONDS * perSecond;
        int step = 20;
        for (int from = 0; from < perSecond * seconds; from += step) {
            int at = from;
            var made = IntStream.range(at, Math.min(perSecond * seconds, at + step))
                    .parallel()
                    .mapToObj(number -> one(followed, number, first, issues, comments))
                    .toList();
            entries.addAll(made);
            // what is ripe may be answered from now on
            for (int number = Math.max(0, at - ripe); number < at - ripe + step; number++) {
                ripen(entries.get(number), issues, comments);
            }
        }
        for (int number = 0; number < entries.size(); number++) {
            numbers.put(entries.get(number).event().id(), number);
        }
    }

    private static Stock.Entry entry(Event event, int repo) {
        return new Stock.Entry(event, repo);
    }

    private static void ripen(Stock.Entry entry, List<Stock.Entry> issues, List<Stock.Entry> comments) {
        switch (entry.event().kind()) {
            case 1621 -> issues.add(entry);
            case 1111 -> comments.add(entry);
            default -> {
                // nobody answers these
            }
        }
    }

    /// One in ten opens an issue, six comment on one, one closes one, two like a comment.
    private Stock.Entry one(
            Followed followed, int number, long first, List<Stock.Entry> issues, List<Stock.Entry> comments) {
        long second = first + number / perSecond;
        int person = number % 61;
        int chance = Math.floorMod(number * 0x9E3779B9, 1 << 30);
        var issue = issues.get(chance % issues.size());
        var comment = comments.get(chance % comments.size());
        return switch (number % 10) {
            case 0 -> entry(followed.issue(number, chance % REPOS, second), chance % REPOS);
            case 1 -> entry(followed.status(person, issue.event(), second), issue.repo());
            case 2, 3 -> entry(followed.reaction(number, comment.event(), second), comment.repo());
            default -> entry(followed.comment(number, issue.event(), second), issue.repo());
        };
    }

    /// What clients ask: one issue, its comments, everything of a repository.
    private String question() {
        asked++;
        var issue = before.get(asked % ISSUES_BEFORE).id();
        return switch (asked % 3) {
            case 0 -> "{\"ids\":[\"" + issue + "\"]}";
            case 1 -> "{\"kinds\":[1111],\"#E\":[\"" + issue + "\"],\"limit\":50}";
            default -> "{\"kinds\":[1630,1631,1632,1633],\"#e\":[\"" + issue + "\"],\"limit\":20}";
        };
    }

    // ---- the stream

    private void awaitLinks(StockRelays relays) throws IOException, InterruptedException {
        for (int i = 0; i < LINK_SECONDS; i++) {
            TimeUnit.SECONDS.sleep(1);
            if (call(relays.loop(), relays::linked) == RELAYS) {
                return;
            }
        }
        throw new IOException("only " + call(relays.loop(), relays::linked) + " relays are linked");
    }

    private static <T> T call(Loop loop, Callable<T> work) throws IOException, InterruptedException {
        try {
            return loop.call(work).get();
        } catch (ExecutionException e) {
            throw new IOException("a relay failed", e);
        }
    }

    private CompletableFuture<Boolean> begin(StockRelays relays, Followed followed) {
        var done = new CompletableFuture<Boolean>();
        relays.loop().execute(() -> {
            begun = System.nanoTime();
            relays.loop().turns(now -> {
                long next = turn(relays, followed, now);
                if (next == Loop.NEVER) {
                    done.complete(true);
                }
                return next;
            });
        });
        return done;
    }

    private long turn(StockRelays relays, Followed followed, long now) {
        long next = Loop.NEVER;
        for (int copy = 0; copy < COPIES; copy++) {
            while (cursors[copy] < entries.size() && due(cursors[copy], copy) - now <= 0) {
                send(relays, followed, cursors[copy], copy);
                cursors[copy]++;
            }
            if (cursors[copy] < entries.size()) {
                next = Math.min(next, due(cursors[copy], copy));
            }
        }
        return next;
    }

    private long due(int number, int copy) {
        return begun + (long) (number * (NANOS / perSecond)) + copy * COPY_DELAY;
    }

    private void send(StockRelays relays, Followed followed, int number, int copy) {
        var entry = entries.get(number);
        if (copy == 0) {
            stock.add(entry);
        }
        if (relays.deliver(followed.relaysOf(entry.repo()).get(copy), entry)) {
            sent++;
            sentAt.compareAndSet(number, 0, System.nanoTime());
        } else {
            unmatched++;
        }
    }

    private void saw(EventId id, long now) {
        var number = numbers.get(id);
        if (number != null) {
            long at = sentAt.get(number);
            lags.add(at == 0 ? 0 : now - at);
        }
    }

    // ---- figures

    private void measure(StockRelays relays, Followed followed, LinkedServer server, Clients clients)
            throws IOException, InterruptedException {
        Report.line(
                "%n## A stream of %,d events a second, %,d of them new, from %d relays for %d s%n",
                perSecond * COPIES, perSecond, RELAYS, seconds);
        clients.start();
        TimeUnit.SECONDS.sleep(WARMUP_SECONDS);
        clients.take();
        var table = new StreamTable();
        table.quiet(slices(clients, server, table, quietSeconds));
        double heapBefore = server.heapMegabytes();
        double anonymousBefore = server.anonymousMegabytes();
        double cpuBefore = server.cpuSeconds();
        clients.take();
        var done = begin(relays, followed);
        table.streaming(slices(clients, server, table, seconds));
        done.join();
        double cpu = server.cpuSeconds() - cpuBefore;
        TimeUnit.SECONDS.sleep(5);
        double heapAfter = server.heapMegabytes();
        clients.take();
        table.quiet(slices(clients, server, table, quietSeconds));
        table.print();
        Report.line("| lag, first sent to served, ms | %s | under 1,000 |", lags.millis());
        Report.line("| new events served | %,d of %,d | all |", lags.count(), numbers.size()); // some are made twice
        Report.line("| deliveries sent, a second | %,.0f | %,d |", (double) sent / seconds, perSecond * COPIES);
        Report.line("| for which no filter was open yet | %,d | |", unmatched);
        Report.line("| CPU of the server, of one core | %.2f | |", cpu / seconds);
        Report.line("| heap after collection, MB, before and after | %.1f, %.1f | no growth |", heapBefore, heapAfter);
        Report.line(
                "| memory that is no file, MB, before and after | %.0f, %.0f | |",
                anonymousBefore, server.anonymousMegabytes());
        Report.line("| questions that waited for the one before | %,d | |", clients.late());
        Report.line("| requests the relays saw meanwhile | %,d | |", call(relays.loop(), relays::requests));
        for (var name : List.of(
                "ngit_sync_loop_turn_seconds_count",
                "ngit_sync_loop_turn_seconds_sum",
                "ngit_sync_loop_turn_seconds_max",
                "ngit_sync_events_synced_total",
                "ngit_sync_root_events",
                "ngit_sync_thread_members",
                "ngit_sync_inbound_bytes",
                "ngit_sync_rejected_hot_cache_current",
                "ngit_sync_rejected_cold_index_current",
                "ngit_sync_junk_total")) {
            Report.line("| `%s` | %,.3f | |", name, server.metric(name));
        }
    }

    /// Latencies of each part of a time.
    private static List<Samples> slices(Clients clients, LinkedServer server, StreamTable table, int time)
            throws IOException, InterruptedException {
        var slices = new ArrayList<Samples>();
        for (int passed = 0; passed < time; passed += SLICE_SECONDS) {
            TimeUnit.SECONDS.sleep(Math.min(SLICE_SECONDS, time - passed));
            slices.add(clients.take());
            table.memory(server.anonymousMegabytes());
        }
        return slices;
    }
}
