package dev.grapnel.server;

import static dev.grapnel.server.PushStory.ANN;
import static dev.grapnel.server.PushStory.BOB;
import static dev.grapnel.server.PushStory.CAROL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.Grapnel;
import dev.grapnel.command.Invocation;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.store.table.Table;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Directories of the existing server's versions 1 and 2, used as they are (purgatory P-713, P-715, P-731).
final class AdoptionTest {
    @TempDir
    private Path directory;

    private OldServer old;

    @BeforeEach
    void makeOldServer() throws IOException {
        old = new OldServer(directory);
    }

    private static String coordinate(int owner, String identifier) {
        return "30617:" + GraspUnderTest.address(owner, identifier).owner() + ":" + identifier;
    }

    /// Events as `grapnel import` brings them, while no server runs.
    private void bring(Event... events) {
        var lines = Arrays.stream(events).map(Event::toString).collect(Collectors.joining("\n"));
        var err = new StringWriter();
        var environment = Map.of(
                "GRAPNEL_RELAY_DATA_PATH", directory.resolve("data/relay").toString());
        int code = Grapnel.commandLine(new Invocation(
                        new ByteArrayInputStream(lines.getBytes(StandardCharsets.UTF_8)),
                        new ByteArrayOutputStream(),
                        false,
                        false,
                        environment))
                .setErr(new PrintWriter(err, true))
                .execute("import");
        assertEquals(0, code, err::toString);
    }

    private static void assertStateServed(PushStory story, Event state) throws InterruptedException {
        story.server().awaitReconciled();
        assertTrue(story.server().isServed(state));
    }

    @Test
    void repositoriesThatNobodyAnnouncedAreKeptAndNotServedAndCountedOnce() throws Exception {
        var tip = old.commit("first");
        old.fill(ANN, "r", "refs/heads/main", tip);
        old.fill(BOB, "r", "refs/heads/main", tip);
        old.repository(CAROL, "empty");
        var before = OldServer.files(old.place(ANN, "r"));
        try (var log = LogWatch.on("dev.grapnel.purgatory.StartUp");
                var story = new PushStory(directory)) {
            assertEquals(
                    List.of("INFO repositories.unannounced count=3 of_another_server=3: no announcement explains them,"
                            + " so they are kept and not served"),
                    log.lines("repositories.unannounced", 1));
            assertEquals(404, story.server().gitStatus(ANN, "r"));
            story.server().pass(Duration.ofDays(100));
            story.restart();
            assertEquals(404, story.server().gitStatus(ANN, "r"));
        }
        assertEquals(before, OldServer.files(old.place(ANN, "r")));
    }

    @Test
    void eventsThatArriveFindTheRepositoryAsItIsAndNoPushIsNeeded() throws Exception {
        var first = old.commit("first");
        var tag = old.tag("v1", first);
        var tip = old.commit("second");
        var planted = old.aside("planted");
        var repository = old.fill(ANN, "r", "refs/heads/main", first, "refs/tags/v1", tag, "refs/heads/evil", planted);
        old.git().ok(repository, "pack-refs", "--all");
        old.git().ok(repository, "gc", "--quiet");
        old.fill(ANN, "r", "refs/heads/main", tip, "refs/keep/this", planted); // loose, over what is packed
        old.git().ok(repository, "symbolic-ref", "HEAD", "refs/heads/evil");
        Files.writeString(repository.resolve("objects/pack/tmp_pack_abc"), "left by a gc that was killed");
        try (var story = new PushStory(directory)) {
            story.publish(story.server().announcement(ANN, "r"));
            assertEquals(List.of(), story.refs(ANN, "r"));
            story.git().run(story.work(), "fetch", story.url(ANN, "r"), planted).orSucceed();
            var state = story.publish(story.server()
                    .stateAt(
                            story.server().now(),
                            ANN,
                            "r",
                            List.of("refs/heads/main", tip),
                            List.of("refs/tags/v1", tag),
                            List.of("HEAD", "ref: refs/heads/main")));
            assertStateServed(story, state);
            var refs =
                    List.of(tip + " HEAD", tip + " refs/heads/main", tag + " refs/tags/v1", first + " refs/tags/v1^{}");
            assertEquals(refs, story.refs(ANN, "r"));
            story.git().run(story.work(), "fetch", story.url(ANN, "r"), planted).orSucceed();
            story.git().ok(story.work(), "clone", "--quiet", story.url(ANN, "r"), "copy");
            story.git().assertSound(story.work().resolve("copy"));
            story.restart();
            assertEquals(refs, story.refs(ANN, "r"));
            assertEquals(0, story.server().rows(Table.REPAIRS));
            assertEquals(
                    tip + "\n" + planted,
                    story.git()
                            .ok(repository, "rev-parse", "refs/heads/main", "refs/keep/this")
                            .strip());
            story.git().assertSound(repository);
        }
    }

    @Test
    void importedEventsDecideAboutEveryRefBeforeAnythingIsServed() throws Exception {
        var tip = old.commit("first");
        var proposed = old.aside("proposed");
        var other = old.aside("other");
        var unknown = old.aside("unknown");
        Event announcement;
        Event state;
        Event good;
        Event bad;
        Event unseen;
        try (var signer = new PushStory(directory.resolve("elsewhere"))) {
            announcement = signer.server().announcement(ANN, "r");
            state = signer.state(ANN, "r", tip);
            good = signer.proposal(BOB, proposed, coordinate(ANN, "r"));
            bad = signer.proposal(CAROL, proposed, coordinate(ANN, "r"));
            unseen = signer.proposal(BOB, unknown, coordinate(ANN, "r"));
        }
        var repository = old.fill(
                ANN,
                "r",
                "refs/heads/main",
                other,
                OldServer.ref(good),
                proposed,
                OldServer.ref(bad),
                other,
                OldServer.ref(unseen),
                unknown,
                "refs/nostr/nonsense",
                unknown);
        old.git()
                .ok(
                        old.place(ANN, "r"),
                        "fetch",
                        "--quiet",
                        directory.resolve("old-home/old-work").toString(),
                        tip);
        bring(announcement, state, good, bad);
        try (var story = new PushStory(directory)) {
            story.server().awaitReconciled();
            assertEquals(
                    List.of(
                                    tip + " HEAD",
                                    tip + " refs/heads/main",
                                    proposed + " " + OldServer.ref(good),
                                    proposed + " " + OldServer.ref(bad))
                            .stream()
                            .sorted()
                            .toList(),
                    story.refs(ANN, "r").stream().sorted().toList());
            var row = story.placeholder(unseen.id()).orElseThrow();
            assertEquals(unknown, row.commit().toString());
            assertEquals(1, story.areas().size());
            assertEquals(story.bytes(), story.countedBytes());
            assertNotEquals(0, story.bytes());
            assertNotEquals(
                    0,
                    story.git()
                            .run(repository, "rev-parse", "--verify", OldServer.ref(unseen))
                            .code());
            story.git().run(story.work(), "fetch", story.url(ANN, "r"), unknown).orSucceed();
            story.restart();
            assertTrue(story.placeholder(unseen.id()).isPresent());
            story.publish(unseen);
            story.server().awaitReconciled();
            assertTrue(story.shows(unseen, ANN, "r"));
            story.awaitNothingLeft();
        }
    }

    @Test
    void refOfAServedProposalForSomebodyElseStaysIfTheCommitIsItsOwn() throws Exception {
        var tip = old.commit("first");
        var proposed = old.aside("proposed");
        var other = old.aside("other");
        Event[] events;
        Event right;
        Event wrong;
        try (var signer = new PushStory(directory.resolve("elsewhere"))) {
            right = signer.proposal(BOB, proposed, coordinate(CAROL, "r"));
            wrong = signer.proposal(ANN, proposed, coordinate(CAROL, "r"));
            events = new Event[] {
                signer.server().announcement(ANN, "r"),
                signer.server().announcement(CAROL, "r"),
                signer.state(ANN, "r", tip),
                signer.state(CAROL, "r", tip),
                right,
                wrong
            };
        }
        old.fill(ANN, "r", "refs/heads/main", tip, OldServer.ref(right), proposed, OldServer.ref(wrong), other);
        old.fill(CAROL, "r", "refs/heads/main", tip);
        bring(events);
        try (var story = new PushStory(directory)) {
            story.server().awaitReconciled();
            assertTrue(story.shows(right, ANN, "r"));
            assertFalse(story.shows(wrong, ANN, "r"));
        }
    }

    @Test
    void whatNoEventExplainsWaitsOnceAndThenGoes() throws Exception {
        var tip = old.commit("first");
        var unknown = old.aside("unknown");
        try (var story = new PushStory(directory)) {
            var unseen = story.proposal(BOB, unknown, coordinate(ANN, "r"));
            old.fill(ANN, "r", "refs/heads/main", tip, OldServer.ref(unseen), unknown);
            story.publish(story.server().announcement(ANN, "r"));
            assertStateServed(story, story.publish(story.state(ANN, "r", tip)));
            assertTrue(story.placeholder(unseen.id()).isPresent());
            story.server().pass(Duration.ofMinutes(31));
            story.awaitNothingLeft();
            assertEquals(List.of(tip + " HEAD", tip + " refs/heads/main"), story.refs(ANN, "r"));
        }
    }

    @Test
    void proposalThatWaitsGetsWhatWasPushedForIt() throws Exception {
        var tip = old.commit("first");
        var proposed = old.aside("proposed");
        try (var story = new PushStory(directory)) {
            var proposal = story.proposal(BOB, proposed, coordinate(ANN, "r"));
            old.fill(ANN, "r", "refs/heads/main", tip, OldServer.ref(proposal), proposed);
            story.publish(story.server().announcement(ANN, "r"));
            story.publish(proposal);
            assertTrue(story.server().isHeld(proposal));
            assertStateServed(story, story.publish(story.state(ANN, "r", tip)));
            assertTrue(story.server().isServed(proposal));
            assertTrue(story.shows(proposal, ANN, "r"));
            story.awaitNothingLeft();
        }
    }

    @Test
    void proposalThatGoesOnWaitingKeepsWhatWasPushedForIt() throws Exception {
        var tip = old.commit("first");
        var proposed = old.aside("proposed");
        try (var story = new PushStory(directory)) {
            var proposal = story.proposal(BOB, proposed, coordinate(CAROL, "r"));
            var repository = old.fill(ANN, "r", "refs/heads/main", tip, OldServer.ref(proposal), proposed);
            story.publish(story.server().announcement(ANN, "r"));
            var carols = story.publish(story.server().announcement(CAROL, "r"));
            story.publish(proposal);
            assertStateServed(story, story.publish(story.state(ANN, "r", tip)));
            assertTrue(story.server().isHeld(carols));
            var upload = story.held(proposal).pushedTo().getFirst();
            assertEquals(GraspUnderTest.address(ANN, "r"), upload.repository());
            assertEquals(List.of(upload.area().text()), story.areas());
            assertFalse(story.shows(proposal, ANN, "r"));
            assertNotEquals(
                    0,
                    story.git()
                            .run(repository, "rev-parse", "--verify", OldServer.ref(proposal))
                            .code());
            var state = story.publish(story.state(CAROL, "r", tip));
            assertStateServed(story, state);
            assertTrue(story.shows(proposal, CAROL, "r"));
            assertFalse(story.shows(proposal, ANN, "r"));
        }
    }

    @Test
    void maintainersOfOneRepositoryEachGetTheirOwnFromWhatAnyOfThemHad() throws Exception {
        var first = old.commit("first");
        var tip = old.commit("second");
        old.fill(ANN, "r", "refs/heads/main", first);
        old.fill(BOB, "r", "refs/heads/main", tip);
        try (var story = new PushStory(directory)) {
            var ann = GraspUnderTest.address(ANN, "r").owner().toString();
            var bob = GraspUnderTest.address(BOB, "r").owner().toString();
            story.publish(story.server().announcement(ANN, "r", List.of("maintainers", bob)));
            story.publish(story.server().announcement(BOB, "r", List.of("maintainers", ann)));
            assertStateServed(story, story.publish(story.state(ANN, "r", tip)));
            var refs = List.of(tip + " HEAD", tip + " refs/heads/main");
            assertEquals(refs, story.refs(ANN, "r"));
            assertEquals(refs, story.refs(BOB, "r"));
            story.git().assertSound(old.place(ANN, "r"));
            story.git().assertSound(old.place(BOB, "r"));
        }
    }

    @Test
    void fileOfWhatWaitedIsImportedWithWhatWasPushedBeforeItsEvent() throws Exception {
        var tip = old.commit("first");
        var unknown = old.aside("unknown");
        Event announcement;
        Event state;
        Event unseen;
        long now;
        try (var signer = new PushStory(directory.resolve("elsewhere"))) {
            announcement = signer.server().announcement(ANN, "r");
            state = signer.state(ANN, "r", tip);
            unseen = signer.proposal(BOB, unknown, coordinate(ANN, "r"));
            now = signer.server().now();
        }
        old.fill(ANN, "r", "refs/heads/main", tip, OldServer.ref(unseen), unknown);
        var file = Files.writeString(old.data().resolve("purgatory-state.json"), """
                {"version":1,"saved_at":{"secs_since_epoch":%d,"nanos_since_epoch":0},
                "announcement_purgatory":{"%s:r":{"event":%s,"identifier":"r","owner":"%s","repo_path":"/elsewhere",
                "relays":[],"created_at_offset_secs":0,"expires_at_offset_secs":600,"soft_expired":false}},
                "state_events":{"r":[{"event":%s,"identifier":"r","author":"%s","created_at_offset_secs":0,
                "expires_at_offset_secs":600}]},
                "pr_events":{"%s":{"event":null,"commit":"%s","created_at_offset_secs":0,
                "expires_at_offset_secs":600,"standard_refs":[{"owner":"%s","identifier":"r","commit":"%s"}]}},
                "expired_events":{}}
                """.formatted(
                        now,
                        announcement.author(),
                        announcement,
                        announcement.author(),
                        state,
                        state.author(),
                        unseen.id(),
                        unknown,
                        announcement.author(),
                        unknown));
        try (var story = new PushStory(directory)) {
            assertFalse(Files.exists(file));
            assertTrue(Files.exists(file.resolveSibling("purgatory-state.json.imported")));
            assertStateServed(story, state);
            assertTrue(story.server().isServed(announcement));
            assertEquals(List.of(tip + " HEAD", tip + " refs/heads/main"), story.refs(ANN, "r"));
            var row = story.placeholder(unseen.id()).orElseThrow();
            assertEquals(now + 600, row.expiresAt().getEpochSecond());
            assertEquals(1, story.areas().size());
            story.restart();
            assertEquals(row, story.placeholder(unseen.id()).orElseThrow());
            story.publish(unseen);
            story.server().awaitReconciled();
            assertTrue(story.shows(unseen, ANN, "r"));
            story.awaitNothingLeft();
        }
    }

    @Test
    void announcementThatExpiresLeavesWhatWasThereBefore() throws Exception {
        var tip = old.commit("first");
        old.fill(ANN, "r", "refs/heads/main", tip);
        var before = OldServer.files(old.place(ANN, "r"));
        try (var story = new PushStory(directory)) {
            story.publish(story.server().announcement(ANN, "r"));
            story.server().pass(Duration.ofMinutes(31));
            assertEquals(404, story.server().gitStatus(ANN, "r"));
            story.server().pass(Duration.ofHours(25));
            story.restart();
            assertEquals(before, OldServer.files(old.place(ANN, "r")));
            story.publish(story.server().announcement(ANN, "r"));
            assertStateServed(story, story.publish(story.state(ANN, "r", tip)));
            assertEquals(List.of(tip + " HEAD", tip + " refs/heads/main"), story.refs(ANN, "r"));
        }
    }

    @Test
    void plantedBranchReleasesNoAnnouncement() throws Exception {
        var tip = old.commit("first");
        old.fill(ANN, "r", "refs/heads/main", tip);
        try (var story = new PushStory(directory)) {
            var announcement = story.publish(story.server().announcement(ANN, "r"));
            story.server().awaitReconciled();
            story.restart();
            story.server().awaitReconciled();
            assertTrue(story.server().isHeld(announcement));
            assertEquals(List.of(), story.refs(ANN, "r"));
        }
    }

    @Test
    void announcementThatIsServedWithoutStateShowsNothingThatWasLeft() throws Exception {
        var tip = old.commit("first");
        old.fill(ANN, "r", "refs/heads/main", tip);
        Event announcement;
        Event state;
        try (var signer = new PushStory(directory.resolve("elsewhere"))) {
            announcement = signer.server().announcement(ANN, "r");
            state = signer.state(ANN, "r", tip);
        }
        bring(announcement);
        try (var story = new PushStory(directory)) {
            assertEquals(List.of(), story.refs(ANN, "r"));
            assertStateServed(story, story.publish(state));
            assertEquals(List.of(tip + " HEAD", tip + " refs/heads/main"), story.refs(ANN, "r"));
        }
    }

    @Test
    void damagedRepositoryShowsNothingUntilWhatIsMissingIsPushed() throws Exception {
        var tip = old.commit("first");
        var repository = old.fill(ANN, "r", "refs/heads/main", tip);
        var blob = old.git().ok(repository, "rev-parse", "main:first").strip();
        try (var story = new PushStory(directory)) {
            deleteObject(repository, blob);
            story.publish(story.server().announcement(ANN, "r"));
            var state = story.publish(story.state(ANN, "r", tip));
            story.server().awaitReconciled();
            assertTrue(story.server().isHeld(state));
            assertEquals(List.of(), story.refs(ANN, "r"));
            story.git()
                    .ok(
                            story.work(),
                            "pull",
                            "--quiet",
                            directory.resolve("old-home/old-work").toString(),
                            "main");
            story.push(ANN, "r", "main").orFail();
            assertStateServed(story, state);
            story.git().assertSound(repository);
        }
    }

    private void deleteObject(Path repository, String id) throws IOException {
        try (var packs = Files.newDirectoryStream(repository.resolve("objects/pack"), "*.pack")) {
            for (var pack : packs) {
                var moved = Files.move(pack, directory.resolve("taken.pack"));
                old.git().run(repository, Files.readAllBytes(moved), "unpack-objects", "-q");
            }
        }
        Files.delete(repository.resolve("objects", id.substring(0, 2), id.substring(2)));
    }

    @Test
    void halfOfWhatNobodyNeededAnyMoreIsNotTakenForTheWhole() throws Exception {
        var tip = old.commit("first");
        var half = old.aside("half");
        var repository = old.fill(ANN, "r", "refs/heads/main", tip, "refs/heads/gone", half);
        var blob = old.git().ok(repository, "rev-parse", "gone:half").strip();
        deleteObject(repository, blob);
        old.git().ok(repository, "update-ref", "-d", "refs/heads/gone");
        try (var story = new PushStory(directory)) {
            story.publish(story.server().announcement(ANN, "r"));
            assertStateServed(story, story.publish(story.state(ANN, "r", tip)));
            story.server().clock().advance(Duration.ofSeconds(1));
            var later = story.publish(story.state(ANN, "r", half));
            story.server().awaitReconciled();
            assertTrue(story.server().isHeld(later));
            story.restart();
            assertTrue(story.server().isHeld(later));
            assertEquals(List.of(tip + " HEAD", tip + " refs/heads/main"), story.refs(ANN, "r"));
        }
    }

    @Test
    void shallowRepositoryIsNotTakenForAWholeOne() throws Exception {
        old.commit("first");
        var tip = old.commit("second");
        var repository = old.repository(ANN, "r");
        old.git()
                .ok(
                        repository,
                        "fetch",
                        "--quiet",
                        "--depth=1",
                        "file://" + directory.resolve("old-home/old-work"),
                        "main:main");
        assertTrue(Files.exists(repository.resolve("shallow")));
        try (var story = new PushStory(directory)) {
            story.publish(story.server().announcement(ANN, "r"));
            var state = story.publish(story.state(ANN, "r", tip));
            story.server().awaitReconciled();
            assertTrue(story.server().isHeld(state));
            story.git()
                    .ok(
                            story.work(),
                            "pull",
                            "--quiet",
                            directory.resolve("old-home/old-work").toString(),
                            "main");
            story.push(ANN, "r", "main").orFail();
            assertStateServed(story, state);
            assertFalse(Files.exists(repository.resolve("shallow")));
            story.git().ok(story.work(), "clone", "--quiet", story.url(ANN, "r"), "copy");
            assertEquals(
                    "2",
                    story.git()
                            .ok(story.work().resolve("copy"), "rev-list", "--count", "HEAD")
                            .strip());
        }
    }

    @Test
    void pushIntoWhatWasLeftBringsOnlyWhatIsSigned() throws Exception {
        var tip = old.commit("first");
        var repository = old.fill(ANN, "r", "refs/heads/main", tip, "refs/heads/evil", tip);
        try (var story = new PushStory(directory)) {
            story.git()
                    .ok(
                            story.work(),
                            "pull",
                            "--quiet",
                            directory.resolve("old-home/old-work").toString(),
                            "main");
            var next = story.commit("next");
            story.publish(story.server().announcement(ANN, "r"));
            var state = story.publish(story.state(ANN, "r", next));
            story.push(ANN, "r", "main").orFail();
            assertStateServed(story, state);
            assertEquals(List.of(next + " HEAD", next + " refs/heads/main"), story.refs(ANN, "r"));
            story.git().assertSound(repository);
        }
    }

    @Test
    void takingOverThatWasCutShortIsRepeatedAndChangesNothingTwice() throws Exception {
        var tip = old.commit("first");
        var unknown = old.aside("unknown");
        try (var story = new PushStory(directory)) {
            var unseen = story.proposal(BOB, unknown, coordinate(ANN, "r"));
            var repository = old.fill(ANN, "r", "refs/heads/main", tip, OldServer.ref(unseen), unknown);
            var config = Files.readString(repository.resolve("config"));
            story.publish(story.server().announcement(ANN, "r"));
            assertStateServed(story, story.publish(story.state(ANN, "r", tip)));
            var row = story.placeholder(unseen.id()).orElseThrow();
            story.stop();
            Files.writeString(repository.resolve("config"), config); // as it is before the last step
            old.git().ok(repository, "update-ref", OldServer.ref(unseen), unknown);
            story.restart();
            Gauges.awaitThat("taken over again", () -> isOurs(repository));
            assertEquals(row, story.placeholder(unseen.id()).orElseThrow());
            assertEquals(1, story.areas().size());
            assertEquals(List.of(tip + " HEAD", tip + " refs/heads/main"), story.refs(ANN, "r"));
        }
    }

    private static boolean isOurs(Path repository) {
        try {
            return Files.readString(repository.resolve("config")).contains("[grapnel]");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
