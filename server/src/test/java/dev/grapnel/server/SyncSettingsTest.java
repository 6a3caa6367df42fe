package dev.grapnel.server;

import static dev.grapnel.server.SyncScene.ANN;
import static dev.grapnel.server.SyncScene.BOB;
import static dev.grapnel.server.SyncScene.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.outbound.RawServer;
import dev.grapnel.outbound.websocket.ScriptedPeer;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.sync.health.DialWait;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Settings of the existing server, by its names, and what they do here (sync 9.3).
final class SyncSettingsTest {
    @TempDir
    private Path directory;

    private SyncScene scene;

    @BeforeEach
    void begin() throws IOException {
        scene = new SyncScene(directory);
    }

    private SyncedServer server(String... settings) {
        return new SyncedServer(directory.resolve("server"), settings);
    }

    /// Sync row 169, too: what is meant for a part that is not built leads nowhere.
    @Test
    void serverSetUpByTheOldNamesFollowsItsBootstrapRelayPageByPage() throws Exception {
        try (var unused = HostileRelay.open(ScriptedPeer::awaitEnd);
                var first = new SyncedServer(directory.resolve("first"));
                var server = server(
                        "NGIT_SYNC_BOOTSTRAP_RELAY_URL", first.relayUrl(),
                        "NGIT_SYNC_DISABLE_NEGENTROPY", "true",
                        "NGIT_SYNC_RECURSIVE_DESCENDANT_LIMIT", "10",
                        "NGIT_TEST", "1",
                        "NGIT_SYNC_STARTUP_DELAY_SECS", "3600",
                        "NGIT_SYNC_RECONNECT_DELAY_SECS", "3600",
                        "NGIT_SYNC_RECONNECT_LOOKBACK_DAYS", "1",
                        "NGIT_SYNC_PLUS_ENABLED", "true",
                        "NGIT_USER_INDEX_RELAYS", unused.url(),
                        "NGIT_SYNC_PLUS_FALLBACK_RELAYS", unused.url())) {
            scene.serve(ANN, "tool", scene.commit("one"), first, server);
            var issue = scene.issue(BOB, ANN, "tool");
            first.publish(issue);
            first.publish(scene.comment(BOB, issue, issue));
            await("everything", () -> server.served().equals(first.served()));
            assertEquals(4, server.served().size());
            assertEquals(0, server.metric("ngit_sync_negentropy_sessions_total"));
            assertTrue(server.metric("ngit_sync_historic_pages_total") > 0);
            assertEquals(List.of(), unused.calls());
        }
    }

    @Test
    void relayIsTriedAgainAfterThePausesThatAreSet() throws Exception {
        try (var relay = HostileRelay.open(_ -> {});
                var server = server(
                        "NGIT_SYNC_BASE_BACKOFF_SECS", "1",
                        "NGIT_SYNC_MAX_BACKOFF_SECS", "1")) {
            server.publish(announcement(server, relay));
            var left = new AtomicReference<>(Duration.ZERO);
            await(
                    "it has failed four times",
                    () -> wait(server, 4)
                            .map(wait -> {
                                left.set(wait);
                                return true;
                            })
                            .orElse(false));
            assertTrue(left.get().compareTo(Duration.ofSeconds(1)) <= 0, "without doubling: " + left);
        }
    }

    /// How long the one relay is not called, if it has failed so often and waits.
    private static Optional<Duration> wait(SyncedServer server, int failures) {
        return server.picture().relays().stream()
                .filter(relay -> relay.failures() >= failures)
                .flatMap(relay -> relay.waiting().stream())
                .map(DialWait::left)
                .findFirst();
    }

    private Event announcement(SyncedServer server, HostileRelay relay) {
        return scene.announcement(ANN, "tool", List.of(relay.url()), server);
    }

    @Test
    void relayThatNobodyNamesIsLeftAtTheChecksThatAreSet() throws Exception {
        try (var relay = HostileRelay.open(peer -> HostileRelay.await(peer, "anything else"));
                var server = server("NGIT_SYNC_DISCONNECT_CHECK_INTERVAL_SECS", "1")) {
            server.publish(announcement(server, relay));
            await("it is called", () -> !relay.calls().isEmpty());
            server.publish(scene.announcement(ANN, "tool", server));
            long begun = System.nanoTime();
            await("it is left", () -> server.picture().relays().isEmpty());
            assertTrue(System.nanoTime() - begun < 60_000_000_000L, "two checks of the usual kind take two minutes");
        }
    }

    @Test
    void relayWithoutWebSocketIsLeftAloneForTheHoursThatAreSet() throws Exception {
        try (var relay = HostileRelay.openRude(peer ->
                        peer.getOutputStream().write(RawServer.ok("hello").getBytes(StandardCharsets.ISO_8859_1)));
                var server = server("NGIT_NAUGHTY_LIST_EXPIRATION_HOURS", "2")) {
            server.publish(announcement(server, relay));
            await("it is left alone", () -> server.page("/status.json").contains("\"nextTry\":\"in 1 h 59 min"));
        }
    }

    @Test
    void refusedEventsAreRememberedForTheTimesThatAreSet() throws Exception {
        var refused = StoreSamples.event(BOB, Kinds.ANNOUNCEMENT, 1_000, List.of(List.of("d", "x")), "");
        try (var relay = HostileRelay.open(peer -> {
                    var id = HostileRelay.await(peer, "REQ").id();
                    peer.text("[\"EVENT\",\"" + id + "\"," + refused + "]");
                    peer.awaitEnd();
                });
                var server = server(
                        "NGIT_REJECTED_HOT_CACHE_DURATION_SECS", "0",
                        "NGIT_REJECTED_COLD_INDEX_EXPIRY_SECS", "0")) {
            server.publish(announcement(server, relay));
            await("it is judged", () -> server.metric("ngit_sync_admit_seconds_count") > 0);
            assertEquals(0, server.picture().intake().refused());
        }
    }

    @Test
    void privateAddressesAreConnectedToWhereThatIsAllowed() throws Exception {
        var told = "may not be connected to";
        for (var allowed : List.of("false", "true")) {
            try (var relay = HostileRelay.open(ScriptedPeer::awaitEnd);
                    var server = new SyncedServer(
                            directory.resolve(allowed),
                            "NGIT_DOMAIN",
                            "git.example.com",
                            "NGIT_SYNC_ALLOW_NON_GLOBAL_TARGETS",
                            allowed)) {
                server.publish(scene.event(
                        ANN,
                        Kinds.ANNOUNCEMENT,
                        List.of(
                                List.of("d", "tool"),
                                List.of(
                                        "clone",
                                        server.cloneUrl(ANN, "tool").replace(server.domain(), "git.example.com")),
                                List.of("relays", "ws://git.example.com", relay.url())),
                        ""));
                if (allowed.equals("true")) {
                    await("it is called", () -> !relay.calls().isEmpty());
                } else {
                    await("it is refused", () -> server.page("/status.json").contains(told));
                    assertEquals(List.of(), relay.calls());
                }
            }
        }
    }
}
