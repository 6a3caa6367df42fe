package dev.grapnel.bench.hunt;

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

/// Measures hunting. `scripts/hunt-bench --help` shows the options.
@Command(
        name = "hunt-bench",
        mixinStandardHelpOptions = true,
        description = "Measures how git data is fetched from elsewhere, and prints tables.")
public final class HuntBench implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "DIRECTORY", description = "Where files are made and removed again.")
    private Path place = Path.of("");

    @Parameters(index = "1..*", paramLabel = "PART", description = "drain, queue, fetch, refs, area; all unless told.")
    private List<Part> parts = new ArrayList<>();

    @Option(names = "--commits", defaultValue = "40000", description = "Of what is fetched (default: 40000).")
    private int commits;

    @Option(names = "--file-bytes", defaultValue = "8000", description = "Of each of its files (default: 8000).")
    private int fileBytes;

    @Option(
            names = "--small-commits",
            defaultValue = "5000",
            description = "Of what is fetched ten times at once (default: 5000).")
    private int smallCommits;

    @Option(names = "--rounds", defaultValue = "3", description = "That count (default: 3).")
    private int rounds;

    /// What can be measured.
    enum Part {
        drain,
        queue,
        fetch,
        refs,
        area
    }

    /// Runs it.
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new HuntBench()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        try (var scratch = Scratch.in(place, "hunt-bench")) {
            for (var part : parts.isEmpty() ? List.of(Part.values()) : parts) {
                run(part, scratch.directory());
            }
        }
        return ExitCode.OK;
    }

    private void run(Part part, Path directory) throws IOException, InterruptedException {
        switch (part) {
            case drain -> Drain.print();
            case queue -> QueueCosts.print();
            case fetch -> new FetchRace(directory, elsewhere(directory, "large", commits), rounds).print();
            case refs -> new RefsMeanwhile(directory, elsewhere(directory, "refs", smallCommits), rounds).print();
            case area -> new AreaLeft(directory, elsewhere(directory, "area", smallCommits)).print();
        }
    }

    private Elsewhere elsewhere(Path directory, String name, int count) throws IOException, InterruptedException {
        return Elsewhere.make(directory.resolve("elsewhere-" + name), count, fileBytes);
    }
}
