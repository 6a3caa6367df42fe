package dev.grapnel.bench.load;

import dev.grapnel.bench.Community;
import dev.grapnel.bench.Signatures;
import dev.grapnel.bench.store.QueryShape;
import dev.grapnel.nostr.event.Event;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `ceiling`.
@Command(
        name = "ceiling",
        mixinStandardHelpOptions = true,
        description = "Measures the tool itself: what it can do with a relay that does nothing, in another process.")
final class CeilingCommand implements Callable<Integer> {
    private static final int EVENTS = 200_000;
    private static final int POOL = 20_000;
    private static final int CONNECTIONS = 8;

    @Option(names = "--seconds", defaultValue = "5", description = "How long each part takes (default: 5).")
    private int seconds = 5;

    @Option(names = "--rounds", defaultValue = "3", description = "How often (default: 3).")
    private int rounds = 3;

    @Option(names = "--threads", defaultValue = "1", description = "Threads of the tool (default: 1).")
    private int threads = 1;

    @Option(names = "--json", paramLabel = "FILE", description = "Appends a line of JSON for each run.")
    private Optional<Path> json = Optional.empty();

    @Override
    public Integer call() throws IOException, InterruptedException {
        var relay = startEcho();
        var events = Files.createTempFile("load", ".jsonl");
        try (var driver = new Driver(threads, Duration.ofSeconds(10));
                var words = new BufferedReader(relay.inputReader(StandardCharsets.US_ASCII))) {
            var target = Target.parse("echo=ws://127.0.0.1:" + words.readLine() + "," + relay.pid());
            var contest = new Contest(List.of(target), 1, rounds, System.out, json, InstantSource.system());
            measure(contest, driver, events);
            return LoadTool.codeOf(contest);
        } finally {
            Files.delete(events);
            relay.destroy();
        }
    }

    private void measure(Contest contest, Driver driver, Path events) throws IOException, InterruptedException {
        try (var out = new BufferedOutputStream(Files.newOutputStream(events))) {
            new Community(1, EVENTS).forEach(Signatures.MADE_UP, event -> write(event, out));
        }
        var file = EventFile.open(events);
        contest.run(new Ingest(driver, file, 1, CONNECTIONS, 64, 0, Set.of(), false));
        var duration = Duration.ofSeconds(seconds);
        for (var shape : List.of(QueryShape.ONE_ID, QueryShape.EVERYTHING)) {
            contest.run(new Requests(
                    driver,
                    shape.title(),
                    new Questions(file).of(shape),
                    CONNECTIONS,
                    1,
                    Duration.ZERO,
                    duration,
                    false));
        }
        var bulletins = new Bulletins(1, List.of(), 1000, 1, InstantSource.system(), new SplittableRandom());
        contest.run(new Fanout(driver, bulletins, 100, 10, 0, 16, duration, POOL, false));
    }

    private static void write(Event event, OutputStream out) {
        try {
            event.json().stream().transferTo(out);
            out.write('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Process startEcho() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseCompactObjectHeaders",
                        "--enable-native-access=ALL-UNNAMED",
                        "-Xmx1g",
                        "-classpath",
                        System.getProperty("java.class.path"),
                        LoadTool.class.getName(),
                        "echo")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
