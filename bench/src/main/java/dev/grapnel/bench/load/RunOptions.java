package dev.grapnel.bench.load;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// What all measurements have in common.
final class RunOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--url",
            required = true,
            paramLabel = "[NAME=]URL[,PID]",
            description = "A relay, and its process if it runs on this machine. Several are measured in turn.")
    private List<String> urls = new ArrayList<>();

    @Option(names = "--pid", paramLabel = "PID", description = "The process of the only relay.")
    private OptionalLong pid = OptionalLong.empty();

    @Option(names = "--rounds", defaultValue = "1", description = "How often each is measured, A B A B (default: 1).")
    private int rounds = 1;

    @Option(names = "--warmup-rounds", defaultValue = "0", description = "Rounds before those that count (default: 0).")
    private int warmupRounds;

    @Option(names = "--threads", description = "Threads of the tool (default: half of the cores).")
    private Optional<Integer> threads = Optional.empty();

    @Option(
            names = "--patience",
            defaultValue = "10",
            paramLabel = "SECONDS",
            description = "How long a relay may do nothing before a run is given up (default: 10).")
    private int patience = 10;

    @Option(names = "--compress", description = "Asks for permessage-deflate; what the tool sends stays plain.")
    private boolean compressed;

    @Option(names = "--json", paramLabel = "FILE", description = "Appends a line of JSON for each run.")
    private Optional<Path> json = Optional.empty();

    boolean isCompressed() {
        return compressed;
    }

    /// All rounds, those that do not count included.
    int allRounds() {
        return warmupRounds + rounds;
    }

    Driver driver() throws IOException {
        int half = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
        return new Driver(threads.orElse(half), Duration.ofSeconds(patience));
    }

    Contest contest(PrintStream out) {
        if (rounds < 1 || warmupRounds < 0) {
            throw new ParameterException(spec.commandLine(), "there must be at least one round");
        }
        return new Contest(targets(), warmupRounds, rounds, out, json, InstantSource.system());
    }

    private List<Target> targets() {
        try {
            var targets = urls.stream().map(Target::parse).toList();
            if (targets.stream().map(Target::name).distinct().count() < targets.size()) {
                throw new IllegalArgumentException("two relays have the same name; write NAME=URL");
            }
            return targets.size() == 1 && pid.isPresent()
                    ? List.of(targets.getFirst().withPid(pid.getAsLong()))
                    : targets;
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }
}
