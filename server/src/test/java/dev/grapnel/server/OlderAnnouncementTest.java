package dev.grapnel.server;

import static dev.grapnel.server.GraspUnderTest.address;
import static dev.grapnel.server.GraspUnderTest.maintainers;
import static dev.grapnel.server.Replies.assertAnswer;
import static dev.grapnel.server.Replies.assertHeld;
import static dev.grapnel.server.Replies.assertTaken;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.engine.TableStore;
import dev.grapnel.store.table.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Only a newer announcement than the one that left brings a repository back from the trash (service 4.9.5,
/// README I-10): whoever kept an older one cannot undo what its owner has done.
final class OlderAnnouncementTest extends GraspWireTest {
    private static final int ANN = 1;
    private static final int BOB = 2;

    private Event older;
    private Event announcement;
    private Event state;

    @BeforeEach
    void serve() throws IOException {
        serveRepository(List.of("name", "x"));
    }

    /// A repository of which somebody kept an older announcement.
    private void serveRepository(List<String> more) throws IOException {
        server.clock().advance(Duration.ofMinutes(1));
        older = server.announcementAt(server.now() - 10, ANN, "x");
        announcement = server.serve(server.announcement(ANN, "x", more));
        state = server.serve(server.state(ANN, "x"));
    }

    private void deleteRepository() throws IOException {
        assertTaken(client, server.deletion(ANN, announcement));
        server.sweep();
        server.clock().advance(Duration.ofMinutes(1));
    }

    private int inTrash() throws IOException {
        return server.service().repositories().listTrash().size();
    }

    private boolean isEmpty() throws IOException {
        try (var lease = server.service().repositories().find(address(ANN, "x")).orElseThrow()) {
            return lease.refs().current().isEmpty();
        }
    }

    private void assertBegunAnew() throws Exception {
        server.sweep();
        assertTrue(server.isHeld(older));
        assertFalse(server.isServed(state));
        assertEquals(200, server.gitStatus(ANN, "x"));
        assertTrue(isEmpty());
        assertEquals(1, inTrash());
        assertEquals(1, server.rows(Table.TRASHED_EVENTS));
    }

    private void assertRestored(Event newer) throws Exception {
        assertTaken(client, newer);
        server.sweep();
        assertTrue(server.isServed(newer));
        assertFalse(server.isHeld(older));
        assertTrue(server.isServed(state));
        assertFalse(isEmpty());
        assertEquals(0, inTrash());
        assertEquals(0, server.rows(Table.TRASHED_EVENTS));
    }

    @Test
    void olderVersionOfADeletedAnnouncementBeginsEmptyAndLeavesTheTrashAlone() throws Exception {
        deleteRepository();
        assertHeld(client, older);
        assertBegunAnew();
    }

    @Test
    void newerVersionBringsTheDataBackThoughAnOlderOneWaits() throws Exception {
        deleteRepository();
        assertHeld(client, older);
        assertRestored(server.announcement(ANN, "x"));
    }

    @Test
    void olderVersionThatWaitsInVainLeavesNothingBehindAndTheTrashAlone() throws Exception {
        deleteRepository();
        assertHeld(client, older);
        server.pass(Duration.ofMinutes(31));
        assertFalse(server.isOnDisk(ANN, "x"));
        assertEquals(1, inTrash());
        server.pass(Duration.ofHours(25));
        assertFalse(server.isHeld(older));
        assertFalse(server.isOnDisk(ANN, "x"));
        assertEquals(1, inTrash());
        assertRestored(server.announcement(ANN, "x"));
    }

    @Test
    void olderVersionThatIsDeletedTooLeavesTheTrashAlone() throws Exception {
        deleteRepository();
        assertHeld(client, older);
        assertTaken(client, server.deletion(ANN, older));
        server.sweep();
        assertFalse(server.isOnDisk(ANN, "x"));
        assertEquals(1, inTrash());
        assertRestored(server.announcement(ANN, "x"));
    }

    @Test
    void stateThatRevivesAnOlderVersionBringsNothingBack() throws Exception {
        deleteRepository();
        assertHeld(client, older);
        server.pass(Duration.ofMinutes(31));
        assertHeld(client, server.stateAt(server.now(), ANN, "x", List.of("refs/heads/main", "4".repeat(40))));
        assertBegunAnew();
    }

    /// Data that comes for an older version is a new life: what the old one had stays where it is until its
    /// time ends, and the events that lack their objects now do not come back.
    @Test
    void dataForAnOlderVersionBringsNothingBackFromTheTrash() throws Exception {
        deleteRepository();
        assertHeld(client, older);
        server.serve(older);
        server.sweep();
        assertTrue(server.isServed(older));
        assertFalse(server.isServed(state));
        assertEquals(1, inTrash());
        assertTaken(client, server.announcement(ANN, "x"));
        assertFalse(server.isServed(state));
        assertEquals(1, inTrash());
    }

    @Test
    void trashBehindANewLifeEndsWithItsTime(@TempDir Path directory) throws Exception {
        var clock = new GraspUnderTest.Clock();
        try (var first = GraspUnderTest.start(directory, clock);
                var speaker = first.connect()) {
            clock.advance(Duration.ofMinutes(1));
            var kept = first.announcementAt(first.now() - 10, ANN, "x");
            var deleted = first.serve(first.announcement(ANN, "x"));
            assertTaken(speaker, first.deletion(ANN, deleted));
            first.sweep();
            assertHeld(speaker, kept);
            first.serve(kept);
        }
        clock.advance(Duration.ofDays(91));
        try (var second = GraspUnderTest.start(directory, clock)) {
            assertEquals(200, second.gitStatus(ANN, "x"));
            assertEquals(List.of(), second.service().repositories().listTrash());
        }
    }

    @Test
    void olderVersionOfAnExpiredAnnouncementBeginsEmpty() throws Exception {
        serveRepository(List.of("expiration", Long.toString(server.now() + 600)));
        server.clock().advance(Duration.ofMinutes(20));
        ((TableStore) server.store()).sweep().join();
        server.sweep();
        assertHeld(client, older);
        assertBegunAnew();
        assertRestored(server.announcement(ANN, "x"));
    }

    /// Until what has expired is swept its repository is still here.
    @Test
    void olderVersionOfAnAnnouncementThatHasJustExpiredBringsNothingBack() throws Exception {
        serveRepository(List.of("expiration", Long.toString(server.now() + 600)));
        server.clock().advance(Duration.ofMinutes(20));
        assertAnswer(client, older, false, "duplicate: have a newer version");
        assertAnswer(
                client, server.elsewhereAt(older.createdAt() + 1, ANN, "x"), false, "duplicate: have a newer version");
        assertFalse(server.isServed(older));
        ((TableStore) server.store()).sweep().join();
        server.sweep();
        assertEquals(404, server.gitStatus(ANN, "x"));
        assertHeld(client, older);
        assertBegunAnew();
    }

    /// What lists took away and give back is the newest there is.
    @Test
    void listsRestoreTheNewestAnnouncementThoughAnOlderOneIsServedAsReference(@TempDir Path directory)
            throws Exception {
        var clock = new GraspUnderTest.Clock();
        clock.advance(Duration.ofMinutes(1));
        Event newest;
        try (var first = GraspUnderTest.start(directory, clock)) {
            first.serve(first.announcement(BOB, "x", maintainers(ANN)));
            newest = first.serve(first.announcement(ANN, "x", maintainers(BOB)));
        }
        var npub = new Npub(StoreSamples.author(BOB)).text();
        try (var second = GraspUnderTest.start(directory, clock, "REPOSITORY_WHITELIST", npub);
                var speaker = second.connect()) {
            assertFalse(second.isServed(newest));
            assertTaken(speaker, second.announcementAt(second.now() - 10, ANN, "x", maintainers(BOB)));
        }
        try (var third = GraspUnderTest.start(directory, clock)) {
            assertTrue(third.isServed(newest));
            assertEquals(200, third.gitStatus(ANN, "x"));
        }
    }
}
