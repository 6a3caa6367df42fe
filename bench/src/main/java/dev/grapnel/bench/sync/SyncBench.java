package dev.grapnel.bench.sync;

import dev.grapnel.bench.Scratch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Measures sync. `scripts/sync-bench --help` shows the options.
@Command(
        name = "sync-bench",
        mixinStandardHelpOptions = true,
        description = "Measures how other relays are followed, and prints tables.")
public final class SyncBench implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "DIRECTORY", description = "Where files are made and removed again.")
    private Path place = Path.of("");

    @Parameters(index = "1..*", paramLabel = "PART", description = "${COMPLETION-CANDIDATES}; all unless told.")
    private List<Part> parts = new ArrayList<>();

    @Option(names = "--repos", defaultValue = "100000", description = "Repositories (default: ${DEFAULT-VALUE}).")
    private int repos;

    @Option(names = "--roots", defaultValue = "5000000", description = "Root events (default: ${DEFAULT-VALUE}).")
    private int roots;

    @Option(names = "--members", defaultValue = "20000000", description = "Thread members (default: ${DEFAULT-VALUE}).")
    private int members;

    @Option(names = "--relays", defaultValue = "1000", description = "Relays (default: ${DEFAULT-VALUE}).")
    private int relays;

    @Option(names = "--rate", defaultValue = "400", description = "New events in a second (default: ${DEFAULT-VALUE}).")
    private int rate;

    @Option(names = "--seconds", defaultValue = "300", description = "Of the stream (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(
            names = "--quiet-seconds",
            defaultValue = "90",
            description = "Before and after the stream (default: ${DEFAULT-VALUE}).")
    private int quietSeconds;

    @Option(names = "--events", defaultValue = "100000", description = "Of a first sync (default: ${DEFAULT-VALUE}).")
    private int events;

    @Option(names = "--rounds", defaultValue = "1", description = "Of a first sync (default: ${DEFAULT-VALUE}).")
    private int rounds;

    /// What can be measured.
    enum Part {
        index,
        relay,
        received,
        memory,
        stream,
        first
    }

    /// Runs it.
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new SyncBench()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        var load = new Load(repos, roots, members, relays);
        for (var part : parts.isEmpty() ? List.of(Part.values()) : parts) {
            try (var scratch = Scratch.in(place, "sync-bench")) {
                run(part, load, scratch.directory());
            }
        }
        return ExitCode.OK;
    }

    private void run(Part part, Load load, Path directory) throws IOException, InterruptedException {
        switch (part) {
            case index -> IndexCosts.print(load, directory);
            case relay -> RelayCosts.print(load, directory);
            case received -> IntakeCosts.print(directory);
            case memory -> MemoryAtCaps.print(load, directory);
            case stream -> SteadyStream.print(directory, rate, seconds, quietSeconds);
            case first -> FirstSync.print(directory, events, rounds);
        }
    }
}
