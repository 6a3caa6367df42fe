package dev.grapnel.command;

import static dev.grapnel.command.Samples.DATE;
import static dev.grapnel.command.Samples.event;
import static dev.grapnel.command.Samples.note;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.tool.RefusedLine;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Every reason for which a line is refused, how it is told, and which of them are failures.
@NullUnmarked
final class ImportRefusalCommandTest {
    @TempDir
    private Path temporary;

    private Terminal terminal;

    @BeforeEach
    void open() {
        terminal = new Terminal(temporary.resolve("relay"));
    }

    private static final Event NOTE = note(1, DATE, "a");

    /// Lines that are no events, by the reason.
    private static Map<String, String> faults() {
        var faults = new LinkedHashMap<String, String>();
        var good = NOTE.toString();
        faults.put("not an event, the text ends too early", "{\"id\":");
        faults.put("not an event, not a JSON object", "[]");
        faults.put("a field is missing", good.replace(",\"content\":\"a\"", ""));
        faults.put("a field is given twice", good.replace("{\"id\"", "{\"kind\":1,\"id\""));
        faults.put("a field has the wrong type", good.replace("\"kind\":1", "\"kind\":\"1\""));
        faults.put("a number is out of range", good.replace("\"kind\":1", "\"kind\":65536"));
        faults.put("a field is not lower-case hex digits", good.replace("\"sig\":\"", "\"sig\":\"zz"));
        faults.put("half of a surrogate pair", good.replace("\"content\":\"a\"", "\"content\":\"\\ud800\""));
        faults.put("an empty tag", good.replace("\"tags\":[]", "\"tags\":[[]]"));
        faults.put(
                "more tags than are taken",
                good.replace(
                        "\"tags\":[]", "\"tags\":[" + String.join(",", Collections.nCopies(25_001, "[\"t\"]")) + "]"));
        faults.put(
                "a tag value is too long",
                good.replace("\"tags\":[]", "\"tags\":[[\"t\",\"" + "x".repeat(65_537) + "\"]]"));
        faults.put(
                "the content is too long",
                good.replace("\"content\":\"a\"", "\"content\":\"" + "x".repeat(524_289) + "\""));
        faults.put(
                "the event is too large",
                good.replace(
                        "\"tags\":[]",
                        "\"tags\":["
                                + String.join(",", Collections.nCopies(50, "[\"t\",\"" + "x".repeat(60_000) + "\"]"))
                                + "]"));
        faults.put("the id is not the hash of the event", good.replace("\"content\":\"a\"", "\"content\":\"b\""));
        faults.put(
                "signature does not verify, or pubkey is not on the curve",
                good.substring(0, good.length() - 4) + "00\"}".substring(0, 4));
        return faults;
    }

    /// Events that are not kept, by the reason.
    private static Map<String, Event> unkept() {
        var unkept = new LinkedHashMap<String, Event>();
        long now = Instant.now().getEpochSecond();
        unkept.put("invalid: authentication events are never published", event(22242, List.of()));
        unkept.put("invalid: ephemeral event is more than 300 seconds old", event(20001, List.of()));
        unkept.put("invalid: ephemeral events are not stored", StoreSamples.event(1, 20001, now, List.of(), ""));
        unkept.put("invalid: event has expired", event(1, List.of(List.of("expiration", "1700000001"))));
        unkept.put("invalid: expiration is not a run of digits", event(1, List.of(List.of("expiration", "soon"))));
        unkept.put(
                "invalid: created_at is more than 900 seconds in the future, check your clock",
                note(1, now + 100_000, "tomorrow"));
        unkept.put("invalid: a request to vanish names its relays in relay tags", event(62, List.of()));
        unkept.put(
                "blocked: request does not name this relay",
                event(62, List.of(List.of("relay", "wss://other.example.com"))));
        return unkept;
    }

    @Test
    void eachLineThatIsNoEventIsAFailureOfItsOwnKind() {
        faults().forEach((reason, line) -> {
            var outcome = terminal.type(line + "\n").run("import");
            assertEquals(1, outcome.code(), outcome.err());
            assertTrue(outcome.err().contains("  invalid: " + reason + " (first: line 1 of "), outcome.err());
        });
    }

    @Test
    void eventThatIsNotKeptIsToldButNoFailure() {
        unkept().forEach((reason, event) -> {
            var outcome = terminal.type(event + "\n").run("import");
            assertEquals(0, outcome.code(), outcome.err());
            var expected = "  " + reason + " (first: line 1 of standard input, id " + event.id() + ")";
            assertTrue(outcome.err().contains(expected), outcome.err());
        });
    }

    @Test
    void whatItsAuthorDeletedStaysAway() {
        var request = event(5, List.of(List.of("e", NOTE.id().toString())));
        terminal.type(Terminal.linesOf(List.of(NOTE, request))).run("import");
        var outcome = terminal.type(NOTE + "\n").run("import");
        assertEquals(0, outcome.code());
        assertTrue(
                outcome.err().contains("  blocked: deletion of this event was requested by its author"), outcome.err());
    }

    @Test
    void reasonsAreCountedTheMostFrequentFirst() {
        var lines = new ArrayList<>(List.of("[]", "nonsense"));
        lines.addAll(Collections.nCopies(3, faults().get("the id is not the hash of the event")));
        var outcome = terminal.type(String.join("\n", lines)).run("import");
        assertEquals(
                List.of(
                        "5  refused",
                        "3  invalid: the id is not the hash of the event (first: line 3 of standard input, id "
                                + NOTE.id() + ")",
                        "1  invalid: not an event, not a JSON object (first: line 1 of standard input)",
                        "1  invalid: not an event, a value was expected (first: line 2 of standard input)"),
                outcome.err().lines().skip(1).map(String::strip).toList());
    }

    @Test
    void everyRefusedLineIsWrittenToTheFileAskedFor() throws Exception {
        var expired = event(1, List.of(List.of("expiration", "1700000001")));
        var input = Files.writeString(
                temporary.resolve("in put"), NOTE + "\n{\"a\" 1}\n\n" + expired + "\n" + NOTE + "\n[\n");
        var file = temporary.resolve("refused.jsonl");
        terminal.run("import", input.toString(), "--refused", file.toString());
        assertEquals(
                List.of(
                        "{\"file\":\"%s\",\"line\":2,\"id\":null,\"reason\":\"invalid: not an event, a colon was expected (byte 5)\"}"
                                .formatted(input),
                        "{\"file\":\"%s\",\"line\":4,\"id\":\"%s\",\"reason\":\"invalid: event has expired\"}"
                                .formatted(input, expired.id()),
                        "{\"file\":\"%s\",\"line\":6,\"id\":null,\"reason\":\"invalid: not an event, not a JSON object\"}"
                                .formatted(input)),
                Files.readAllLines(file));
    }

    @Test
    void inputIsNeverOverwrittenByWhatIsRefused() throws Exception {
        var input = Files.writeString(temporary.resolve("input"), NOTE + "\n");
        var outcome = terminal.run("import", input.toString(), "--refused", input.toString());
        assertEquals(1, outcome.code());
        assertEquals("grapnel: what is refused cannot be written to " + input + ", as that is read\n", outcome.err());
        assertEquals(NOTE + "\n", Files.readString(input));
    }

    @Test
    void importThatGoesOnAddsToItsFile() throws Exception {
        var file = Files.writeString(temporary.resolve("refused.jsonl"), "before\n");
        var line = new RefusedLine("it", 7, Optional.empty(), "why", "why", true);
        try (var kept = RefusedFile.open(Optional.of(file), List.of())) {
            kept.goOn();
            kept.write(line);
        }
        var added = new String(line.json().toArray(), StandardCharsets.UTF_8) + "\n";
        assertEquals("before\n" + added, Files.readString(file));
        try (var kept = RefusedFile.open(Optional.of(file), List.of())) {
            kept.write(line);
        }
        assertEquals(added, Files.readString(file));
        RefusedFile.open(Optional.of(file), List.of()).close();
        assertEquals("", Files.readString(file));
    }
}
