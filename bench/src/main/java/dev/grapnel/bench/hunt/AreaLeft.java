package dev.grapnel.bench.hunt;

import dev.grapnel.bench.purgatory.Report;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// What the disk holds before, while and after something is fetched that is never complete: all of it must go.
final class AreaLeft {
    private static final String NOWHERE = "2".repeat(40);
    private static final int PATIENCE_SECONDS = 180;
    private static final int PAUSE_MILLIS = 50;

    private final Path directory;
    private final Elsewhere elsewhere;

    AreaLeft(Path directory, Elsewhere elsewhere) {
        this.directory = directory;
        this.elsewhere = elsewhere;
    }

    void print() throws IOException, InterruptedException {
        Report.line("%n## Disk of a fetch for an event that expires, MB%n");
        try (var server = new HuntingServer(directory.resolve("area"), "--purgatory-expiry-secs", "15");
                var source = elsewhere.stock()) {
            long hiddenBefore = server.hidden();
            long before = server.all();
            var _ = server.publish(
                    "partial",
                    elsewhere.url(source),
                    List.of("refs/heads/main", "refs/heads/gone"),
                    List.of(elsewhere.tip(), NOWHERE));
            long most = 0;
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
            while (most < elsewhere.bytes() / 2 || server.hidden() > hiddenBefore) {
                if (System.nanoTime() > end) {
                    throw new IOException("what was fetched is still there, or nothing was: " + server.hidden());
                }
                most = Math.max(most, server.hidden());
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            }
            Report.line("| | before | most | after |%n|---|--:|--:|--:|");
            Report.line(
                    "| where fetched data lies before it is served | %.1f | %.1f | %.1f |",
                    hiddenBefore / 1e6, most / 1e6, server.hidden() / 1e6);
            Report.line("| all repositories | %.1f | | %.1f |", before / 1e6, server.all() / 1e6);
        }
    }
}
