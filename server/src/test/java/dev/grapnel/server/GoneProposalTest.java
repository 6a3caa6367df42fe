package dev.grapnel.server;

import static dev.grapnel.server.GraspUnderTest.coordinate;
import static dev.grapnel.server.GraspUnderTest.maintainers;
import static dev.grapnel.server.PushStory.ANN;
import static dev.grapnel.server.PushStory.BOB;
import static dev.grapnel.server.PushStory.CAROL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.store.StoreSamples;
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

/// Refs of pull requests that are gone for good go as well, wherever they are (service 4.9.5, 4.9.8).
final class GoneProposalTest {
    private static final String X = "x";

    @TempDir
    private Path directory;

    private PushStory story;

    @BeforeEach
    void open() throws IOException {
        story = new PushStory(directory);
    }

    @AfterEach
    void close() {
        story.close();
    }

    private Event propose() {
        var proposal = story.proposal(CAROL, story.aside("side"), coordinate(ANN, X));
        story.publish(proposal);
        story.propose("side", proposal, ANN, X).orFail();
        assertTrue(story.server().isServed(proposal));
        return proposal;
    }

    private boolean isOnDisk(Event proposal, int owner) throws IOException {
        return Files.readString(story.onDisk(owner, X).resolve("packed-refs")).contains(PushStory.ref(proposal));
    }

    /// Takes Ann's repository offline, into the trash.
    private void removeAnnouncement() throws Exception {
        story.server().pass(Duration.ofSeconds(1));
        story.publish(story.server().deletionAt(story.server().now(), ANN, List.of(List.of("a", coordinate(ANN, X)))));
        story.server().awaitReconciled();
    }

    private void announceAgain() throws Exception {
        story.server().pass(Duration.ofSeconds(1));
        story.publish(story.server().announcement(ANN, X));
        story.server().awaitReconciled();
    }

    @Test
    void refGoesWhenItsAuthorTookItBackWhileTheRepositoryWasInTheTrash() throws Exception {
        story.serve(ANN, X);
        var proposal = propose();
        removeAnnouncement();
        story.server().pass(Duration.ofSeconds(1));
        story.publish(story.server().deletion(CAROL, proposal));
        announceAgain();
        assertFalse(story.server().isServed(proposal));
        assertFalse(isOnDisk(proposal, ANN));
    }

    @Test
    void refGoesWhenItsAuthorVanishedWhileTheRepositoryWasInTheTrash() throws Exception {
        story.serve(ANN, X);
        var proposal = propose();
        removeAnnouncement();
        story.server().pass(Duration.ofSeconds(1));
        story.publish(StoreSamples.event(
                CAROL, Kinds.VANISH, story.server().now(), List.of(List.of("relay", "ALL_RELAYS")), ""));
        story.server().awaitReconciled();
        assertEquals(1, story.server().rows(Table.REPAIRS), "it is remembered until the repository comes back");
        announceAgain();
        assertFalse(isOnDisk(proposal, ANN));
        assertEquals(0, story.server().rows(Table.REPAIRS));
    }

    @Test
    void refStaysWithAProposalThatComesBackWithItsRepository() throws Exception {
        story.serve(ANN, X);
        var proposal = propose();
        removeAnnouncement();
        announceAgain();
        assertTrue(story.server().isServed(proposal));
        assertTrue(story.shows(proposal, ANN, X));
    }

    @Test
    void refOfAProposalInTheTrashIsExplained() throws Exception {
        story.serve(ANN, X, maintainers(BOB));
        story.publish(story.server().announcement(BOB, X, maintainers(ANN)));
        var proposal = propose();
        removeAnnouncement();
        assertFalse(story.shows(proposal, BOB, X));
        assertTrue(isOnDisk(proposal, BOB));
        story.server().pass(Duration.ofDays(8));
        story.server().service().compareIfDue();
        assertEquals(0, story.server().metric("purgatory_integrity_findings{kind=\"pr_ref\"}"));
    }
}
