package dev.grapnel.bench.load;

import dev.grapnel.nostr.event.EventId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `sync`.
@Command(
        name = "sync",
        mixinStandardHelpOptions = true,
        description = "Reconciles a part of the events with the relay's by negentropy (NIP-77).")
final class SyncCommand implements Callable<Integer> {
    @Mixin
    private RunOptions run = new RunOptions();

    @Option(names = "--events", required = true, paramLabel = "FILE", description = "What the relay holds.")
    private Path events = Path.of("");

    @Option(names = "--known", defaultValue = "0.99", description = "Which share is known here (default: 0.99).")
    private double known = 0.99;

    @Option(
            names = "--filter",
            defaultValue = "{}",
            paramLabel = "JSON",
            description = "Of the relay's set (default: {}).")
    private String filter = "{}";

    @Option(names = "--frame", defaultValue = "60000", description = "Bytes of a message at most (default: 60000).")
    private int frameBytes = 60_000;

    @Override
    public Integer call() throws IOException, InterruptedException {
        var contest = run.contest(System.out);
        var file = EventFile.open(events);
        var times = new HashMap<EventId, Long>();
        for (int i = 0; i < file.count(); i++) {
            var event = Questions.event(file, i);
            times.put(event.id(), event.createdAt());
        }
        try (var driver = run.driver()) {
            contest.run(new Sync(driver, times, known, filter, frameBytes));
        }
        return LoadTool.codeOf(contest);
    }
}
