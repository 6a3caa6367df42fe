package dev.grapnel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.repository.Identifier;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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

    private HuntSite site;
    private GraspUnderTest server;

    @BeforeEach
    void open() throws IOException {
        site = new HuntSite(directory);
        server = site.server();
    }

    @AfterEach
    void close() {
        site.close();
    }

    /// Another relay has it. The hunt is told by a thread of its own.
    private void hear(Event event) throws Exception {
        server.sync(event);
        awaitHunt();
    }

    private void awaitHunt() throws Exception {
        site.await(() -> site.hunt("x").isPresent());
    }

    /// Row 137, but for relays.
    @Test
    void syncedStateIsServedOnceItsDataWasFetched() throws Exception {
        var elsewhere = site.repository("x");
        var one = elsewhere.commit("one");
        var two = elsewhere.commit("two", one);
        elsewhere.run("update-ref", "refs/heads/main", two.toString());
        server.sync(site.announcement(ANN, "x", site.url("x")));
        var state = site.state(ANN, "x", two);
        hear(state);
        assertTrue(server.isHeld(state));
        server.pass(Duration.ofMillis(499));
        assertTrue(server.isHeld(state), "events that come together are hunted together");
        server.pass(Duration.ofMillis(1));
        site.await(() -> server.isServed(state));
        assertTrue(server.advertisement(ANN, "x").contains(two + " refs/heads/main"));
        site.await(() -> server.service().repositories().hunting().list().isEmpty());
    }

    /// Row 102.
    @Test
    void directStateIsHuntedWhenNoPushCameInTime() throws Exception {
        var elsewhere = site.repository("x");
        var one = elsewhere.commit("one");
        elsewhere.run("update-ref", "refs/heads/main", one.toString());
        server.direct(site.announcement(ANN, "x", site.url("x")));
        var state = site.state(ANN, "x", one);
        server.direct(state);
        awaitHunt();
        server.pass(Duration.ofSeconds(179));
        assertTrue(server.isHeld(state));
        assertEquals(0, site.host().requests());
        server.pass(Duration.ofSeconds(1));
        site.await(() -> server.isServed(state));
    }

    /// Row 138.
    @Test
    void pullRequestIsServedFromItsAuthorsOwnServer() throws Exception {
        var elsewhere = site.repository("x");
        var one = elsewhere.commit("one");
        elsewhere.run("update-ref", "refs/heads/main", one.toString());
        server.sync(site.announcement(ANN, "x", site.url("x")));
        var state = site.state(ANN, "x", one);
        hear(state);
        server.pass(Duration.ofMillis(500));
        site.await(() -> server.isServed(state));
        var own = site.repository("carol");
        own.run("fetch", "--quiet", site.elsewhere("x").toString(), "main:refs/heads/main");
        var idea = own.commit("idea", one);
        own.run("update-ref", "refs/heads/idea", idea.toString());
        var proposal = site.proposal(CAROL, ANN, "x", idea, site.url("carol"));
        hear(proposal);
        assertTrue(server.isHeld(proposal));
        server.pass(Duration.ofMillis(500));
        site.await(() -> server.isServed(proposal));
        assertTrue(server.advertisement(ANN, "x").contains(idea + " refs/nostr/" + proposal.id()));
    }

    /// Row 140.
    @Test
    void halvesOfTwoServersMakeAWhole() throws Exception {
        var first = site.repository("first");
        var one = first.commit("one");
        first.run("update-ref", "refs/heads/main", one.toString());
        var second = site.repository("second");
        var other = second.commit("other");
        second.run("update-ref", "refs/heads/dev", other.toString());
        server.sync(site.announcement(ANN, "x", site.url("first"), site.url("second")));
        var state = server.stateAt(
                server.now(),
                ANN,
                "x",
                List.of("refs/heads/main", one.toString()),
                List.of("refs/heads/dev", other.toString()),
                List.of("HEAD", "ref: refs/heads/main"));
        hear(state);
        server.pass(Duration.ofMillis(500));
        site.await(() -> server.isServed(state));
    }

    /// Row 143.
    @Test
    void whatWasFetchedIsFetchedFromNobodyBeforeItIsServed() throws Exception {
        var elsewhere = site.repository("x");
        var one = elsewhere.commit("one");
        elsewhere.run("update-ref", "refs/heads/main", one.toString());
        server.sync(site.announcement(ANN, "x", site.url("x")));
        var state = server.stateAt(
                server.now(),
                ANN,
                "x",
                List.of("refs/heads/main", one.toString()),
                List.of("refs/heads/gone", "2".repeat(40)),
                List.of("HEAD", "ref: refs/heads/main"));
        hear(state);
        server.pass(Duration.ofMillis(500));
        var name = Identifier.parse("x").require();
        site.await(() -> server.service().repositories().hunting().bytes(name) > 0
                && site.hunt("x").filter(hunt -> !hunt.isRunning()).isPresent());
        assertTrue(server.isHeld(state));
        assertFalse(server.advertisement(ANN, "x").contains(one.toString()));
        server.pass(Duration.ofMinutes(30));
        server.sweep();
        site.await(() -> !server.isHeld(state));
        site.await(() -> server.service().repositories().hunting().list().isEmpty());
    }

    /// Row 117.
    @Test
    void unrelatedOwnersServerIsNotAsked() throws Exception {
        var elsewhere = site.repository("bob");
        var one = elsewhere.commit("one");
        elsewhere.run("update-ref", "refs/heads/main", one.toString());
        server.sync(site.announcement(BOB, "x", site.url("bob")));
        server.sync(site.announcement(ANN, "x"));
        var state = site.state(ANN, "x", one);
        hear(state);
        server.pass(Duration.ofMillis(500));
        site.await(() -> site.hunt("x").filter(hunt -> hunt.attempts() > 0).isPresent());
        assertEquals(0, site.host().requests());
    }
}
