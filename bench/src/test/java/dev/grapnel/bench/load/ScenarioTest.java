package dev.grapnel.bench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.bench.Community;
import dev.grapnel.bench.Signatures;
import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.negentropy.NegentropyItems;
import dev.grapnel.nostr.negentropy.NegentropyResponder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Every scenario over real sockets, against a relay that does nothing and against relays that misbehave.
final class ScenarioTest {
    private static final int COUNT = 400;
    private static final Pattern ID = Pattern.compile("\"id\":\"(\\w{64})\"");
    private static final Pattern SUBSCRIPTION = Pattern.compile("^\\[\"\\w[\\w-]*\",\"([\\w-]+)\"");

    @TempDir
    private Path directory = Path.of("");

    private final List<Event> events = new ArrayList<>();
    private final Driver driver = new Driver(2, Duration.ofSeconds(30));
    private final Driver impatient = new Driver(2, Duration.ofSeconds(2));
    private EventFile file;

    ScenarioTest() throws IOException {}

    @BeforeEach
    void write() throws IOException, InterruptedException {
        new Community(5, COUNT).forEach(Signatures.MADE_UP, events::add);
        var lines = events.stream()
                .map(event -> new String(event.json().toArray(), StandardCharsets.UTF_8))
                .toList();
        file = EventFile.open(Files.write(directory.resolve("events.jsonl"), lines));
    }

    @AfterEach
    void close() {
        driver.close();
        impatient.close();
    }

    private Ingest ingest(int rounds, double rate, Set<String> expected) {
        return ingest(driver, rounds, rate, expected);
    }

    private Ingest ingest(Driver by, int rounds, double rate, Set<String> expected) {
        return new Ingest(by, file, rounds, 3, 8, rate, expected, false);
    }

    private Requests requests(String filter) {
        return new Requests(
                driver,
                "some",
                List.of(filter.getBytes(StandardCharsets.UTF_8)),
                3,
                2,
                Duration.ZERO,
                Duration.ofMillis(50),
                false);
    }

    private Fanout fanout(Driver by, double rate) {
        var bulletins = new Bulletins(1, List.of(), 700, 2, InstantSource.system(), new SplittableRandom(1));
        return new Fanout(by, bulletins, 5, 3, rate, 4, Duration.ofMillis(100), 200, false);
    }

    private static Target target(EchoRelay relay) throws IOException {
        return Target.parse("echo=ws://127.0.0.1:" + relay.port());
    }

    private static double figure(Outcome outcome, String name) {
        return outcome.figures().values().getOrDefault(name, Double.NaN);
    }

    private static long count(Outcome outcome, String sort) {
        return outcome.surprises()
                .sorts()
                .getOrDefault(sort, new Surprises.Surprise(0, ""))
                .count();
    }

    private static Function<String, List<String>> acknowledging(String answer) {
        return message -> {
            var id = ID.matcher(message);
            assertTrue(id.find());
            return List.of("[\"OK\",\"" + id.group(1) + "\"," + answer + "]");
        };
    }

    private static String subscription(String message) {
        var id = SUBSCRIPTION.matcher(message);
        assertTrue(id.find(), message);
        return id.group(1);
    }

    @Test
    void everyEventIsPublishedOnceInSomeRound() throws IOException, InterruptedException {
        var received = new ArrayList<String>();
        Function<String, List<String>> script = message -> {
            var id = ID.matcher(message);
            assertTrue(id.find());
            received.add(id.group(1));
            return acknowledging("true,\"\"").apply(message);
        };
        try (var relay = new ScriptedRelay(script)) {
            for (int round = 0; round < 3; round++) {
                var outcome = ingest(3, 0, Set.of()).run(relay.target(), round);
                assertFalse(
                        outcome.isMarked(), () -> outcome.surprises().sorts().toString());
                assertEquals(figure(outcome, "events"), figure(outcome, "OK true"));
            }
        }
        assertEquals(COUNT, received.size());
        assertEquals(
                events.stream().map(event -> event.id().toString()).collect(Collectors.toSet()), Set.copyOf(received));
    }

    @Test
    void rateIsKept() throws IOException, InterruptedException {
        try (var relay = new EchoRelay(0)) {
            var outcome = ingest(1, 2000, Set.of()).run(target(relay), 0);
            assertFalse(outcome.isMarked());
            assertTrue(figure(outcome, "seconds") >= (COUNT - 1) / 2000.0, "faster than the rate");
        }
    }

    @Test
    void refusedEventsMarkTheRunUnlessTheyAreExpected() throws IOException, InterruptedException {
        try (var relay = new ScriptedRelay(acknowledging("false,\"blocked: no\""))) {
            var outcome = ingest(1, 0, Set.of()).run(relay.target(), 0);
            assertEquals(COUNT, outcome.surprises().count());
            assertEquals(Set.of("OK false blocked"), outcome.surprises().sorts().keySet());
            assertFalse(ingest(1, 0, Set.of("blocked")).run(relay.target(), 0).isMarked());
        }
    }

    @Test
    void acknowledgedDuplicatesMarkTheRun() throws IOException, InterruptedException {
        try (var relay = new ScriptedRelay(acknowledging("true,\"duplicate: have it\""))) {
            assertTrue(ingest(1, 0, Set.of()).run(relay.target(), 0).isMarked());
        }
    }

    @Test
    void silenceEndsTheRunAndMarksIt() throws IOException, InterruptedException {
        try (var relay = new ScriptedRelay(_ -> List.of())) {
            var outcome = ingest(impatient, 1, 0, Set.of()).run(relay.target(), 0);
            assertEquals(Set.of("no progress"), outcome.surprises().sorts().keySet());
        }
    }

    @Test
    void lostConnectionsMarkTheRun() throws IOException, InterruptedException {
        try (var relay = new ScriptedRelay(_ -> List.of("[\"NOTICE\",\"bye\"]", ScriptedRelay.HANG_UP))) {
            var outcome = ingest(1, 0, Set.of()).run(relay.target(), 0);
            assertEquals(3, count(outcome, "connection lost"));
            assertEquals(COUNT, count(outcome, "never acknowledged"));
        }
    }

    @Test
    void questionsAreAskedUntilTimeIsOver() throws IOException, InterruptedException {
        var asked = new ArrayList<String>();
        Function<String, List<String>> script = message -> {
            if (!message.startsWith("[\"REQ\"")) {
                return List.of();
            }
            asked.add(message);
            var id = subscription(message);
            return List.of("[\"EVENT\",\"" + id + "\",{}]", "[\"EOSE\",\"" + id + "\"]");
        };
        try (var relay = new ScriptedRelay(script)) {
            var outcome = requests("{\"limit\":1}").run(relay.target(), 0);
            assertFalse(outcome.isMarked(), () -> outcome.surprises().sorts().toString());
        }
        assertTrue(asked.size() >= 6, "two at once on each of three connections");
        assertTrue(asked.contains("[\"REQ\",\"q1-1\",{\"limit\":1}]"), asked.getFirst());
    }

    @Test
    void closedRequestsMarkTheRunAndEndIt() throws IOException, InterruptedException {
        Function<String, List<String>> script =
                message -> List.of("[\"CLOSED\",\"" + subscription(message) + "\",\"error: too much\"]");
        try (var relay = new ScriptedRelay(script)) {
            var outcome = requests("{}").run(relay.target(), 0);
            assertEquals(Set.of("CLOSED"), outcome.surprises().sorts().keySet());
            assertTrue(outcome.surprises().count() < 200, "it went on asking");
        }
    }

    @Test
    void everySubscriptionGetsEveryEvent() throws IOException, InterruptedException {
        try (var relay = new EchoRelay(0)) {
            for (double rate : new double[] {0, 300}) {
                var outcome = fanout(driver, rate).run(target(relay), 0);
                assertFalse(
                        outcome.isMarked(), () -> outcome.surprises().sorts().toString());
                assertTrue(figure(outcome, "events") > 0);
                assertEquals(15 * figure(outcome, "events"), figure(outcome, "deliveries"));
            }
        }
    }

    @Test
    void missingDeliveriesMarkTheRun() throws IOException, InterruptedException {
        Function<String, List<String>> script = message -> message.startsWith("[\"REQ\"")
                ? List.of("[\"EOSE\",\"" + subscription(message) + "\"]")
                : acknowledging("true,\"\"").apply(message);
        try (var relay = new ScriptedRelay(script)) {
            var outcome = fanout(impatient, 100).run(relay.target(), 0);
            assertEquals(
                    Set.of("missing deliveries"), outcome.surprises().sorts().keySet());
            assertEquals(15 * 10, outcome.surprises().count());
        }
    }

    @Test
    void idleConnectionsStayOpen() throws IOException, InterruptedException {
        try (var relay = new EchoRelay(0)) {
            var outcome = new Idle(driver, 300, 2, Duration.ofMillis(10), false).run(target(relay), 0);
            assertFalse(outcome.isMarked());
            assertEquals(300, figure(outcome, "connections still open"));
        }
    }

    @Test
    void refusedConnectionsAreToldInWords() throws IOException, InterruptedException {
        var relay = new EchoRelay(0);
        var target = target(relay);
        relay.close();
        assertThrows(IOException.class, () -> new Idle(driver, 3, 2, Duration.ofMillis(10), false).run(target, 0));
    }

    private Sync sync(Driver by) {
        var times = events.stream().collect(Collectors.toMap(Event::id, Event::createdAt));
        return new Sync(by, times, 0.75, "{}", 60_000);
    }

    private static Function<String, List<String>> reconciling(NegentropyItems items) {
        return message -> {
            var hex = message.substring(message.lastIndexOf(',') + 2, message.length() - 2);
            var responder = new NegentropyResponder(items, NegentropyResponder.FRAME_BYTES_DEFAULT);
            var answer = responder.respond(Bytes.parseHex(hex).require()).require();
            return List.of("[\"NEG-MSG\",\"sync\",\"" + answer.toHex() + "\"]");
        };
    }

    @Test
    void differencesAreFoundByNegentropy() throws IOException, InterruptedException {
        try (var relay = new ScriptedRelay(reconciling(items(events)))) {
            var outcome = sync(driver).run(relay.target(), 0);
            assertFalse(outcome.isMarked(), () -> outcome.surprises().sorts().toString());
            assertEquals(COUNT, figure(outcome, "ids of the relay"));
            assertTrue(figure(outcome, "ids found") > COUNT / 8.0, "about a quarter is missing");
            assertEquals(figure(outcome, "ids found"), figure(outcome, "ids the relay lacks"));
        }
    }

    @Test
    void relayThatChangesItsMindMarksTheRun() throws IOException, InterruptedException {
        var sets = List.of(items(events), items(events.subList(1, COUNT)));
        var sessions = new AtomicInteger();
        Function<String, List<String>> script = message -> {
            int session = message.startsWith("[\"NEG-OPEN\"") ? sessions.getAndIncrement() : sessions.get() - 1;
            return reconciling(sets.get(session)).apply(message);
        };
        try (var relay = new ScriptedRelay(script)) {
            var outcome = sync(driver).run(relay.target(), 0);
            assertEquals(
                    Set.of("wrong differences"), outcome.surprises().sorts().keySet());
        }
    }

    @Test
    void relayWithoutNegentropyMarksTheRun() throws IOException, InterruptedException {
        try (var relay = new ScriptedRelay(_ -> List.of("[\"NOTICE\",\"what?\"]"))) {
            var outcome = sync(driver).run(relay.target(), 0);
            assertEquals(Set.of("NOTICE"), outcome.surprises().sorts().keySet());
        }
    }

    @Test
    void targetsTakeTurnsAndMarkedRunsAreCalledInvalid() throws IOException, InterruptedException {
        var printed = new ByteArrayOutputStream();
        var json = directory.resolve("runs.jsonl");
        try (var good = new EchoRelay(0);
                var bad = new ScriptedRelay(acknowledging("false,\"error: full\""))) {
            var out = new PrintStream(printed, true, StandardCharsets.UTF_8);
            var contest = new Contest(
                    List.of(target(good), bad.target()), 1, 2, out, Optional.of(json), InstantSource.system());
            contest.run(ingest(3, 0, Set.of()));
            assertTrue(contest.isMarked());
        }
        var text = printed.toString(StandardCharsets.UTF_8);
        assertTrue(text.contains("NOT VALID"), text);
        assertTrue(text.contains("times OK false error, for example `[\"OK\","), text);
        var lines = Files.readAllLines(json);
        assertEquals(4, lines.size());
        assertTrue(lines.get(0).contains("\"target\":\"echo\"") && lines.get(0).contains("\"marked\":false"));
        assertTrue(lines.get(1).contains("\"marked\":true") && lines.get(2).contains("\"target\":\"echo\""));
    }

    private static NegentropyItems items(List<Event> of) {
        var builder = NegentropyItems.builder(of.size(), of.size());
        of.forEach(event -> builder.add(event.createdAt(), event.id()));
        return builder.seal();
    }
}
