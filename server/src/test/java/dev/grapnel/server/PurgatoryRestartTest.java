package dev.grapnel.server;

import static dev.grapnel.server.GraspUnderTest.address;
import static dev.grapnel.server.GraspUnderTest.maintainers;
import static dev.grapnel.server.Replies.assertAnswer;
import static dev.grapnel.server.Replies.assertHeld;
import static dev.grapnel.server.Replies.assertTaken;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.repository.Repositories;
import dev.grapnel.git.repository.RepositoriesConfig;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.server.control.ControlClient;
import dev.grapnel.server.control.ControlRequest;
import dev.grapnel.server.control.ListAnswer;
import dev.grapnel.store.StoreRules;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.lmdb.LmdbConfig;
import dev.grapnel.store.row.HeldAnnouncement.Phase;
import dev.grapnel.store.row.Source;
import dev.grapnel.store.tool.OpenStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What waits outlives the process (purgatory 7). Numbers are rows of purgatory 11.
final class PurgatoryRestartTest {
    private static final int ANN = 1;
    private static final int BOB = 2;
    private static final int CAROL = 3;

    @TempDir
    Path directory = Path.of("");

    private final GraspUnderTest.Clock clock = new GraspUnderTest.Clock();

    private GraspUnderTest start() {
        return GraspUnderTest.start(directory, clock);
    }

    private static Duration minutes(long count) {
        return Duration.ofMinutes(count);
    }

    /// Row 146, as far as the server makes such rows itself; StoreContract has every field of every row.
    @Test
    void everythingThatWaitsIsThereAgainAsItWas() throws Exception {
        var events = new ArrayList<Event>();
        List<?> rows;
        Event expired;
        Event gate;
        Event trashed;
        try (var server = start();
                var client = server.connect()) {
            var soft = server.announcement(CAROL, "soft");
            assertHeld(client, soft);
            expired = server.state(CAROL, "soft");
            assertHeld(client, expired);
            server.pass(minutes(31));
            assertEquals(Phase.SOFT_EXPIRED, server.phase(soft));
            var active = server.announcementAt(server.now() - 1_000_000, ANN, "x", maintainers(BOB));
            var reference = server.elsewhere(BOB, "x", maintainers(ANN));
            var state = server.state(BOB, "x");
            var request = server.pullRequest(CAROL, ANN, "x");
            var synced = server.stateAt(5, ANN, "x", List.of("refs/heads/main", "1".repeat(40)));
            events.addAll(List.of(soft, active, reference, state, request, synced));
            assertHeld(client, active);
            assertHeld(client, reference);
            assertHeld(client, state);
            assertHeld(client, request);
            assertTrue(server.sync(synced).isAccepted());
            gate = server.deletion(7, server.event(7, 1));
            assertTaken(client, gate);
            var announcement = server.serve(server.announcement(ANN, "gone"));
            trashed = server.serve(server.state(ANN, "gone"));
            assertTaken(client, server.deletion(ANN, announcement));
            server.sweep();
            rows = events.stream().map(server::held).toList();
        }
        try (var server = start();
                var client = server.connect()) {
            assertEquals(rows, events.stream().map(server::held).toList());
            assertEquals(Source.SYNC, server.held(events.getLast()).source());
            assertTrue(server.expired(expired).orElseThrow().dormant().isPresent());
            assertTrue(server.purgatory().knows(gate.id()));
            assertEquals(200, server.gitStatus(ANN, "x"));
            assertEquals(404, server.gitStatus(CAROL, "soft"));
            assertHeld(client, server.stateAt(server.now() + 1, BOB, "x", List.of("refs/heads/a", "1".repeat(40))));
            assertTaken(client, server.announcementAt(server.now() + 1, ANN, "gone"));
            assertTrue(server.isServed(trashed));
        }
    }

    private Event hold(Duration before) throws Exception {
        try (var server = start();
                var client = server.connect()) {
            var announcement = server.announcement(ANN, "x");
            assertHeld(client, announcement);
            clock.advance(before);
            return announcement;
        }
    }

    /// Row 147.
    @Test
    void timeWithoutServerCounts() throws Exception {
        var announcement = hold(minutes(20));
        clock.advance(minutes(4));
        try (var server = start()) {
            assertEquals(minutes(6), server.left(announcement));
            server.pass(minutes(6).minusSeconds(1));
            assertEquals(Phase.ACTIVE, server.phase(announcement));
            server.pass(Duration.ofSeconds(1));
            assertEquals(Phase.SOFT_EXPIRED, server.phase(announcement));
        }
    }

    /// Row 147.
    @Test
    void whatWasOverWithoutServerIsOverAtTheStart() throws Exception {
        var announcement = hold(minutes(20));
        clock.advance(minutes(20));
        try (var server = start()) {
            assertEquals(Phase.SOFT_EXPIRED, server.phase(announcement));
            assertEquals(404, server.gitStatus(ANN, "x"));
        }
    }

    /// Row 148.
    @Test
    void clockThatWasSetBackWithoutServerProlongsNothing() throws Exception {
        var announcement = hold(minutes(20));
        clock.step(Duration.ofDays(-3));
        try (var server = start()) {
            server.pass(minutes(10).minusSeconds(1));
            assertEquals(Phase.ACTIVE, server.phase(announcement));
            server.pass(Duration.ofSeconds(1));
            assertEquals(Phase.SOFT_EXPIRED, server.phase(announcement));
        }
    }

    /// Row 148, P-721.
    @Test
    void stepsOfTheClockWhileItRunsExpireAndProlongNothing() throws Exception {
        for (var step : List.of(Duration.ofDays(30), Duration.ofDays(-30))) {
            try (var server = GraspUnderTest.start();
                    var client = server.connect()) {
                var announcement = server.announcement(ANN, "x");
                assertHeld(client, announcement);
                var state = server.state(ANN, "x");
                assertHeld(client, state);
                server.clock().step(step);
                server.pass(minutes(30).minusSeconds(1));
                assertEquals(Phase.ACTIVE, server.phase(announcement));
                assertTrue(server.isHeld(state));
                server.pass(Duration.ofSeconds(1));
                assertEquals(Phase.SOFT_EXPIRED, server.phase(announcement));
                assertFalse(server.isHeld(state));
            }
        }
    }

    /// P-720 to P-722: a start goes on with the time that was left, whatever the clock shows.
    @Test
    void clockThatIsSetWhileItRunsChangesNothingForTheNextStart() throws Exception {
        for (var step : List.of(Duration.ofHours(5), Duration.ofHours(-5))) {
            var identifier = "step" + step.toHours();
            Event announcement;
            List<Event> others;
            try (var server = start();
                    var client = server.connect()) {
                announcement = server.announcement(ANN, identifier);
                assertHeld(client, announcement);
                var request = server.pullRequest(BOB, ANN, identifier);
                var update = server.event(BOB, 1619, List.of("E", request.id().toHex()), List.of("c", "3".repeat(40)));
                others = List.of(server.state(ANN, identifier), request, update);
                for (var other : others) {
                    assertHeld(client, other);
                }
                server.pass(minutes(10));
                clock.step(step);
            }
            clock.advance(minutes(5));
            try (var server = start()) {
                assertEquals(minutes(15), server.left(announcement));
                for (var other : others) {
                    assertEquals(minutes(15), server.left(other));
                }
                clock.step(step.negated());
                server.sweep();
                assertEquals(minutes(15), server.left(announcement));
            }
        }
    }

    /// Adjustments are no steps.
    @Test
    void clockThatIsAdjustedLeavesRowsAlone() throws Exception {
        try (var server = start();
                var client = server.connect()) {
            var announcement = server.announcement(ANN, "x");
            assertHeld(client, announcement);
            var row = server.held(announcement);
            clock.step(Duration.ofSeconds(9));
            server.sweep();
            assertEquals(row, server.held(announcement));
        }
    }

    @Test
    void operatorIsShownTheTimeThatIsReallyLeft() throws Exception {
        for (var step : List.of(Duration.ofHours(5), Duration.ofHours(-5))) {
            try (var server = start();
                    var client = server.connect()) {
                assertHeld(client, server.announcement(ANN, "step" + step.toHours()));
                clock.advance(minutes(10));
                clock.step(step);
                var left = new ArrayList<Long>();
                try (var operator =
                        ControlClient.connect(directory.resolve("relay")).orElseThrow()) {
                    operator.ask(
                            new ControlRequest(ListAnswer.NAME, Map.of()),
                            line -> line.findNumber("secondsLeft").ifPresent(left::add));
                }
                assertEquals(List.of(minutes(20).toSeconds()), left);
                clock.advance(minutes(20));
                server.sweep();
                server.pass(Duration.ofDays(1));
            }
        }
    }

    private void deleteRepositories() throws IOException {
        try (var paths = Files.walk(directory.resolve("git"))) {
            for (var path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    /// Row 153.
    @Test
    void missingRepositoryOfAHeldAnnouncementIsMadeAgain() throws Exception {
        var announcement = hold(minutes(1));
        deleteRepositories();
        try (var log = LogWatch.on("dev.grapnel.purgatory");
                var server = start()) {
            assertEquals(1, log.lines("repository was missing", 1).size());
            assertEquals(Phase.ACTIVE, server.phase(announcement));
            assertEquals(200, server.gitStatus(ANN, "x"));
        }
    }

    /// Row 153: the second step is counted from the missed deadline.
    @Test
    void overdueAnnouncementWithoutRepositoryBecomesSoft() throws Exception {
        var announcement = hold(minutes(20));
        deleteRepositories();
        clock.advance(minutes(70));
        try (var server = start()) {
            assertEquals(Phase.SOFT_EXPIRED, server.phase(announcement));
            assertEquals(Duration.ofHours(23), server.left(announcement));
            assertEquals(404, server.gitStatus(ANN, "x"));
        }
    }

    /// Row 153.
    @Test
    void repositoryOfASoftExpiredAnnouncementIsDeleted() throws Exception {
        var announcement = hold(minutes(31));
        try (var server = start()) {
            assertEquals(Phase.SOFT_EXPIRED, server.phase(announcement));
            server.service().repositories().create(address(ANN, "x")).close();
        }
        try (var server = start()) {
            assertFalse(server.isOnDisk(ANN, "x"));
        }
    }

    /// Row 159, P-731.
    @Test
    void oldEmptyRepositoriesOfNobodyAreDeletedAndNeverThoseWithRefs() throws Exception {
        try (var server = start()) {
            server.service().repositories().create(address(ANN, "empty")).close();
            server.service().repositories().create(address(ANN, "young")).close();
            server.fill(address(ANN, "full"), "main");
            server.fill(address(ANN, "odd"), "x");
        }
        age("empty", Duration.ofHours(2));
        age("full", Duration.ofHours(2));
        age("young", minutes(59));
        try (var server = start()) {
            server.sweep(); // returns when the directories are what the store says
            assertFalse(server.isOnDisk(ANN, "empty"));
            assertTrue(server.isOnDisk(ANN, "young"));
            assertTrue(server.isOnDisk(ANN, "full"));
            assertEquals(404, server.gitStatus(ANN, "full"));
        }
    }

    private void age(String identifier, Duration age) throws IOException {
        Path place;
        try (var repositories = Repositories.open(directory.resolve("git"), RepositoriesConfig.defaults(), clock)) {
            place = repositories
                    .findPlace(address(ANN, identifier))
                    .orElseThrow()
                    .directory();
        }
        Files.setLastModifiedTime(place, FileTime.from(clock.instant().minus(age)));
    }

    /// README I-5 without a process: what was acknowledged is in the files at that moment, whatever
    /// happens next.
    @Test
    void acknowledgedEventsAreOnDiskAtThatMoment(@TempDir Path copy) throws Exception {
        var held = new ArrayList<Event>();
        Event served;
        try (var server = start();
                var client = server.connect()) {
            held.add(server.announcement(ANN, "x"));
            held.add(server.state(ANN, "x"));
            held.add(server.pullRequest(CAROL, ANN, "x"));
            for (var event : held) {
                assertHeld(client, event);
            }
            served = server.event(CAROL, 10_317);
            assertTaken(client, served);
            copyFiles(directory, copy);
        }
        try (var server = GraspUnderTest.start(copy, clock);
                var client = server.connect()) {
            for (var event : held) {
                assertAnswer(client, event, true, "duplicate: in purgatory");
            }
            assertAnswer(client, served, true, "duplicate: already have this event");
            assertEquals(200, server.gitStatus(ANN, "x"));
        }
    }

    private static void copyFiles(Path from, Path to) throws IOException {
        try (var paths = Files.walk(from)) {
            for (var path : paths.toList()) {
                var target = to.resolve(from.relativize(path).toString());
                if (Files.isDirectory(path)) {
                    Files.createDirectories(target);
                } else if (Files.isRegularFile(path)) {
                    Files.copy(path, target);
                }
            }
        }
    }

    /// P-704: nothing of purgatory is written by stopping.
    @Test
    void startingTwiceChangesNothing() throws Exception {
        var announcement = hold(minutes(1));
        var rows = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            try (var server = start()) {
                rows.add(server.held(announcement));
            }
        }
        assertEquals(1, rows.stream().distinct().count());
    }

    /// Announcements that came into the store some other way, from a back-up or an older version, with
    /// their repositories.
    @Test
    void servedAnnouncementWithoutAStandingGetsItsRepositoryIfThatHasContentOrItWasBrought() throws Exception {
        Event event;
        Event bare;
        Event brought;
        try (var server = start()) {
            event = server.announcement(ANN, "x");
            bare = server.announcement(BOB, "x");
            brought = server.announcement(CAROL, "x");
            server.write(transaction -> transaction.save(event));
            server.write(transaction -> transaction.save(bare));
            server.fill(GraspUnderTest.address(ANN, "x"), "main");
            assertEquals(404, server.gitStatus(ANN, "x"));
        }
        bring(brought);
        try (var server = start()) {
            assertEquals(200, server.gitStatus(ANN, "x"));
            assertTrue(server.isServed(event));
            assertEquals(404, server.gitStatus(BOB, "x"));
            assertTrue(server.isServed(bare));
            assertEquals(200, server.gitStatus(CAROL, "x"));
            assertTrue(server.isServed(brought));
        }
    }

    /// What was imported while no server ran may let go of what waits.
    @Test
    void referenceReleasedByWhatWasImportedCountsForTheStart() throws Exception {
        Event imported;
        Event reference;
        try (var server = start();
                var client = server.connect()) {
            imported = server.announcement(ANN, "x", maintainers(BOB));
            assertHeld(client, server.announcement(CAROL, "x", maintainers(BOB)));
            reference = server.elsewhere(BOB, "x");
            assertHeld(client, reference);
        }
        bring(imported);
        try (var server = start()) {
            assertTrue(server.isServed(reference));
            assertEquals(1.0, server.metric("purgatory_events_released_total{kind=\"30617\",path=\"startup\"}"));
        }
    }

    /// As the operator's import does while no server runs.
    private void bring(Event event) throws Exception {
        try (var opened = OpenStore.forWriting(
                directory.resolve("relay"), LmdbConfig.DEFAULTS, StoreRules.DEFAULTS, clock, _ -> {})) {
            opened.store()
                    .write(Urgency.WAITING, 0, transaction -> transaction.restore(event))
                    .join();
        }
    }
}
