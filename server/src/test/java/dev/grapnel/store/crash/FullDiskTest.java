package dev.grapnel.store.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.store.StoredEvent;
import dev.grapnel.store.engine.ManualTime;
import dev.grapnel.store.engine.StoreCheck;
import dev.grapnel.store.engine.TableStore;
import dev.grapnel.store.engine.WriterConfig;
import dev.grapnel.store.lmdb.LmdbConfig;
import dev.grapnel.store.lmdb.LmdbEngine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Relay test 190, on a real limit of the system. `scripts/failing-disk.sh` does the same on a real full disk.
final class FullDiskTest {
    @Test
    void aFullDiskRefusesWritesUntilThereIsRoomAgain(@TempDir Path directory) throws IOException, InterruptedException {
        var store = Files.createDirectory(directory.resolve("store"));
        run(store, List.of(store.toString()));
    }

    /// Arguments: directory for the store, on a small file system; a file on it to delete when it is full.
    static void main(String... arguments) throws IOException, InterruptedException {
        System.out.println(run(Path.of(arguments[0]), List.of(arguments)));
    }

    private static String run(Path directory, List<String> arguments) throws IOException, InterruptedException {
        var errors = Files.createTempFile("grapnel-failing-disk", ".txt");
        var process = ChildJvm.start(FullDiskWriter.class, ChildJvm.Life.LONG, errors, arguments);
        var acknowledged = new TreeSet<String>();
        var last = "";
        try (var lines = process.inputReader(StandardCharsets.US_ASCII)) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("acknowledged ")) {
                    acknowledged.add(line.substring("acknowledged ".length()));
                } else {
                    last = last + line + "\n";
                }
            }
        }
        assertTrue(process.waitFor(1, TimeUnit.MINUTES), "it ends when it closes its output");
        assertTrue(last.endsWith("complete\n"), () -> readOf(errors));
        requireExactly(acknowledged, directory);
        Files.delete(errors);
        return acknowledged.size() + " events acknowledged and all there afterwards; " + last;
    }

    private static String readOf(Path errors) {
        try {
            return Files.readString(errors);
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static void requireExactly(Set<String> acknowledged, Path directory) {
        var engine = LmdbEngine.open(directory, LmdbConfig.DEFAULTS);
        assertEquals(List.of(), engine.checkPages());
        var problems = new ArrayList<String>();
        StoreCheck.run(engine, problems::add, _ -> {});
        assertEquals(List.of(), problems);
        try (var store = new TableStore(
                engine,
                Workload.RULES,
                WriterConfig.DEFAULTS,
                new ManualTime(Workload.BEGIN),
                new Complaints(problems::add))) {
            var served = new TreeSet<String>();
            StoredThings.all(store).stream().map(StoredEvent::id).forEach(id -> served.add(id.toString()));
            assertEquals(acknowledged, served);
        }
        assertEquals(List.of(), problems);
    }
}
