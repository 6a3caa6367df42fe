package dev.grapnel.command;

import static dev.grapnel.command.Samples.DATE;
import static dev.grapnel.command.Samples.note;
import static dev.grapnel.command.Terminal.linesOf;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.lmdb.LmdbConfig;
import dev.grapnel.store.lmdb.LmdbEngine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@NullUnmarked
@Timeout(120)
final class StoreCommandTest {
    @TempDir
    private Path temporary;

    private Terminal terminal;

    @BeforeEach
    void open() {
        terminal = new Terminal(temporary.resolve("relay"));
    }

    private void store(List<Event> events) {
        var outcome = terminal.type(linesOf(events)).run("import");
        assertEquals(0, outcome.code(), outcome.err());
    }

    /// Stores much of somebody who then asks to be forgotten, so that most pages become free.
    private void storeAndForget(int count) {
        var events = new ArrayList<Event>();
        for (int i = 0; i < count; i++) {
            events.add(note(1, DATE, i + " text".repeat(2_000)));
        }
        store(events);
        store(List.of(StoreSamples.event(1, 62, DATE, List.of(List.of("relay", "ALL_RELAYS")), "")));
    }

    private Path data() {
        return terminal.directory.resolve("data.mdb");
    }

    @Test
    void commandMustBeNamed() {
        var outcome = terminal.run("store");
        assertEquals(2, outcome.code());
        assertEquals(
                "grapnel: what to do with the store is missing: one of check, stats, compact"
                        + " (grapnel store --help lists what there is)\n",
                outcome.err());
    }

    @Test
    void missingStoreIsToldAndNotCreated() {
        for (var command : List.of("check", "stats", "compact")) {
            var outcome = terminal.run("store", command);
            assertEquals(1, outcome.code());
            assertEquals(
                    "grapnel: there is no store in " + terminal.directory + ", as there is no such directory\n",
                    outcome.err());
        }
        assertFalse(Files.exists(terminal.directory));
    }

    @Test
    void storeThatThisProcessHasOpenIsLeftAlone() {
        store(List.of(note(1, DATE, "a")));
        var engine = LmdbEngine.open(terminal.directory, LmdbConfig.DEFAULTS);
        var outcome = terminal.run("store", "check");
        engine.close();
        assertEquals(1, outcome.code());
        assertTrue(outcome.err().matches("grapnel: the store in .* is in use by this process .*\n"), outcome.err());
        assertEquals(0, terminal.run("store", "check").code());
    }

    @Test
    void soundStoreHasNoProblems() {
        store(Samples.lasting(100));
        var outcome = terminal.run("store", "check");
        assertEquals(0, outcome.code());
        assertEquals("", outcome.err());
        assertTrue(
                outcome.out().matches("checked 100 events, [\\d,]+ postings and [\\d,]+ rows: no problems\n"),
                outcome.out());
    }

    @Test
    void damagedRecordIsFound() throws Exception {
        store(List.of(note(1, DATE, "sound"), note(1, DATE, "soon to be damaged")));
        Damage.changeText(terminal.directory, "soon to be damaged");
        var outcome = terminal.run("store", "check");
        assertEquals(1, outcome.code());
        assertTrue(outcome.err().contains("grapnel: event number 2 does not fit its checksum\n"), outcome.err());
        assertTrue(outcome.out().endsWith("1 problem\n"), outcome.out());
    }

    @Test
    void damagedStructureIsFoundAndWritingAndCompactingAreRefused() throws Exception {
        store(Samples.lasting(2_000));
        Damage.wipePage(terminal.directory, "Nr. 1000 ");
        assertEquals(1, terminal.run("store", "check").code());
        var before = Files.readAllBytes(data());
        for (var command : List.of("store compact", "import")) {
            var outcome = terminal.type(note(1, DATE, "one more") + "\n").run(command.split(" "));
            assertEquals(1, outcome.code());
            assertTrue(outcome.err().startsWith("grapnel: the store is damaged: "), outcome.err());
            assertEquals(1, outcome.err().lines().count(), outcome.err());
        }
        assertEquals(List.of("data.mdb", "grapnel.lock", "lock.mdb"), terminal.files());
        assertArrayEquals(before, Files.readAllBytes(data()));
    }

    @Test
    void figuresAreThoseOfTheStore() throws Exception {
        var events = Samples.lasting(100);
        store(events);
        var text = terminal.run("store", "stats");
        assertEquals(0, text.code());
        assertEquals("100 events, 0 held, commit number 100", text.lines().getFirst());
        assertTrue(text.lines().stream().anyMatch(line -> line.matches("events +100 +[\\d,]+ +[\\d,.]+")), text.out());

        var json = terminal.run("store", "stats", "--json").out();
        long file = Files.size(data());
        assertTrue(
                json.startsWith("{\"events\":100,\"held\":0,\"commitNumber\":100,\"fileBytes\":" + file + ","), json);
        long addresses = events.stream().filter(event -> event.kind() == 30617).count();
        assertTrue(json.contains("\"times\":{\"entries\":100,"), json);
        assertTrue(json.contains("\"addresses\":{\"entries\":" + addresses + ","), json);
        assertTrue(json.contains("\"tombstones\":{\"entries\":0,\"bytes\":0,\"depth\":0}"), json);
    }

    @Test
    void figuresOfAnEmptyStoreAreZero() {
        store(List.of());
        var outcome = terminal.run("store", "stats");
        assertEquals(0, outcome.code());
        assertEquals("0 events, 0 held, commit number 0", outcome.lines().getFirst());
    }

    @Test
    void compactingKeepsEverythingAndGivesSpaceBack() throws Exception {
        storeAndForget(200);
        store(Samples.lasting(300));
        var permissions = PosixFilePermissions.fromString("rw-------");
        Files.setPosixFilePermissions(data(), permissions);
        var before = terminal.run("export").out();
        long bytes = Files.size(data());

        var outcome = terminal.run("store", "compact");
        assertEquals(0, outcome.code());
        assertEquals("", outcome.err());
        long after = Files.size(data());
        assertEquals(
                "compacted %s: %s bytes before, %s after\n"
                        .formatted(terminal.directory, Figures.number(bytes), Figures.number(after)),
                outcome.out());
        assertTrue(after < bytes / 2, outcome.out());
        assertEquals(before, terminal.run("export").out());
        assertEquals(0, terminal.run("store", "check").code());
        assertEquals(permissions, Files.getPosixFilePermissions(data()));
        assertEquals(List.of("data.mdb", "grapnel.lock", "lock.mdb"), terminal.files());
        store(List.of(note(8, DATE, "one more")));
        assertEquals(
                before + note(8, DATE, "one more") + "\n",
                terminal.run("export").out());
    }

    @Test
    void whatACompactionLeftThatWasKilledIsRemovedByWhoWrites() throws Exception {
        store(Samples.lasting(50));
        var left = Files.createDirectory(terminal.directory.resolve("grapnel-copy123"));
        Files.writeString(terminal.directory.resolve("data.mdb.compact"), "a copy");
        Files.writeString(left.resolve("data.mdb"), "half a copy");
        var before = terminal.files();
        for (var command : List.of("store stats", "store check", "export")) {
            assertEquals(0, terminal.run(command.split(" ")).code());
            assertEquals(before, terminal.files());
        }
        assertEquals(0, terminal.run("store", "compact").code());
        assertEquals(List.of("data.mdb", "grapnel.lock", "lock.mdb"), terminal.files());
    }

    /// It was told to have no problems, and became a fresh store.
    @Test
    void emptyFileIsToldAndKept() throws Exception {
        Files.createDirectory(terminal.directory);
        Files.createFile(data());
        for (var command : List.of("store check", "store stats", "store compact", "export", "import")) {
            assertEquals(
                    new Terminal.Outcome(
                            1,
                            "",
                            "grapnel: the store's file " + data()
                                    + " is empty, so whatever was stored is lost; restore a"
                                    + " backup, or remove the file to begin anew\n"),
                    terminal.run(command.split(" ")));
        }
        assertEquals(List.of("data.mdb"), terminal.files());
        assertEquals(0, Files.size(data()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"check", "stats", "stats --json", "compact"})
    void resultThatCannotBeWrittenIsAFailure(String command) throws Exception {
        store(Samples.lasting(50));
        for (var where : List.of(">/dev/full", ">&-")) {
            var process = terminal.startIn("\"$@\" " + where, ("store " + command).split(" "));
            var err = Terminal.textOf(process.getErrorStream());
            assertTrue(err.matches("grapnel: could not write to standard output: .*\n"), err);
            assertEquals(1, process.waitFor());
        }
    }

    @Test
    void resultThatNobodyReadsIsNoFailure() throws Exception {
        store(Samples.lasting(50));
        var process = terminal.start("store", "stats");
        process.getInputStream().close();
        assertEquals("", Terminal.textOf(process.getErrorStream()));
        assertEquals(0, process.waitFor());
    }

    @Test
    void compactionThatIsKilledLeavesTheStoreWhole() throws Exception {
        storeAndForget(500);
        store(Samples.lasting(300));
        var before = terminal.run("export").out();
        var process = terminal.start("store", "compact");
        while (process.isAlive() && terminal.files().size() == 3) {
            Thread.onSpinWait();
        }
        process.destroyForcibly().waitFor();
        assertEquals(before, terminal.run("export").out());
        assertEquals(0, terminal.run("store", "compact").code());
        assertEquals(before, terminal.run("export").out());
        assertEquals(0, terminal.run("store", "check").code());
    }
}
