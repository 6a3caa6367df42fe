package dev.grapnel.bench.sync;

import dev.grapnel.bench.load.wire.Connection;
import dev.grapnel.bench.load.wire.Loop;
import dev.grapnel.bench.load.wire.Peer;
import dev.grapnel.bench.purgatory.Report;
import dev.grapnel.bench.purgatory.Rounds;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.message.ClientMessage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A server that has nothing but announcements fetches all else from one relay by negentropy; in turns with one that is
/// sent the same events by clients.
final class FirstSync {
    private static final int REPOS = 100;
    private static final int CONNECTIONS = 8;
    private static final int UNANSWERED = 64;
    private static final int PATIENCE_SECONDS = 900;
    private static final int ISSUES_EVERY = 20;
    private static final double NANOS = 1e9;

    private final int count;
    private final String[] flags;
    private final List<Stock.Entry> entries = new ArrayList<>();

    /// What one sync took.
    ///
    /// @param seconds from the first connection until the last event was served
    /// @param steady events a second at the end, when the pace has risen as far as it may
    private record Synced(double seconds, double steady, long requests, long comparisons, long frames) {}

    private FirstSync(int count, String... flags) {
        this.count = count;
        this.flags = flags;
    }

    static void print(Path directory, int count, int rounds) throws IOException, InterruptedException {
        Report.line("%n## First sync of %,d events from one relay by negentropy%n", count);
        Report.line("| Rate | sync, events/s | ingest, events/s | ratio | at the end, events/s | ratio | requests |");
        Report.line("|---|--:|--:|--:|--:|--:|--:|");
        new FirstSync(count).print("as it is, 10 requests/s at most", directory.resolve("usual"), rounds);
        new FirstSync(count, "--sync-request-rate", "49")
                .print("`--sync-request-rate 49`", directory.resolve("fast"), rounds);
    }

    private void print(String name, Path directory, int rounds) throws IOException, InterruptedException {
        make();
        var ingests = new double[rounds];
        var syncs = new double[rounds];
        var ends = new double[rounds];
        long requests = 0;
        for (int round = 0; round < rounds; round++) {
            ingests[round] = ingest(directory.resolve("ingest" + round));
            var synced = sync(directory.resolve("sync" + round));
            syncs[round] = count / synced.seconds();
            ends[round] = synced.steady();
            requests = synced.requests() + synced.comparisons();
            Report.line(
                    "(%.1f s, %,d requests, %,d comparisons, %,d frames)",
                    synced.seconds(), synced.requests(), synced.comparisons(), synced.frames());
        }
        var ingest = Rounds.of(ingests);
        var sync = Rounds.of(syncs);
        var end = Rounds.of(ends);
        Report.line(
                "| %s | %s | %s | %.2f | %s | %.2f | %,d |",
                name,
                sync.shown(0),
                ingest.shown(0),
                sync.median() / ingest.median(),
                end.shown(0),
                end.median() / ingest.median(),
                requests);
    }

    /// One in twenty opens an issue, the others comment on one of those.
    private void make() {
        var followed = new Followed(REPOS, List.of("wss://relay.example.org"), 1);
        int issues = count / ISSUES_EVERY;
        for (int number = 0; number < issues; number++) {
            int repo = number % REPOS;
            entries.add(new Stock.Entry(followed.issue(number, repo, Followed.BEGIN + number), repo));
        }
        entries.addAll(IntStream.range(issues, count)
                .parallel()
                .mapToObj(number -> {
                    var issue = entries.get(number % issues);
                    var comment = followed.comment(number, issue.event(), Followed.BEGIN + number);
                    return new Stock.Entry(comment, issue.repo());
                })
                .toList());
    }

    // ---- sync

    private Synced sync(Path directory) throws IOException, InterruptedException {
        var stock = new Stock();
        entries.forEach(stock::add);
        try (var relays = new StockRelays(1, stock, true)) {
            var followed = new Followed(REPOS, relays.urls(), 1);
            relays.serve(followed);
            followed.fill(directory, List.of());
            try (var server = new LinkedServer(directory, flags)) {
                return watch(server, relays);
            }
        }
    }

    private Synced watch(LinkedServer server, StockRelays relays) throws IOException, InterruptedException {
        var times = new ArrayList<double[]>();
        long begun = System.nanoTime();
        long limit = begun + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        double here = 0;
        while (here < count) {
            TimeUnit.MILLISECONDS.sleep(500);
            here = server.metric("ngit_sync_events_synced_total");
            long now = System.nanoTime();
            times.add(new double[] {(now - begun) / NANOS, here});
            if (now > limit) {
                throw new IOException("only %,.0f have come".formatted(here));
            }
        }
        double seconds = times.getLast()[0];
        try {
            return new Synced(
                    seconds,
                    steady(times),
                    relays.loop().call(relays::requests).get(),
                    relays.loop().call(relays::comparisons).get(),
                    relays.loop().call(relays::frames).get());
        } catch (ExecutionException e) {
            throw new IOException("the relay failed", e);
        }
    }

    /// Over the last tenth but one.
    private double steady(List<double[]> times) {
        var from = times.stream()
                .filter(time -> time[1] >= 0.8 * count)
                .findFirst()
                .orElseThrow();
        var to = times.stream()
                .filter(time -> time[1] >= 0.95 * count)
                .findFirst()
                .orElseThrow();
        return to[0] > from[0] ? (to[1] - from[1]) / (to[0] - from[0]) : 0;
    }

    // ---- ingest

    private double ingest(Path directory) throws IOException, InterruptedException {
        new Followed(REPOS, List.of("wss://relay.example.org"), 1).fill(directory, List.of());
        try (var server = new LinkedServer(directory, "--sync-enabled", "false");
                var loop = new Loop("publishers")) {
            var done = new CompletableFuture<Boolean>();
            var counter = new Counter(new AtomicLong(count / ISSUES_EVERY), new AtomicLong(count), done);
            var publishers = new ArrayList<Publisher>();
            for (int i = 0; i < CONNECTIONS; i++) {
                publishers.add(new Publisher(counter));
            }
            for (int i = 0; i < entries.size(); i++) {
                publishers.get(i % CONNECTIONS).events.add(entries.get(i).event());
            }
            long begun = System.nanoTime();
            loop.execute(() -> loop.turns(_ -> {
                publishers.forEach(Publisher::goOn);
                return Loop.NEVER;
            }));
            for (var publisher : publishers) {
                loop.execute(() -> {
                    try {
                        loop.connect(server.url(), false, publisher);
                    } catch (IOException e) {
                        done.completeExceptionally(e);
                    }
                });
            }
            done.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            return count / ((System.nanoTime() - begun) / NANOS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("not all events were taken", e);
        }
    }

    /// What is not answered yet.
    ///
    /// @param issues of these; comments on them come afterwards
    private record Counter(AtomicLong issues, AtomicLong all, CompletableFuture<Boolean> done) {}

    /// Sends its events, so many of them unanswered.
    private static final class Publisher implements Peer {
        private final List<Event> events = new ArrayList<>();
        private final Counter counter;
        private int next;
        private int unanswered;
        private @Nullable Connection server;

        Publisher(Counter counter) {
            this.counter = counter;
        }

        @Override
        public void opened(Connection connection) {
            server = connection;
            publish(connection);
        }

        /// Comments wait for issues, which others have sent.
        void goOn() {
            if (server != null && unanswered == 0) {
                publish(server);
            }
        }

        private void publish(Connection connection) {
            while (unanswered < UNANSWERED && next < events.size() && isTurn(events.get(next))) {
                connection.send(
                        new ClientMessage.Publish(events.get(next)).json().toArray());
                next++;
                unanswered++;
            }
        }

        private boolean isTurn(Event event) {
            return event.kind() == Kinds.ISSUE || counter.issues().get() <= 0;
        }

        @Override
        public void received(Connection connection, byte[] in, int from, int to, long now) {
            var text = new String(in, from, Math.min(to - from, 400), StandardCharsets.UTF_8);
            if (!text.startsWith("[\"OK\"")) {
                return;
            }
            unanswered--;
            if (!text.contains(",true,")) {
                counter.done().completeExceptionally(new IOException(text));
            }
            counter.issues().decrementAndGet();
            if (counter.all().decrementAndGet() == 0) {
                counter.done().complete(true);
            }
            publish(connection);
        }

        @Override
        public void closed(Connection connection, String reason) {
            counter.done().completeExceptionally(new IOException(reason));
        }
    }
}
