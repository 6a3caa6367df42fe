package dev.grapnel.server;

import static dev.grapnel.server.GraspUnderTest.coordinate;
import static dev.grapnel.server.GraspUnderTest.maintainers;
import static dev.grapnel.server.PushStory.ANN;
import static dev.grapnel.server.PushStory.BOB;
import static dev.grapnel.server.PushStory.CAROL;
import static dev.grapnel.server.PushStory.ref;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.purgatory.Admitted;
import dev.grapnel.store.row.Upload;
import dev.grapnel.store.table.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Pull requests and the pushes that belong to them, in both orders (purgatory 4, service A.5). Numbers are rows of
/// purgatory 11.
final class ProposalPushTest {
    private static final String X = "x";

    @TempDir
    Path directory = Path.of("");

    private PushStory story;

    @BeforeEach
    void begin() throws IOException {
        story = new PushStory(directory);
    }

    @AfterEach
    void end() {
        story.close();
    }

    private Event proposal(String commit) {
        return story.proposal(CAROL, commit, coordinate(ANN, X));
    }

    /// Row 67.
    @Test
    void eventFirstThenItsCommitIsServedInEveryMaintainersRepository() {
        story.serve(ANN, X, maintainers(BOB));
        story.publish(story.server().announcement(BOB, X, maintainers(ANN)));
        var event = proposal(story.aside("pr"));
        story.publish(event);
        assertTrue(story.server().isHeld(event));
        story.propose("pr", event, ANN, X).orFail();
        assertTrue(story.server().isServed(event));
        assertTrue(story.shows(event, ANN, X));
        assertTrue(story.shows(event, BOB, X));
        story.awaitNothingLeft();
    }

    /// Row 68, R11.
    @Test
    void eventFirstThenAnotherCommitIsRefused() {
        story.serve(ANN, X);
        var right = story.aside("pr");
        var wrong = story.aside("other");
        var event = story.publish(proposal(right));
        var told = story.propose("other", event, ANN, X).orSucceed();
        assertTrue(
                told.contains("PR event " + event.id() + " specifies commit " + right + ", but push contains " + wrong),
                told);
        assertTrue(story.server().isHeld(event));
        story.awaitNothingLeft();
    }

    /// Row 69, R8, R5.
    @Test
    void pushFirstThenItsEventIsServedAtOnce() throws IOException {
        story.serve(ANN, X);
        var commit = story.aside("pr");
        var event = proposal(commit);
        story.propose("pr", event, ANN, X).orFail();
        assertEquals(
                commit, story.placeholder(event.id()).orElseThrow().commit().toString());
        assertEquals(1, story.areas().size());
        assertFalse(story.shows(event, ANN, X));
        assertEquals(new Admitted.Released(), story.server().direct(event));
        assertTrue(story.server().isServed(event));
        assertTrue(story.shows(event, ANN, X));
        story.git().assertSound(story.onDisk(ANN, X));
        story.awaitNothingLeft();
        assertEquals(1, story.count("promoted"));
    }

    /// Row 70, R6.
    @Test
    void pushFirstThenAnEventWithAnotherCommitLosesTheUploadAndWaits() throws Exception {
        story.serve(ANN, X);
        var right = story.aside("pr");
        var wrong = story.aside("other");
        var event = proposal(right);
        story.propose("other", event, ANN, X).orFail();
        try (var log = LogWatch.on("dev.grapnel.purgatory")) {
            story.publish(event);
            assertEquals(
                    List.of("INFO purgatory.mismatch event=" + event.id() + " expected=" + right + " found=" + wrong),
                    log.lines("purgatory.mismatch", 1));
        }
        assertTrue(story.server().isHeld(event));
        assertEquals(List.of(), story.areas());
        story.awaitNothingLeft();
        assertEquals(1, story.count("mismatch"));
        story.propose("pr", event, ANN, X).orFail();
        assertTrue(story.server().isServed(event));
    }

    /// Row 70, the second half of R6: the signed commit came along with the one that was pushed.
    @Test
    void eventThatNamesAnEarlierCommitOfTheUploadIsServedFromIt() {
        story.serve(ANN, X);
        story.git().ok(story.work(), "checkout", "--quiet", "-b", "pr");
        var earlier = story.commit("one");
        var later = story.commit("two");
        var event = proposal(earlier);
        story.propose(later, event, ANN, X).orFail();
        assertEquals(new Admitted.Released(), story.server().direct(event));
        assertTrue(story.shows(event, ANN, X));
        assertTrue(story.has(ANN, X, earlier));
        assertFalse(story.has(ANN, X, later));
        story.awaitNothingLeft();
    }

    /// Rows 71 and 198, R9.
    @Test
    void sameCommitAgainKeepsItsDeadlineAndAnotherIsRefused() throws IOException {
        story.serve(ANN, X);
        story.serve(BOB, "y");
        story.aside("pr");
        story.aside("other");
        var event = proposal("1".repeat(40));
        story.propose("pr", event, ANN, X).orFail();
        var row = story.placeholder(event.id()).orElseThrow();
        assertEquals(story.server().clock().instant().plus(Duration.ofMinutes(30)), row.expiresAt());
        story.server().clock().advance(Duration.ofMinutes(10));
        story.propose("pr", event, ANN, X).orFail();
        assertEquals(row, story.placeholder(event.id()).orElseThrow());
        assertEquals(1, story.areas().size());
        var told = story.propose("other", event, ANN, X).orSucceed();
        assertTrue(told.contains("ref " + ref(event) + " already holds a different commit"), told);
        story.propose("pr", event, BOB, "y").orFail();
        var both = story.placeholder(event.id()).orElseThrow();
        assertEquals(row.expiresAt(), both.expiresAt());
        assertEquals(2, both.pushedTo().size());
        assertEquals(2, story.areas().size());
        assertEquals(story.bytes(), story.countedBytes());
    }

    /// Row 72, R15.
    @Test
    void uploadWithoutEventIsGoneAfterHalfAnHour() {
        story.serve(ANN, X);
        var commit = story.aside("pr");
        var event = proposal(commit);
        story.propose("pr", event, ANN, X).orFail();
        story.server().pass(Duration.ofMinutes(29));
        assertTrue(story.placeholder(event.id()).isPresent());
        story.server().pass(Duration.ofMinutes(1));
        story.awaitNothingLeft();
        assertEquals(1, story.count("expired"));
        assertEquals(0, story.server().rows(Table.EXPIRED_EVENTS));
        assertFalse(story.has(ANN, X, commit));
    }

    /// Row 73.
    @Test
    void mixedPushWhoseBranchIsRefusedLeavesNothing() {
        story.serve(ANN, X);
        var event = proposal(story.aside("pr"));
        story.commit("unsigned");
        story.push(ANN, X, "main", "pr:" + ref(event)).orSucceed();
        story.awaitNothingLeft();
        assertFalse(story.shows(event, ANN, X));
    }

    /// Row 73, P-241: the repository's refs cannot be written, those of another maintainer can.
    @Test
    void mixedPushWhoseBranchesCannotBeWrittenReleasesNoProposal() throws IOException {
        story.serve(ANN, X, maintainers(BOB));
        story.publish(story.server().announcement(BOB, X, maintainers(ANN)));
        var known = story.publish(proposal(story.aside("one")));
        var unknown = proposal(story.aside("two"));
        var next = story.commit("next");
        story.server().clock().advance(Duration.ofMinutes(1));
        story.publish(story.state(ANN, X, next));
        Files.createFile(story.onDisk(ANN, X).resolve("packed-refs.lock"));
        story.push(ANN, X, "main", "one:" + ref(known), "two:" + ref(unknown)).orSucceed();
        assertTrue(story.refs(BOB, X).contains(next + " refs/heads/main"));
        assertTrue(story.server().isHeld(known));
        assertFalse(story.shows(known, BOB, X));
        story.awaitNothingLeft();
    }

    /// Row 74, R12.
    @Test
    void proposalRefCannotBeDeletedByPush() {
        story.serve(ANN, X);
        var event = story.publish(proposal(story.aside("pr")));
        story.propose("pr", event, ANN, X).orFail();
        var told = story.push(ANN, X, ":" + ref(event)).orSucceed();
        assertTrue(told.contains("refs/nostr refs cannot be deleted by push"), told);
        assertTrue(story.shows(event, ANN, X));
    }

    /// Row 75.
    @Test
    void proposalForOneOwnerIsNotWrittenIntoAnothersRepositoryOfTheSameName() throws IOException {
        story.serve(ANN, X);
        story.serve(BOB, X);
        var commit = story.aside("pr");
        var event = proposal(commit);
        story.propose("pr", event, BOB, X).orFail();
        assertEquals(new Admitted.Released(), story.server().direct(event)); // what was pushed for it counts anywhere
        assertTrue(story.shows(event, ANN, X));
        assertFalse(story.shows(event, BOB, X));
        assertFalse(story.has(BOB, X, commit));
    }

    /// Row 75, service 6.4.3: delivered elsewhere, under another name too.
    @Test
    void commitPushedToAnotherRepositoryIsDeliveredToTheTargets() throws Exception {
        story.serve(ANN, X);
        story.serve(BOB, "y");
        var event = story.publish(proposal(story.aside("pr")));
        story.propose("pr", event, BOB, "y").orFail();
        Gauges.awaitThat("the event to be served", () -> story.server().isServed(event));
        assertTrue(story.shows(event, ANN, X));
        assertFalse(story.shows(event, BOB, "y"));
        story.awaitNothingLeft();
    }

    /// Row 76.
    @Test
    void commitThatComesWithABranchReleasesTheProposal() {
        story.serve(ANN, X);
        var next = story.commit("next");
        var event = story.publish(proposal(next));
        story.server().clock().advance(Duration.ofSeconds(1));
        story.publish(story.state(ANN, X, next));
        story.push(ANN, X, "main").orFail();
        assertTrue(story.server().isServed(event));
        assertTrue(story.shows(event, ANN, X));
    }

    /// Rows 77 and 193, P-243, R10.
    @Test
    void proposalForAHeldAnnouncementWaitsInItsAreaUntilThatIsServed() throws IOException {
        story.publish(story.server().announcement(ANN, X));
        var first = story.commit("first");
        var commit = story.aside("pr");
        var event = story.publish(proposal(commit));
        story.propose("pr", event, ANN, X).orFail();
        assertTrue(story.server().isHeld(event));
        assertEquals(1, story.held(event).pushedTo().size());
        assertEquals(1, story.areas().size());
        assertFalse(story.has(ANN, X, commit));
        story.publish(story.state(ANN, X, first));
        story.push(ANN, X, "main").orFail();
        assertTrue(story.server().isServed(event));
        assertTrue(story.shows(event, ANN, X));
        story.awaitNothingLeft();
    }

    /// Rows 80 and 193, R14, R16, R17.
    @Test
    void uploadGoesWithItsHeldEvent() throws IOException {
        story.publish(story.server().announcement(ANN, X));
        story.commit("first");
        var deleted = story.publish(proposal(story.aside("one")));
        var expiring = story.publish(proposal(story.aside("two")));
        var unknown = proposal(story.aside("three"));
        story.propose("one", deleted, ANN, X).orFail();
        story.propose("two", expiring, ANN, X).orFail();
        story.propose("three", unknown, ANN, X).orFail();
        story.publish(story.server().deletion(BOB, deleted));
        assertEquals(3, story.areas().size());
        story.publish(story.server().deletion(CAROL, deleted, unknown));
        Gauges.awaitThat("its area to go", () -> story.server().metric("purgatory_staging_areas") == 2);
        assertEquals(2, story.areas().size());
        assertTrue(story.placeholder(unknown.id()).isPresent());
        story.server().clock().advance(Duration.ofMinutes(5));
        story.publish(story.state(ANN, X, story.commit("absent"))); // so that the announcement stays
        story.server().pass(Duration.ofMinutes(25));
        assertFalse(story.server().isHeld(expiring));
        assertFalse(story.server().isServed(expiring));
        assertTrue(story.server().isOnDisk(ANN, X));
        story.awaitNothingLeft();
        assertEquals(2, story.count("expired"));
    }

    /// Row 78, R7, as far as there are such uploads: made from another one.
    @Test
    void uploadThroughAnothersContributorDoorDoesNotCount() throws IOException {
        story.serve(ANN, X);
        var event = proposal(story.aside("pr"));
        story.propose("pr", event, ANN, X).orFail();
        story.server().write(transaction -> {
            var row = story.placeholder(event.id()).orElseThrow();
            var upload = row.pushedTo().getFirst();
            transaction.put(row.withPushedTo(List.of(new Upload(
                    GraspUnderTest.address(BOB, X), Upload.Endpoint.CONTRIBUTOR, upload.area(), false, ""))));
            return true;
        });
        story.restart();
        story.publish(event);
        assertTrue(story.server().isHeld(event));
        assertEquals(List.of(), story.held(event).pushedTo());
        story.awaitNothingLeft();
    }

    /// A11: what went into a repository that is taken away goes with it.
    @Test
    void uploadsEndWithTheRepositoryTheyWentInto() {
        story.publish(story.server().announcement(ANN, X));
        story.commit("first");
        story.aside("pr");
        story.server().clock().advance(Duration.ofMinutes(20));
        var event = proposal("1".repeat(40));
        story.propose("pr", event, ANN, X).orFail();
        story.server().pass(Duration.ofMinutes(10));
        assertTrue(story.placeholder(event.id()).isEmpty());
        story.awaitNothingLeft();
    }
}
