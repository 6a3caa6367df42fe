package dev.grapnel.server;

import static dev.grapnel.server.GraspUnderTest.address;
import static dev.grapnel.server.GraspUnderTest.coordinate;
import static dev.grapnel.server.GraspUnderTest.maintainers;
import static dev.grapnel.server.Replies.assertAnswer;
import static dev.grapnel.server.Replies.assertHeld;
import static dev.grapnel.server.Replies.assertTaken;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.config.ConfigReader;
import dev.grapnel.config.ConfigSources;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.outbound.PlainHttp;
import dev.grapnel.store.StoreSamples;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What holds whatever happens (README, invariants), as far as events decide. Those about crashes of the process
/// and failing devices are in KillTest, PurgatoryRestartTest and CustodyFaultsTest.
final class InvariantsTest {
    private static final int ANN = 1;
    private static final int BOB = 2;
    private static final int CAROL = 3;

    /// I-1, in git: whatever is in the repository of a held announcement. HeldEventsTest has the relay's side.
    @Test
    void i1NothingHeldIsVisibleInGit() throws Exception {
        try (var server = GraspUnderTest.start();
                var client = server.connect()) {
            assertHeld(client, server.announcement(ANN, "x"));
            server.fill(address(ANN, "x"), "main");
            assertFalse(advertised(server).contains("refs/heads/main"));
            server.serve(server.announcement(BOB, "y"));
            server.awaitReconciled();
            assertFalse(advertised(server).contains("refs/heads/main"));
        }
    }

    private static String advertised(GraspUnderTest server) throws IOException, InterruptedException {
        var uri = URI.create("http://127.0.0.1:" + server.service().port() + "/" + new Npub(StoreSamples.author(ANN))
                + "/x.git/info/refs?service=git-upload-pack");
        try (var http = PlainHttp.client()) {
            return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    @Test
    void i5WhatWasAcknowledgedIsThereAfterARestart(@TempDir Path directory) throws Exception {
        var clock = new GraspUnderTest.Clock();
        var events = new ArrayList<Event>();
        try (var server = GraspUnderTest.start(directory, clock);
                var client = server.connect()) {
            for (int i = 0; i < 20; i++) {
                events.add(server.announcement(10 + i, "x"));
                events.add(server.state(10 + i, "x"));
            }
            for (var event : events) {
                assertHeld(client, event);
            }
        }
        try (var server = GraspUnderTest.start(directory, clock)) {
            assertTrue(events.stream().allMatch(server::isHeld));
        }
    }

    /// I-6 and I-8: the same random life twice, once from clients and once from other relays, looked at after
    /// every step.
    @Test
    void i6AnEventIsNeverHeldAndServed() throws Exception {
        var random = new Random(11);
        try (var server = GraspUnderTest.start()) {
            var sent = new ArrayList<Event>();
            for (int step = 0; step < 150; step++) {
                server.clock().advance(Duration.ofSeconds(random.nextInt(300)));
                int author = random.nextInt(3);
                var event = switch (random.nextInt(6)) {
                    case 0 -> server.announcement(author, "x", maintainers(random.nextInt(3)));
                    case 1 -> server.elsewhere(author, "x", maintainers(random.nextInt(3)));
                    case 2 -> server.state(author, "x");
                    case 3 -> server.pullRequest(author, random.nextInt(3), "x");
                    case 4 ->
                        sent.isEmpty()
                                ? server.event(author, 10_317)
                                : server.deletion(author, sent.get(random.nextInt(sent.size())));
                    default -> server.event(author, 1, List.of("a", coordinate(author, "x")));
                };
                sent.add(event);
                server.direct(event);
                if (server.isHeld(event) && random.nextInt(4) == 0) {
                    server.serve(event);
                }
                if (random.nextInt(5) == 0) {
                    server.sweep();
                }
                for (var known : sent) {
                    assertFalse(server.isHeld(known) && server.isServed(known), "step " + step);
                }
            }
        }
    }

    @Test
    void i8OneGateForClientsAndSync() throws Exception {
        try (var one = GraspUnderTest.start();
                var other = GraspUnderTest.start()) {
            var events = List.of(
                    one.announcement(ANN, "x"),
                    one.announcementAt(one.now() - 1, ANN, "x"),
                    one.state(ANN, "x"),
                    one.state(BOB, "x"),
                    one.state(BOB, "y"),
                    one.pullRequest(CAROL, ANN, "x"),
                    one.event(CAROL, 1),
                    one.event(CAROL, 10_317),
                    one.elsewhere(CAROL, "z"),
                    one.deletion(CAROL, one.event(CAROL, 1)),
                    one.event(CAROL, 4));
            for (var event : events) {
                var direct = one.direct(event);
                var synced = other.sync(event);
                assertEquals(direct.message(), synced.message());
                assertEquals(direct.isAccepted(), synced.isAccepted());
            }
        }
    }

    /// I-10.
    @Test
    void i10ADeletionTouchesOnlyItsAuthorsEvents() throws Exception {
        try (var server = GraspUnderTest.start();
                var client = server.connect()) {
            var anns = server.announcement(ANN, "x");
            var served = server.serve(server.announcement(ANN, "y"));
            assertHeld(client, anns);
            assertHeld(client, server.announcement(BOB, "x"));
            assertTaken(client, server.deletion(BOB, anns, served));
            server.sweep();
            assertTrue(server.isHeld(anns));
            assertTrue(server.isServed(served));
            assertEquals(200, server.gitStatus(ANN, "x"));
            assertEquals(200, server.gitStatus(ANN, "y"));
        }
    }

    /// I-11: CustodyFaultsTest has the rest.
    @Test
    void i11TooLittleDiskRefuses() throws Exception {
        try (var server = GraspUnderTest.start("MIN_FREE_DISK_BYTES", "100000000000000");
                var client = server.connect()) {
            var announcement = server.announcement(ANN, "x");
            assertAnswer(client, announcement, false, "error: low on disk space");
            assertFalse(server.isHeld(announcement));
            assertEquals(0, server.onDisk());
        }
    }

    /// I-13: PurgatoryLimitsTest has every number; here that a full store is as it was.
    @Test
    void i13WhatIsTooMuchHasAnAnswerAndEvictsNobody() throws Exception {
        try (var server = GraspUnderTest.start("PURGATORY_MAX_ANNOUNCEMENTS", "1");
                var client = server.connect()) {
            var first = server.announcement(ANN, "x");
            assertHeld(client, first);
            for (int i = 0; i < 20; i++) {
                assertAnswer(client, server.announcement(10 + i, "x"), false, "rate-limited: purgatory is full");
            }
            assertTrue(server.isHeld(first));
            assertEquals(1, server.onDisk());
        }
    }

    /// I-14.
    @Test
    void i14OwnersWhoShareAnIdentifierNeitherAuthoriseNorBlockEachOther() throws Exception {
        try (var server = GraspUnderTest.start();
                var client = server.connect()) {
            assertHeld(client, server.announcement(ANN, "x"));
            var bobs = server.announcement(BOB, "x");
            assertHeld(client, bobs);
            assertHeld(client, server.state(ANN, "x"));
            server.clock().advance(Duration.ofMinutes(10));
            assertHeld(client, server.state(ANN, "x"));
            assertEquals(Duration.ofMinutes(20), server.left(bobs), "Ann's states give Bob nothing");
            var pool = server.purgatory().of(new Identifier("x"));
            assertFalse(pool.maintainers(StoreSamples.author(BOB)).contains(StoreSamples.author(ANN)));
            server.pass(Duration.ofMinutes(20));
            assertEquals(404, server.gitStatus(BOB, "x"));
            assertEquals(200, server.gitStatus(ANN, "x"));
        }
    }

    /// I-18.
    @Test
    void i18AHeldAnnouncementsRepositoryIsEmpty() throws Exception {
        try (var server = GraspUnderTest.start();
                var client = server.connect()) {
            assertHeld(client, server.announcement(ANN, "x"));
            assertHeld(client, server.state(ANN, "x"));
            assertHeld(client, server.pullRequest(CAROL, ANN, "x"));
            try (var lease =
                    server.service().repositories().find(address(ANN, "x")).orElseThrow()) {
                assertTrue(lease.refs().current().isEmpty());
            }
        }
    }

    /// I-19: the settings of purgatory, as every other one (SettingSourcesTest).
    @Test
    void i19AMalformedListEntryStopsTheStart() {
        for (var setting : List.of("REPOSITORY_BLACKLIST", "REPOSITORY_WHITELIST", "EVENT_BLACKLIST")) {
            var sources =
                    new ConfigSources(Map.of(), Map.of("GRAPNEL_" + setting, "npub1notakey"), Map.of(), "no file");
            assertTrue(ConfigReader.read(sources) instanceof ConfigReader.Outcome.Bad, setting);
        }
    }
}
