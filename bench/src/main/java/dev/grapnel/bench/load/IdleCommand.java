package dev.grapnel.bench.load;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `idle`.
@Command(
        name = "idle",
        mixinStandardHelpOptions = true,
        description = "Opens connections with subscriptions that match nothing and holds them.")
final class IdleCommand implements Callable<Integer> {
    @Mixin
    private RunOptions run = new RunOptions();

    @Option(names = "--connections", defaultValue = "1000", description = "Connections (default: 1000).")
    private int connections = 1000;

    @Option(names = "--subscriptions", defaultValue = "1", description = "Of each connection (default: 1).")
    private int subscriptions = 1;

    @Option(names = "--seconds", defaultValue = "10", description = "How long they are held (default: 10).")
    private int seconds = 10;

    @Override
    public Integer call() throws IOException, InterruptedException {
        var contest = run.contest(System.out);
        try (var driver = run.driver()) {
            contest.run(new Idle(driver, connections, subscriptions, Duration.ofSeconds(seconds), run.isCompressed()));
        }
        return LoadTool.codeOf(contest);
    }
}
