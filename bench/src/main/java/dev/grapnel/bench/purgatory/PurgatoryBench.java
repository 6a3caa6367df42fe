package dev.grapnel.bench.purgatory;

import dev.grapnel.bench.Scratch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/// Measures what GRASP's rules cost and prints tables fit for a document.
public final class PurgatoryBench {
    private PurgatoryBench() {}

    /// Runs some or all.
    ///
    /// @param args directory for the files, made if it is not there; they are removed afterwards; number of served
    ///     repositories; what to measure: judging, ingest, sets, crowd, memory, start
    public static void main(String[] args) throws IOException, InterruptedException {
        int repositories = Integer.parseInt(args[1]);
        var named = Arrays.asList(args).subList(2, args.length);
        try (var scratch = Scratch.in(Path.of(args[0]), "purgatory-bench")) {
            for (var part :
                    named.isEmpty() ? List.of("judging", "ingest", "sets", "crowd", "memory", "start") : named) {
                run(part, scratch.directory(), repositories);
            }
        }
    }

    private static void run(String part, Path directory, int repositories) throws IOException, InterruptedException {
        switch (part) {
            case "judging" -> judge(directory.resolve("judging"), repositories);
            case "ingest" -> RelatedIngest.print(directory, Math.min(repositories, 20_000));
            case "sets" -> MaintainerSets.print();
            case "crowd" -> Crowd.print(directory.resolve("crowd"));
            case "memory" -> Holdings.print(directory);
            case "start" -> Beginning.print(directory, List.of(0, repositories / 100, repositories / 10, repositories));
            default -> throw new IllegalArgumentException("there is no part " + part);
        }
    }

    private static void judge(Path directory, int repositories) throws IOException {
        try (var place = new Place(directory)) {
            new Population(repositories, 0, 0, 0, 0, 0).fill(place.store());
            place.load();
            new Judging(place.store(), place.grasp(), repositories).print();
        }
    }
}
