package dev.grapnel.bench.load;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `fanout`.
@Command(
        name = "fanout",
        mixinStandardHelpOptions = true,
        description = "Publishes to subscribers, each of which must get each event once.")
final class FanoutCommand implements Callable<Integer> {
    @Mixin
    private RunOptions run = new RunOptions();

    @Option(names = "--connections", defaultValue = "100", description = "Of subscribers (default: 100).")
    private int connections = 100;

    @Option(names = "--subscriptions", defaultValue = "10", description = "Of each connection (default: 10).")
    private int subscriptions = 10;

    @Option(names = "--rate", defaultValue = "0", description = "Events a second (default: as many as acknowledged).")
    private double rate;

    @Option(names = "--window", defaultValue = "16", description = "Unacknowledged events at most (default: 16).")
    private int window = 16;

    @Option(names = "--seconds", defaultValue = "10", description = "How long (default: 10).")
    private int seconds = 10;

    @Option(names = "--bytes", defaultValue = "1000", description = "Of an event's JSON (default: 1000).")
    private int bytes = 1000;

    @Option(
            names = "--pool",
            defaultValue = "20000",
            description = "Events to sign beforehand if there is no rate; a round ends with them (default: 20000).")
    private int pool = 20_000;

    @Option(names = "--kind", defaultValue = "1", description = "Of the events (default: 1).")
    private int kind = 1;

    @Option(
            names = "--tag",
            paramLabel = "NAME=VALUE",
            description = "A further tag of each event, for relays that accept no others. May be given several times.")
    private List<String> tags = new ArrayList<>();

    @Option(
            names = "--authors",
            defaultValue = "1",
            description = "That take turns; replaceable kinds need one for each event (default: 1).")
    private int authors = 1;

    @Override
    public Integer call() throws IOException, InterruptedException {
        var contest = run.contest(System.out);
        var bulletins = new Bulletins(
                kind,
                tags.stream().map(FanoutCommand::tag).toList(),
                bytes,
                authors,
                InstantSource.system(),
                new SplittableRandom());
        try (var driver = run.driver()) {
            contest.run(new Fanout(
                    driver,
                    bulletins,
                    connections,
                    subscriptions,
                    rate,
                    window,
                    Duration.ofSeconds(seconds),
                    pool,
                    run.isCompressed()));
        }
        return LoadTool.codeOf(contest);
    }

    private static List<String> tag(String text) {
        int equals = text.indexOf('=');
        return equals < 0 ? List.of(text) : List.of(text.substring(0, equals), text.substring(equals + 1));
    }
}
