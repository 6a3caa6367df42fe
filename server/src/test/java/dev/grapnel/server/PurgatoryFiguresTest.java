package dev.grapnel.server;

import static dev.grapnel.server.GraspUnderTest.maintainers;
import static dev.grapnel.server.Replies.assertHeld;
import static dev.grapnel.server.Replies.assertTaken;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.row.HeldAnnouncement.Phase;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// What operators see of purgatory and can set about it (purgatory 9 and 10). Numbers are rows of purgatory
/// 11.
final class PurgatoryFiguresTest {
    private static final int ANN = 1;
    private static final int BOB = 2;
    private static final int CAROL = 3;

    /// Row 172: every setting that is effective changes what it says.
    @Test
    void timesAreTheConfiguredOnes() throws Exception {
        try (var server = GraspUnderTest.start(
                        "PURGATORY_EXPIRY_SECS",
                        "200",
                        "PURGATORY_SOFT_EXPIRY_SECS",
                        "310",
                        "PURGATORY_EXPIRED_RETENTION_SECS",
                        "400");
                var client = server.connect()) {
            var announcement = server.announcement(ANN, "x");
            assertHeld(client, announcement);
            assertEquals(Duration.ofSeconds(200), server.left(announcement));
            server.pass(Duration.ofSeconds(200));
            assertEquals(Phase.SOFT_EXPIRED, server.phase(announcement));
            assertEquals(Duration.ofSeconds(310), server.left(announcement));
            server.pass(Duration.ofSeconds(310));
            assertTrue(server.expired(announcement).isPresent());
            server.pass(Duration.ofSeconds(400));
            assertTrue(server.expired(announcement).isEmpty());
        }
    }

    /// Row 173.
    @Test
    void everythingThatHappensIsCounted() throws Exception {
        try (var server = GraspUnderTest.start();
                var client = server.connect()) {
            var announcement = server.announcement(ANN, "x", maintainers(BOB));
            assertHeld(client, announcement);
            assertHeld(client, server.elsewhere(BOB, "x", maintainers(ANN)));
            assertHeld(client, server.state(ANN, "x"));
            assertTrue(server.sync(server.pullRequest(CAROL, ANN, "x")).isAccepted());
            assertTaken(client, server.deletion(7, server.event(7, 1)));
            assertEquals(1.0, server.metric("purgatory_entries{store=\"announcement\"}"));
            assertEquals(1.0, server.metric("purgatory_entries{store=\"reference\"}"));
            assertEquals(1.0, server.metric("purgatory_entries{store=\"state\"}"));
            assertEquals(1.0, server.metric("purgatory_entries{store=\"pr\"}"));
            assertEquals(0.0, server.metric("purgatory_entries{store=\"placeholder\"}"));
            assertEquals(1.0, server.metric("purgatory_events_held_total{kind=\"30618\",source=\"direct\"}"));
            assertEquals(1.0, server.metric("purgatory_events_held_total{kind=\"1618\",source=\"sync\"}"));
            server.pass(Duration.ofMinutes(30));
            assertEquals(1.0, server.metric("purgatory_entries{store=\"announcement_soft\"}"));
            assertEquals(1.0, server.metric("purgatory_repos_deleted_total"));
            assertEquals(2.0, server.metric("purgatory_expired_memory_size"));
            assertEquals(2.0, server.metric("purgatory_dormant_records"));
            assertEquals(1.0, server.metric("purgatory_events_dropped_total{kind=\"30618\",reason=\"expired\"}"));
            assertEquals(1.0, server.metric("purgatory_hold_seconds_count{kind=\"30618\",outcome=\"expired\"}"));
            assertHeld(client, server.state(ANN, "x"));
            assertEquals(1.0, server.metric("purgatory_revivals_total"));
            server.serve(announcement);
            assertEquals(1.0, server.metric("purgatory_events_released_total{kind=\"30617\",path=\"membership\"}"));
            assertTaken(client, server.deletion(ANN, server.state(ANN, "x")));
            assertEquals(1.0, server.metric("purgatory_events_dropped_total{kind=\"30618\",reason=\"deleted\"}"));
            assertNothingOfStrangers(server.service().metrics().scrape());
        }
    }

    /// Row 173: by the kinds of P-701. Each transaction counts once, whatever else it does.
    @Test
    void transactionsAreCountedByWhatTheyWereFor() throws Exception {
        try (var server = GraspUnderTest.start();
                var client = server.connect()) {
            assertHeld(client, server.announcement(ANN, "x"));
            var newer = server.announcementAt(server.now() + 1, ANN, "x");
            assertHeld(client, newer);
            assertTransactions(server, "hold", 2);
            assertTransactions(server, "drop", 0);
            server.pass(Duration.ofMinutes(30));
            assertTransactions(server, "soften", 1);
            assertTaken(client, server.deletion(7, server.event(7, 1)));
            assertTransactions(server, "gate", 1);
            var state = server.state(ANN, "x");
            assertHeld(client, state);
            assertTransactions(server, "hold", 3);
            server.purgatory().drop(state.id());
            assertTransactions(server, "drop", 1);
            server.pass(Duration.ofMinutes(30));
            assertTransactions(server, "soften", 2);
            server.serve(newer);
            assertTransactions(server, "release", 1);
            assertTaken(client, server.deletion(ANN, newer));
            assertTransactions(server, "deletion", 1);
            assertTaken(client, server.event(ANN, 62, List.of("relay", "ALL_RELAYS")));
            assertTransactions(server, "vanish", 1);
            server.purgatory().ban(StoreSamples.author(BOB), "spam");
            assertTransactions(server, "ban", 1);
            assertTransactions(server, "drop", 1);
            assertTransactions(server, "gate", 1);
        }
    }

    private static void assertTransactions(GraspUnderTest server, String kind, int count) {
        assertEquals(count, server.metric("purgatory_store_transactions_total{kind=\"" + kind + "\"}"), kind);
        assertEquals(count, server.metric("purgatory_store_commit_seconds_count{kind=\"" + kind + "\"}"), kind);
    }

    /// A held announcement that is sent again gets its repository back, and nothing else happens.
    @Test
    void revivalIsATransactionOfItsOwn() throws Exception {
        try (var server = GraspUnderTest.start();
                var client = server.connect()) {
            var announcement = server.announcement(ANN, "x");
            assertHeld(client, announcement);
            server.pass(Duration.ofMinutes(30));
            assertEquals(Phase.SOFT_EXPIRED, server.phase(announcement));
            assertTrue(server.direct(announcement).isAccepted());
            assertEquals(Phase.ACTIVE, server.phase(announcement));
            assertTransactions(server, "revive", 1);
            assertTransactions(server, "hold", 1);
        }
    }

    /// Labels hold no identifier, id, key or URL.
    private static void assertNothingOfStrangers(String scrape) {
        var lines = scrape.lines().filter(line -> line.startsWith("purgatory_")).toList();
        assertFalse(lines.isEmpty());
        for (var whole : lines) {
            var line = whole.substring(0, whole.lastIndexOf(' ')); // what follows is the figure
            assertFalse(Pattern.compile("[0-9a-f]{12}|npub1|://").matcher(line).find(), line);
            assertFalse(line.contains("\"x\""), line);
        }
    }

    /// Row 173: bans and vanishing have names of their own.
    @Test
    void vanishedAndBannedAreCountedApart() throws Exception {
        try (var server = GraspUnderTest.start();
                var client = server.connect()) {
            assertHeld(client, server.announcement(ANN, "x"));
            assertHeld(client, server.announcement(BOB, "x"));
            assertTaken(client, server.event(ANN, 62, List.of("relay", "ALL_RELAYS")));
            assertEquals(1.0, server.metric("purgatory_events_dropped_total{kind=\"30617\",reason=\"vanished\"}"));
            server.purgatory().ban(StoreSamples.author(BOB), "spam");
            assertEquals(1.0, server.metric("purgatory_events_dropped_total{kind=\"30617\",reason=\"banned\"}"));
        }
    }

    /// Row 173: the names of purgatory 10.2, one line each.
    @Test
    void whatHappensIsLoggedUnderItsName() throws Exception {
        try (var log = LogWatch.on("dev.grapnel.purgatory");
                var server = GraspUnderTest.start();
                var client = server.connect()) {
            var announcement = server.announcement(ANN, "x");
            assertHeld(client, announcement);
            var held = log.lines("purgatory.held", 1);
            assertEquals(1, held.size());
            assertTrue(
                    held.getFirst()
                            .startsWith("INFO purgatory.held kind=30617 event=" + announcement.id()
                                    + " identifier=[x] author=" + announcement.author() + " source=direct deadline="),
                    held.getFirst());
            server.pass(Duration.ofMinutes(30));
            assertEquals(
                    List.of("INFO purgatory.soft_expired identifier=x owner=" + announcement.author()),
                    log.lines("purgatory.soft_expired", 1));
            var state = server.state(ANN, "x");
            assertHeld(client, state);
            assertEquals(
                    List.of("INFO purgatory.revived identifier=x owner=" + announcement.author() + " cause=event"),
                    log.lines("purgatory.revived", 1));
            assertTaken(client, server.deletion(ANN, state));
            assertEquals(
                    List.of("INFO purgatory.dropped kind=30618 event=" + state.id() + " identifier=[x] reason=deleted"),
                    log.lines("purgatory.dropped", 1));
            assertEquals(1, log.lines("purgatory.restored", 1).size());
        }
    }
}
