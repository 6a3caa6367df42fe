package dev.grapnel.server.hunt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.outbound.Outside;
import dev.grapnel.outbound.RawServer;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.outbound.UrlShape;
import dev.grapnel.outbound.websocket.ScriptedPeer;
import dev.grapnel.outbound.websocket.SocketLimits;
import dev.grapnel.outbound.websocket.WebSocketClient;
import dev.grapnel.purgatory.hunt.Failure;
import dev.grapnel.purgatory.hunt.VisitFailed;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.tool.Forgery;
import dev.grapnel.websocket.FrameHead;
import dev.grapnel.websocket.Incoming;
import dev.grapnel.websocket.Inflation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A question to a relay that says what it likes.
final class RelaySearchTest {
    private static final Event WANTED = StoreSamples.event(1, 30618, 1_000, List.of(List.of("d", "x")), "");
    private static final Event OTHER = StoreSamples.event(2, 30618, 1_000, List.of(List.of("d", "x")), "");

    private final Outside outside = new Outside();

    @AfterEach
    void close() {
        outside.close();
    }

    private RelaySearch search(RawServer server) {
        var client = new WebSocketClient(outside.dialer, "Grapnel/1", new Inflation(1), new SplittableRandom(1));
        var url = RemoteUrl.parse("ws://" + Outside.HOST + ":" + server.port(), UrlShape.relay())
                .require();
        var limits = new SocketLimits(Outside.LIMITS, 1 << 20, Duration.ofSeconds(20), 1 << 16);
        return new RelaySearch(client, url, limits, InstantSource.system(), Optional::empty);
    }

    private static String delivery(String subscription, Event event) {
        return "[\"EVENT\",\"" + subscription + "\"," + event + "]";
    }

    /// What a search for one event finds when the relay answers the question like this.
    private List<Event> find(ScriptedPeer.Talk answer) throws IOException, VisitFailed {
        try (var server = RawServer.open(ScriptedPeer.talking(peer -> {
                    peer.next();
                    answer.talk(peer);
                    peer.awaitEnd();
                }));
                var search = search(server)) {
            return search.find(Set.of(WANTED.id()));
        } finally {
            assertEquals(0, outside.slots.inUse());
        }
    }

    private Failure failure(ScriptedPeer.Talk answer) {
        return assertThrows(VisitFailed.class, () -> find(answer)).failure();
    }

    @Test
    void eventIsAskedForByItsIdAndBelievedWithItsSignature() throws Exception {
        var question = new CompletableFuture<String>();
        try (var server = RawServer.open(ScriptedPeer.talking(peer -> {
                    var text = (Incoming.Text) peer.next();
                    question.complete(new String(text.bytes(), 0, text.length(), StandardCharsets.UTF_8));
                    peer.text("[\"AUTH\",\"prove it\"]");
                    peer.text("[\"NOTICE\",\"welcome\"]");
                    peer.text(delivery("revival", WANTED));
                    peer.awaitEnd();
                }));
                var search = search(server)) {
            assertEquals(List.of(WANTED), search.find(Set.of(WANTED.id())));
            assertEquals(
                    "[\"REQ\",\"revival\",{\"ids\":[\"" + WANTED.id() + "\"],\"limit\":1}]",
                    question.get(20, TimeUnit.SECONDS));
        }
    }

    @Test
    void nothingIsThereAfterEoseAndClosed() throws Exception {
        assertEquals(List.of(), find(peer -> peer.text("[\"EOSE\",\"revival\"]")));
        assertEquals(List.of(), find(peer -> peer.text("[\"CLOSED\",\"revival\",\"auth-required: who are you\"]")));
        assertEquals(List.of(), find(peer -> peer.frame(FrameHead.FINAL | FrameHead.CLOSE, "")));
    }

    @Test
    void whatWasNotAskedForIsNotBelieved() throws Exception {
        assertEquals(List.of(), find(peer -> {
            peer.text("[\"EOSE\",\"another\"]");
            peer.text(delivery("another", WANTED));
            peer.text(delivery("revival", OTHER));
            peer.text(delivery("revival", Forgery.of(WANTED)));
            peer.text(delivery("revival", WANTED).replace("\"created_at\":1000", "\"created_at\":1001"));
            peer.frame(FrameHead.FINAL | FrameHead.BINARY, "x");
            peer.text("no JSON");
            peer.text("[\"EOSE\",\"revival\"]");
        }));
    }

    @Test
    void relayThatTalksWithoutEndIsNotListenedTo() throws Exception {
        assertEquals(List.of(), find(peer -> {
            while (true) {
                peer.text(delivery("revival", OTHER));
            }
        }));
    }

    @Test
    void whatCameBeforeAFailureCounts() throws Exception {
        try (var server = RawServer.open(ScriptedPeer.talking(peer -> {
                    peer.next();
                    peer.text(delivery("revival", WANTED));
                    peer.write((byte) 0xff, (byte) 1);
                    peer.awaitEnd();
                }));
                var search = search(server)) {
            assertEquals(List.of(WANTED), search.find(Set.of(WANTED.id(), OTHER.id())));
        }
    }

    @Test
    void failuresAreToldApart() throws Exception {
        assertEquals(new Failure.Passing(), failure(peer -> peer.write((byte) 0xff, (byte) 1)));
        assertEquals(new Failure.Hostile(), failure(peer -> peer.write(FrameHead.write(0x81, 2 << 20, 0))));
        for (var answer : List.of(
                "429 Later\r\nRetry-After: 7", "404 Not Found", "302 Found\r\nLocation: ws://x.example", "502 Bad")) {
            try (var server = RawServer.open(
                            RawServer.answering("HTTP/1.1 " + answer + "\r\nContent-Length: 0\r\n\r\n"));
                    var search = search(server)) {
                var failure = assertThrows(VisitFailed.class, () -> search.find(Set.of(WANTED.id())))
                        .failure();
                var expected = switch (answer.substring(0, 3)) {
                    case "429" -> new Failure.SlowDown(Optional.of(Duration.ofSeconds(7)));
                    case "502" -> new Failure.Passing();
                    default -> new Failure.NotThere();
                };
                assertEquals(expected, failure, answer);
            }
        }
    }

    @Test
    void searchCanBeCancelled() throws Exception {
        var asked = new CompletableFuture<Void>();
        try (var server = RawServer.open(ScriptedPeer.talking(peer -> {
                    peer.next();
                    asked.complete(null);
                    peer.awaitEnd();
                }));
                var search = search(server)) {
            var found = new FutureTask<>(() -> search.find(Set.of(WANTED.id())));
            Thread.ofVirtual().start(found);
            asked.get(20, TimeUnit.SECONDS);
            search.cancel();
            var problem = assertThrows(ExecutionException.class, () -> found.get(20, TimeUnit.SECONDS));
            var failed = assertInstanceOf(VisitFailed.class, problem.getCause());
            assertEquals(new Failure.Cancelled(), failed.failure());
            assertTrue(outside.slots.inUse() == 0);
        }
    }
}
