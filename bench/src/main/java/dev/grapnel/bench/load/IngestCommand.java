package dev.grapnel.bench.load;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `ingest`.
@Command(
        name = "ingest",
        mixinStandardHelpOptions = true,
        description = "Publishes events and waits for every OK. Each round takes its own part of the file.")
final class IngestCommand implements Callable<Integer> {
    @Mixin
    private RunOptions run = new RunOptions();

    @Option(names = "--events", required = true, paramLabel = "FILE", description = "Signed events, see prepare.")
    private Path events = Path.of("");

    @Option(names = "--connections", defaultValue = "8", description = "Connections (default: 8).")
    private int connections = 8;

    @Option(names = "--window", defaultValue = "64", description = "Unacknowledged events of each (default: 64).")
    private int window = 64;

    @Option(
            names = "--rate",
            defaultValue = "0",
            description =
                    "Events a second, whether they are acknowledged or not, as long as the window has room; latency"
                            + " then counts from the time an event was to be sent. Default: as many as possible.")
    private double rate;

    @Option(
            names = "--expect",
            paramLabel = "PREFIX",
            description = "A prefix such as duplicate with which an OK is no surprise. May be given several times.")
    private List<String> expected = new ArrayList<>();

    @Option(
            names = "--beside-store",
            paramLabel = "DIR",
            description = "Stores the same events in turn without a relay, in a new event store of Grapnel in this"
                    + " directory, signatures checked: what a relay on it could do at most.")
    private Optional<Path> directory = Optional.empty();

    @Override
    public Integer call() throws IOException, InterruptedException {
        var contest = run.contest(System.out);
        var file = EventFile.open(events);
        var prefixes = Ingest.prefixes(expected);
        try (var driver = run.driver();
                var beside = BesideStore.open(directory)) {
            var ingest =
                    new Ingest(driver, file, run.allRounds(), connections, window, rate, prefixes, run.isCompressed());
            contest.run(
                    ingest,
                    beside.entrants(store ->
                            new StoreIngest(store, file, run.allRounds(), connections, window, rate, prefixes)));
        }
        return LoadTool.codeOf(contest);
    }
}
