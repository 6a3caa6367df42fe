package dev.grapnel.server;

import static dev.grapnel.server.SyncScene.ANN;
import static dev.grapnel.server.SyncScene.BOB;
import static dev.grapnel.server.SyncScene.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.outbound.websocket.ScriptedPeer;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.websocket.FrameHead;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A server with little memory, a process of its own, among relays that send as much as it takes (sync I9). It ends
/// when its memory is not enough.
final class FloodedServerTest {
    private static final String REPOSITORY = "tool";
    private static final String HEAP = "128m";

    /// What may be in use of it.
    private static final long LIVE_MAX = 80L << 20;

    /// Twice as much as it has.
    private static final long SENT_LEAST = 256L << 20;

    private static final int MESSAGE_MAX = 5 << 20;

    @TempDir
    private Path directory;

    private final List<HostileRelay> relays = new ArrayList<>();
    private final AtomicLong sent = new AtomicLong();
    private SyncScene scene;
    private SyncedServer honest;
    private int addresses;

    @BeforeEach
    void begin() throws IOException {
        scene = new SyncScene(directory);
        honest = new SyncedServer(directory.resolve("honest"), "SYNC_ENABLED", "false");
    }

    @AfterEach
    void end() {
        relays.forEach(HostileRelay::close);
        honest.close();
    }

    /// So many relays, on several machines, so that they do not wait for each other.
    private void flood(int count, ScriptedPeer.Talk lie) throws IOException {
        for (int i = 0; i < count; i++) {
            relays.add(HostileRelay.open("127.0.0." + (2 + addresses++ % 6), "", lie));
        }
    }

    private void say(ScriptedPeer peer, String text) throws IOException {
        peer.text(text);
        sent.addAndGet(text.length());
    }

    private static String asked(ScriptedPeer peer) throws IOException {
        return HostileRelay.await(peer, "REQ").id();
    }

    /// Events of strangers, all soundly signed, come faster than signatures can be looked at.
    private void floodWithStrangers() throws IOException {
        var content = "x".repeat(4_000);
        var events = IntStream.range(0, 10_000)
                .parallel()
                .mapToObj(number -> StoreSamples.event(
                                BOB, Kinds.ANNOUNCEMENT, 1_000 + number, List.of(List.of("d", "x" + number)), content)
                        .toString())
                .toList();
        flood(2, peer -> {
            var id = asked(peer);
            while (true) {
                for (var event : events) {
                    say(peer, "[\"EVENT\",\"" + id + "\"," + event + "]");
                }
            }
        });
    }

    /// Whoever reads them keeps as much as it must of a message before it is whole.
    private void floodWithBeginnings() throws IOException {
        var most = " ".repeat(64 << 10);
        flood(12, peer -> {
            peer.write(FrameHead.write(FrameHead.FINAL | FrameHead.TEXT, MESSAGE_MAX, 0));
            for (int bytes = most.length(); bytes < MESSAGE_MAX; bytes += most.length()) {
                peer.write(most);
                sent.addAndGet(most.length());
            }
            peer.awaitEnd();
        });
    }

    private void floodWithWords() throws IOException {
        var notice = "[\"NOTICE\",\"" + "x".repeat(1 << 20) + "\"]";
        flood(1, peer -> {
            while (true) {
                say(peer, notice);
            }
        });
    }

    /// Each message is as long as one may be, and no event.
    private void floodWithLongMessages() throws IOException {
        var junk = "[\"EVENT\",\"s\",{\"content\":\"" + "x".repeat(MESSAGE_MAX - 1_000) + "\"}]";
        flood(1, peer -> {
            while (true) {
                say(peer, junk);
            }
        });
    }

    /// Names thousands of ids that nobody has, whatever it is asked.
    private void floodWithIds() throws IOException {
        var salts = new AtomicLong();
        flood(1, peer -> {
            while (true) {
                var said = HostileRelay.next(peer);
                if (said.verb().equals("NEG-OPEN") || said.verb().equals("NEG-MSG")) {
                    long salt = salts.getAndIncrement();
                    var ids = new StringBuilder("61000002b070"); // a list of 6,256
                    for (int number = 0; number < 6_256; number++) {
                        ids.append("%032x%032x".formatted(salt, number));
                    }
                    say(peer, "[\"NEG-MSG\",\"" + said.id() + "\",\"" + ids + "\"]");
                } else {
                    HostileRelay.answer(peer, said);
                }
            }
        });
    }

    // ---- the server

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /// The honest one serves a repository that names all of them.
    private void publish(int port) {
        var clone = honest.cloneUrl(ANN, REPOSITORY);
        var urls = new ArrayList<>(List.of("relays", honest.relayUrl(), "ws://127.0.0.1:" + port));
        relays.forEach(relay -> urls.add(relay.url()));
        var commit = scene.commit("one");
        honest.publish(scene.event(
                ANN,
                Kinds.ANNOUNCEMENT,
                List.of(
                        List.of("d", REPOSITORY),
                        List.of("clone", clone, clone.replace(honest.domain(), "127.0.0.1:" + port)),
                        urls),
                ""));
        honest.publish(scene.state(ANN, REPOSITORY, commit));
        scene.push(honest, ANN, REPOSITORY, commit, "refs/heads/main");
    }

    private static Set<EventId> served(RelayClient client) throws IOException {
        return new TreeSet<>(client.query("{}"));
    }

    @Test
    void serverWithLittleMemorySurvivesFloodsAndStaysComplete() throws Exception {
        floodWithStrangers();
        floodWithBeginnings();
        floodWithWords();
        floodWithLongMessages();
        floodWithIds();
        int port = freePort();
        publish(port);
        try (var server = ServerProcess.startSmall(
                Files.createDirectory(directory.resolve("server")),
                HEAP,
                "--bind-address",
                "127.0.0.1:" + port,
                "--domain",
                "127.0.0.1:" + port,
                "--sync-bootstrap-relay-url",
                honest.relayUrl())) {
            assertEquals(port, server.awaitPort());
            var log = Thread.ofVirtual().start(() -> server.log().lines().forEach(_ -> {}));
            try (var client = new RelayClient(WireClient.open(port))) {
                await(
                        "the repository, whatever others say",
                        () -> served(client).equals(honest.served()));
                await(
                        "everybody was called",
                        () -> relays.stream().noneMatch(relay -> relay.calls().isEmpty()));
                await("so much was sent", () -> server.isAlive() && sent.get() > SENT_LEAST);
                long live = server.liveBytes();
                assertTrue(live < LIVE_MAX, () -> live + " bytes are in use");
                honest.publish(scene.issue(BOB, ANN, REPOSITORY));
                await("an issue, whatever others say", () -> served(client).equals(honest.served()));
            }
            assertTrue(server.isAlive());
            server.kill();
            log.join();
        }
    }
}
