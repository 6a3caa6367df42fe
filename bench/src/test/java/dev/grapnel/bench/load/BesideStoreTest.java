package dev.grapnel.bench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.bench.Community;
import dev.grapnel.bench.Signatures;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.filter.Filter;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The store alone, measured beside relays.
final class BesideStoreTest {
    private static final int COUNT = 300;
    private static final Set<String> REFUSALS = Set.of("blocked", "duplicate");

    @TempDir
    private Path directory = Path.of("");

    private final List<Event> events = new ArrayList<>();
    private EventFile file;

    BesideStoreTest() throws IOException {}

    @BeforeEach
    void write() throws IOException, InterruptedException {
        new Community(5, COUNT).forEach(Signatures.REAL, events::add);
        var lines = events.stream()
                .map(event -> new String(event.json().toArray(), StandardCharsets.UTF_8))
                .toList();
        file = EventFile.open(Files.write(directory.resolve("events.jsonl"), lines));
    }

    private BesideStore open() {
        return BesideStore.open(Optional.of(directory.resolve("store")));
    }

    private Entrant ingest(BesideStore beside, double rate) {
        return beside.entrants(store -> new StoreIngest(store, file, 1, 3, 8, rate, REFUSALS))
                .getFirst();
    }

    private Entrant requests(BesideStore beside) {
        var filters =
                List.of(Filter.builder().ids(List.of(events.getLast().id())).build());
        return beside.entrants(
                        store -> new StoreRequests(store, filters, 2, Duration.ofMillis(10), Duration.ofMillis(100)))
                .getFirst();
    }

    private static double figure(Outcome outcome, String name) {
        return outcome.figures().values().getOrDefault(name, Double.NaN);
    }

    @Test
    void everyEventIsStoredAndCanBeAskedFor() throws IOException, InterruptedException {
        try (var beside = open()) {
            var stored = ingest(beside, 0).measurement().run(0);
            assertFalse(stored.isMarked(), () -> stored.surprises().sorts().toString());
            assertEquals(COUNT, figure(stored, "events"));
        }
        try (var beside = open()) {
            var answered = requests(beside).measurement().run(0);
            assertFalse(answered.isMarked());
            assertEquals(1, figure(answered, "events per request"));
            assertTrue(figure(answered, "requests/s") > 0);
        }
    }

    @Test
    void rateIsKept() throws IOException, InterruptedException {
        try (var beside = open()) {
            var outcome = ingest(beside, 1000).measurement().run(0);
            assertFalse(outcome.isMarked());
            assertTrue(figure(outcome, "seconds") >= (COUNT - 1) / 1000.0, "faster than the rate");
        }
    }

    @Test
    void storeThatHasTheEventsAlreadyMarksTheRun() throws IOException, InterruptedException {
        try (var beside = open()) {
            var _ = ingest(beside, 0).measurement().run(0);
            assertTrue(ingest(beside, 0).measurement().run(0).isMarked());
        }
    }

    @Test
    void relaysAreComparedWithTheStore() throws IOException, InterruptedException {
        var out = new ByteArrayOutputStream();
        try (var relay = new EchoRelay(0);
                var driver = new Driver(1, Duration.ofSeconds(30));
                var beside = open()) {
            var target = Target.parse("echo=ws://127.0.0.1:" + relay.port());
            var contest = new Contest(
                    List.of(target),
                    0,
                    1,
                    new PrintStream(out, true, StandardCharsets.UTF_8),
                    Optional.empty(),
                    InstantSource.system());
            contest.run(new Ingest(driver, file, 1, 3, 8, 0, REFUSALS, false), List.of(ingest(beside, 0)));
            assertFalse(contest.isMarked());
        }
        var table = out.toString(StandardCharsets.UTF_8);
        assertTrue(table.contains("| | store alone | echo | echo / store alone |"), table);
    }

    @Test
    void nobodyIsBesideUnlessWanted() {
        try (var beside = BesideStore.open(Optional.empty())) {
            assertEquals(List.of(), beside.entrants(_ -> {
                throw new AssertionError("there is no store");
            }));
        }
    }
}
