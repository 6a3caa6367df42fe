package dev.grapnel.server;

import static dev.grapnel.server.GraspUnderTest.coordinate;
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
import dev.grapnel.store.table.Table;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What other lists than at the last start do to repositories that are here (service 4.12).
final class ListChangesTest {
    private static final int ANN = 1;
    private static final int BOB = 2;
    private static final int CAROL = 3;
    private static final String NPUB = new Npub(StoreSamples.author(ANN)).text();

    @TempDir
    Path directory = Path.of("");

    private final GraspUnderTest.Clock clock = new GraspUnderTest.Clock();
    private Event announcement;
    private Event state;
    private Event issue;

    private GraspUnderTest start(String... settings) {
        return GraspUnderTest.start(directory, clock, settings);
    }

    @BeforeEach
    void serve() throws Exception {
        try (var server = start();
                var client = server.connect()) {
            announcement = server.serve(server.announcement(ANN, "x"));
            server.serve(server.announcement(BOB, "y"));
            state = server.serve(server.state(ANN, "x"));
            issue = server.event(CAROL, 1621, List.of("a", coordinate(ANN, "x")));
            assertTaken(client, issue);
        }
    }

    private void assertOffline(GraspUnderTest server) throws Exception {
        server.sweep();
        assertEquals(404, server.gitStatus(ANN, "x"));
        assertFalse(server.isServed(announcement));
        assertFalse(server.isServed(state));
        assertTrue(server.isServed(issue));
        assertEquals(1, server.service().repositories().listTrash().size());
        assertEquals(200, server.gitStatus(BOB, "y"));
    }

    private void assertOnline(GraspUnderTest server) throws Exception {
        server.sweep();
        assertEquals(200, server.gitStatus(ANN, "x"));
        assertTrue(server.isServed(announcement));
        assertTrue(server.isServed(state));
        assertEquals(List.of(), server.service().repositories().listTrash());
        assertEquals(0, server.rows(Table.TRASHED_EVENTS));
    }

    @Test
    void nothingHappensWithoutAChange() throws Exception {
        try (var server = start()) {
            assertOnline(server);
        }
    }

    @Test
    void blacklistHitTakesARepositoryOfflineIntoTrash() throws Exception {
        for (var entry : List.of("x", NPUB, NPUB + "/x")) {
            try (var server = start("REPOSITORY_BLACKLIST", entry)) {
                assertOffline(server);
            }
            try (var server = start("BLACKLIST_AUTO_RESTORE", "true")) {
                assertOnline(server);
            }
        }
    }

    @Test
    void authorOnTheEventBlacklistLosesItsRepositories() throws Exception {
        try (var server = start("EVENT_BLACKLIST", NPUB)) {
            assertOffline(server);
        }
    }

    @Test
    void leavingTheBlacklistRestoresNothingUnlessTheOperatorWantsThat() throws Exception {
        try (var server = start("REPOSITORY_BLACKLIST", "x")) {
            assertOffline(server);
        }
        try (var server = start()) {
            assertOffline(server);
        }
        try (var server = start("BLACKLIST_AUTO_RESTORE", "true")) {
            assertOnline(server);
        }
    }

    /// Without tombstones: the owner may announce it again itself.
    @Test
    void afterLeavingTheBlacklistItsOwnerBringsItBackWithItsData() throws Exception {
        try (var server = start("REPOSITORY_BLACKLIST", "x");
                var client = server.connect()) {
            assertAnswer(client, announcement, false, "blocked: Repository identifier x is blacklisted");
        }
        try (var server = start();
                var client = server.connect()) {
            assertTaken(client, announcement);
            assertOnline(server);
        }
    }

    @Test
    void leavingTheWhitelistTakesARepositoryOfflineAndEnteringItAgainRestoresIt() throws Exception {
        try (var server = start("REPOSITORY_WHITELIST", "y")) {
            assertOffline(server);
        }
        try (var server = start("REPOSITORY_WHITELIST", "x,y")) {
            assertOnline(server);
        }
    }

    /// Unless the other list forbids it.
    @Test
    void neitherListRestoresWhatTheOtherForbids() throws Exception {
        try (var server = start("REPOSITORY_WHITELIST", "y")) {
            assertOffline(server);
        }
        try (var server = start("REPOSITORY_BLACKLIST", "x", "BLACKLIST_AUTO_RESTORE", "true")) {
            assertOffline(server);
        }
        try (var server = start("REPOSITORY_WHITELIST", "y", "BLACKLIST_AUTO_RESTORE", "true")) {
            assertOffline(server);
        }
        try (var server = start()) {
            assertOnline(server);
        }
    }

    @Test
    void archiveKeepsWhatTheWhitelistDoesNotName() throws Exception {
        try (var server = start("REPOSITORY_WHITELIST", "y", "ARCHIVE_WHITELIST", "x", "ARCHIVE_READ_ONLY", "false")) {
            assertOnline(server);
        }
    }

    @Test
    void afterTheRetentionNothingComesBack() throws Exception {
        try (var server = start("REPOSITORY_BLACKLIST", "x")) {
            assertOffline(server);
        }
        clock.advance(Duration.ofDays(91));
        try (var server = start("REPOSITORY_BLACKLIST", "x")) {
            server.sweep();
            assertEquals(List.of(), server.service().repositories().listTrash());
            assertEquals(0, server.rows(Table.TRASHED_EVENTS));
        }
        try (var server = start("BLACKLIST_AUTO_RESTORE", "true")) {
            server.sweep();
            assertEquals(404, server.gitStatus(ANN, "x"));
            assertFalse(server.isServed(announcement));
        }
    }

    @Test
    void afterTheRetentionNothingComesBackThoughTheListsChangeOnlyThen() throws Exception {
        try (var server = start("REPOSITORY_BLACKLIST", "x")) {
            assertOffline(server);
        }
        clock.advance(Duration.ofDays(91));
        try (var server = start("BLACKLIST_AUTO_RESTORE", "true")) {
            server.sweep();
            assertEquals(404, server.gitStatus(ANN, "x"));
            assertFalse(server.isServed(announcement));
        }
    }

    /// Held ones leave for good.
    @Test
    void blacklistedAnnouncementsThatWaitAreDropped() throws Exception {
        Event held;
        Event waiting;
        try (var server = start();
                var client = server.connect()) {
            held = server.announcement(CAROL, "z");
            assertHeld(client, held);
            waiting = server.state(CAROL, "z");
            assertHeld(client, waiting);
        }
        try (var log = LogWatch.on("dev.grapnel.purgatory");
                var server = start("REPOSITORY_BLACKLIST", "z")) {
            server.sweep();
            assertFalse(server.isHeld(held));
            assertFalse(server.isHeld(waiting));
            assertFalse(server.isOnDisk(CAROL, "z"));
            assertEquals(1.0, server.metric("purgatory_events_dropped_total{kind=\"30617\",reason=\"banned\"}"));
            assertEquals(1.0, server.metric("purgatory_events_dropped_total{kind=\"30618\",reason=\"orphaned\"}"));
            assertEquals(
                    List.of(
                            "INFO purgatory.dropped kind=30617 event=" + held.id() + " identifier=[z] reason=banned",
                            "INFO purgatory.dropped kind=30618 event=" + waiting.id()
                                    + " identifier=[z] reason=orphaned"),
                    log.lines("purgatory.dropped", 2));
        }
    }

    /// A reference that waits is served as soon as a repository is back that names its author.
    @Test
    void referenceReleasedByARestoredRepositoryCountsForTheStart() throws Exception {
        Event reference;
        try (var server = start();
                var client = server.connect()) {
            assertTaken(client, server.announcementAt(server.now() + 1, ANN, "x", maintainers(BOB)));
        }
        try (var server = start("REPOSITORY_BLACKLIST", NPUB + "/x");
                var client = server.connect()) {
            assertHeld(client, server.announcement(CAROL, "x", maintainers(BOB)));
            reference = server.elsewhere(BOB, "x");
            assertHeld(client, reference);
        }
        try (var server = start("BLACKLIST_AUTO_RESTORE", "true")) {
            assertTrue(server.isServed(reference));
            assertEquals(1.0, server.metric("purgatory_events_released_total{kind=\"30617\",path=\"startup\"}"));
        }
    }

    /// A confirmed maintainer keeps its say though its own repository was taken offline.
    @Test
    void repositoriesOfOthersFollowTheirOwnSets() throws Exception {
        Event bobs;
        try (var server = start();
                var client = server.connect()) {
            assertTaken(client, server.announcementAt(server.now() + 1, ANN, "x", maintainers(BOB)));
            bobs = server.serve(server.announcement(BOB, "x", maintainers(ANN)));
        }
        try (var server = start("REPOSITORY_BLACKLIST", NPUB + "/x")) {
            server.sweep();
            assertEquals(404, server.gitStatus(ANN, "x"));
            assertEquals(200, server.gitStatus(BOB, "x"));
            assertTrue(server.isServed(bobs));
            assertFalse(server.isServed(state), "nobody carries it any more");
        }
    }

    /// Nothing of a blacklisted author counts, so no repository carries its states, and they leave with its
    /// own.
    @Test
    void statesOfAnAuthorOnTheEventBlacklistLeaveThoughAnotherRepositoryStays() throws Exception {
        Event bobs;
        Event request;
        try (var server = start();
                var client = server.connect()) {
            assertTaken(client, server.announcementAt(server.now() + 1, ANN, "x", maintainers(BOB)));
            server.serve(server.announcement(BOB, "x", maintainers(ANN)));
            bobs = server.serve(server.state(BOB, "x"));
            request = server.serve(server.pullRequest(CAROL, ANN, "x"));
        }
        try (var server = start("EVENT_BLACKLIST", NPUB)) {
            server.sweep();
            assertEquals(404, server.gitStatus(ANN, "x"));
            assertEquals(200, server.gitStatus(BOB, "x"));
            assertFalse(server.isServed(state), "its author is no member any more");
            assertFalse(server.isServed(request));
            assertTrue(server.isServed(bobs));
            assertEquals(2, server.rows(Table.TRASHED_EVENTS));
        }
        try (var server = start("BLACKLIST_AUTO_RESTORE", "true")) {
            server.sweep();
            assertEquals(200, server.gitStatus(ANN, "x"));
            assertTrue(server.isServed(state));
            assertTrue(server.isServed(request));
            assertEquals(0, server.rows(Table.TRASHED_EVENTS));
        }
    }

    /// P-102, P-210: what never had data here is not served as a repository because other lists would let
    /// it; its owner has to announce it anew.
    @Test
    void referenceStaysOneThoughItWouldBeHostedNow() throws Exception {
        Event reference;
        try (var server = start()) {
            server.serve(server.announcement(BOB, "z", maintainers(CAROL)));
        }
        try (var server = start("REPOSITORY_WHITELIST", new Npub(StoreSamples.author(BOB)).text());
                var client = server.connect()) {
            reference = server.announcement(CAROL, "z", maintainers(BOB));
            assertTaken(client, reference);
            assertEquals(404, server.gitStatus(CAROL, "z"));
        }
        try (var server = start();
                var client = server.connect()) {
            server.sweep();
            assertTrue(server.isServed(reference));
            assertEquals(404, server.gitStatus(CAROL, "z"));
            assertFalse(server.isOnDisk(CAROL, "z"));
            assertHeld(client, server.announcementAt(server.now() + 1, CAROL, "z", maintainers(BOB)));
            assertTrue(server.isServed(reference));
            assertEquals(200, server.gitStatus(CAROL, "z"));
        }
    }

    /// What left with a repository comes back with it, unless its author is on a list by then.
    @Test
    void trashedEventsOfBlacklistedAuthorsDoNotComeBack() throws Exception {
        Event bobs;
        Event request;
        try (var server = start();
                var client = server.connect()) {
            assertTaken(client, server.announcementAt(server.now() + 1, ANN, "x", maintainers(BOB)));
            assertTaken(client, server.elsewhere(BOB, "x", maintainers(ANN)));
            bobs = server.serve(server.state(BOB, "x"));
            request = server.serve(server.pullRequest(BOB, ANN, "x"));
        }
        try (var server = start("REPOSITORY_BLACKLIST", "x")) {
            server.sweep();
            assertFalse(server.isServed(state));
            assertFalse(server.isServed(bobs));
            assertFalse(server.isServed(request));
        }
        var bob = new Npub(StoreSamples.author(BOB)).text();
        try (var server = start("EVENT_BLACKLIST", bob, "BLACKLIST_AUTO_RESTORE", "true");
                var client = server.connect()) {
            server.sweep();
            assertEquals(200, server.gitStatus(ANN, "x"));
            assertTrue(server.isServed(state));
            assertFalse(server.isServed(bobs));
            assertFalse(server.isServed(request));
            assertAnswer(client, bobs, false, "blocked: Event author " + bob + " is blacklisted");
        }
    }

    @Test
    void listsAreCounted() throws Exception {
        try (var server = start("REPOSITORY_BLACKLIST", "x")) {
            assertEquals(
                    1.0, server.metric("ngit_blacklist_deletions_total{phase=\"succeeded\",result=\"succeeded\"}"));
        }
        try (var server = start("BLACKLIST_AUTO_RESTORE", "true")) {
            assertEquals(
                    1.0, server.metric("ngit_blacklist_startup_restore_total{reason=\"list\",result=\"restored\"}"));
        }
    }

    /// A newer announcement that came meanwhile, as a reference, brings the repository back as well.
    @Test
    void repositoryComesBackThoughItsOwnerHasAnnouncedItAnewMeanwhile() throws Exception {
        Event newer;
        try (var server = start()) {
            server.serve(server.announcement(BOB, "x", maintainers(ANN)));
        }
        try (var server = start("REPOSITORY_WHITELIST", new Npub(StoreSamples.author(BOB)).text());
                var client = server.connect()) {
            assertOffline(server);
            newer = server.announcementAt(server.now() + 1, ANN, "x", List.of("name", "anew"));
            assertTaken(client, newer);
            assertEquals(404, server.gitStatus(ANN, "x"));
        }
        try (var server = start()) {
            server.sweep();
            assertEquals(200, server.gitStatus(ANN, "x"));
            assertTrue(server.isServed(newer));
            assertTrue(server.isServed(state));
            assertEquals(List.of(), server.service().repositories().listTrash());
        }
    }

    /// If that does not ask for a repository, the old one stays where it is.
    @Test
    void repositoryStaysInTheTrashIfItsOwnerHasGoneElsewhereMeanwhile() throws Exception {
        try (var server = start()) {
            server.serve(server.announcement(BOB, "x", maintainers(ANN)));
        }
        try (var server = start("REPOSITORY_WHITELIST", new Npub(StoreSamples.author(BOB)).text());
                var client = server.connect()) {
            assertTaken(client, server.elsewhereAt(server.now() + 1, ANN, "x"));
        }
        try (var server = start();
                var client = server.connect()) {
            server.sweep();
            assertEquals(404, server.gitStatus(ANN, "x"));
            assertEquals(1, server.service().repositories().listTrash().size());
            assertTaken(client, server.announcementAt(server.now() + 2, ANN, "x"));
            assertEquals(200, server.gitStatus(ANN, "x"));
            assertTrue(server.isServed(state));
        }
    }
}
