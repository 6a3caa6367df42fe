package dev.grapnel.store.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.QueryLimits;
import dev.grapnel.store.QueryRequest;
import dev.grapnel.store.StoreRules;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.Viewer;
import dev.grapnel.store.engine.StoreObserver;
import dev.grapnel.store.engine.TableStore;
import dev.grapnel.store.engine.WriterConfig;
import dev.grapnel.store.memory.MemoryEngine;
import dev.grapnel.store.row.ImportPosition;
import dev.grapnel.store.row.InputPlace;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.tool.ImportReport.Ending;
import dev.grapnel.store.tool.ImportReport.Position;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Imports that are interrupted and repeated.
@NullUnmarked
@Timeout(60)
final class EventImportTest {
    private static final long DATE = 1_700_000_000;
    private static final Position NOWHERE = new Position("", 0);

    @TempDir
    private Path directory;

    private final List<TableStore> opened = new ArrayList<>();
    private Instant now = Instant.ofEpochSecond(DATE + 1_000_000);
    private Position resumed = NOWHERE;

    @AfterEach
    void close() {
        opened.forEach(TableStore::close);
    }

    private EventStore store(int eventsMax) {
        var store = new TableStore(
                new MemoryEngine(new Random(1), eventsMax),
                StoreRules.DEFAULTS,
                WriterConfig.DEFAULTS,
                () -> now,
                new Silence());
        opened.add(store);
        return store;
    }

    private EventStore store() {
        return store(10_000);
    }

    private ImportReport run(EventStore store, ImportSource... sources) throws InterruptedException {
        return run(store, false, sources);
    }

    private ImportReport run(EventStore store, boolean isFromStart, ImportSource... sources)
            throws InterruptedException {
        resumed = NOWHERE;
        return new EventImport(store, () -> now, new ImportOptions(2, isFromStart), new Listening())
                .run(List.of(sources), () -> false);
    }

    private static Set<String> served(EventStore store) {
        var all = new TreeSet<String>();
        var everything = Filter.builder().limit(5_000).build();
        try (var query = store.query(new QueryRequest(List.of(everything), Viewer.ALL, QueryLimits.DEFAULTS))) {
            query.next(1 << 24, Duration.ofMinutes(1))
                    .events()
                    .forEach(event -> all.add(event.id().toHex()));
        }
        return all;
    }

    private static long remembered(EventStore store) {
        return store.read(view -> view.count(Table.IMPORTS));
    }

    private static Event note(String text) {
        return StoreSamples.event(1, 1, DATE, List.of(), text);
    }

    private static String lines(Event... events) {
        return List.of(events).stream().map(event -> event + "\n").collect(Collectors.joining());
    }

    /// Versions of which each is replaced by the next, and the next deleted by its id: to do that twice would
    /// bring the first ones back.
    private static List<String> fragile(int count) {
        var pieces = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
            var tags = List.of(List.of("d", "name " + i));
            var first = StoreSamples.event(1, 30_618, DATE, tags, "first");
            var second = StoreSamples.event(1, 30_618, DATE + 1, tags, "second");
            var deletion = StoreSamples.event(
                    1, 5, DATE + 2, List.of(List.of("e", second.id().toHex())), "");
            pieces.add(lines(first, second));
            pieces.add(lines(deletion, note("number " + i)));
        }
        return pieces;
    }

    private ImportSource file(String name, List<String> pieces) throws IOException {
        return ImportSource.of(Files.writeString(directory.resolve(name), String.join("", pieces)));
    }

    private static ImportSource pipe(List<String> pieces) {
        return ImportSource.of("standard input", new Pieces(pieces, false));
    }

    /// Ends with an error where a pipe would end.
    private static ImportSource broken(List<String> pieces) {
        return ImportSource.of("standard input", new Pieces(pieces, true));
    }

    @Test
    void repeatedImportGivesWhatOneWouldHaveGivenWhereverItBroke() throws Exception {
        var pieces = fragile(5);
        var whole = store();
        run(whole, file("whole", pieces));
        var file = file("again", pieces);
        for (int i = 0; i <= pieces.size(); i++) {
            var store = store();
            var failed = assertInstanceOf(
                    Ending.Failed.class,
                    run(store, broken(pieces.subList(0, i))).ending());
            assertEquals("could not read standard input: the cable was pulled", failed.reason());
            assertEquals(i == 0 ? 0 : 1, remembered(store));
            var report = run(store, i % 2 == 0 ? file : pipe(pieces));
            assertEquals(new Ending.Complete(), report.ending());
            assertEquals(4L * 5 - 2L * i, report.read());
            assertEquals(2L * i, resumed.line());
            assertEquals(served(whole), served(store));
            assertEquals(0, remembered(store));
        }
    }

    @Test
    void fromStartDoesAllOfItAgain() throws Exception {
        var pieces = fragile(2);
        var store = store();
        run(store, broken(pieces));
        var once = served(store);
        var report = run(store, true, pipe(pieces));
        assertEquals(8, report.read());
        assertEquals(NOWHERE, resumed);
        assertNotEquals(once, served(store));
        assertEquals(0, remembered(store));
    }

    @Test
    void severalSourcesAreOneInput() throws Exception {
        var pieces = fragile(4);
        var first = file("first", pieces.subList(0, 3));
        var empty = file("empty", List.of());
        var second = file("second", pieces.subList(3, 8));
        var store = store();
        run(store, empty, first, empty, broken(pieces.subList(3, 6)));
        run(store, empty, first, empty, second);
        assertEquals(new Position(second.name(), 6), resumed);
        var whole = store();
        run(whole, file("whole", pieces));
        assertEquals(served(whole), served(store));
    }

    @Test
    void placeAtTheEndOfASourceIsFound() throws Exception {
        var unended = note("a").toString();
        var first = file("first", List.of(unended));
        var store = store();
        run(store, first, broken(List.of()));
        var report = run(store, first, file("second", List.of(lines(note("b")))));
        assertEquals(1, report.stored());
        assertEquals(2, served(store).size());
        // The same bytes in one file are another input: the first line ends elsewhere.
        var other = store();
        run(other, first, broken(List.of()));
        var faults =
                run(other, file("both", List.of(unended, lines(note("b"))))).faults();
        assertEquals(1, faults);
        assertEquals(NOWHERE, resumed);
    }

    @Test
    void fileThatOnlyBeginsAlikeIsReadFromItsStart() throws Exception {
        var same = lines(note("a note that two inputs begin with"));
        var store = store();
        run(store, broken(List.of(same, lines(note("a")))));
        var report = run(store, file("other", List.of(same, lines(note("b")), lines(note("c")))));
        assertEquals(3, report.read());
        assertEquals(2, report.stored());
        assertEquals(NOWHERE, resumed);
        var shorter = run(store, file("shorter", List.of(same)));
        assertEquals(1, shorter.known());
        assertEquals(new Ending.Complete(), shorter.ending());
    }

    @Test
    void pipeThatOnlyBeginsAlikeStopsBeforeAnythingIsStored() throws Exception {
        var same = lines(note("a note that two inputs begin with"));
        var other = List.of(same, lines(note("b")), lines(note("c")));
        for (var pieces : List.of(other, List.of(same))) {
            var store = store();
            run(store, broken(List.of(same, lines(note("a")))));
            var failed = assertInstanceOf(
                    Ending.Failed.class, run(store, pipe(pieces)).ending());
            assertEquals(NOWHERE, failed.position());
            assertTrue(failed.reason().contains("--from-start"), failed.reason());
            assertEquals(2, served(store).size());
            assertEquals(new Ending.Complete(), run(store, true, pipe(pieces)).ending());
        }
    }

    @Test
    void nothingIsStoredBehindWhatWasRefused() throws Exception {
        var store = store(3);
        var first = lines(note("1"), note("2"));
        var tooMuch = lines(note("3"), note("4"));
        var last = lines(note("5"));
        var failed = assertInstanceOf(
                Ending.Failed.class,
                run(store, pipe(List.of(first, tooMuch, last))).ending());
        // The first part may have shared the fate of the second, if they were one commit.
        assertTrue(Set.of(0L, 2L).contains(failed.position().line()), failed.toString());
        assertEquals(failed.position().line(), served(store).size());
        assertFalse(failed.reason().contains("comes before"), failed.reason());
        run(store, pipe(List.of(first, last)));
        assertEquals(failed.position(), resumed);
        assertEquals(3, served(store).size());
    }

    @Test
    void otherInputThatBeginsAlikeTakesNothingAway() throws Exception {
        var pieces = fragile(4);
        var store = store();
        run(store, broken(pieces.subList(0, 6)));
        var other = new ArrayList<>(pieces.subList(0, 2));
        other.add(lines(note("another end")));
        run(store, file("other", other));
        assertEquals(NOWHERE, resumed);
        run(store, file("all", pieces));
        assertEquals(12, resumed.line());
    }

    @Test
    void furthestPlaceThatFitsIsTaken() throws Exception {
        var pieces = fragile(4);
        var store = store();
        run(store, broken(pieces.subList(0, 4)));
        var place = store.read(ImportJournal::positions).getFirst().place();
        var further =
                new InputPlace(place.beginBytes(), place.beginHash(), place.bytes() + 100, Bytes.wrap(new byte[32]));
        var asFar = new InputPlace(place.beginBytes(), place.beginHash(), place.bytes(), Bytes.wrap(new byte[32]));
        store.write(Urgency.WAITING, 0, transaction -> {
                    transaction.put(new ImportPosition(77, further, 0, 0, now.plusSeconds(1)));
                    transaction.put(new ImportPosition(0, asFar, 0, 0, now.plusSeconds(1)));
                    return true;
                })
                .join();
        run(store, file("all", pieces));
        assertEquals(8, resumed.line());
        assertEquals(2, remembered(store));
    }

    @Test
    void linesRefusedBeforeAreStillCounted() throws Exception {
        var store = store();
        var first = "garbage\n" + lines(note("a"));
        run(store, broken(List.of(first, "more\n")));
        var report = run(store, pipe(List.of(first, "more\n", lines(note("b")))));
        assertEquals(3, resumed.line());
        assertEquals(2, report.refusedBefore());
        assertEquals(2, report.faults());
        assertEquals(0, report.refused());
        assertEquals(1, report.stored());
    }

    /// A pipe that says little is not waited for, once an event has come.
    @Test
    void leftoverPlaceDelaysNobody() throws Exception {
        var store = store();
        run(store, broken(List.of(lines(note("x".repeat(10_000))))));
        var note = note("a");
        var text = new Pieces(List.of(lines(note)), false);
        var in = new InputStream() {
            @Override
            public int read() {
                throw new UnsupportedOperationException("byte by byte is too slow");
            }

            @Override
            public int read(byte[] target, int from, int count) throws IOException {
                int read = text.read(target, from, count);
                while (read < 0 && !served(store).contains(note.id().toHex())) {
                    Thread.onSpinWait();
                }
                return read;
            }
        };
        run(store, ImportSource.of("slow", in));
    }

    @Test
    void onlySoManyAreRemembered() throws Exception {
        var store = store();
        for (int i = 0; i < ImportJournal.POSITIONS_MAX + 2; i++) {
            now = now.plusSeconds(1);
            run(store, broken(List.of(lines(note("of " + i)))));
        }
        assertEquals(ImportJournal.POSITIONS_MAX, remembered(store));
        run(store, pipe(List.of(lines(note("of 2")))));
        assertEquals(1, resumed.line());
        run(store, pipe(List.of(lines(note("of 1")))));
        assertEquals(NOWHERE, resumed);
    }

    @Test
    void inputThatWasDoneToItsEndIsDoneAgain() throws Exception {
        var store = store();
        var file = file("all", fragile(3));
        run(store, file);
        assertEquals(0, remembered(store));
        assertEquals(12, run(store, file).read());
    }

    @Test
    void inputThatGrewGoesOnWithWhatIsNew() throws Exception {
        var pieces = fragile(3);
        var store = store();
        run(store, broken(pieces.subList(0, 4)));
        run(store, file("grown", pieces));
        assertEquals(8, resumed.line());
    }

    /// Hands out one piece at a time, as a pipe may, and at the end fails or ends.
    private static final class Pieces extends InputStream {
        private final Queue<String> pieces;
        private final boolean isBroken;
        private InputStream piece = InputStream.nullInputStream();

        Pieces(List<String> pieces, boolean isBroken) {
            this.pieces = new ArrayDeque<>(pieces);
            this.isBroken = isBroken;
        }

        @Override
        public int read() {
            throw new UnsupportedOperationException("byte by byte is too slow");
        }

        @Override
        public int read(byte[] target, int from, int count) throws IOException {
            int read = piece.read(target, from, count);
            while (read < 0 && !pieces.isEmpty()) {
                piece = new ByteArrayInputStream(pieces.remove().getBytes(StandardCharsets.UTF_8));
                read = piece.read(target, from, count);
            }
            if (read < 0 && isBroken) {
                throw new IOException("the cable was pulled");
            }
            return read;
        }

        @Override
        public int available() throws IOException {
            return piece.available();
        }
    }

    private final class Listening implements EventImport.Listener {
        @Override
        public void progress(ImportProgress progress) {
            assertTrue(progress.bytes() >= progress.bytesPassed());
        }

        @Override
        public void resumed(Position position) {
            resumed = position;
        }

        @Override
        public void refused(RefusedLine line) {
            // counted in the report
        }
    }

    private static final class Silence implements StoreObserver {
        @Override
        public void damaged(String where) {
            throw new AssertionError(where);
        }

        @Override
        public void setAside(String row, String file) {
            throw new AssertionError(row);
        }

        @Override
        public void refusing(String reason) {
            // that is what some of these tests are about
        }

        @Override
        public void writing() {
            // never after a refusal
        }
    }
}
