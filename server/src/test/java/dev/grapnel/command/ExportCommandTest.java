package dev.grapnel.command;

import static dev.grapnel.command.Samples.DATE;
import static dev.grapnel.command.Samples.note;
import static dev.grapnel.command.Terminal.linesOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.store.tool.PartFile;
import dev.grapnel.store.tool.ToolFailure;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@NullUnmarked
@Timeout(120)
final class ExportCommandTest {
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

    @Test
    void whatIsExportedAndImportedIsExportedEqually() {
        store(Samples.lasting(500));
        var first = terminal.run("export");
        var copy = new Terminal(temporary.resolve("copy"));
        assertEquals(0, copy.type(first.out()).run("import").code());
        assertEquals(first.out(), copy.run("export").out());
    }

    @Test
    void everythingComesInTheOrderInWhichItWasStored() {
        var events = Samples.lasting(300);
        store(events);
        var outcome = terminal.run("export");
        assertEquals(0, outcome.code());
        assertEquals(linesOf(events), outcome.out());
        assertEquals("grapnel: exported 300 events\n", outcome.err());
    }

    @Test
    void emptyStoreGivesNoLines() {
        store(List.of());
        var outcome = terminal.run("export");
        assertEquals(new Terminal.Outcome(0, "", "grapnel: exported 0 events\n"), outcome);
    }

    @Test
    void filtersAreAlternativesAnsweredNewestFirst() {
        var events = Samples.lasting(300);
        store(events);
        var wanted = events.stream()
                .filter(event -> event.kind() == 7 || event.tags().values("t").contains("topic3"))
                .sorted(Comparator.comparingLong(Event::createdAt).reversed().thenComparing(Event::id))
                .toList();
        var outcome = terminal.run("export", "--filter", "{\"kinds\":[7]}", "--filter", "{\"#t\":[\"topic3\"]}");
        assertEquals(0, outcome.code());
        assertEquals(linesOf(wanted), outcome.out());
    }

    @Test
    void filterMayNameALimit() {
        store(List.of(note(1, DATE, "a"), note(1, DATE + 2, "b"), note(1, DATE + 1, "c")));
        var outcome = terminal.run("export", "--filter", "{\"limit\":1}");
        assertEquals(linesOf(List.of(note(1, DATE + 2, "b"))), outcome.out());
    }

    @Test
    void filterThatIsNoneIsRefusedBeforeAnythingIsOpened() {
        var unknown = terminal.run("export", "--filter", "{\"kind\":[7]}");
        assertEquals(2, unknown.code());
        assertTrue(unknown.err().contains("unsupported: a filter key is unknown"), unknown.err());
        var text = terminal.run("export", "--filter", "kinds=7");
        assertEquals(2, text.code());
        assertTrue(text.err().contains("is not JSON"), text.err());
        assertFalse(Files.exists(terminal.directory));
    }

    @Test
    void fileHasItsNameWhenItIsWhole() throws Exception {
        var events = Samples.lasting(50);
        store(events);
        var file = temporary.resolve("events.jsonl");
        var foreign = Files.writeString(temporary.resolve("events.jsonl.part"), "somebody's own");
        assertEquals(
                new Terminal.Outcome(0, "", "grapnel: exported 50 events\n"),
                terminal.run("export", "--output", file.toString()));
        assertEquals(linesOf(events), Files.readString(file));
        assertEquals("somebody's own", Files.readString(foreign));
        assertEquals(List.of("events.jsonl", "events.jsonl.part", "relay"), namesIn(temporary));
    }

    @Test
    void fileThatCameMeanwhileIsNotReplaced() throws Exception {
        var file = temporary.resolve("events.jsonl");
        try (var part = PartFile.create(file, PartFile.Present.REFUSED)) {
            part.out().write('x');
            Files.writeString(file, "precious");
            var failure = assertThrows(ToolFailure.class, part::finish);
            assertEquals(file + " exists already; --force replaces it", failure.getMessage());
        }
        assertEquals("precious", Files.readString(file));
        assertEquals(List.of("events.jsonl"), namesIn(temporary));
    }

    private static List<String> namesIn(Path directory) throws IOException {
        try (var files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void fileThatExistsIsReplacedByForceOnly() throws Exception {
        store(List.of(note(1, DATE, "a")));
        var file = Files.writeString(temporary.resolve("events.jsonl"), "precious");
        var refused = terminal.run("export", "--output", file.toString());
        assertEquals(1, refused.code());
        assertEquals("grapnel: " + file + " exists already; --force replaces it\n", refused.err());
        assertEquals("precious", Files.readString(file));
        assertEquals(
                0,
                terminal.run("export", "--force", "--output", file.toString()).code());
        assertEquals(linesOf(List.of(note(1, DATE, "a"))), Files.readString(file));
    }

    @Test
    void deviceIsWrittenToAndNeverReplaced() {
        store(List.of(note(1, DATE, "a")));
        for (var force : List.of(List.<String>of(), List.of("--force"))) {
            var arguments = new ArrayList<>(List.of("export", "--output", "/dev/null"));
            arguments.addAll(force);
            assertEquals(
                    new Terminal.Outcome(0, "", "grapnel: exported 1 event\n"),
                    terminal.run(arguments.toArray(String[]::new)));
            assertFalse(Files.isRegularFile(Path.of("/dev/null")));
        }
        var full = terminal.run("export", "--output", "/dev/full");
        assertEquals(1, full.code());
        assertTrue(full.err().startsWith("grapnel: could not write /dev/full: "), full.err());
    }

    @Test
    void pipeIsWrittenToAndNeverReplaced() throws Exception {
        var events = Samples.lasting(500);
        store(events);
        var process = terminal.startIn("\"$@\" 3>&1 >/dev/null", "export", "--output", "/dev/fd/3");
        assertEquals(linesOf(events), Terminal.textOf(process.getInputStream()));
        assertEquals(0, process.waitFor());
    }

    @Test
    void standardOutputByItsNameIsStandardOutput() throws Exception {
        var events = Samples.lasting(50);
        store(events);
        var file = Files.writeString(temporary.resolve("events.jsonl"), "before\n");
        var process = terminal.startIn("\"$@\" >>" + file, "export", "--output", "/dev/stdout");
        assertEquals("grapnel: exported 50 events\n", Terminal.textOf(process.getErrorStream()));
        assertEquals(0, process.waitFor());
        assertEquals("before\n" + linesOf(events), Files.readString(file));
    }

    @Test
    void directoryIsNoPlaceForEvents() {
        store(List.of(note(1, DATE, "a")));
        var outcome = terminal.run("export", "--force", "--output", temporary.toString());
        assertEquals(new Terminal.Outcome(1, "", "grapnel: " + temporary + " is a directory\n"), outcome);
    }

    @Test
    void fileInADirectoryThatIsMissingIsToldInASentence() {
        store(List.of(note(1, DATE, "a")));
        var file = temporary.resolve("nowhere/events.jsonl");
        var outcome = terminal.run("export", "--output", file.toString());
        assertEquals(1, outcome.code());
        assertEquals("grapnel: could not write " + file + ": there is no such file or directory\n", outcome.err());
    }

    @Test
    void missingStoreIsToldAndNotCreated() throws Exception {
        var missing = terminal.run("export");
        assertEquals(1, missing.code());
        assertEquals(
                "grapnel: there is no store in " + terminal.directory + ", as there is no such directory\n",
                missing.err());
        assertFalse(Files.exists(terminal.directory));
        Files.createDirectory(terminal.directory);
        assertEquals(
                "grapnel: there is no store in " + terminal.directory + "\n",
                terminal.run("export").err());
        assertEquals(List.of(), terminal.files());
    }

    @Test
    void optionWinsOverVariablesAndTheFirstOneOverTheSecond() {
        store(List.of(note(1, DATE, "a")));
        var here = terminal.directory.toString();
        assertEquals(
                0,
                terminal.runWith(Map.of("NGIT_RELAY_DATA_PATH", here), "export").code());
        assertEquals(
                0,
                terminal.runWith(Map.of("NGIT_RELAY_DATA_PATH", "/nowhere", "GRAPNEL_RELAY_DATA_PATH", here), "export")
                        .code());
        assertEquals(
                0,
                terminal.runWith(Map.of("NGIT_RELAY_DATA_PATH", here, "GRAPNEL_RELAY_DATA_PATH", ""), "export")
                        .code());
        assertEquals(
                0,
                terminal.runWith(Map.of("GRAPNEL_RELAY_DATA_PATH", "/nowhere"), "export", "--relay-data-path", here)
                        .code());
    }

    @Test
    void damagedEventIsToldAndTheOthersAreExported() throws Exception {
        var events = new ArrayList<>(Samples.lasting(200));
        var victim = note(3, DATE, "the one that will be damaged");
        events.add(100, victim);
        store(events);
        assertTrue(Damage.changeText(terminal.directory, "the one that will be damaged") > 0);
        events.remove(victim);
        var all = terminal.run("export");
        assertEquals(1, all.code());
        assertEquals(linesOf(events), all.out());
        assertEquals("grapnel: event number 101 does not fit its checksum\ngrapnel: exported 200 events\n", all.err());
        var found = terminal.run("export", "--filter", "{}");
        assertEquals(1, found.code());
        assertEquals(200, found.lines().size());
        assertTrue(found.err().contains("event number 101 does not fit its checksum"), found.err());
    }

    @Test
    void whatLiesBeyondADamagedPageIsExported() throws Exception {
        var events = Samples.lasting(2_000);
        store(events);
        Damage.wipePage(terminal.directory, "Nr. 1000 ");
        var outcome = terminal.run("export");
        assertEquals(1, outcome.code());
        var lines = outcome.lines();
        assertTrue(lines.size() > 1_950 && lines.size() < 2_000, outcome.err());
        assertEquals(events.getFirst().toString(), lines.getFirst());
        assertEquals(events.getLast().toString(), lines.getLast());
        assertEquals(2, outcome.err().lines().count(), outcome.err());
    }

    @Test
    void whoReadsNoFurtherEndsItQuietly() throws Exception {
        var events = Samples.lasting(2_000);
        store(events);
        var process = terminal.start("export");
        var out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        assertEquals(events.getFirst().toString(), out.readLine());
        out.close();
        assertEquals("", Terminal.textOf(process.getErrorStream()));
        assertEquals(0, process.waitFor());
    }

    @Test
    void outputThatCannotBeWrittenIsAFailure() throws Exception {
        store(List.of(note(1, DATE, "a")));
        var failed = terminal.startIn("\"$@\" >/dev/full", "export");
        assertTrue(
                Terminal.textOf(failed.getErrorStream()).startsWith("grapnel: could not write to standard output: "));
        assertEquals(1, failed.waitFor());
    }
}
