package dev.grapnel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.config.BindAddress;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.server.web.HttpPort;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.Test;

/// Relay 6.6, tests 183 and 184: what one address may do, and all together.
final class AddressLimitsTest {
    private static final String SLOW_DOWN = "rate-limited: slow down";

    private static int status(RelayUnderTest relay, String address) throws IOException {
        try (var client = relay.connectFrom(address)) {
            return client.wire().status();
        }
    }

    private static void assertTold(RelayUnderTest relay, String address, int status, int retryMax) throws IOException {
        try (var client = relay.connectFrom(address)) {
            assertEquals(status, client.wire().status());
            int retry = Integer.parseInt(client.wire().headers().getOrDefault("retry-after", "0"));
            assertTrue(retry >= 1 && retry <= retryMax, "Retry-After: " + retry);
            assertFalse(client.wire().body().isBlank());
        }
    }

    // ---- connections

    @Test
    void connectionsOfAnAddressAreCounted() throws Exception {
        try (var relay = RelayUnderTest.start("CONNECTIONS_PER_IP", "3");
                var one = relay.connectFrom("203.0.113.7");
                var two = relay.connectFrom("203.0.113.7, 127.0.0.1");
                var mapped = relay.connectFrom("::ffff:203.0.113.7")) {
            assertTold(relay, "203.0.113.7", 429, 60);
            assertTold(relay, "[::ffff:cb00:7107]:443", 429, 60);
            assertTold(relay, "198.51.100.1, 203.0.113.7", 429, 60); // what a client writes itself stands on the left
            assertEquals(101, status(relay, "203.0.113.8"));
            one.expectNothing();
            two.expectNothing();
            mapped.wire().close();
            Gauges.awaitThat("a free place", () -> isWelcome(relay, "203.0.113.7"));
        }
    }

    private static boolean isWelcome(RelayUnderTest relay, String address) {
        try {
            return status(relay, address) == 101;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void addressesOfVersionSixAreCountedByTheirNetwork() throws Exception {
        try (var relay = RelayUnderTest.start("CONNECTIONS_PER_IP", "2");
                var one = relay.connectFrom("2001:db8:0:1::1");
                var two = relay.connectFrom("[2001:db8:0:1:ffff:ffff:ffff:ffff]:8080")) {
            one.expectNothing();
            two.expectNothing();
            assertTold(relay, "2001:db8:0:1:abcd::", 429, 60);
            assertEquals(101, status(relay, "2001:db8:0:2::1"));
        }
    }

    @Test
    void thisMachineHasNoLimitsOfItsOwn() throws Exception {
        try (var relay = RelayUnderTest.start(
                        "CONNECTIONS_PER_IP", "1", "NEW_CONNECTIONS_BURST_PER_IP", "1", "EVENTS_BURST_PER_IP", "1");
                var one = relay.connect();
                var two = relay.connect();
                var three = relay.connect()) {
            one.expectNothing();
            two.expectNothing();
            for (int i = 0; i < 20; i++) {
                three.publishOk(RelayUnderTest.note(1, "free " + i));
            }
        }
    }

    @Test
    void addressesMayBeExempt() throws Exception {
        try (var relay = RelayUnderTest.start("CONNECTIONS_PER_IP", "1", "RATE_LIMIT_EXEMPT", "203.0.113.0/24");
                var one = relay.connectFrom("203.0.113.7");
                var two = relay.connectFrom("203.0.113.7");
                var other = relay.connectFrom("198.51.100.1")) {
            one.expectNothing();
            two.expectNothing();
            other.expectNothing();
            assertTold(relay, "198.51.100.1", 429, 60);
        }
    }

    @Test
    void connectionsAreCountedInTotal() throws Exception {
        try (var relay = RelayUnderTest.start("MAX_CONNECTIONS", "3");
                var one = relay.connectFrom("203.0.113.1");
                var two = relay.connectFrom("203.0.113.2");
                var three = relay.connect()) {
            assertTold(relay, "203.0.113.4", 503, 60);
            assertTold(relay, "127.0.0.1", 503, 60);
            one.expectNothing();
            two.expectNothing();
            three.wire().close();
            Gauges.awaitThat("a free place", () -> isWelcome(relay, "203.0.113.4"));
        }
    }

    /// All places are given back, however connections end.
    @Test
    void placesAreGivenBack() throws Exception {
        try (var relay = RelayUnderTest.start(
                "CONNECTIONS_PER_IP", "5", "MAX_CONNECTIONS", "5", "NEW_CONNECTIONS_BURST_PER_IP", "1000")) {
            for (int round = 0; round < 10; round++) {
                var clients = new ArrayList<RelayClient>();
                for (int i = 0; i < 5; i++) {
                    clients.add(relay.connectFrom("203.0.113.7"));
                    assertEquals(101, clients.getLast().wire().status());
                }
                for (int i = 0; i < 5; i++) {
                    var wire = clients.get(i).wire();
                    switch (i) {
                        case 0 -> wire.send(WireClient.CLOSE, (byte) 3, (byte) 0xe8);
                        case 1 -> wire.write((byte) 0xff, (byte) 0xff); // a fault
                        case 2 -> wire.socket().setSoLinger(true, 0); // a reset
                        case 3 -> wire.socket().shutdownOutput();
                        default -> wire.send("[\"REQ\",\"s\",{}]");
                    }
                    if (i == 0) {
                        assertEquals(1000, wire.receiveClose().closeCode());
                    }
                    clients.get(i).close();
                }
                Gauges.awaitNothing(relay);
                assertEquals(0, relay.metric("ngit_websocket_unique_ips"));
            }
        }
    }

    @Test
    void newConnectionsOfAnAddressAreCounted() throws Exception {
        try (var relay =
                RelayUnderTest.start("NEW_CONNECTIONS_PER_MINUTE_PER_IP", "1", "NEW_CONNECTIONS_BURST_PER_IP", "4")) {
            for (int i = 0; i < 4; i++) {
                assertEquals(101, status(relay, "203.0.113.7"));
            }
            assertTold(relay, "203.0.113.7", 429, 60);
            assertEquals(101, status(relay, "203.0.113.8"));
        }
    }

    // ---- messages

    /// Sent so fast that the rate gives nothing back meanwhile, or little.
    @Test
    void eventsOfAnAddressAreCounted() throws Exception {
        int sent = 100;
        try (var relay = RelayUnderTest.start("EVENTS_PER_SECOND_PER_IP", "1", "EVENTS_BURST_PER_IP", "5");
                var one = new Listener(relay.connectFrom("203.0.113.7").wire());
                var neighbour = relay.connectFrom("203.0.113.7");
                var stranger = relay.connectFrom("203.0.113.8")) {
            for (int i = 0; i < sent; i++) {
                // JSON lets letters be escaped, and nobody shall get around the limit by it
                var word = i % 2 == 0 ? "EVENT" : "\\u0045VEN\\u0054";
                one.send("[\"" + word + "\"," + RelayUnderTest.note(1, "counted " + i) + "]");
            }
            one.await("answers", () -> one.answerCount() == sent);
            int accepted = one.accepted().size();
            assertTrue(accepted >= 5 && accepted < sent / 2, accepted + " were accepted");
            one.answers().values().stream()
                    .filter(answer -> !answer.startsWith("true"))
                    .forEach(answer -> assertEquals("false,\"" + SLOW_DOWN + "\"]", answer));
            for (int i = 0; i < 5; i++) {
                stranger.publishOk(RelayUnderTest.note(2, "of a stranger " + i));
            }
            int refused = 0;
            for (int i = 0; i < 20; i++) {
                refused += neighbour
                                .publish(RelayUnderTest.note(3, "neighbour " + i))
                                .accepted()
                        ? 0
                        : 1;
            }
            assertTrue(refused > 0, "an address has one allowance, however many connections");
            neighbour.expectNothing();
        }
    }

    @Test
    void questionsOfAnAddressAreCounted() throws Exception {
        try (var relay = RelayUnderTest.start("QUERIES_PER_SECOND_PER_IP", "1", "QUERIES_BURST_PER_IP", "3");
                var client = relay.connectFrom("203.0.113.7")) {
            client.send("[\"REQ\",\"open\",{\"limit\":0}]");
            assertEquals("[\"EOSE\",\"open\"]", client.receive());
            exhaust(client);
            assertEquals(refused("COUNT", "c"), ask(client, "[\"COUNT\",\"c\",{}]", refused("COUNT", "c")));
            assertEquals(
                    refused("NEG", "n"), ask(client, "[\"NEG-OPEN\",\"n\",{},\"6100000200\"]", refused("NEG", "n")));
            assertEquals(refused("REQ", "r"), ask(client, "[\"\\u0052EQ\",\"r\",{\"limit\":0}]", refused("REQ", "r")));
            client.publishOk(RelayUnderTest.note(1, "events have their own")); // and the open one hears of it
            assertTrue(client.live("open").toString().contains("events have their own"));
            assertEquals(
                    refused("REQ", "open"), ask(client, "[\"REQ\",\"open\",{\"limit\":0}]", refused("REQ", "open")));
            Gauges.await(relay, Gauges.SUBSCRIPTIONS, 0); // what is replaced is over, whatever becomes of the new one
        }
    }

    private static String refused(String command, String id) {
        return command.equals("NEG")
                ? "[\"NEG-ERR\",\"" + id + "\",\"" + SLOW_DOWN + "\"]"
                : "[\"CLOSED\",\"" + id + "\",\"" + SLOW_DOWN + "\"]";
    }

    /// Asks until nothing is left.
    private static void exhaust(RelayClient client) throws IOException {
        for (int i = 0; i < 1_000; i++) {
            client.send("[\"COUNT\",\"x\",{\"ids\":[]}]");
            if (client.message() instanceof RelayMessage.Closed) {
                return;
            }
        }
        throw new AssertionError("it is never enough");
    }

    /// Each second gives one question back, so a slow machine may have to ask again.
    private static String ask(RelayClient client, String question, String expected) throws IOException {
        var answer = "";
        for (int i = 0; i < 20 && !answer.equals(expected); i++) {
            answer = client.ask(question);
        }
        return answer;
    }

    // ---- memory

    /// The memory of requests has a bound for all together; padding counts like anything else.
    @Test
    void requestsOfAllConnectionsAreMeasuredTogether() throws Exception {
        long most = Runtime.getRuntime().maxMemory() / 4;
        var clients = new ArrayList<RelayClient>();
        var frames = new ArrayList<byte[]>();
        for (int i = 0; i < 8; i++) {
            var question = "[\"REQ\",\"s" + i + "\",{\"limit\":0}]";
            frames.add(text(question + " ".repeat((1 << 20) - question.length())));
        }
        try (var relay = RelayUnderTest.start()) {
            long asked = 0;
            var answer = "";
            while (!answer.startsWith("[\"CLOSED\"")) {
                assertTrue(asked << 20 <= most, "more was taken than there is");
                if (asked % 8 == 0) {
                    clients.add(relay.connect());
                }
                clients.getLast().wire().write(frames.get((int) (asked % 8)));
                answer = clients.getLast().receive();
                asked++;
            }
            assertEquals("[\"CLOSED\",\"s" + (asked - 1) % 8 + "\",\"error: busy, try again later\"]", answer);
            assertTrue(relay.metric("grapnel_subscription_bytes") <= most);
            clients.getFirst().send("[\"CLOSE\",\"s0\"]");
            clients.getFirst().expectNothing();
            clients.getLast().wire().write(frames.get((int) ((asked - 1) % 8)));
            assertEquals(
                    "[\"EOSE\",\"s" + (asked - 1) % 8 + "\"]", clients.getLast().receive());
            for (var client : clients) {
                client.close();
            }
            Gauges.awaitNothing(relay);
        } finally {
            for (var client : clients) {
                client.close();
            }
        }
    }

    private static byte[] text(String message) {
        return WireClient.frame(true, 0, WireClient.TEXT, true, message.getBytes(StandardCharsets.UTF_8));
    }

    // ---- handshakes

    /// Relay test 183, with a shorter time: bytes do not buy more of it.
    @Test
    void slowHandshakeIsCut() throws Exception {
        var limits = new HttpPort.Limits(Duration.ofMillis(500), Duration.ofSeconds(60), 100, 100);
        try (var port = new HttpPort(new BindAddress(InetAddress.getLoopbackAddress(), 0), limits, System::nanoTime)) {
            port.open();
            port.serve(new Handler.Abstract() {
                @Override
                public boolean handle(Request request, Response response, Callback callback) {
                    callback.succeeded();
                    return true;
                }
            });
            for (var request : List.of("", "GET / HT", "GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n")) {
                try (var socket = WireClient.connect(port.port())) {
                    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
                    var answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
                    assertTrue(answer.startsWith("HTTP/1.1 408 "), answer);
                }
            }
            try (var socket = WireClient.connect(port.port())) {
                var dripping = Thread.ofVirtual().start(() -> drip(socket));
                var answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
                assertTrue(answer.startsWith("HTTP/1.1 408 "), answer);
                socket.shutdownInput();
                socket.shutdownOutput(); // which ends the dripping
                dripping.join();
            } catch (java.net.SocketException _) {
                // reset while another byte was on its way, which is an end as well
            }
        }
    }

    private static void drip(java.net.Socket socket) {
        try {
            socket.getOutputStream().write("GET / HTTP/1.1\r\nX: ".getBytes(StandardCharsets.US_ASCII));
            while (!socket.isClosed()) {
                socket.getOutputStream().write('x');
                Thread.sleep(20);
            }
        } catch (IOException | InterruptedException _) {
            // cut, as it should be
        }
    }
}
