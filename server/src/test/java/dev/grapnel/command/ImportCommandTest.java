package dev.grapnel.command;

import static dev.grapnel.command.Samples.DATE;
import static dev.grapnel.command.Samples.note;
import static dev.grapnel.command.Terminal.linesOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.store.StoreSamples;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@NullUnmarked
@Timeout(120)
final class ImportCommandTest {
    @TempDir
    private Path temporary;

    private Terminal terminal;

    @BeforeEach
    void open() {
        terminal = new Terminal(temporary.resolve("data/relay"));
    }

    /// What the summary says, without its first line, which names the time.
    private static List<String> summary(Terminal.Outcome outcome) {
        return outcome.err().lines().skip(1).map(String::strip).toList();
    }

    private Path file(String name, List<Event> events) throws Exception {
        return Files.writeString(temporary.resolve(name), linesOf(events));
    }

    @Test
    void directoryIsCreatedWithThoseAboveIt() {
        var outcome = terminal.type(linesOf(List.of(note(1, DATE, "a")))).run("import");
        assertEquals(0, outcome.code());
        assertEquals("", outcome.out());
        assertTrue(outcome.err().startsWith("grapnel: read 1 event in "), outcome.err());
        assertEquals(List.of("1  stored"), summary(outcome));
    }

    @Test
    void emptyInputIsFine() {
        var outcome = terminal.run("import");
        assertEquals(0, outcome.code());
        assertTrue(outcome.err().startsWith("grapnel: read 0 events in "), outcome.err());
        assertEquals(List.of(), summary(outcome));
    }

    @Test
    void filesAndStandardInputAreReadInTheOrderGiven() throws Exception {
        var events = Samples.lasting(3);
        var first = file("first", events.subList(0, 1));
        var third = file("third", events.subList(2, 3));
        var outcome =
                terminal.type(linesOf(events.subList(1, 2))).run("import", first.toString(), "-", third.toString());
        assertEquals(0, outcome.code());
        assertEquals(linesOf(events), terminal.run("export").out());
    }

    @Test
    void blankLinesLineEndsOfWindowsAndAMissingLastOneAreTolerated() {
        var text = "\n \t\r\n" + note(1, DATE, "a") + "\r\n\r\n\n" + note(1, DATE, "b") + "  \n" + note(1, DATE, "c");
        var outcome = terminal.type(text).run("import");
        assertEquals(0, outcome.code());
        assertEquals(List.of("3  stored"), summary(outcome));
    }

    @Test
    void linesAreNumberedAsTheyStandInTheFile() throws Exception {
        var file = Files.writeString(
                temporary.resolve("some.jsonl"), "\n" + note(1, DATE, "a") + "\n\nnonsense\n" + note(1, DATE, "b"));
        var outcome = terminal.run("import", file.toString());
        assertEquals(1, outcome.code());
        assertEquals(
                List.of(
                        "2  stored",
                        "1  refused",
                        "1  invalid: not an event, a value was expected (first: line 4 of " + file + ")"),
                summary(outcome));
    }

    @Test
    void textThatIsNotUtf8IsRefused() {
        var bytes = new ByteArrayOutputStream();
        bytes.writeBytes(
                note(1, DATE, "caf").toString().replace("caf", "caf\u00e9").getBytes(StandardCharsets.ISO_8859_1));
        bytes.writeBytes(("\n" + note(1, DATE, "café")).getBytes(StandardCharsets.UTF_8));
        var outcome = terminal.type(bytes.toByteArray()).run("import");
        assertEquals(1, outcome.code());
        assertEquals("1  stored", summary(outcome).getFirst());
        assertTrue(outcome.err().contains("invalid: not an event, a string is not UTF-8"), outcome.err());
    }

    @Test
    void lineThatIsTooLongIsPassedOver() {
        var longest = "x".repeat(13 << 20);
        var text = note(1, DATE, "a") + "\n" + longest + "\n" + note(1, DATE, "b") + "\n" + longest;
        var outcome = terminal.type(text).run("import");
        assertEquals(1, outcome.code());
        assertEquals(
                List.of("2  stored", "2  refused", "2  line too long (first: line 2 of standard input)"),
                summary(outcome));
    }

    @Test
    void whatIsHereAlreadyAndWhatIsOlderIsNoFailure() {
        var older = StoreSamples.event(1, 0, DATE, List.of(), "older");
        var newer = StoreSamples.event(1, 0, DATE + 1, List.of(), "newer");
        var newest = StoreSamples.event(1, 0, DATE + 2, List.of(), "newest");
        var note = note(1, DATE, "a");
        terminal.type(linesOf(List.of(newer, note))).run("import");
        var outcome = terminal.type(linesOf(List.of(note, older, newest, note, newer)))
                .run("import");
        assertEquals(0, outcome.code());
        assertEquals(
                List.of(
                        "1  stored",
                        "2  already here",
                        "2  older than what is here",
                        "1 event left, replaced by newer versions or deleted by their authors"),
                summary(outcome));
    }

    /// A signature is not part of the id, so a copy with another one is the same event.
    @Test
    void forgedCopyOfWhatIsHereIsCountedAsHereWhereverItStands() {
        var note = note(1, DATE, "a");
        var forged = forge(note);
        var together = terminal.type(note + "\n" + forged + "\n").run("import");
        assertEquals(List.of("1  stored", "1  already here"), summary(together));
        var later = terminal.type(forged).run("import");
        assertEquals(0, later.code());
        assertEquals(List.of("1  already here"), summary(later));
        assertEquals(note + "\n", terminal.run("export").out());
    }

    private static String forge(Event event) {
        var text = event.toString();
        int last = text.length() - 3;
        return text.substring(0, last) + (text.charAt(last) == '0' ? '1' : '0') + text.substring(last + 1);
    }

    @Test
    void deletionRequestsAreRestoredWhoeverTheyAreFrom() {
        var request = StoreSamples.event(
                1, 5, DATE, List.of(List.of("e", note(1, DATE, "a").id().toString())), "");
        var outcome = terminal.type(linesOf(List.of(request))).run("import");
        assertEquals(0, outcome.code());
        assertEquals(List.of("1  stored"), summary(outcome));
        assertEquals(linesOf(List.of(request)), terminal.run("export").out());
    }

    @Test
    void requestsToVanishCountIfTheyNameTheDomain() {
        var note = note(1, DATE, "a");
        var vanish = StoreSamples.event(1, 62, DATE + 1, List.of(List.of("relay", "wss://relay.example.com")), "");
        var unnamed = terminal.type(linesOf(List.of(note, vanish))).run("import");
        assertEquals(0, unnamed.code());
        assertTrue(unnamed.err().contains("blocked: request does not name this relay"), unnamed.err());
        assertEquals(linesOf(List.of(note)), terminal.run("export").out());
        terminal.run("import", "--domain", "relay.example.com");
        assertEquals(linesOf(List.of(vanish)), terminal.run("export").out());
    }

    @Test
    void importThatWasKilledIsCompletedByRepeatingIt() throws Exception {
        var events = Samples.fragile(750);
        var process = terminal.startImport(events.subList(0, 2_000));
        process.destroyForcibly().waitFor();
        assertEquals(0, terminal.run("store", "check").code());
        assertGoesOn(file("all", events));
    }

    @Test
    void importThatWasStoppedIsCompletedByRepeatingIt() throws Exception {
        var events = Samples.fragile(750);
        var process = terminal.startImport(events.subList(0, 2_000));
        process.toHandle().destroy();
        assertEquals(143, process.waitFor());
        process.getOutputStream().close();
        assertGoesOn(file("all", events));
    }

    /// The store must be as if the file had been read in one go.
    private void assertGoesOn(Path file) {
        assertFalse(terminal.run("export").lines().isEmpty());
        var resumed = terminal.run("import", file.toString());
        assertEquals(0, resumed.code());
        assertTrue(resumed.err().startsWith("grapnel: goes on after line "), resumed.err());

        var whole = new Terminal(temporary.resolve("whole"));
        whole.run("import", file.toString());
        assertEquals(whole.run("export").out(), terminal.run("export").out());
        var again = terminal.run("import", file.toString());
        assertTrue(again.err().startsWith("grapnel: read 3,000 events in "), again.err());
    }

    @Test
    void standardInputIsReadOnce() {
        var outcome = terminal.run("import", "-", "-");
        assertEquals(2, outcome.code());
        assertTrue(outcome.err().startsWith("grapnel: standard input can be read only once"), outcome.err());
        assertFalse(Files.exists(terminal.directory));
    }

    @Test
    void pipeIsOpenedOnce() throws Exception {
        var pipe = temporary.resolve("pipe");
        assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
        var events = Samples.lasting(10);
        var writing = CompletableFuture.runAsync(() -> {
            try {
                Files.writeString(pipe, linesOf(events));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        var outcome = terminal.run("import", pipe.toString());
        writing.join();
        assertEquals(List.of("10  stored"), summary(outcome));
    }

    @Test
    void signalEndsItWithWhatWasReadStored() throws Exception {
        var events = Samples.lasting(1_000);
        var process = terminal.startImport(events);
        process.toHandle().destroy();
        var err = Terminal.textOf(process.getErrorStream());
        assertEquals(143, process.waitFor());
        var stopped = err.lines().toList().getLast();
        assertTrue(stopped.startsWith("grapnel: stopped after line "), err);
        int line = Integer.parseInt(stopped.replaceAll("\\D+", ""));
        assertEquals(linesOf(events.subList(0, line)), terminal.run("export").out());
        process.getOutputStream().close();
    }

    @Test
    void storeThatAnotherProcessHasOpenIsLeftAlone() throws Exception {
        var process = terminal.startImport(Samples.lasting(1_000));
        var sentence = "grapnel: the store in " + terminal.directory + " is in use by process " + process.pid()
                + "; stop that first\n";
        for (var command : List.of("import", "export", "store check", "store stats", "store compact")) {
            assertEquals(new Terminal.Outcome(1, "", sentence), terminal.run(command.split(" ")));
        }
        process.getOutputStream().close();
        assertEquals(0, process.waitFor());
        assertEquals(0, terminal.run("store", "check").code());
    }

    @Test
    void childSaysNothingThatIsNotOurs() throws Exception {
        var process = terminal.startImport(Samples.lasting(1_000));
        process.getOutputStream().close();
        var err = Terminal.textOf(process.getErrorStream());
        assertEquals(0, process.waitFor());
        assertEquals("", Terminal.textOf(process.getInputStream()));
        assertEquals(
                List.of("1,000  stored"), err.lines().skip(1).map(String::strip).toList());
    }

    @Test
    void fileThatCannotBeReadStopsItBeforeAnythingIsCreated() throws Exception {
        var good = file("good", List.of(note(1, DATE, "a")));
        var missing = terminal.run(
                "import", good.toString(), temporary.resolve("missing").toString());
        assertEquals(1, missing.code());
        assertEquals(
                "grapnel: could not read " + temporary.resolve("missing") + ": there is no such file or directory\n",
                missing.err());
        var directory = terminal.run("import", temporary.toString());
        assertEquals("grapnel: could not read " + temporary + ": it is a directory\n", directory.err());
        assertFalse(Files.exists(terminal.directory));
    }

    @Test
    void storeThatIsAFileIsToldInASentence() throws Exception {
        Files.createDirectories(terminal.directory.getParent());
        Files.writeString(terminal.directory, "");
        var outcome = terminal.run("import");
        assertEquals(1, outcome.code());
        assertEquals(
                "grapnel: the store's directory " + terminal.directory + " is not a directory; configure another\n",
                outcome.err());
    }

    @Test
    void optionsThatCannotBeAreNotUnderstood() {
        for (var option : List.of("--threads=0", "--durability=sometimes", "--domain=not a domain")) {
            var outcome = terminal.run("import", option);
            assertEquals(2, outcome.code(), outcome.err());
            assertTrue(outcome.err().startsWith("grapnel: "), outcome.err());
        }
        assertFalse(Files.exists(terminal.directory));
    }

    @Test
    void everyDurabilityStoresTheSame() {
        var events = Samples.lasting(100);
        for (var durability : List.of("sync", "interval", "none")) {
            var other = new Terminal(temporary.resolve(durability));
            var outcome = other.type(linesOf(events)).run("import", "--durability", durability, "--threads", "3");
            assertEquals(0, outcome.code());
            assertEquals(linesOf(events), other.run("export").out());
        }
    }
}
