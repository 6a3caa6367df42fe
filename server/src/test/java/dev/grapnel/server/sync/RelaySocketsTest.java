package dev.grapnel.server.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.nostr.message.SubscriptionId;
import dev.grapnel.outbound.AddressRules;
import dev.grapnel.outbound.Failure;
import dev.grapnel.outbound.RawServer;
import dev.grapnel.outbound.Rule;
import dev.grapnel.outbound.websocket.ScriptedPeer;
import dev.grapnel.server.sync.SocketsUnderTest.Caller;
import dev.grapnel.server.sync.SocketsUnderTest.Told;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.sync.world.Heard;
import dev.grapnel.websocket.FrameHead;
import dev.grapnel.websocket.Incoming;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Connections to relays that say what they like.
final class RelaySocketsTest {
    private static final Event EVENT = StoreSamples.event(1, 1621, 1_000, List.of(List.of("a", "x")), "an issue");
    private static final Pattern TOKEN = Pattern.compile(OwnCalls.HEADER + ": (\\S+)");

    private SocketsUnderTest under = new SocketsUnderTest();

    @AfterEach
    void close() {
        under.close();
    }

    private void use(AddressRules rules, RelaySockets.Limits limits, long inboundMax) {
        under.close();
        under = new SocketsUnderTest(rules, limits, inboundMax);
    }

    private static RawServer relay(ScriptedPeer.Talk talk) throws IOException {
        return RawServer.open(ScriptedPeer.talking(peer -> {
            talk.talk(peer);
            peer.awaitEnd();
        }));
    }

    private static String delivery(Event event) {
        return "[\"EVENT\",\"s\"," + event + "]";
    }

    private static RelayMessage said(Caller caller) {
        return assertInstanceOf(Heard.Said.class, caller.heard()).message();
    }

    private static Event event(int number) {
        return StoreSamples.event(1, 1, number, List.of(), "number " + number);
    }

    private static Bytes text(String text) {
        return Bytes.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String textOf(Incoming incoming) {
        var text = (Incoming.Text) incoming;
        return new String(text.bytes(), 0, text.length(), StandardCharsets.UTF_8);
    }

    // ---- what is heard

    @Test
    void whatARelaySaysIsToldInOrder() throws Exception {
        try (var relay = relay(peer -> {
            peer.text(delivery(EVENT));
            peer.text("[\"EOSE\",\"s\"]");
            peer.text("[\"NEW-THING\",1]");
            peer.frame(FrameHead.FINAL | FrameHead.CLOSE, "");
        })) {
            var caller = under.dial(SocketsUnderTest.url(relay));
            caller.line();
            var delivered = assertInstanceOf(Heard.Delivered.class, caller.heard());
            assertEquals(EVENT, delivered.event());
            assertEquals(new SubscriptionId("s"), delivered.id());
            assertEquals(delivery(EVENT).length(), delivered.bytes());
            assertEquals(
                    new Heard.Said(
                            new RelayMessage.EndOfStored(new SubscriptionId("s"), RelayMessage.Completeness.UNSTATED),
                            "[\"EOSE\",\"s\"]".length()),
                    caller.heard());
            assertEquals(new Heard.Unknown("unknown", "[\"NEW-THING\",1]".length()), caller.heard());
            assertEquals(new Failure.Broken(), caller.lost());
            under.runOnLoop(delivered.decided());
            under.runOnLoop(delivered.decided()); // once more does nothing
            assertEquals(0, under.inbound.used());
        }
    }

    /// Others have their turn after a quarter of a megabyte.
    @Test
    void oneTurnOfTheLoopTellsSoManyBytesAndNoMore() throws Exception {
        int count = 10;
        var large = StoreSamples.event(1, 1, 1, List.of(), "x".repeat(90_000));
        try (var relay = relay(peer -> {
            for (int i = 0; i < count; i++) {
                peer.text(delivery(large));
            }
        })) {
            var heard = new AtomicInteger();
            var inFirstTurn = new CompletableFuture<Integer>();
            var caller = new Caller();
            caller.whenHeard = _ -> {
                if (heard.incrementAndGet() == 1) {
                    awaitAll(count * 90_000L);
                    under.loop.post(() -> inFirstTurn.complete(heard.get()));
                }
            };
            caller.dial = under.onLoop(
                    () -> under.sockets.dial(SocketsUnderTest.url(relay), false, Duration.ofSeconds(20), caller));
            assertEquals(3, inFirstTurn.get(20, TimeUnit.SECONDS));
            caller.line();
            for (int i = 0; i < count; i++) {
                caller.heard();
            }
        }
    }

    private void awaitAll(long bytes) {
        long begun = System.nanoTime();
        while (under.inbound.used() < bytes && System.nanoTime() - begun < 20_000_000_000L) {
            Thread.onSpinWait();
        }
    }

    /// They are searched for words on the one loop of all links.
    @Test
    void ofLongTextsTheBeginningIsTold() throws Exception {
        var text = "rate-limited: " + "x".repeat(2_000_000);
        var kept = text.substring(0, 1_024);
        try (var relay = relay(peer -> {
            peer.text("[\"NOTICE\",\"" + text + "\"]");
            peer.text("[\"CLOSED\",\"s\",\"" + text + "\"]");
            peer.text("[\"NEG-ERR\",\"s\",\"" + text + "\"]");
            peer.frame(FrameHead.FINAL | FrameHead.CLOSE, "");
        })) {
            var caller = under.dial(SocketsUnderTest.url(relay));
            caller.line();
            var id = new SubscriptionId("s");
            assertEquals(new RelayMessage.Notice(kept), said(caller));
            assertEquals(new RelayMessage.Closed(id, kept), said(caller));
            assertEquals(new RelayMessage.NegError(id, kept, OptionalLong.empty()), said(caller));
        }
    }

    @Test
    void whatIsNoMessageIsJunk() throws Exception {
        try (var relay = relay(peer -> {
            peer.text("no JSON");
            peer.frame(FrameHead.FINAL | FrameHead.BINARY, "x");
            peer.frame(FrameHead.FINAL | FrameHead.TEXT, new byte[] {'"', (byte) 0xff, '"'});
            peer.text(delivery(EVENT).replace("\"created_at\":1000", "\"created_at\":1001"));
            peer.text(delivery(EVENT).replace("\"created_at\":1000", "\"created_at\":\"x\""));
            peer.text(delivery(EVENT).replace("an issue", "x".repeat(600_000)));
            peer.write(FrameHead.write(FrameHead.FINAL | FrameHead.TEXT, (5 << 20) + 1, 0));
        })) {
            var caller = under.dial(SocketsUnderTest.url(relay));
            caller.line();
            for (var reason : List.of("json", "binary", "utf8", "hash", "event")) {
                assertEquals(
                        reason,
                        assertInstanceOf(Heard.Junk.class, caller.heard()).reason());
            }
            var large = assertInstanceOf(Heard.Unknown.class, caller.heard());
            assertEquals("large_event", large.reason()); // more than we take, which is no fault
            assertTrue(large.bytes() > 600_000);
            assertEquals(
                    "size", assertInstanceOf(Heard.Junk.class, caller.heard()).reason());
            assertEquals(new Failure.TooLarge("a message", 5 << 20), caller.lost());
            assertEquals(0, under.inbound.used());
        }
    }

    // ---- handshakes

    @Test
    void anotherAnswerThanAWebSocketIsTold() throws Exception {
        try (var relay = RawServer.open(RawServer.answering(
                "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 17\r\nContent-Length: 0\r\n\r\n"))) {
            assertEquals(
                    new Told.Refused(429, Optional.of(Duration.ofSeconds(17))),
                    under.dial(SocketsUnderTest.url(relay)).next());
        }
    }

    @Test
    void relayThatEventsNameIsNotDialledAtAPrivateAddress() throws Exception {
        use(AddressRules.strict(), SocketsUnderTest.LIMITS, 1 << 20);
        try (var relay = relay(_ -> {})) {
            var url = SocketsUnderTest.url(relay);
            var failure = assertInstanceOf(Failure.Policy.class, under.dial(url).failed());
            assertEquals(Rule.ADDRESS, failure.rule());
            assertEquals(0, relay.accepted());
            under.dial(url, true, Duration.ofSeconds(20)).line(); // the operator may name whom he likes
            assertEquals(1, relay.accepted());
        }
    }

    @Test
    void handshakeHasALimitInAll() throws Exception {
        try (var relay = RawServer.open(peer -> peer.getInputStream().transferTo(OutputStream.nullOutputStream()))) {
            var caller = under.dial(SocketsUnderTest.url(relay), false, Duration.ofMillis(100));
            assertInstanceOf(Failure.Timeout.class, caller.failed());
        }
    }

    @Test
    void nothingIsToldOfWhatWasGivenUp() throws Exception {
        var gone = new CompletableFuture<Boolean>();
        try (var relay = RawServer.open(peer -> {
            RawServer.readHead(peer.getInputStream());
            gone.complete(peer.getInputStream().read() < 0);
        })) {
            var caller = under.dial(SocketsUnderTest.url(relay));
            relay.awaitArrival();
            under.runOnLoop(caller.dial::cancel);
            assertTrue(gone.get(20, TimeUnit.SECONDS));
            under.runOnLoop(() -> {});
            assertEquals(List.of(), List.copyOf(caller.told));
        }
    }

    @Test
    void ninthConnectionToAMachineHasToWait() throws Exception {
        try (var relay = relay(_ -> {})) {
            for (int i = 0; i < 8; i++) {
                var caller = under.dial(SocketsUnderTest.url(i % 2 == 0 ? "relay.example" : "other.example", relay));
                caller.line();
            }
            assertInstanceOf(
                    Failure.Busy.class, under.dial(SocketsUnderTest.url(relay)).failed());
        }
    }

    @Test
    void relayThatTurnsOutToBeOurselvesIsNotCalledAgain() throws Exception {
        try (var relay = RawServer.open(peer -> {
            var token = TOKEN.matcher(RawServer.readHead(peer.getInputStream()));
            assertTrue(token.find() && under.calls.recognise(token.group(1)));
            peer.getOutputStream()
                    .write("HTTP/1.1 508 Loop Detected\r\nContent-Length: 0\r\n\r\n"
                            .getBytes(StandardCharsets.ISO_8859_1));
        })) {
            var url = SocketsUnderTest.url(relay);
            var ours = new Failure.Policy(Rule.OWN, "it leads to this service itself");
            assertEquals(ours, under.dial(url).failed());
            assertEquals(ours, under.dial(url).failed());
            assertEquals(1, relay.accepted());
        }
    }

    @Test
    void tokenCountsWhileItsHandshakeGoesOnOnly() throws Exception {
        var token = new CompletableFuture<String>();
        try (var relay = relay(peer -> {
            var found = TOKEN.matcher(peer.head());
            token.complete(found.find() ? found.group(1) : "");
            peer.text("[\"NOTICE\",\"welcome\"]");
        })) {
            var caller = under.dial(SocketsUnderTest.url(relay));
            caller.line();
            caller.heard();
            assertEquals(32, token.get(20, TimeUnit.SECONDS).length());
            assertTrue(!under.calls.recognise(token.join()));
            assertTrue(!under.calls.recognise(""));
        }
    }

    // ---- back-pressure (R4.26)

    @Test
    void relayIsNotReadWhileAThousandEventsAreUndecided() throws Exception {
        int count = 2_500;
        try (var relay = relay(peer -> {
            for (int i = 0; i < count; i++) {
                peer.text(delivery(event(i)));
            }
        })) {
            var undecided = new LinkedBlockingQueue<Runnable>();
            var most = new AtomicInteger();
            var caller = new Caller();
            caller.whenHeard = heard -> {
                undecided.add(((Heard.Delivered) heard).decided());
                most.accumulateAndGet(undecided.size(), Math::max);
            };
            caller.dial = under.onLoop(
                    () -> under.sockets.dial(SocketsUnderTest.url(relay), false, Duration.ofSeconds(20), caller));
            caller.line();
            for (int i = 0; i < count; i++) {
                var delivered = (Heard.Delivered) caller.heard();
                assertEquals(i, delivered.event().createdAt());
                if (i >= 999) { // only now is anything decided: before, nobody could have read further
                    under.runOnLoop(undecided.take());
                }
            }
            assertEquals(1_000, most.get());
        }
    }

    @Test
    void relayIsNotSilentWhileNobodyReads() throws Exception {
        use(
                AddressRules.none(),
                new RelaySockets.Limits(5 << 20, new Flow.Limits(1, 1 << 20), new Outgoing.Limits(1 << 20, 64 << 20)),
                1 << 20);
        try (var relay = relay(peer -> {
            peer.text(delivery(event(1)));
            peer.text(delivery(event(2)));
        })) {
            var caller = under.dial(SocketsUnderTest.url(relay));
            var line = caller.line();
            var first = (Heard.Delivered) caller.heard();
            long begun = System.nanoTime();
            long least = 50_000_000L;
            while (line.silentSince() - line.heardAt() < least && System.nanoTime() - begun < 20_000_000_000L) {
                Thread.onSpinWait();
            }
            assertTrue(line.silentSince() - line.heardAt() >= least);
            under.runOnLoop(first.decided());
            caller.heard();
            assertTrue(line.silentSince() - line.heardAt() >= least, "it begins when it is listened to again");
        }
    }

    @Test
    void largeMessageIsLetThroughAlone() throws Exception {
        var large = StoreSamples.event(1, 1, 1, List.of(), "x".repeat(500_000));
        var first = delivery(large).replace("[\"EVENT\"", "[" + " ".repeat(1_500_000) + "\"EVENT\"");
        try (var relay = relay(peer -> {
            peer.text(first);
            peer.text(delivery(large));
            peer.text(delivery(large));
            peer.text(delivery(large));
        })) {
            var caller = under.dial(SocketsUnderTest.url(relay));
            caller.line();
            var one = (Heard.Delivered) caller.heard();
            assertEquals(first.length(), one.bytes());
            assertTrue(under.inbound.used() >= first.length());
            under.runOnLoop(one.decided());
            var two = (Heard.Delivered) caller.heard();
            var three = (Heard.Delivered) caller.heard(); // two of them fit
            under.runOnLoop(two.decided());
            var four = (Heard.Delivered) caller.heard();
            under.runOnLoop(three.decided());
            under.runOnLoop(four.decided());
        }
    }

    @Test
    void relaysShareOneBudgetAndWaitForEachOther() throws Exception {
        use(AddressRules.none(), SocketsUnderTest.LIMITS, 4 << 10); // three messages
        try (var greedy = relay(peer -> {
                    for (int i = 0; i < 10; i++) {
                        peer.text(delivery(event(i)));
                    }
                });
                var modest = relay(peer -> peer.text(delivery(EVENT)))) {
            var first = under.dial(SocketsUnderTest.url(greedy));
            first.line();
            var undecided = new ArrayList<Runnable>();
            for (int i = 0; i < 3; i++) {
                undecided.add(((Heard.Delivered) first.heard()).decided());
            }
            var second = under.dial(SocketsUnderTest.url(modest));
            second.line();
            first.whenHeard = heard -> ((Heard.Delivered) heard).decided().run();
            undecided.forEach(under::runOnLoop);
            assertEquals(EVENT, ((Heard.Delivered) second.heard()).event());
        }
    }

    private static RawServer dripping() throws IOException {
        return relay(peer -> {
            peer.write(FrameHead.write(FrameHead.FINAL | FrameHead.TEXT, 4 << 20, 0));
            peer.write(new byte[(4 << 20) - 1]);
        });
    }

    /// Large messages that were begun and not ended kept ordinary ones of other relays waiting for up to twenty
    /// seconds, and that was held against nobody.
    @Test
    void unfinishedLargeMessageKeepsNoOrdinaryOneWaitingAndEndsAsSlowWhenOthersWait() throws Exception {
        use(AddressRules.none(), SocketsUnderTest.LIMITS, 8 << 20);
        var large = StoreSamples.event(1, 1, 1, List.of(), "x".repeat(30_000));
        try (var first = dripping();
                var second = dripping();
                var third = dripping();
                var modest = relay(peer -> peer.text(delivery(large)))) {
            var liar = begin("relay.example", first);
            begin("other.example", second);
            begin("other.example", third);
            assertEquals(1, under.inbound.waiting(), "for what the others have");
            var caller = under.dial(SocketsUnderTest.url(modest));
            caller.line();
            ((Heard.Delivered) caller.heard()).decided().run();
            assertEquals(1, under.inbound.waiting(), "the large one still does");
            assertEquals(new Failure.Timeout(Failure.Limit.RATE), liar.lost());
        }
    }

    /// Until its message has come as far as it does, or waits.
    private SocketsUnderTest.Caller begin(String name, RawServer relay) throws Exception {
        long before = under.inbound.used();
        var caller = under.dial(SocketsUnderTest.url(name, relay));
        caller.line();
        while (under.inbound.used() < before + 4_000_000 && under.inbound.waiting() == 0) {
            Thread.onSpinWait();
        }
        return caller;
    }

    // ---- what is sent

    @Test
    void messagesGoInOrderAndAreToldWhenTheyHaveGone() throws Exception {
        var received = new LinkedBlockingQueue<String>();
        try (var relay = relay(peer -> {
            for (int i = 0; i < 3; i++) {
                received.add(textOf(peer.next()));
            }
        })) {
            var caller = under.dial(SocketsUnderTest.url(relay));
            var line = caller.line();
            var written = new LinkedBlockingQueue<Integer>();
            under.runOnLoop(() -> {
                for (int i = 0; i < 3; i++) {
                    int number = i;
                    line.send(text("[\"CLOSE\",\"" + i + "\"]"), () -> written.add(number));
                }
            });
            for (int i = 0; i < 3; i++) {
                assertEquals("[\"CLOSE\",\"" + i + "\"]", take(received));
                assertEquals(i, take(written));
            }
            assertEquals(0, under.sockets.unsentBytes());
        }
    }

    private static <T> T take(BlockingQueue<T> queue) throws InterruptedException {
        return Optional.ofNullable(queue.poll(20, TimeUnit.SECONDS)).orElseThrow();
    }

    @Test
    void pongShowsThatARelayIsThere() throws Exception {
        var ping = new CountDownLatch(1);
        try (var relay = relay(peer -> {
            assertInstanceOf(Incoming.Ping.class, peer.next());
            ping.countDown();
            peer.frame(FrameHead.FINAL | FrameHead.PONG, "");
        })) {
            var line = under.dial(SocketsUnderTest.url(relay)).line();
            long before = line.heardAt();
            under.runOnLoop(line::ping);
            assertTrue(ping.await(20, TimeUnit.SECONDS));
            long begun = System.nanoTime();
            while (line.heardAt() == before && System.nanoTime() - begun < 20_000_000_000L) {
                Thread.onSpinWait();
            }
            assertTrue(line.heardAt() > before);
        }
    }

    @Test
    void relayThatDoesNotReadIsHungUpOn() throws Exception {
        use(
                AddressRules.none(),
                new RelaySockets.Limits(5 << 20, Flow.Limits.DEFAULTS, new Outgoing.Limits(1 << 20, 64 << 20)),
                1 << 20);
        var over = new CountDownLatch(1);
        try (var relay = RawServer.open(ScriptedPeer.talking(_ -> over.await()))) {
            var caller = under.dial(SocketsUnderTest.url(relay));
            var line = caller.line();
            var much = text("x".repeat(500_000));
            under.runOnLoop(() -> {
                for (int i = 0; i < 100; i++) {
                    line.send(much, () -> {});
                }
            });
            assertInstanceOf(Failure.Busy.class, caller.lost());
            assertEquals(0, under.sockets.unsentBytes());
        } finally {
            over.countDown();
        }
    }

    @Test
    void closingSaysFarewellAndTellsWhatCameBefore() throws Exception {
        var farewell = new CompletableFuture<Incoming>();
        try (var relay = relay(peer -> {
            peer.text("[\"NOTICE\",\"welcome\"]");
            farewell.complete(peer.next());
            peer.frame(FrameHead.FINAL | FrameHead.CLOSE, "");
        })) {
            var caller = under.dial(SocketsUnderTest.url(relay));
            var line = caller.line();
            assertEquals(new RelayMessage.Notice("welcome"), said(caller));
            under.runOnLoop(line::close);
            assertEquals(new Failure.Cancelled(), caller.lost());
            assertInstanceOf(Incoming.Close.class, farewell.get(20, TimeUnit.SECONDS));
        }
    }

    @Test
    void relayThatDoesNotAnswerAFarewellIsLeftAllTheSame() throws Exception {
        try (var relay = relay(_ -> {})) {
            var caller = under.dial(SocketsUnderTest.url(relay));
            under.runOnLoop(caller.line()::close);
            assertEquals(new Failure.Cancelled(), caller.lost());
        }
    }

    @Test
    void everythingEndsWithTheServer() throws Exception {
        try (var relay = relay(peer -> {
            while (true) {
                peer.text(delivery(EVENT));
            }
        })) {
            var caller = under.dial(SocketsUnderTest.url(relay)); // nothing is ever decided
            caller.line();
            under.sockets.close();
            assertEquals(0, under.sockets.count());
        }
    }
}
