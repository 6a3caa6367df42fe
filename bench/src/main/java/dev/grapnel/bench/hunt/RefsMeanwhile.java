package dev.grapnel.bench.hunt;

import dev.grapnel.bench.git.PlainHttp;
import dev.grapnel.bench.purgatory.Report;
import dev.grapnel.bench.purgatory.Rounds;
import dev.grapnel.bench.push.RelayTalk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/// How fast a server tells its refs while it fetches ten repositories at once, beside what it takes while nothing else
/// happens on it.
final class RefsMeanwhile {
    private static final int FETCHES = 10;
    private static final int PAUSE_MILLIS = 5;
    private static final int CALM_MILLIS = 3_000;

    private final Path directory;
    private final Elsewhere elsewhere;
    private final int rounds;

    RefsMeanwhile(Path directory, Elsewhere elsewhere, int rounds) {
        this.directory = directory;
        this.elsewhere = elsewhere;
        this.rounds = rounds;
    }

    /// What was seen in one stretch of time, in milliseconds.
    private record Seen(int count, double p50, double p99, double most) {
        static Seen of(List<Double> latencies) {
            var sorted = latencies.stream().sorted().toList();
            return new Seen(
                    sorted.size(),
                    sorted.get(sorted.size() / 2),
                    sorted.get(sorted.size() * 99 / 100),
                    sorted.getLast());
        }
    }

    void print() throws IOException, InterruptedException {
        Report.line("%n## `info/refs` of a server that fetches %d repositories at once, ms%n", FETCHES);
        Report.line("%.0f MB each, from `git http-backend` on the same machine.%n", elsewhere.bytes() / 1e6);
        var calm = new ArrayList<Seen>();
        var busy = new ArrayList<Seen>();
        try (var server = new HuntingServer(directory.resolve("busy"));
                var source = elsewhere.stock()) {
            var url = elsewhere.url(source);
            double _ = server.hunt("first", url, elsewhere.tip()).served(); // also for the compiler
            for (int round = 0; round < rounds; round++) {
                server.awaitQuiet();
                calm.add(ask(server, () -> {
                    TimeUnit.MILLISECONDS.sleep(CALM_MILLIS);
                    return true;
                }));
                int number = round;
                busy.add(ask(server, () -> fetchAll(server, number, url)));
            }
        }
        Report.line("| | requests | p50 | p99 | most |%n|---|--:|--:|--:|--:|");
        print("alone", calm);
        print("while ten fetches run", busy);
    }

    private static void print(String what, List<Seen> all) {
        Report.line(
                "| %s | %,d | %s | %s | %.1f |",
                what,
                all.stream().mapToInt(Seen::count).sum(),
                Rounds.of(all.stream().mapToDouble(Seen::p50).toArray()).shown(1),
                Rounds.of(all.stream().mapToDouble(Seen::p99).toArray()).shown(1),
                all.stream().mapToDouble(Seen::most).max().orElse(0));
    }

    private boolean fetchAll(HuntingServer server, int round, String url) throws IOException, InterruptedException {
        var sent = new ArrayList<RelayTalk.Sent>();
        for (int i = 0; i < FETCHES; i++) {
            sent.add(server.publish("busy-" + round + "-" + i, url, elsewhere.tip()));
        }
        for (var one : sent) {
            double _ = HuntingServer.awaitServed(one);
        }
        return true;
    }

    /// Asks again and again as long as something lasts.
    private static Seen ask(HuntingServer server, Callable<Boolean> meanwhile)
            throws IOException, InterruptedException {
        var request = PlainHttp.request(
                "GET",
                server.host().uri(server.path("first") + ".git/info/refs?service=git-upload-pack"),
                "",
                new byte[0]);
        var isOver = new AtomicBoolean();
        try (var threads = Executors.newFixedThreadPool(1);
                var connection = PlainHttp.connect(server.host().uri(""))) {
            var latencies = threads.submit(() -> {
                var all = new ArrayList<Double>();
                while (!isOver.get()) {
                    long begun = System.nanoTime();
                    connection.ask(request);
                    all.add((System.nanoTime() - begun) / 1e6);
                    TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
                }
                return all;
            });
            try {
                var _ = meanwhile.call();
            } catch (IOException | InterruptedException | RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException("nothing else is thrown", e);
            } finally {
                isOver.set(true);
            }
            return Seen.of(latencies.get());
        } catch (ExecutionException e) {
            throw new IOException("the server does not tell its refs", e);
        }
    }
}
