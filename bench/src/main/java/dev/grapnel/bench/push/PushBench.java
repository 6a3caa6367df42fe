package dev.grapnel.bench.push;

import dev.grapnel.bench.Scratch;
import dev.grapnel.bench.git.GitProgram;
import dev.grapnel.bench.git.Host;
import dev.grapnel.bench.purgatory.Scene;
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

/// Measures pushes that signed states decide, beside plain ones. `scripts/push-bench --help` shows the options.
///
/// The exit code is 1 if a push failed: then the figures are not to be used.
@Command(
        name = "push-bench",
        mixinStandardHelpOptions = true,
        description = "Measures pushes that signed states decide, beside plain ones, and prints tables.")
public final class PushBench implements Callable<Integer> {
    private static final int FILE_BYTES = 1_000;

    @Parameters(index = "0", paramLabel = "DIRECTORY", description = "Where files are made and removed again.")
    private Path place = Path.of("");

    @Parameters(index = "1..*", paramLabel = "PART", description = "latency, steady, owners; all unless told.")
    private List<Part> parts = new ArrayList<>();

    @Option(names = "--commits", defaultValue = "2000", description = "Of each repository (default: 2000).")
    private int commits;

    @Option(names = "--warmup-rounds", defaultValue = "3", description = "Rounds that do not count (default: 3).")
    private int warmups;

    @Option(names = "--rounds", defaultValue = "7", description = "Rounds that count (default: 7).")
    private int rounds;

    @Option(names = "--pushes", defaultValue = "20", description = "Of each round at each server (default: 20).")
    private int pushes;

    @Option(
            names = "--git-pushes",
            defaultValue = "5",
            description = "The same with the whole git program; 0 for none (default: 5).")
    private int gitPushes;

    @Option(names = "--repositories", defaultValue = "50", description = "At a steady rate (default: 50).")
    private int repositories;

    @Option(names = "--rate", defaultValue = "50", description = "Pushes a second over all of them (default: 50).")
    private double rate;

    @Option(names = "--seconds", defaultValue = "30", description = "How long (default: 30).")
    private int seconds;

    @Option(names = "--owners", defaultValue = "10", description = "Who maintain a repository (default: 10).")
    private int owners;

    /// What can be measured.
    enum Part {
        latency,
        steady,
        owners
    }

    /// Runs it.
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new PushBench()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        var sizes = new Sizes(commits, warmups, rounds, pushes, gitPushes, repositories, rate, seconds, owners);
        try (var scratch = Scratch.in(place, "push-bench")) {
            return run(scratch.directory(), sizes) == 0 ? ExitCode.OK : ExitCode.SOFTWARE;
        }
    }

    private int run(Path directory, Sizes sizes) throws IOException, InterruptedException {
        var source = directory.resolve("source.git");
        GitProgram.makeHistory(source, sizes.commits(), FILE_BYTES);
        int errors = 0;
        try (var open = Host.open(directory.resolve("open"));
                var host = Host.grasp(directory.resolve("grasp"), Scene.DOMAIN);
                var grasp = new GraspSide(host)) {
            for (var part : parts.isEmpty() ? List.of(Part.values()) : parts) {
                switch (part) {
                    case latency -> PushToServed.print(open, grasp, source, sizes);
                    case steady -> errors += SteadyPushes.print(grasp, source, sizes);
                    case owners -> OwnersAligned.print(grasp, source, sizes);
                }
            }
        }
        return errors;
    }
}
