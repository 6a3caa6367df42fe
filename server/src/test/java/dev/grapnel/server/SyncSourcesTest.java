package dev.grapnel.server;

import static dev.grapnel.server.SyncScene.ANN;
import static dev.grapnel.server.SyncScene.BOB;
import static dev.grapnel.server.SyncScene.CAROL;
import static dev.grapnel.server.SyncScene.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whom a whole server follows, and for what. Numbers are rows of sync 11.
final class SyncSourcesTest {
    @TempDir
    private Path directory;

    private final List<AutoCloseable> open = new ArrayList<>();
    private SyncScene scene;

    @BeforeEach
    void begin() throws IOException {
        scene = new SyncScene(directory);
    }

    @AfterEach
    void end() throws Exception {
        for (var one : open.reversed()) {
            one.close();
        }
    }

    private <T extends AutoCloseable> T using(T one) {
        open.add(one);
        return one;
    }

    private SyncedServer server(String name, String... settings) {
        return using(new SyncedServer(directory.resolve(name), settings));
    }

    /// A server that follows nobody.
    private SyncedServer elsewhere() {
        return server("elsewhere", "SYNC_ENABLED", "false");
    }

    /// A relay that has nothing.
    ///
    /// @param said gets what it is told
    private HostileRelay relay(Queue<String> said) throws IOException {
        return using(HostileRelay.open(peer -> {
            while (true) {
                var next = HostileRelay.next(peer);
                said.add(next.text());
                HostileRelay.answer(peer, next);
            }
        }));
    }

    private static boolean names(Queue<String> said, String tag, String value) {
        return said.stream().anyMatch(text -> text.contains("\"" + tag + "\":[\"" + value + "\""));
    }

    /// Row 19.
    @Test
    void relayOfAnAnnouncementThatWaitsIsAskedForStatesOnlyWhoeverBroughtIt() throws Exception {
        var ofUser = new ConcurrentLinkedQueue<String>();
        var ofRelay = new ConcurrentLinkedQueue<String>();
        var elsewhere = elsewhere();
        var server = server("server", "SYNC_BOOTSTRAP_RELAY_URL", elsewhere.relayUrl(), "HUNT_ENABLED", "false");
        var commit = scene.commit("one");
        scene.serve(BOB, "theirs", commit, List.of(relay(ofRelay).url()), elsewhere, server);
        server.publish(scene.announcement(ANN, "mine", List.of(relay(ofUser).url()), server));
        await("states of the user's", () -> names(ofUser, "#d", "mine"));
        await("states of what a relay brought", () -> names(ofRelay, "#d", "theirs"));
        assertEquals(Set.of(), server.served());
        for (var said : List.of(ofUser, ofRelay)) {
            assertTrue(said.stream().noneMatch(text -> text.contains("\"#a\"")), said::toString);
        }
        server.publish(scene.state(ANN, "mine", commit));
        scene.push(server, ANN, "mine", commit, "refs/heads/main");
        await("everything about what is served", () -> names(ofUser, "#a", SyncScene.coordinate(ANN, "mine")));
        assertTrue(ofRelay.stream().noneMatch(text -> text.contains("\"#a\"")), ofRelay::toString);
    }

    /// Row 18.
    @Test
    void whatAnArchiveKeepsIsFollowedThoughItNamesOtherServersOnly() throws Exception {
        var said = new ConcurrentLinkedQueue<String>();
        var elsewhere = elsewhere();
        var archive = server("archive", "SYNC_BOOTSTRAP_RELAY_URL", elsewhere.relayUrl(), "ARCHIVE_ALL", "true");
        scene.serve(ANN, "tool", scene.commit("one"), List.of(relay(said).url()), elsewhere);
        var issue = scene.issue(BOB, ANN, "tool");
        elsewhere.publish(issue);
        elsewhere.publish(scene.comment(CAROL, issue, issue));
        await("all of it", () -> archive.served().equals(elsewhere.served()));
        assertEquals(4, archive.served().size());
        await("the relay that it names", () -> names(said, "#a", SyncScene.coordinate(ANN, "tool")));
    }

    /// Row 24.
    @Test
    void relayThatIsSpelledInManyWaysIsCalledOnce() throws Exception {
        var said = new ConcurrentLinkedQueue<String>();
        var relay = relay(said);
        var server = server("server");
        int port = Integer.parseInt(relay.url().substring(relay.url().lastIndexOf(':') + 1));
        var spellings =
                List.of("ws://localhost:" + port, "WS://LocalHost:" + port + "/", " ws://localhost:" + port + "/#here");
        for (int i = 0; i < spellings.size(); i++) {
            server.publish(scene.announcement(ANN, "tool" + i, List.of(spellings.get(i)), server));
        }
        await(
                "all of them",
                () -> IntStream.range(0, spellings.size())
                        .allMatch(i -> said.stream().anyMatch(text -> text.contains("\"tool" + i + "\""))));
        assertEquals(1, relay.calls().size());
        assertEquals(1, server.picture().relays().size());
    }

    /// Row 124.
    @Test
    void eventThatFiveRelaysHaveIsToldOnce() throws Exception {
        var shared = scene.issue(BOB, ANN, "tool");
        var own = IntStream.range(0, 5)
                .mapToObj(_ -> scene.issue(CAROL, ANN, "tool"))
                .toList();
        var asked = new CountDownLatch(own.size());
        var relays = new ArrayList<String>();
        for (var event : own) {
            relays.add(using(HostileRelay.open(peer -> {
                        var said = HostileRelay.await(peer, "REQ");
                        while (!said.text().contains("\"#a\":[\"" + SyncScene.coordinate(ANN, "tool"))) {
                            HostileRelay.answer(peer, said);
                            said = HostileRelay.await(peer, "REQ");
                        }
                        HostileRelay.answer(peer, said);
                        asked.countDown();
                        asked.await();
                        for (var one : List.of(shared, shared, event, shared)) {
                            peer.text("[\"EVENT\",\"" + said.id() + "\"," + one + "]");
                        }
                        while (true) {
                            HostileRelay.answer(peer, HostileRelay.next(peer));
                        }
                    }))
                    .url());
        }
        var server = server("server");
        scene.serve(ANN, "tool", scene.commit("one"), relays, server);
        try (var listener = server.connect()) {
            listener.subscribe("live", "{\"kinds\":[1621]}");
            var told = new TreeSet<EventId>();
            for (int i = 0; i < 1 + own.size(); i++) {
                assertTrue(told.add(listener.live("live").id()), "each once");
            }
            var expected = new TreeSet<>(own.stream().map(Event::id).toList());
            expected.add(shared.id());
            assertEquals(expected, told);
            listener.expectNothing();
            assertEquals(1 + own.size(), server.metric("ngit_sync_events_synced_total"));
        }
    }
}
