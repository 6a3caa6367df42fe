package dev.grapnel.bench.purgatory;

import java.io.IOException;
import java.nio.file.Path;

/// The memory of purgatory when nothing more fits into it.
final class Holdings {
    private Holdings() {}

    static void print(Path directory) throws IOException {
        Report.line("%n## Memory of purgatory at its limits%n");
        Report.line(
                "| Maintainers each announcement names | MB of heap | loaded in ms | sets of all owners known: MB |");
        Report.line("|--:|--:|--:|--:|");
        for (int named : new int[] {0, 2, 16}) {
            measure(directory.resolve("named" + named), named);
        }
    }

    private static void measure(Path directory, int named) throws IOException {
        try (var place = new Place(directory)) {
            new Population(0, 10_000, 50_000, 50_000, 10_000, named).fill(place.store());
        }
        try (var place = new Place(directory)) {
            double before = Report.heapMegabytes();
            long begin = System.nanoTime();
            place.load();
            double millis = (System.nanoTime() - begin) / 1e6;
            double loaded = Report.heapMegabytes() - before;
            for (var pool : place.custody().pools().all()) {
                pool.announced().forEach(entry -> pool.maintainers(entry.author()));
            }
            double known = Report.heapMegabytes() - before;
            var counts = place.custody().pools().total();
            if (counts.active() != 10_000 || counts.states() != 50_000 || counts.proposals() != 50_000) {
                throw new IllegalStateException("it is not full: " + counts);
            }
            Report.line("| %d | %.1f | %,.0f | %.1f |", named, loaded, millis, known);
        }
    }
}
