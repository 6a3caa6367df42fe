package dev.grapnel.server;

import static dev.grapnel.server.GraspUnderTest.coordinate;
import static dev.grapnel.server.GraspUnderTest.maintainers;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.Refusal.Prefix;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.nostr.rule.EventRules;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.outbound.UrlShape;
import dev.grapnel.server.sync.AdmissionGate;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.row.HeldState;
import dev.grapnel.store.row.RefusedEvent.Reason;
import dev.grapnel.store.tool.Forgery;
import dev.grapnel.sync.world.Gate.Ruling;
import dev.grapnel.sync.world.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// The real gate in sync's words: every ruling of sync 7.1, each from the policy and the store that are in use.
final class AdmissionGateTest {
    private static final int ANN = 1;
    private static final int BOB = 2;
    private static final int EVE = 3;
    private static final RemoteUrl RELAY =
            RemoteUrl.parse("wss://relay.example.org", UrlShape.relay()).require();
    private static final Ruling FINAL = new Ruling.Refused(Reason.OTHER, true, Prefix.INVALID);
    private static final Ruling BLOCKED = new Ruling.Refused(Reason.OTHER, true, Prefix.BLOCKED);

    /// Runs what is posted at once; nothing else is asked of it here.
    private static final Scheduler AT_ONCE = new Scheduler() {
        @Override
        public long nanos() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Instant wall() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Runnable after(Duration wait, Runnable work) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void post(Runnable work) {
            work.run();
        }
    };

    /// A server and its gate.
    private static final class World implements AutoCloseable {
        private final GraspUnderTest server;
        private final AdmissionGate gate;

        World(String... settings) {
            server = GraspUnderTest.start(settings);
            gate = new AdmissionGate(server.service().admission(), EventRules.DEFAULTS, AT_ONCE);
        }

        Ruling admit(Event event) {
            var answer = new CompletableFuture<Ruling>();
            gate.admit(event, RELAY, answer::complete);
            return answer.join();
        }

        @Override
        public void close() {
            gate.close();
            server.close();
        }
    }

    @Test
    void relatedEventIsStoredOnce() throws Exception {
        try (var world = new World()) {
            world.server.serve(world.server.announcement(ANN, "x"));
            var issue = world.server.event(BOB, Kinds.ISSUE, List.of("a", coordinate(ANN, "x")));
            assertEquals(new Ruling.Stored(), world.admit(issue));
            assertEquals(new Ruling.Duplicate(), world.admit(issue));
        }
    }

    @Test
    void announcementAndStateAreHeldAndKnownAfterwards() {
        try (var world = new World()) {
            var announcement = world.server.announcement(ANN, "x");
            var state = world.server.state(ANN, "x");
            assertEquals(new Ruling.Held(), world.admit(announcement));
            assertEquals(new Ruling.Held(), world.admit(state));
            assertEquals(new Ruling.KnownHeld(), world.admit(announcement));
            assertEquals(new Ruling.KnownHeld(), world.admit(state));
            assertEquals(Optional.of(RELAY.text()), ((HeldState) world.server.held(state)).relay());
        }
    }

    @Test
    void versionThatLostToAServedOneIsToldFromOneThatLostToAHeldOne() throws Exception {
        try (var world = new World()) {
            var server = world.server;
            server.serve(server.announcement(ANN, "served"));
            assertEquals(new Ruling.Superseded(), world.admit(server.announcementAt(server.now() - 9, ANN, "served")));
            assertEquals(new Ruling.Held(), world.admit(server.announcement(ANN, "held")));
            assertEquals(
                    new Ruling.SupersededByHeld(), world.admit(server.announcementAt(server.now() - 9, ANN, "held")));
        }
    }

    @Test
    void olderListAndOlderStateAreSuperseded() throws Exception {
        try (var world = new World()) {
            var server = world.server;
            assertEquals(new Ruling.Stored(), world.admit(server.event(ANN, Kinds.GRASP_LIST)));
            assertEquals(
                    new Ruling.Superseded(),
                    world.admit(StoreSamples.event(ANN, Kinds.GRASP_LIST, server.now() - 9, List.of(), "")));
            server.serve(server.announcement(ANN, "x"));
            server.serve(server.state(ANN, "x"));
            assertEquals(new Ruling.Superseded(), world.admit(server.stateAt(server.now() - 9, ANN, "x")));
        }
    }

    @Test
    void whatItsAuthorTookBackIsDeleted() throws Exception {
        try (var world = new World()) {
            var server = world.server;
            server.serve(server.announcement(ANN, "x"));
            var issue = server.event(BOB, Kinds.ISSUE, List.of("a", coordinate(ANN, "x")));
            assertEquals(new Ruling.Stored(), world.admit(issue));
            assertEquals(new Ruling.Stored(), world.admit(server.deletion(BOB, issue)));
            assertEquals(new Ruling.Deleted(), world.admit(issue));
        }
    }

    @Test
    void whatVanishedIsRefusedForGood() throws Exception {
        try (var world = new World()) {
            var server = world.server;
            server.serve(server.announcement(ANN, "x"));
            var issue = server.event(BOB, Kinds.ISSUE, List.of("a", coordinate(ANN, "x")));
            world.admit(server.event(BOB, Kinds.VANISH, List.of("relay", "ALL_RELAYS")));
            assertEquals(BLOCKED, world.admit(issue));
        }
    }

    @Test
    void deletionRequestOfAStrangerIsAGate() {
        try (var world = new World()) {
            var request = world.server.deletion(EVE, world.server.announcement(ANN, "x"));
            assertEquals(new Ruling.Gated(), world.admit(request));
            assertEquals(new Ruling.Gated(), world.admit(request));
        }
    }

    @Test
    void whatSomethingMissingMayChangeIsNotFinal() {
        try (var world = new World()) {
            var server = world.server;
            assertEquals(
                    new Ruling.Refused(Reason.MAINTAINER_NOT_YET_VALID, false, Prefix.BLOCKED),
                    world.admit(server.elsewhere(BOB, "x")));
            assertEquals(
                    new Ruling.Refused(Reason.STATE_NOT_AUTHORISED, false, Prefix.INVALID),
                    world.admit(server.state(BOB, "x")));
            assertEquals(
                    new Ruling.Refused(Reason.ORPHAN, false, Prefix.RESTRICTED),
                    world.admit(server.event(BOB, Kinds.COMMENT, List.of("a", coordinate(ANN, "x")))));
            assertEquals(
                    new Ruling.Refused(Reason.ORPHAN, false, Prefix.RESTRICTED),
                    world.admit(server.pullRequest(BOB, ANN, "x")));
        }
    }

    @Test
    void announcementThatLeavesTheServiceMayComeBack() {
        try (var world = new World()) {
            var server = world.server;
            assertEquals(new Ruling.Held(), world.admit(server.announcementAt(server.now() - 9, ANN, "x")));
            assertEquals(
                    new Ruling.Refused(Reason.DOES_NOT_LIST_SERVICE, false, Prefix.BLOCKED),
                    world.admit(server.elsewhere(ANN, "x")));
        }
    }

    @Test
    void invitedMaintainerMayNotSignBeforeAccepting() throws Exception {
        try (var world = new World()) {
            var server = world.server;
            server.serve(server.announcement(ANN, "x", maintainers(BOB)));
            assertEquals(
                    new Ruling.Refused(Reason.STATE_NOT_AUTHORISED, false, Prefix.RESTRICTED),
                    world.admit(server.state(BOB, "x")));
            assertEquals(new Ruling.Stored(), world.admit(server.elsewhere(BOB, "x", maintainers(ANN))));
            assertEquals(new Ruling.Held(), world.admit(server.state(BOB, "x")));
        }
    }

    @Test
    void whatHadItsTimeInPurgatoryIsExpired() {
        try (var world = new World()) {
            var server = world.server;
            var state = server.state(ANN, "x");
            var announcement = server.announcement(BOB, "y");
            world.admit(server.announcement(ANN, "x"));
            world.admit(state);
            world.admit(announcement);
            server.pass(Duration.ofMinutes(30));
            assertEquals(new Ruling.KnownHeld(), world.admit(announcement));
            world.admit(server.announcement(ANN, "x"));
            assertEquals(new Ruling.Expired(), world.admit(state));
            server.pass(Duration.ofDays(2));
            assertEquals(new Ruling.Expired(), world.admit(announcement));
        }
    }

    /// Sync R7.22a.
    @Test
    void whatPurgatoryWantsToSeeAgainIsHeldAnew() {
        try (var world = new World()) {
            var server = world.server;
            var state = server.state(ANN, "x");
            world.admit(server.announcement(ANN, "x"));
            world.admit(state);
            server.pass(Duration.ofMinutes(30));
            world.admit(server.announcement(ANN, "x"));
            world.gate.expect(Set.of(state.id()));
            assertEquals(new Ruling.Held(), world.admit(state));
            world.gate.expectNoMore(Set.of(state.id()));
            server.pass(Duration.ofMinutes(30));
            assertEquals(new Ruling.Expired(), world.admit(state));
        }
    }

    @Test
    void whatIsDatedAheadSaysWhenItsTimeComes() {
        try (var world = new World()) {
            var server = world.server;
            long date = server.now() + Duration.ofMinutes(20).toSeconds();
            var early = server.announcementAt(date, ANN, "x");
            assertEquals(new Ruling.Ahead(Instant.ofEpochSecond(date - 900)), world.admit(early));
            server.clock().advance(Duration.ofMinutes(5));
            assertEquals(new Ruling.Held(), world.admit(early));
        }
    }

    @Test
    void nothingElseIsSaidOfAForgedEvent() throws Exception {
        try (var world = new World()) {
            var server = world.server;
            var announcement = server.announcement(ANN, "x");
            assertEquals(new Ruling.Forged(), world.admit(Forgery.of(announcement)));
            assertEquals(new Ruling.Held(), world.admit(announcement));
            assertEquals(
                    new Ruling.Forged(),
                    world.admit(Forgery.of(server.announcementAt(server.now() + 5_000, ANN, "x"))));
            assertEquals(new Ruling.Forged(), world.admit(Forgery.of(server.state(BOB, "x"))));
        }
    }

    @Test
    void malformedProtectedAndUnwantedEventsAreRefusedForGood() {
        try (var world = new World("EVENT_BLACKLIST", new Npub(StoreSamples.author(EVE)).toString())) {
            var server = world.server;
            assertEquals(FINAL, world.admit(server.event(ANN, Kinds.ANNOUNCEMENT)));
            assertEquals(BLOCKED, world.admit(server.event(ANN, Kinds.GRASP_LIST, List.of("-"))));
            assertEquals(BLOCKED, world.admit(server.event(EVE, Kinds.GRASP_LIST)));
            assertEquals(FINAL, world.admit(server.event(ANN, Kinds.COMMENT, List.of("expiration", "1000"))));
        }
    }

    @Test
    void fullPurgatoryIsAFailureThatPasses() {
        try (var world = new World("PURGATORY_MAX_ANNOUNCEMENTS", "1", "PURGATORY_MAX_STATES", "1")) {
            var server = world.server;
            assertEquals(new Ruling.Held(), world.admit(server.announcement(ANN, "x")));
            assertInstanceOf(Ruling.Failed.class, world.admit(server.announcement(BOB, "x")));
            assertEquals(new Ruling.Held(), world.admit(server.state(ANN, "x")));
            assertInstanceOf(
                    Ruling.Failed.class,
                    world.admit(server.stateAt(server.now(), ANN, "x", List.of("refs/heads/main", "3".repeat(40)))));
        }
    }

    @Test
    void afterTheEndEverythingFails() {
        var world = new World();
        world.close();
        assertTrue(world.admit(world.server.announcement(ANN, "x")) instanceof Ruling.Failed);
    }
}
