package dev.grapnel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.GitProgram;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.server.git.StockHost;
import dev.grapnel.store.StoreSamples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What events wait for is fetched from where it was published, from real servers by a real one.
final class HuntTest {
    private static final int ANN = 1;
    private static final int BOB = 2;
    private static final int CAROL = 3;

    @TempDir
    Path directory;

    private StockHost host;
    private GraspUnderTest server;

    @BeforeEach
    void open() throws IOException {
        host = new StockHost(Files.createDirectory(directory.resolve("elsewhere")));
        server = start();
    }

    private GraspUnderTest start() {
        return GraspUnderTest.start(
                directory.resolve("here"),
                new GraspUnderTest.Clock(),
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
        host.close();
    }

    private GitProgram repository(String name) throws IOException {
        var place = Files.createDirectory(directory.resolve("elsewhere").resolve(name + ".git"));
        var git = new GitProgram(place);
        git.run("init", "--bare", "--quiet", "--initial-branch=main", ".");
        return git;
    }

    private String url(String name) {
        return host.url(directory.resolve("elsewhere").resolve(name + ".git"));
    }

    private Event announce(int author, String identifier, String... elsewhere) {
        var urls = new java.util.ArrayList<>(List.of("clone", GraspUnderTest.cloneUrl(author, identifier)));
        urls.addAll(List.of(elsewhere));
        return StoreSamples.event(
                author,
                Kinds.ANNOUNCEMENT,
                server.now(),
                List.of(List.of("d", identifier), urls, List.of("relays", "wss://" + GraspUnderTest.DOMAIN)),
                "");
    }

    private Event state(int author, String identifier, Oid main) {
        return server.stateAt(
                server.now(),
                author,
                identifier,
                List.of("refs/heads/main", main.toString()),
                List.of("HEAD", "ref: refs/heads/main"));
    }

    /// Another relay has it. The hunt is told by a thread of its own: its delay begins when it knows.
    private void hear(Event event, String identifier) throws Exception {
        server.sync(event);
        awaitHunt(identifier);
    }

    private void awaitHunt(String identifier) throws Exception {
        var name = Identifier.parse(identifier).require();
        await(() -> server.service().hunting().hunt().picture(name).isPresent());
    }

    private void await(Callable<Boolean> isSo) throws Exception {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!isSo.call()) {
            assertTrue(
                    System.nanoTime() < end,
                    "it does not happen: " + server.service().hunting().hunt().pictures(9));
            Thread.onSpinWait();
        }
    }

    /// Row 137, but for relays.
    @Test
    void syncedStateIsServedOnceItsDataWasFetched() throws Exception {
        var elsewhere = repository("x");
        var one = elsewhere.commit("one");
        var two = elsewhere.commit("two", one);
        elsewhere.run("update-ref", "refs/heads/main", two.toString());
        server.sync(announce(ANN, "x", url("x")));
        var state = state(ANN, "x", two);
        hear(state, "x");
        assertTrue(server.isHeld(state));
        server.pass(Duration.ofMillis(499));
        assertTrue(server.isHeld(state), "events that come together are hunted together");
        server.pass(Duration.ofMillis(1));
        await(() -> server.isServed(state));
        assertTrue(server.advertisement(ANN, "x").contains(two + " refs/heads/main"));
        await(() -> server.service().repositories().hunting().list().isEmpty());
    }

    /// Row 102.
    @Test
    void directStateIsHuntedWhenNoPushCameInTime() throws Exception {
        var elsewhere = repository("x");
        var one = elsewhere.commit("one");
        elsewhere.run("update-ref", "refs/heads/main", one.toString());
        server.direct(announce(ANN, "x", url("x")));
        var state = state(ANN, "x", one);
        server.direct(state);
        awaitHunt("x");
        server.pass(Duration.ofSeconds(179));
        assertTrue(server.isHeld(state));
        assertEquals(0, host.requests());
        server.pass(Duration.ofSeconds(1));
        await(() -> server.isServed(state));
    }

    /// Row 138.
    @Test
    void pullRequestIsServedFromItsAuthorsOwnServer() throws Exception {
        var elsewhere = repository("x");
        var one = elsewhere.commit("one");
        elsewhere.run("update-ref", "refs/heads/main", one.toString());
        server.sync(announce(ANN, "x", url("x")));
        var state = state(ANN, "x", one);
        hear(state, "x");
        server.pass(Duration.ofMillis(500));
        await(() -> server.isServed(state));
        var own = repository("carol");
        own.run("fetch", "--quiet", directory.resolve("elsewhere/x.git").toString(), "main:refs/heads/main");
        var idea = own.commit("idea", one);
        own.run("update-ref", "refs/heads/idea", idea.toString());
        var proposal = StoreSamples.event(
                CAROL,
                Kinds.PULL_REQUEST,
                server.now(),
                List.of(
                        List.of("a", GraspUnderTest.coordinate(ANN, "x")),
                        List.of("c", idea.toString()),
                        List.of("clone", url("carol"))),
                "");
        hear(proposal, "x");
        assertTrue(server.isHeld(proposal));
        server.pass(Duration.ofMillis(500));
        await(() -> server.isServed(proposal));
        assertTrue(server.advertisement(ANN, "x").contains(idea + " refs/nostr/" + proposal.id()));
    }

    /// Row 140.
    @Test
    void halvesOfTwoServersMakeAWhole() throws Exception {
        var first = repository("first");
        var one = first.commit("one");
        first.run("update-ref", "refs/heads/main", one.toString());
        var second = repository("second");
        var other = second.commit("other");
        second.run("update-ref", "refs/heads/dev", other.toString());
        server.sync(announce(ANN, "x", url("first"), url("second")));
        var state = server.stateAt(
                server.now(),
                ANN,
                "x",
                List.of("refs/heads/main", one.toString()),
                List.of("refs/heads/dev", other.toString()),
                List.of("HEAD", "ref: refs/heads/main"));
        hear(state, "x");
        server.pass(Duration.ofMillis(500));
        await(() -> server.isServed(state));
    }

    /// Row 143.
    @Test
    void whatWasFetchedIsFetchedFromNobodyBeforeItIsServed() throws Exception {
        var elsewhere = repository("x");
        var one = elsewhere.commit("one");
        elsewhere.run("update-ref", "refs/heads/main", one.toString());
        server.sync(announce(ANN, "x", url("x")));
        var state = server.stateAt(
                server.now(),
                ANN,
                "x",
                List.of("refs/heads/main", one.toString()),
                List.of("refs/heads/gone", "2".repeat(40)),
                List.of("HEAD", "ref: refs/heads/main"));
        hear(state, "x");
        server.pass(Duration.ofMillis(500));
        var name = Identifier.parse("x").require();
        await(() -> server.service().repositories().hunting().bytes(name) > 0
                && server.service()
                        .hunting()
                        .hunt()
                        .picture(name)
                        .filter(hunt -> !hunt.isRunning())
                        .isPresent());
        assertTrue(server.isHeld(state));
        assertFalse(server.advertisement(ANN, "x").contains(one.toString()));
        server.pass(Duration.ofMinutes(30));
        server.sweep();
        await(() -> !server.isHeld(state));
        await(() -> server.service().repositories().hunting().list().isEmpty());
    }

    /// Row 117.
    @Test
    void unrelatedOwnersServerIsNotAsked() throws Exception {
        var elsewhere = repository("bob");
        var one = elsewhere.commit("one");
        elsewhere.run("update-ref", "refs/heads/main", one.toString());
        server.sync(announce(BOB, "x", url("bob")));
        server.sync(announce(ANN, "x"));
        var state = state(ANN, "x", one);
        hear(state, "x");
        server.pass(Duration.ofMillis(500));
        var name = Identifier.parse("x").require();
        await(() -> server.service()
                .hunting()
                .hunt()
                .picture(name)
                .filter(hunt -> hunt.attempts() > 0)
                .isPresent());
        assertEquals(0, host.requests());
    }
}
