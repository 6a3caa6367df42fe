package dev.grapnel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.GitProgram;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.purgatory.Origin;
import dev.grapnel.server.git.StockHost;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.row.HeldAnnouncement.Phase;
import dev.grapnel.store.tool.Forgery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Git data that comes when its event has gone: a real server, a real git host, a real relay. Numbers are rows of
/// purgatory 11.
final class LateDataTest {
    private static final int ANN = 1;
    private static final int CAROL = 3;
    private static final Duration WAIT = Duration.ofMinutes(30);
    private static final Duration HOUR = Duration.ofMinutes(61);

    @TempDir
    Path directory;

    private final GraspUnderTest.Clock clock = new GraspUnderTest.Clock();
    private StockHost host;
    private RelayUnderTest relay;
    private GraspUnderTest server;

    @BeforeEach
    void open() throws IOException {
        host = new StockHost(Files.createDirectory(directory.resolve("elsewhere")));
        relay = RelayUnderTest.start();
        server = start();
    }

    private GraspUnderTest start() {
        return GraspUnderTest.start(
                directory.resolve("here"),
                clock,
                "HUNT_ENABLED",
                "true",
                "ADDRESS_ALLOW",
                "127.0.0.0/8",
                "SYNC_LOOP_INTERVAL_MS",
                "5");
    }

    @AfterEach
    void close() {
        server.close();
        relay.close();
        host.close();
    }

    private GitProgram repository() throws IOException {
        var git = new GitProgram(Files.createDirectory(directory.resolve("elsewhere/x.git")));
        git.run("init", "--bare", "--quiet", "--initial-branch=main", ".");
        return git;
    }

    private String relayUrl() {
        return "ws://127.0.0.1:" + relay.port();
    }

    private Event announcement() {
        return StoreSamples.event(
                ANN,
                Kinds.ANNOUNCEMENT,
                server.now(),
                List.of(
                        List.of("d", "x"),
                        List.of(
                                "clone",
                                GraspUnderTest.cloneUrl(ANN, "x"),
                                host.url(directory.resolve("elsewhere/x.git"))),
                        List.of("relays", "wss://" + GraspUnderTest.DOMAIN, relayUrl())),
                "");
    }

    private Event state(Oid main) {
        return server.stateAt(
                server.now(),
                ANN,
                "x",
                List.of("refs/heads/main", main.toString()),
                List.of("HEAD", "ref: refs/heads/main"));
    }

    private void publish(Event event) throws IOException {
        try (var client = relay.connect()) {
            client.publishOk(event);
        }
    }

    private void await(Callable<Boolean> isSo) throws Exception {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!isSo.call()) {
            assertTrue(
                    System.nanoTime() < end,
                    "it does not happen: " + server.service().hunting().hunt().pictures(9));
            LockSupport.parkNanos(1_000_000); // the server needs the processor
        }
    }

    private double checks(String result) {
        return server.metric("purgatory_dormant_checks_total{result=\"" + result + "\"}");
    }

    /// Lets an event expire whose data is not there, and waits until looks for it are planned.
    private void expire(Event event) throws Exception {
        assertTrue(server.isHeld(event));
        server.pass(WAIT);
        await(() -> server.expired(event).flatMap(row -> row.dormant()).isPresent());
        server.pass(Duration.ofMinutes(1)); // so often are records read
        await(() -> server.service().hunting().hunt().looks() == 1);
    }

    /// Row 212.
    @Test
    void dataThatAppearsLateIsFoundAndItsEventComesBack() throws Exception {
        var elsewhere = repository();
        var one = elsewhere.commit("one");
        var announcement = announcement();
        server.sync(announcement);
        var state = state(one);
        publish(state);
        server.sync(state);
        expire(state);
        assertEquals(Phase.SOFT_EXPIRED, server.phase(announcement));
        assertFalse(server.isOnDisk(ANN, "x"));
        server.pass(Duration.ofMinutes(9));
        elsewhere.run("update-ref", "refs/heads/main", one.toString());
        server.pass(HOUR);
        await(() -> checks("revived") == 1);
        assertTrue(server.isHeld(state));
        assertEquals(Phase.ACTIVE, server.phase(announcement));
        assertTrue(server.expired(state).orElseThrow().lifted());
        server.pass(Duration.ofMillis(500));
        await(() -> server.isServed(state));
        assertTrue(server.isServed(announcement));
        assertTrue(server.advertisement(ANN, "x").contains(one + " refs/heads/main"));
        assertTrue(server.expired(state).isEmpty(), "what is served is not remembered as expired");
    }

    /// Row 212, for a proposal: its repository is served here, and its relay is asked before others.
    @Test
    void pullRequestComesBackFromTheRelayItCameFrom() throws Exception {
        var elsewhere = repository();
        var one = elsewhere.commit("one");
        var announcement = StoreSamples.event(
                ANN,
                Kinds.ANNOUNCEMENT,
                server.now(),
                List.of(
                        List.of("d", "x"),
                        List.of(
                                "clone",
                                GraspUnderTest.cloneUrl(ANN, "x"),
                                host.url(directory.resolve("elsewhere/x.git"))),
                        List.of("relays", "wss://" + GraspUnderTest.DOMAIN)),
                "");
        server.serve(announcement);
        var proposal = server.event(
                CAROL,
                Kinds.PULL_REQUEST,
                List.of("a", GraspUnderTest.coordinate(ANN, "x")),
                List.of("c", one.toString()));
        publish(proposal);
        server.admit(proposal, new Origin.Synced(Optional.of(relayUrl())));
        expire(proposal);
        elsewhere.run("update-ref", "refs/heads/idea", one.toString());
        server.pass(HOUR);
        await(() -> checks("revived") == 1);
        server.pass(Duration.ofMillis(500));
        await(() -> server.isServed(proposal));
    }

    /// Row 215.
    @Test
    void recordStaysWhileNoRelayHasItsEventAndAClientMayBringItBack() throws Exception {
        var elsewhere = repository();
        var one = elsewhere.commit("one");
        server.sync(announcement());
        var state = state(one);
        server.sync(state);
        expire(state);
        elsewhere.run("update-ref", "refs/heads/main", one.toString());
        server.pass(HOUR);
        await(() -> checks("event_not_found") == 1);
        var row = server.expired(state).orElseThrow();
        assertTrue(row.dormant().isPresent() && !row.lifted() && row.revivals() == 0);
        assertFalse(server.isHeld(state));
        server.pass(HOUR);
        await(() -> checks("event_not_found") == 2);
        server.direct(state);
        assertTrue(server.isHeld(state));
        server.pass(Duration.ofMinutes(3));
        await(() -> server.isServed(state));
    }

    /// Row 217.
    @Test
    void recordsSurviveARestartAndNobodyIsAskedAtOnce() throws Exception {
        var elsewhere = repository();
        var one = elsewhere.commit("one");
        server.sync(announcement());
        var state = state(one);
        publish(state);
        server.sync(state);
        expire(state);
        server.close();
        elsewhere.run("update-ref", "refs/heads/main", one.toString());
        int before = host.requests();
        server = start();
        assertTrue(server.expired(state).flatMap(row -> row.dormant()).isPresent());
        await(() -> server.service().hunting().hunt().looks() == 1);
        assertEquals(before, host.requests());
        server.pass(HOUR);
        await(() -> checks("revived") == 1);
        assertTrue(server.isHeld(state));
    }

    /// Row 219.
    @Test
    void recordWithoutAnybodyWhoseWordCountsIsNotLookedFor() throws Exception {
        var elsewhere = repository();
        server.sync(announcement());
        var state = state(elsewhere.commit("one"));
        server.sync(state);
        expire(state);
        server.pass(Duration.ofDays(1)); // the announcement goes, too
        assertTrue(server.expired(state).flatMap(row -> row.dormant()).isPresent());
        await(() -> { // what is to be looked for is read again now and then
            server.pass(Duration.ofMinutes(10));
            return server.service().hunting().hunt().looks() == 0;
        });
    }

    /// Row 210: what is moved is the next attempt, once, and only by a copy that its author signed.
    @Test
    void copyThatSyncMeetsMovesTheHuntForwardOnce() throws Exception {
        var elsewhere = repository();
        var one = elsewhere.commit("one");
        server.direct(announcement());
        var state = state(one);
        server.direct(state);
        elsewhere.run("update-ref", "refs/heads/main", one.toString());
        server.direct(state);
        server.sync(Forgery.of(state));
        assertEquals(0, server.metric("purgatory_sync_refreshes_total{result=\"moved\"}"));
        for (int i = 0; i < 100; i++) {
            server.sync(state);
        }
        assertEquals(1, server.metric("purgatory_sync_refreshes_total{result=\"moved\"}"));
        server.pass(Duration.ofSeconds(61));
        await(() -> server.isServed(state));
    }
}
