package dev.grapnel.bench.purgatory;

import dev.grapnel.bench.git.Host;
import dev.grapnel.git.repository.Repositories;
import dev.grapnel.git.repository.RepositoriesConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;

/// How long the whole server takes until it listens, with ever more repositories.
final class Beginning {
    private static final int STARTS = 5;
    private static final int ANNOUNCEMENTS = 1_000;

    private Beginning() {}

    static void print(Path directory, List<Integer> served) throws IOException {
        Report.line("%n## Start until it listens, seconds%n");
        Report.line(
                "| Served repositories | Held rows | Made by the first start | Starts with all directories there |");
        Report.line("|--:|--:|--:|--:|");
        for (int count : served) {
            measure(directory.resolve("start" + count), count);
        }
    }

    private static void measure(Path directory, int served) throws IOException {
        var population = new Population(served, ANNOUNCEMENTS, 5_000, 4_000, 0, 2);
        try (var place = new Place(directory.resolve("data").resolve("relay"))) {
            population.fill(place.store());
        }
        double first = start(directory);
        var again = new double[STARTS];
        for (int i = 0; i < STARTS; i++) {
            again[i] = start(directory);
        }
        Report.line(
                "| %,d | %,d | %.1f | %s |",
                served, ANNOUNCEMENTS + 9_000, first, Rounds.of(again).shown(2));
        try (var repositories = Repositories.open(
                directory.resolve("data").resolve("git"), RepositoriesConfig.defaults(), InstantSource.system())) {
            int there = repositories.list().size();
            if (there != served + ANNOUNCEMENTS) {
                throw new IllegalStateException(there + " repositories are there");
            }
        }
    }

    private static double start(Path directory) throws IOException {
        long begin = System.nanoTime();
        try (var _ = Host.grasp(directory, Scene.DOMAIN)) {
            return (System.nanoTime() - begin) / 1e9;
        }
    }
}
