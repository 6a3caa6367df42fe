package dev.grapnel.purgatory.legacy;

import static dev.grapnel.purgatory.legacy.OldFile.SAVED;
import static dev.grapnel.purgatory.legacy.OldFile.announcement;
import static dev.grapnel.purgatory.legacy.OldFile.proposal;
import static dev.grapnel.purgatory.legacy.OldFile.state;
import static dev.grapnel.purgatory.legacy.OldFile.time;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import dev.grapnel.git.Disk;
import dev.grapnel.git.DyingDisk;
import dev.grapnel.git.DyingDisk.Death;
import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.purgatory.legacy.ImportOutcome.Imported;
import dev.grapnel.purgatory.legacy.ImportOutcome.Refused;
import dev.grapnel.store.engine.TableStore;
import dev.grapnel.store.row.ExpiredEvent;
import dev.grapnel.store.row.Row;
import dev.grapnel.store.table.Table;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Imports that are cut off (catalogue 150, 157).
@NullUnmarked
@Timeout(120)
final class ImportCrashTest {
    private static final int STATES = 1_500;
    private static final int KILLS = 8;

    @TempDir
    private Path directory;

    /// Something of everything, and one entry that is set aside.
    private static String mixed() {
        return new OldFile()
                .announcement(announcement(0, "tools"), 900)
                .state(state(0, "tools", ""), 600)
                .state(state(1, "tools", ""), 60)
                .proposal(proposal(1, ""), 600)
                .expired("c".repeat(64), time(SAVED - 100))
                .entry(OldMap.PROPOSALS, "bad", "{}")
                .json();
    }

    private Path place(String name) throws IOException {
        return Files.createDirectory(directory.resolve(name));
    }

    private static List<String> names(Path place) throws IOException {
        try (var files = Files.list(place)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void deathAtAnyStepOfTheDiskChangesNothingInTheEnd() throws IOException {
        List<Row> wanted;
        try (var bench = new ImportBench(place("whole"))) {
            bench.put(mixed()).imported();
            wanted = bench.rows();
            assertEquals(5, wanted.size());
        }
        for (var death : Death.values()) {
            boolean dies = true;
            for (int step = 0; dies; step++) {
                var place = place(death + "-" + step);
                try (var bench = new ImportBench(place)) {
                    var disk = new DyingDisk(step, death);
                    bench.disk = disk;
                    var first = bench.put(mixed()).run();
                    dies = disk.isDead();
                    assertTrue(bench.rows().isEmpty() || bench.rows().equals(wanted), place + ": " + bench.rows());
                    assertEquals(first instanceof Refused, bench.rows().isEmpty(), place.toString());
                    boolean isLeft = Files.exists(bench.file);
                    bench.store.reopen();
                    bench.disk = Disk.REAL;
                    var second = bench.run();
                    assertEquals(wanted, bench.rows(), place.toString());
                    assertEquals(isLeft, second instanceof Imported, place.toString());
                    assertEquals(
                            List.of(PurgatoryFile.NAME + ".imported", PurgatoryFile.NAME + ".invalid"), names(place));
                }
            }
        }
    }

    @Test
    void deathBetweenCommitAndRenamingImportsAgainWithoutEffect() throws IOException {
        try (var bench = new ImportBench(place("between"))) {
            var json = new OldFile()
                    .announcement(announcement(0, "tools"), 900)
                    .state(state(0, "tools", ""), 600)
                    .json();
            bench.disk = new DyingDisk(0, Death.BEFORE_THE_STEP);
            var first = assertInstanceOf(Imported.class, bench.put(json).run());
            assertFalse(first.renamed());
            assertEquals(1, bench.logged(Level.ERROR).size());
            var rows = bench.rows();
            long commit = bench.store.store().commitNumber();
            bench.store.reopen();
            bench.store.time.advance(Duration.ofMinutes(1));
            bench.disk = Disk.REAL;
            var second = assertInstanceOf(Imported.class, bench.run());
            assertTrue(second.renamed());
            assertEquals(first.counts(), second.counts());
            assertEquals(rows, bench.rows());
            assertEquals(commit, bench.store.store().commitNumber());
        }
    }

    /// A directory nobody may write to: the same file at every start, long after its events have gone.
    @Test
    void fileThatCannotBeRenamedBringsNothingBack() throws IOException {
        try (var bench = new ImportBench(place("stuck"))) {
            var lapsed = state(0, "lapsed", "");
            var released = state(0, "released", "");
            bench.disk = new DyingDisk(0, Death.BEFORE_THE_STEP);
            bench.put(new OldFile().state(lapsed, 600).state(released, 600).json())
                    .imported();
            bench.store.time.advance(Duration.ofHours(1));
            var now = bench.store.time.instant();
            bench.store.write(transaction -> {
                transaction.drop(lapsed.id());
                transaction.put(new ExpiredEvent(lapsed.id(), Kinds.STATE, now, now, 0, false, Optional.empty()));
                return transaction.release(released.id());
            });
            var rows = bench.rows();
            var counts = bench.imported();
            assertEquals(rows, bench.rows());
            assertEquals(1, counts.of(OldStore.STATE, Fate.SETTLED));
            assertEquals(1, counts.of(OldStore.STATE, Fate.SERVED));
        }
    }

    @Test
    void killedProcessLeavesAllOrNothing() throws IOException, InterruptedException {
        var file = new OldFile();
        for (int i = 0; i < STATES; i++) {
            file.state(state(i % 5, "tools", "x".repeat(500) + i), 600);
        }
        var json = file.json();
        var random = new SplittableRandom(7);
        long whole = 0;
        int nothing = 0;
        for (int kill = -1; kill < KILLS; kill++) { // the first one lives
            var place = place("kill" + kill);
            var store = Files.createDirectory(place.resolve("store"));
            var old = Files.writeString(place.resolve(PurgatoryFile.NAME), json);
            long nanos = live(store, old, kill < 0 ? Long.MAX_VALUE : random.nextLong(whole));
            whole = kill < 0 ? nanos : whole;
            try (var opened = KilledImport.open(store)) {
                var rows = count(opened);
                assertTrue(rows == 0 || rows == STATES, rows + " rows after kill " + kill);
                assertTrue(rows == STATES || Files.exists(old), "renamed before it was durable, kill " + kill);
                nothing += rows == 0 ? 1 : 0;
                var again = KilledImport.run(opened, old);
                assertFalse(again instanceof Refused, again.toString());
                assertEquals(STATES, count(opened));
                assertFalse(Files.exists(old));
            }
        }
        assertTrue(nothing > 0, "no kill came before the commit");
    }

    private static long count(TableStore store) {
        return store.read(view -> {
            var rows = new ArrayList<Row>();
            view.forEachRow(Table.HELD_STATES, Bytes.EMPTY, rows::add);
            assertEquals(view.count(Table.HELD_STATES), rows.size());
            return rows.size();
        });
    }

    /// Runs a child and kills it so long after it began; returns how long it lived.
    private static long live(Path store, Path old, long nanosMax) throws IOException, InterruptedException {
        var child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseCompactObjectHeaders",
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx128m",
                        "-classpath",
                        System.getProperty("java.class.path"),
                        KilledImport.class.getName(),
                        store.toString(),
                        old.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (var said = child.inputReader(StandardCharsets.US_ASCII)) {
            assertEquals("begin", said.readLine());
            long began = System.nanoTime();
            if (nanosMax == Long.MAX_VALUE) {
                assertEquals("Imported", said.readLine());
            } else {
                var _ = child.waitFor(nanosMax, TimeUnit.NANOSECONDS);
            }
            long lived = System.nanoTime() - began;
            child.destroyForcibly();
            var _ = child.waitFor();
            return lived;
        }
    }
}
