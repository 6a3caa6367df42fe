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
import dev.grapnel.websocket.FrameHead;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.Deflater;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A whole server among relays that lie, flood and stall, on real sockets, with an honest one beside them.
final class HostileRelaysTest {
    private static final String COMPRESSES =
            "Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover\r\n";
    private static final int COMPRESSED_TEXT = FrameHead.FINAL | FrameHead.COMPRESSED | FrameHead.TEXT;
    private static final int MESSAGE_MAX = 5 << 20;
    private static final String REPOSITORY = "tool";

    /// It is there, and that is all.
    private static final String NOTHING = "";

    @TempDir
    private Path directory;

    private final List<HostileRelay> relays = new ArrayList<>();
    private final Map<HostileRelay, String> words = new HashMap<>();
    private SyncScene scene;
    private SyncedServer server;
    private SyncedServer honest;

    @BeforeEach
    void begin() throws IOException {
        scene = new SyncScene(directory);
        honest = new SyncedServer(directory.resolve("honest"), "SYNC_ENABLED", "false");
        server = new SyncedServer(directory.resolve("server"), "SYNC_CONNECT_TIMEOUT_SECS", "1");
    }

    @AfterEach
    void end() {
        server.close();
        honest.close();
        relays.forEach(HostileRelay::close);
    }

    /// @param told what is to be told of it
    private HostileRelay add(String told, HostileRelay relay) {
        relays.add(relay);
        words.put(relay, told);
        return relay;
    }

    private HostileRelay lie(String told, ScriptedPeer.Talk lie) throws IOException {
        return lie(told, "", lie);
    }

    private HostileRelay lie(String told, String fields, ScriptedPeer.Talk lie) throws IOException {
        return add(told, HostileRelay.open("127.0.0.1", fields, lie));
    }

    /// A repository that names all of them is published at the honest one; its announcement leads our server there.
    private void publish() {
        var others = relays.stream().map(HostileRelay::url).toList();
        scene.serve(ANN, REPOSITORY, scene.commit("one"), others, honest, server);
        var announcement = scene.announcement(ANN, REPOSITORY, others, honest, server);
        honest.publish(announcement);
        server.publish(announcement);
    }

    private void awaitHonest(String what) throws Exception {
        await(what, () -> server.served().equals(honest.served()));
    }

    /// What programs are told of a relay.
    private String told(HostileRelay relay) {
        var page = server.page("/status.json");
        int from = page.indexOf("{\"relay\":\"" + relay.url() + "\"");
        int to = page.indexOf("{\"relay\":\"", from + 1);
        return from < 0 ? "" : page.substring(from, to < 0 ? page.length() : to);
    }

    private void assertTold(HostileRelay relay, String words) throws Exception {
        await(words + " in " + told(relay), () -> told(relay).contains(words));
        var page = server.page("/status");
        assertTrue(page.contains(relay.url()) && page.contains(words), "people are told, too: " + words);
    }

    // ---- lies

    private static String delivery(String id, Object event) {
        return "[\"EVENT\",\"" + id + "\"," + event + "]";
    }

    /// Says the same for ever, for each request.
    private static void repeat(ScriptedPeer peer, String text) throws IOException {
        while (true) {
            peer.text(text);
        }
    }

    private static String forged(Event genuine) {
        return genuine.toString().replaceFirst("\"sig\":\"[0-9a-f]+", "\"sig\":\"" + "0".repeat(128));
    }

    private static byte[] deflate(String text) {
        var deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
        try {
            deflater.setInput(text.getBytes(StandardCharsets.UTF_8));
            var out = new byte[1 << 20];
            int length = deflater.deflate(out, 0, out.length, Deflater.SYNC_FLUSH);
            return Arrays.copyOf(out, length - 4);
        } finally {
            deflater.end();
        }
    }

    /// An answer to a comparison: so many ids by chance, and something about all the rest.
    private static String ids(int count, SplittableRandom chance, boolean goesOn) {
        var out = new ByteArrayOutputStream();
        out.write(0x61);
        out.write(goesOn ? 2 : 0); // up to the second 1, or to the end
        out.write(0);
        out.write(2); // a list
        varint(count, out);
        var ids = new byte[32 * count];
        chance.nextBytes(ids);
        out.writeBytes(ids);
        if (goesOn) {
            out.writeBytes(new byte[] {0, 0, 1}); // to the end, a fingerprint
            var fingerprint = new byte[16];
            chance.nextBytes(fingerprint);
            out.writeBytes(fingerprint);
        }
        return HexFormat.of().formatHex(out.toByteArray());
    }

    private static void varint(int value, ByteArrayOutputStream out) {
        for (int shift = 21; shift > 0; shift -= 7) {
            if (value >> shift > 0) {
                out.write(0x80 | ((value >> shift) & 0x7f));
            }
        }
        out.write(value & 0x7f);
    }

    /// Compares, but names only what is nowhere.
    private static ScriptedPeer.Talk comparing(int count, boolean goesOn) {
        return peer -> {
            var chance = new SplittableRandom(count);
            while (true) {
                var said = HostileRelay.next(peer);
                if (said.verb().equals("NEG-OPEN") || said.verb().equals("NEG-MSG")) {
                    peer.text("[\"NEG-MSG\",\"" + said.id() + "\",\"" + ids(count, chance, goesOn) + "\"]");
                } else {
                    HostileRelay.answer(peer, said);
                }
            }
        };
    }

    // ---- what becomes of them

    @Test
    void relaysThatSendJunkAreToldOfAndDoNoHarm() throws Exception {
        var stranger = StoreSamples.event(BOB, Kinds.ANNOUNCEMENT, 1_000, List.of(List.of("d", "x")), "");
        var note = StoreSamples.event(BOB, 1, 1_000, List.of(), "Good morning.");
        var altered = stranger.toString().replace("\"x\"", "\"y\"");
        lie("sent events for subscriptions that are not open", peer -> repeat(peer, delivery("nobody", note)));
        lie("sent events that were not asked for", peer -> repeat(peer, delivery(asked(peer), note)));
        lie("sent events with wrong signatures", peer -> repeat(peer, delivery(asked(peer), forged(stranger))));
        lie("sent events whose id is not their hash", peer -> repeat(peer, delivery(asked(peer), altered)));
        lie("sent messages that cannot be read", peer -> repeat(peer, "]["));
        lie("sent binary messages", peer -> {
            while (true) {
                peer.frame(FrameHead.FINAL | FrameHead.BINARY, "x");
            }
        });
        assertHarmless();
        for (var relay : relays) {
            assertTold(relay, "was disconnected by us: it sends what nobody asked for");
        }
    }

    @Test
    void relaysThatBreakTheRulesOfFramesAreToldOfAndDoNoHarm() throws Exception {
        var large = "sent messages that are too large";
        var rude = "is left alone for some hours: it does not speak WebSocket there";
        lie(large, peer -> {
            peer.write(FrameHead.write(FrameHead.FINAL | FrameHead.TEXT, MESSAGE_MAX + 1, 0));
            peer.awaitEnd();
        });
        lie(large, peer -> {
            peer.frame(FrameHead.TEXT, "x");
            while (true) {
                peer.frame(FrameHead.CONTINUATION, "");
            }
        });
        lie(large, COMPRESSES, peer -> peer.frame(COMPRESSED_TEXT, deflate(" ".repeat(100 << 20))));
        lie(rude, peer -> peer.frame(COMPRESSED_TEXT, deflate(" ".repeat(100))));
        lie("it was lost: it sent a flood of pings", peer -> {
            while (true) {
                peer.frame(FrameHead.FINAL | FrameHead.PING, "");
            }
        });
        assertHarmless();
    }

    @Test
    void relaysThatDoNotShakeHandsAreToldOfAndDoNoHarm() throws Exception {
        var elsewhere = add("", HostileRelay.open(ScriptedPeer::awaitEnd));
        add(
                "answered the WebSocket handshake with HTTP status 302",
                HostileRelay.openRude(peer -> peer.getOutputStream()
                        .write(RawServer.redirect(elsewhere.url()).getBytes(StandardCharsets.ISO_8859_1))));
        add("could not be connected to: it took too long", HostileRelay.openRude(peer -> {
            peer.getOutputStream().write("HTTP/1.1 101 Switching".getBytes(StandardCharsets.ISO_8859_1));
            while (true) {
                peer.getOutputStream().write(' ');
                LockSupport.parkNanos(10_000_000);
            }
        }));
        add("could not be connected to: the head of an answer", HostileRelay.openRude(peer -> {
            peer.getOutputStream().write("HTTP/1.1 101 Switching".getBytes(StandardCharsets.ISO_8859_1));
            while (true) {
                peer.getOutputStream().write(new byte[1 << 10]);
            }
        }));
        relays.remove(elsewhere); // only the redirect leads there
        assertHarmless();
        assertEquals(List.of(), elsewhere.calls());
        elsewhere.close();
    }

    @Test
    void relaysThatCompareFalselyAreToldOfAndDoNoHarm() throws Exception {
        lie("was judged: negentropy names events that do not come", comparing(500, false));
        lie("compares without an end, or what it does not have", comparing(0, true));
        lie("compares without an end, or what it does not have", comparing(30_000, true));
        assertHarmless();
        for (var relay : relays) {
            assertTrue(told(relay).contains("\"connections\":1,"), "what it streams is heard nevertheless");
        }
    }

    @Test
    void relayThatDripsHindersNobody() throws Exception {
        lie(NOTHING, peer -> {
            for (byte next : FrameHead.write(FrameHead.FINAL | FrameHead.TEXT, 1_000_000, 0)) {
                peer.write(next);
            }
            while (true) {
                peer.write((byte) ' ');
                LockSupport.parkNanos(10_000_000);
            }
        });
        assertHarmless();
        assertTrue(server.service().syncing().inboundBytes() < 1 << 20);
    }

    /// Their streams cost them little, because they are compressed.
    @Test
    void endlessStreamsStopNobody() throws Exception {
        var known = StoreSamples.event(BOB, Kinds.ANNOUNCEMENT, 1_000, List.of(List.of("d", "x")), " ".repeat(400_000));
        for (int i = 0; i < 6; i++) {
            lie(NOTHING, COMPRESSES, peer -> {
                var much = messages(COMPRESSED_TEXT, deflate(delivery(asked(peer), known)), 1 << 20);
                while (true) {
                    peer.write(much);
                }
            });
        }
        assertHarmless();
    }

    @Test
    void relayThatIsFasterThanWeAreIsNotReadMeanwhile() throws Exception {
        var events = new ArrayList<Event>();
        for (int i = 0; i < 4_000; i++) {
            events.add(StoreSamples.event(
                    BOB, Kinds.ANNOUNCEMENT, 1_000 + i, List.of(List.of("d", "x" + i)), "x".repeat(2_000)));
        }
        var sent = new CountDownLatch(1);
        lie(NOTHING, peer -> {
            var id = asked(peer);
            for (var event : events) {
                peer.text(delivery(id, event));
            }
            sent.countDown();
            peer.awaitEnd();
        });
        publish();
        long most = 0;
        while (sent.getCount() > 0) {
            most = Math.max(most, server.service().syncing().inboundBytes());
        }
        assertTrue(most > 500_000, "so much came: " + most);
        assertTrue(most < 1_100_000, "so much was kept: " + most);
        awaitHonest("the repository, whatever others say");
    }

    @Test
    void relayThatFloodsIsTriedAgainLaterEachTime() throws Exception {
        var relay = lie("sent messages that cannot be read", peer -> repeat(peer, "]["));
        assertHarmless();
        await("it is tried again twice", () -> relay.calls().size() >= 3);
        var calls = relay.calls();
        assertTrue(calls.get(1) - calls.get(0) >= 1_000_000_000, "after a second");
        assertTrue(calls.get(2) - calls.get(1) >= 2_000_000_000, "after two");
        assertTold(relay, "after failing");
    }

    /// The subscription that a client opens first.
    private static String asked(ScriptedPeer peer) throws IOException {
        return HostileRelay.await(peer, "REQ").id();
    }

    /// Many times the same, as one piece: so the relay has less work than whoever reads it.
    private static byte[] messages(int first, byte[] payload, int size) {
        var out = new ByteArrayOutputStream();
        while (out.size() < size) {
            out.writeBytes(FrameHead.write(first, payload.length, 0));
            out.writeBytes(payload);
        }
        return out.toByteArray();
    }

    private void assertHarmless() throws Exception {
        publish();
        awaitHonest("the repository, whatever others say");
        for (var relay : relays) {
            assertTold(relay, words.getOrDefault(relay, "?"));
        }
        honest.publish(scene.issue(BOB, ANN, REPOSITORY));
        awaitHonest("an issue, whatever others say");
    }
}
