package dev.grapnel.purgatory.legacy;

import static dev.grapnel.purgatory.legacy.OldFile.COMMIT;
import static dev.grapnel.purgatory.legacy.OldFile.OTHER_COMMIT;
import static dev.grapnel.purgatory.legacy.OldFile.SAVED;
import static dev.grapnel.purgatory.legacy.OldFile.announcement;
import static dev.grapnel.purgatory.legacy.OldFile.entry;
import static dev.grapnel.purgatory.legacy.OldFile.proposal;
import static dev.grapnel.purgatory.legacy.OldFile.repository;
import static dev.grapnel.purgatory.legacy.OldFile.state;
import static dev.grapnel.purgatory.legacy.OldFile.time;
import static dev.grapnel.store.engine.StoreFixture.NOW;
import static dev.grapnel.store.engine.StoreFixture.deletionOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.purgatory.legacy.ImportOutcome.Imported;
import dev.grapnel.purgatory.legacy.ImportOutcome.NoFile;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.row.AreaName;
import dev.grapnel.store.row.ExpiredEvent;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.HeldAnnouncement;
import dev.grapnel.store.row.HeldAnnouncement.Phase;
import dev.grapnel.store.row.HeldProposal;
import dev.grapnel.store.row.HeldState;
import dev.grapnel.store.row.Placeholder;
import dev.grapnel.store.row.RowKeys;
import dev.grapnel.store.row.Source;
import dev.grapnel.store.row.Upload;
import dev.grapnel.store.row.Upload.Endpoint;
import dev.grapnel.store.table.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a good file becomes (purgatory P-711; catalogue 150).
@NullUnmarked
final class PurgatoryFileTest {
    /// Files keep nanoseconds, rows milliseconds.
    private static final Instant SAVED_WITH_MILLIS = Instant.ofEpochMilli(SAVED * 1000 + 123);

    private static final EventId PUSHED = id("a");
    private static final EventId PUSHED_TO_CONTRIBUTOR = id("b");
    private static final Oid TIP = Oid.parse(COMMIT).require();

    @TempDir
    private Path directory;

    private ImportBench bench;

    @BeforeEach
    void open() {
        bench = new ImportBench(directory);
    }

    @AfterEach
    void close() {
        bench.close();
    }

    private static EventId id(String digit) {
        return EventId.parse(digit.repeat(64)).require();
    }

    private static byte[] resource(String name) throws IOException {
        try (var in = Objects.requireNonNull(PurgatoryFileTest.class.getResourceAsStream(name))) {
            return in.readAllBytes();
        }
    }

    private static Instant at(long seconds) {
        return Instant.ofEpochSecond(seconds);
    }

    private Held held(EventId id) {
        return bench.store.findHeld(id).orElseThrow();
    }

    private Optional<ExpiredEvent> expired(EventId id) {
        return bench.store.read(
                view -> view.findRow(Table.EXPIRED_EVENTS, RowKeys.event(id)).map(row -> (ExpiredEvent) row));
    }

    private Optional<Placeholder> placeholder(EventId id) {
        return bench.store.read(
                view -> view.findRow(Table.PLACEHOLDERS, RowKeys.event(id)).map(row -> (Placeholder) row));
    }

    @Test
    void fileOfVersionThreeBecomesRows() throws IOException {
        bench.uploads = ImportBench.areasForAll();
        var counts = bench.put(resource("version-3.json")).imported();

        assertEquals(
                Map.of(
                        OldStore.ANNOUNCEMENT, Map.of(Fate.RESTORED, 1),
                        OldStore.STATE, Map.of(Fate.RESTORED, 1, Fate.OVERDUE, 1),
                        OldStore.PROPOSAL, Map.of(Fate.RESTORED, 1),
                        OldStore.PLACEHOLDER, Map.of(Fate.RESTORED, 2),
                        OldStore.EXPIRED, Map.of(Fate.RESTORED, 1, Fate.FORGOTTEN, 1)),
                counts.entries());
        var announced = rowsOf(HeldAnnouncement.class).getFirst();
        assertEquals(repository(0, "tools"), announced.repository());
        assertEquals(Phase.ACTIVE, announced.phase());
        assertEquals(Source.DIRECT, announced.source());
        assertEquals(SAVED_WITH_MILLIS.plusSeconds(1500), announced.expiresAt());
        assertEquals(SAVED_WITH_MILLIS, announced.heldSince());
        var states = rowsOf(HeldState.class).stream()
                .collect(java.util.stream.Collectors.toMap(HeldState::source, HeldState::expiresAt));
        assertEquals(
                Map.of(
                        Source.DIRECT, SAVED_WITH_MILLIS.plusSeconds(600),
                        Source.SYNC, SAVED_WITH_MILLIS.plusSeconds(60)),
                states);
        var proposed = rowsOf(HeldProposal.class).getFirst();
        assertEquals(Source.SYNC, proposed.source());
        assertEquals(List.of(), proposed.pushedTo());
        assertEquals(
                new Placeholder(
                        PUSHED,
                        TIP,
                        SAVED_WITH_MILLIS,
                        SAVED_WITH_MILLIS.plusSeconds(900),
                        List.of(new Upload(
                                repository(0, "tools"),
                                Endpoint.REPOSITORY,
                                new AreaName("aaaaaaaa-tools-repository"),
                                false,
                                ""))),
                placeholder(PUSHED).orElseThrow());
        assertEquals(
                Optional.of(repository(1, "tools")),
                placeholder(PUSHED_TO_CONTRIBUTOR).orElseThrow().prsScope());
        assertEquals(
                SAVED_WITH_MILLIS.minus(Duration.ofDays(1)),
                expired(id("c")).orElseThrow().expiredAt());
        assertTrue(expired(id("d")).isEmpty());
    }

    private <T> List<T> rowsOf(Class<T> type) {
        return bench.rows().stream().filter(type::isInstance).map(type::cast).toList();
    }

    @Test
    void fileOfVersionOneDoesNotSayWhereRefsWerePushed() throws IOException {
        bench.uploads = ImportBench.areasForAll();
        var counts = bench.put(resource("version-1.json")).imported();
        assertEquals(
                Map.of(Fate.RESTORED, 1, Fate.WITHOUT_AREA, 1), counts.entries().get(OldStore.PLACEHOLDER));
        assertTrue(placeholder(PUSHED).isEmpty());
        assertTrue(placeholder(PUSHED_TO_CONTRIBUTOR).isPresent());
        assertEquals(2, counts.of(OldStore.STATE, Fate.RESTORED) + counts.of(OldStore.STATE, Fate.OVERDUE));
    }

    @Test
    void pushesWithoutAreaAreLeftOutAndCounted() throws IOException {
        var counts = bench.put(resource("version-3.json")).imported();
        assertEquals(2, counts.of(OldStore.PLACEHOLDER, Fate.WITHOUT_AREA));
        assertEquals(2, counts.of(OldStore.PLACEHOLDER, "invalid"));
        assertEquals(List.of(), rowsOf(Placeholder.class));
        assertEquals(1, rowsOf(HeldProposal.class).size());
    }

    @Test
    void pushesOfPullRequestAreTakenOverIfTheyAreOfItsCommit() {
        bench.uploads = ImportBench.areasForAll();
        var event = proposal(1, "mine");
        var owner = StoreSamples.author(0);
        var json = """
                {"event":%s,"commit":"%s","created_at_offset_secs":0,"expires_at_offset_secs":900,
                "prs_scope":{"submitter":"%s","identifier":"mine"},
                "standard_refs":[{"owner":"%s","identifier":"tools","commit":"%s"},
                {"owner":"%s","identifier":"other","commit":"%s"}]}""".formatted(event, COMMIT, event.author(), owner, COMMIT, owner, OTHER_COMMIT);
        var counts = bench.put(new OldFile()
                        .entry(OldMap.PROPOSALS, event.id().toString(), json)
                        .json())
                .imported();
        var row = assertInstanceOf(HeldProposal.class, held(event.id()));
        assertEquals(
                List.of(repository(0, "tools"), repository(1, "mine")),
                row.pushedTo().stream().map(Upload::repository).toList());
        assertEquals(Optional.of(repository(1, "mine")), row.prsScope());
        assertEquals(1, counts.uploadsDropped());
    }

    @Test
    void pullRequestIsHeldThoughItsPushesAreLost() {
        var event = proposal(1, "mine");
        var json = "{\"event\":%s,\"created_at_offset_secs\":0,\"expires_at_offset_secs\":900,".formatted(event)
                + "\"standard_refs\":[{\"owner\":\"%s\",\"identifier\":\"tools\",\"commit\":\"%s\"}]}"
                        .formatted(StoreSamples.author(0), COMMIT);
        bench.put(new OldFile()
                .entry(OldMap.PROPOSALS, event.id().toString(), json)
                .json());
        assertEquals(1, bench.imported().uploadsDropped());
        assertEquals(
                List.of(),
                assertInstanceOf(HeldProposal.class, held(event.id())).pushedTo());
    }

    @Test
    void mapsMayBeMissing() {
        assertEquals(Map.of(), bench.put(new OldFile().json()).imported().entries());
        var event = state(0, "tools", "");
        var counts = bench.put(new OldFile().state(event, 600).json()).imported();
        assertEquals(Map.of(OldStore.STATE, Map.of(Fate.RESTORED, 1)), counts.entries());
        assertEquals(Source.DIRECT, held(event.id()).source());
    }

    @Test
    void announcementWithoutRepositoryIsLeftOut() {
        bench.hasRepository = repository(0, "here")::equals;
        var here = announcement(0, "here");
        var gone = announcement(0, "gone");
        var counts = bench.put(new OldFile()
                        .announcement(gone, 900)
                        .announcement(here, 900)
                        .json())
                .imported();
        assertEquals(
                Map.of(Fate.RESTORED, 1, Fate.WITHOUT_REPOSITORY, 1),
                counts.entries().get(OldStore.ANNOUNCEMENT));
        assertTrue(bench.store.findHeld(gone.id()).isEmpty());
        assertEquals(at(SAVED + 900), held(here.id()).expiresAt());
        assertFalse(Files.exists(bench.beside(".invalid")));
    }

    @Test
    void timesCountFromWhenTheFileWasSaved() {
        var soon = state(0, "soon", "");
        var over = state(0, "over", "");
        var odd = state(0, "odd", "");
        var file = new OldFile().state(soon, 600).state(over, 239);
        file.entry(OldMap.STATES, "odd", entry(odd, "600").replace("\"created_at_offset_secs\":0", """
                "created_at_offset_secs":5"""));
        var outcome = assertInstanceOf(Imported.class, bench.put(file.json()).run());
        assertEquals(Duration.ofMinutes(4), outcome.downtime());
        assertEquals(
                Map.of(Fate.RESTORED, 2, Fate.OVERDUE, 1),
                outcome.counts().entries().get(OldStore.STATE));
        assertEquals(1, outcome.counts().of(OldStore.STATE, "expired"));
        assertEquals(at(SAVED + 600), held(soon.id()).expiresAt());
        assertEquals(at(SAVED), held(soon.id()).heldSince());
        assertEquals(at(SAVED + 239), held(over.id()).expiresAt());
        assertEquals(at(SAVED + 5), held(odd.id()).heldSince());
    }

    @Test
    void oldTimesArePreserved() {
        var event = state(0, "tools", "");
        bench.put(new OldFile()
                .head("\"version\":1,\"saved_at\":" + time(86_400))
                .state(event, 600)
                .json());
        assertEquals(1, bench.imported().of(OldStore.STATE, Fate.OVERDUE));
        assertEquals(at(86_400), held(event.id()).heldSince());
        assertEquals(at(87_000), held(event.id()).expiresAt());
    }

    @Test
    void downtimeIsZeroIfTheClockWasSetBack() {
        var event = state(0, "tools", "");
        bench.put(new OldFile()
                .head("\"version\":1,\"saved_at\":" + time(NOW + 5_000))
                .state(event, 600)
                .expired("c".repeat(64), time(NOW + 4_000))
                .json());
        var outcome = assertInstanceOf(Imported.class, bench.run());
        assertEquals(Duration.ZERO, outcome.downtime());
        assertEquals(at(NOW + 600), held(event.id()).expiresAt());
        assertEquals(at(NOW), held(event.id()).heldSince());
        assertEquals(at(NOW), expired(id("c")).orElseThrow().expiredAt());
    }

    @Test
    void partOfSecondIsNoDowntimeEither() {
        bench.put("{\"version\":1,\"saved_at\":{\"secs_since_epoch\":%d,\"nanos_since_epoch\":500000000}}"
                .formatted(NOW));
        assertEquals(
                Duration.ZERO, assertInstanceOf(Imported.class, bench.run()).downtime());
    }

    @Test
    void fileIsRenamedAndNotImportedAgain() throws IOException {
        var event = state(0, "tools", "");
        var json = new OldFile().state(event, 600).json();
        var outcome = assertInstanceOf(Imported.class, bench.put(json).run());
        assertTrue(outcome.renamed());
        assertFalse(Files.exists(bench.file));
        assertEquals(json, Files.readString(bench.beside(".imported")));
        assertInstanceOf(NoFile.class, bench.run());
        assertEquals(
                List.of("purgatory.imported state_restored=1 uploads_dropped=0 downtime=PT4M"),
                bench.logged(Level.INFO));
    }

    @Test
    void whatTheStoreHasDecidedAboutIsDroppedSilently() {
        var served = state(0, "served", "");
        var deleted = state(0, "deleted", "");
        var banned = state(1, "banned", "");
        var older = announcement(2, "tools");
        var newer = StoreSamples.event(2, 30617, NOW, List.of(List.of("d", "tools")), "");
        bench.store.serve(served, deletionOf(0, NOW, deleted), newer);
        bench.store.write(transaction -> {
            transaction.ban(StoreSamples.author(1), "test");
            return true;
        });
        var counts = bench.put(new OldFile()
                        .state(served, 600)
                        .state(deleted, 600)
                        .state(banned, 600)
                        .announcement(older, 600)
                        .expired(served.id().toString(), time(SAVED))
                        .json())
                .imported();
        assertEquals(List.of(), bench.rows());
        assertEquals(Map.of(Fate.SERVED, 1, Fate.SETTLED, 2), counts.entries().get(OldStore.STATE));
        assertEquals(3, counts.of(OldStore.STATE, "already_served"));
        assertEquals(1, counts.of(OldStore.ANNOUNCEMENT, Fate.SETTLED));
        assertEquals(1, counts.of(OldStore.EXPIRED, Fate.SERVED));
        assertEquals(List.of(), bench.logged(Level.WARN));
    }

    @Test
    void eventThatIsHeldAndWasExpiredOnceIsHeldWhateverComesFirst() {
        var one = state(0, "one", "");
        var other = state(0, "other", "");
        bench.put(new OldFile()
                .expired(one.id().toString(), time(SAVED))
                .state(one, 600)
                .json());
        bench.imported();
        bench.put(new OldFile()
                .state(other, 600)
                .expired(other.id().toString(), time(SAVED + 100))
                .json());
        bench.imported();
        for (var event : List.of(one, other)) {
            assertTrue(bench.store.findHeld(event.id()).isPresent());
            assertTrue(expired(event.id()).isEmpty());
        }
    }

    @Test
    void noMoreIsTakenThanMayWait() {
        bench.rules = new ImportRules(
                Duration.ofMinutes(30), Duration.ofDays(7), bench.rules.events(), 1, 2, 1, 1, 1, 1 << 20);
        bench.uploads = ImportBench.areasForAll();
        var file = new OldFile();
        for (int i = 0; i < 3; i++) {
            file.announcement(announcement(i, "tools"), 600).state(state(i, "tools", ""), 600);
            file.proposal(proposal(i, "please"), 600)
                    .expired(Integer.toString(i).repeat(64), time(SAVED));
            file.entry(OldMap.PROPOSALS, Integer.toString(7 + i).repeat(64), """
                    {"event":null,"commit":"%s","created_at_offset_secs":0,"expires_at_offset_secs":9,
                    "prs_scope":{"submitter":"%s","identifier":"tools"}}""".formatted(
                            COMMIT, StoreSamples.author(0)));
        }
        var counts = bench.put(file.json()).imported();
        for (var store : OldStore.values()) {
            assertEquals(store == OldStore.STATE ? 1 : 2, counts.of(store, Fate.NO_ROOM), store.label());
        }
        assertEquals(6, bench.rows().size());
        assertEquals(
                List.of("purgatory.import_full entries=9: they are more than may wait here, and stay in the file"),
                bench.logged(Level.WARN));
    }

    @Test
    void noMoreBytesAreTakenThanOneImportMayHave() {
        var first = state(0, "first", "x".repeat(600));
        var second = state(0, "second", "x".repeat(600));
        bench.rules = new ImportRules(
                Duration.ofMinutes(30),
                Duration.ofDays(7),
                bench.rules.events(),
                9,
                9,
                9,
                9,
                9,
                first.json().length() + 1);
        var file = new OldFile().state(first, 600).state(second, 600).json();
        for (int i = 0; i < 2; i++) { // and the second import does not take what the first one could not
            var counts = bench.put(file).imported();
            assertEquals(
                    Map.of(Fate.RESTORED, 1, Fate.NO_ROOM, 1), counts.entries().get(OldStore.STATE));
            assertTrue(bench.store.findHeld(first.id()).isPresent());
            assertTrue(bench.store.findHeld(second.id()).isEmpty());
        }
    }
}
