package dev.grapnel.server;

import static dev.grapnel.server.WireClient.BINARY;
import static dev.grapnel.server.WireClient.CLOSE;
import static dev.grapnel.server.WireClient.CONTINUATION;
import static dev.grapnel.server.WireClient.PING;
import static dev.grapnel.server.WireClient.PONG;
import static dev.grapnel.server.WireClient.TEXT;
import static dev.grapnel.server.WireClient.frame;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.server.websocket.WebSocketConfig;
import dev.grapnel.store.StoreSamples;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.zip.Deflater;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Frames, close codes and compression (relay 6), against a real server.
@TestInstance(Lifecycle.PER_CLASS)
final class TransportTest {
    private static final String DEFLATE = "Sec-WebSocket-Extensions: permessage-deflate\r\n";

    private RelayUnderTest relay;

    @BeforeAll
    void start() {
        relay = RelayUnderTest.start();
    }

    @AfterAll
    void stop() {
        relay.close();
    }

    private WireClient open() throws IOException {
        return WireClient.open(relay.port());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    // ---- upgrade

    @Test
    void upgradesAndSaysSo() throws Exception {
        try (var client = open()) {
            assertEquals(101, client.status());
            assertEquals("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", client.headers().get("sec-websocket-accept"));
            assertEquals("*", client.headers().get("access-control-allow-origin"));
            assertFalse(client.headers().containsKey("sec-websocket-extensions"));
            assertFalse(client.headers().containsKey("sec-websocket-protocol"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"keep-alive, Upgrade", "UPGRADE", "foo,upgrade ,bar"})
    void findsUpgradeInAListOfAnyCase(String connection) throws Exception {
        var request = WireClient.upgrade("/", "").replace("Connection: Upgrade", "Connection: " + connection);
        try (var client = WireClient.request(relay.port(), request)) {
            assertEquals(101, client.status());
        }
    }

    @Test
    void takesTheUpgradeForNip11WhenBothAreAskedFor() throws Exception {
        try (var client = WireClient.open(relay.port(), "Accept: application/nostr+json\r\n")) {
            assertEquals(101, client.status());
        }
    }

    @Test
    void ignoresTheWishElsewhere() throws Exception {
        try (var client = WireClient.request(relay.port(), WireClient.upgrade("/other", ""))) {
            assertEquals(404, client.status());
        }
    }

    @Test
    void refusesAnotherVersionAndNamesItsOwn() throws Exception {
        var request = WireClient.upgrade("/", "").replace("Version: 13", "Version: 8");
        try (var client = WireClient.request(relay.port(), request)) {
            assertEquals(426, client.status());
            assertEquals("13", client.headers().get("sec-websocket-version"));
            assertEquals("*", client.headers().get("access-control-allow-origin"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Sec-WebSocket-Key: abc\r\n",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZSE=\r\n",
                "Sec-WebSocket-Key: !!!!\r\n",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            })
    void refusesAMissingOrMalformedKey(String key) throws Exception {
        var request = WireClient.upgrade("/", "").replace("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n", key);
        try (var client = WireClient.request(relay.port(), request)) {
            assertEquals(400, client.status());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n"})
    void refusesARequestWithABody(String header) throws Exception {
        try (var client = WireClient.request(relay.port(), WireClient.upgrade("/", header))) {
            assertEquals(400, client.status());
        }
    }

    @Test
    void readsWhatWasSentTogetherWithTheRequest() throws Exception {
        var message = frame(true, 0, TEXT, true, bytes("[\"REQ\",\"x\",{\"limit\":0}]"));
        var socket = WireClient.connect(relay.port());
        try (var client = WireClient.on(socket, message)) {
            assertEquals("[\"EOSE\",\"x\"]", client.receive());
        }
    }

    // ---- frames

    @Test
    void closesForAnUnmaskedFrame() throws Exception {
        assertFault(1002, frame(true, 0, TEXT, false, bytes("[]")));
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5, 6, 7, 11, 12, 13, 14, 15})
    void closesForReservedOpcodes(int opcode) throws Exception {
        assertFault(1002, frame(true, 0, opcode, true, bytes("x")));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 7})
    void closesForReservedBits(int reserved) throws Exception {
        assertFault(1002, frame(true, reserved, TEXT, true, bytes("[]")));
    }

    @Test
    void closesForControlFramesThatAreLongOrCut() throws Exception {
        assertFault(1002, frame(true, 0, PING, true, new byte[126]));
        assertFault(1002, frame(false, 0, PING, true, new byte[1]));
        assertFault(1002, frame(true, 4, PING, true, new byte[1]));
    }

    @Test
    void closesForAStrayContinuationAndAnUnfinishedMessage() throws Exception {
        assertFault(1002, frame(true, 0, CONTINUATION, true, bytes("x")));
        assertFault(1002, join(frame(false, 0, TEXT, true, bytes("[")), frame(true, 0, TEXT, true, bytes("]"))));
    }

    @Test
    void closesForALengthThatIsNotInItsShortestForm() throws Exception {
        assertFault(1002, (byte) 0x81, (byte) 0xfe, (byte) 0, (byte) 5, (byte) 0, (byte) 0, (byte) 0, (byte) 0);
        assertFault(1002, new byte[] {(byte) 0x81, (byte) 0xff, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0});
    }

    @Test
    void closesForInvalidText() throws Exception {
        assertFault(1007, frame(true, 0, TEXT, true, (byte) 0xc3, (byte) 0x28));
        assertFault(1007, frame(true, 0, TEXT, true, (byte) 0xed, (byte) 0xa0, (byte) 0x80));
        assertFault(1007, frame(true, 0, TEXT, true, (byte) 0xf4, (byte) 0x90, (byte) 0x80, (byte) 0x80));
        assertFault(1007, frame(true, 0, TEXT, true, (byte) 0xe2, (byte) 0x82));
    }

    @Test
    void takesACharacterThatIsSplitAcrossFragments() throws Exception {
        var text = bytes("[\"REQ\",\"é€😀\",{\"limit\":0}]");
        try (var client = open()) {
            for (int i = 0; i < text.length; i++) {
                client.write(frame(i == text.length - 1, 0, i == 0 ? TEXT : CONTINUATION, true, text[i]));
            }
            assertEquals("[\"EOSE\",\"é€😀\"]", client.receive());
        }
    }

    @Test
    void takesAThousandFragmentsWithPingsBetweenThem() throws Exception {
        var text = bytes("[\"REQ\",\"s\",{\"limit\":0}" + " ".repeat(974) + "]");
        assertEquals(1_000, text.length, 5);
        try (var client = open()) {
            var out = new ByteArrayOutputStream();
            for (int i = 0; i < text.length; i++) {
                out.writeBytes(frame(i == text.length - 1, 0, i == 0 ? TEXT : CONTINUATION, true, text[i]));
                out.writeBytes(frame(true, 0, PING, true, bytes("p" + i)));
            }
            client.write(out.toByteArray());
            assertEquals("[\"EOSE\",\"s\"]", client.receive());
        }
    }

    @Test
    void closesForMoreFragmentsThanAllowed() throws Exception {
        var out = new ByteArrayOutputStream();
        for (int i = 0; i <= 1_024; i++) {
            out.writeBytes(frame(false, 0, i == 0 ? TEXT : CONTINUATION, true, (byte) ' '));
        }
        assertFault(1009, out.toByteArray());
    }

    @Test
    void closesAsSoonAsTheAnnouncedLengthIsTooGreat() throws Exception {
        int length = 5_242_881;
        assertFault(1009, new byte[] {
            (byte) 0x81,
            (byte) 0xff,
            0,
            0,
            0,
            0,
            0,
            (byte) (length >> 16),
            (byte) (length >> 8),
            (byte) length,
            1,
            2,
            3,
            4
        });
    }

    @Test
    void takesAMessageOfExactlyTheLimit() throws Exception {
        var start = "[\"REQ\",\"s\",{\"limit\":0}";
        try (var client = open()) {
            client.send(start + " ".repeat(5_242_880 - start.length() - 1) + "]");
            assertEquals("[\"EOSE\",\"s\"]", client.receive());
            client.send(start + " ".repeat(5_242_880 - start.length()) + "]");
            assertEquals(1009, client.receiveClose().closeCode());
        }
    }

    @Test
    void countsFragmentsTogether() throws Exception {
        var half = new byte[3 << 20];
        try (var client = open()) {
            client.write(frame(false, 0, TEXT, true, half));
            client.write(frame(true, 0, CONTINUATION, true, half));
            assertEquals(1009, client.receiveClose().closeCode());
        }
    }

    @Test
    void answersBinaryWithANoticeTenTimes() throws Exception {
        try (var client = open()) {
            for (int i = 0; i < 10; i++) {
                client.send(BINARY, (byte) 1);
                assertTrue(client.receive().startsWith("[\"NOTICE\",\"unsupported: "));
            }
            client.send("[\"REQ\",\"s\",{\"limit\":0}]");
            assertEquals("[\"EOSE\",\"s\"]", client.receive());
            client.send(BINARY, (byte) 1);
            assertEquals(1003, client.receiveClose().closeCode());
        }
    }

    // ---- control

    @Test
    void answersAPingWithItsPayload() throws Exception {
        try (var client = open()) {
            client.send(PING, bytes("are you there?"));
            var pong = client.frame();
            assertEquals(PONG, pong.opcode());
            assertArrayEquals(bytes("are you there?"), pong.payload());
        }
    }

    @Test
    void aPingFloodDoesNotPileUp() throws Exception {
        try (var client = open()) {
            var out = new ByteArrayOutputStream();
            for (int i = 0; i < 50_000; i++) {
                out.writeBytes(frame(true, 0, PING, true, bytes("ping " + i)));
            }
            client.write(out.toByteArray());
            client.send("[\"REQ\",\"s\",{\"limit\":0}]");
            int pongs = 0;
            var last = "";
            for (var frame = client.frame(); frame.opcode() == PONG; frame = client.frame()) {
                pongs++;
                last = frame.text();
            }
            assertEquals("ping 49999", last);
            assertTrue(pongs < 25_000, pongs + " pongs");
        }
    }

    @Test
    void echoesAClose() throws Exception {
        for (int code : new int[] {1000, 1001, 3000, 4999}) {
            try (var client = open()) {
                client.send(CLOSE, (byte) (code >> 8), (byte) code);
                assertEquals(code, client.receiveClose().closeCode());
                assertTrue(client.isEnd());
            }
        }
        try (var client = open()) {
            client.send(CLOSE);
            assertEquals(1005, client.receiveClose().closeCode());
            assertTrue(client.isEnd());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65535})
    void closesForCodesNobodyMaySend(int code) throws Exception {
        assertFault(1002, frame(true, 0, CLOSE, true, (byte) (code >> 8), (byte) code));
    }

    @Test
    void closesForACloseThatIsCutOrHasBadText() throws Exception {
        assertFault(1002, frame(true, 0, CLOSE, true, (byte) 3));
        assertFault(1007, frame(true, 0, CLOSE, true, (byte) 3, (byte) 0xe8, (byte) 0xff));
    }

    // ---- compression

    @Test
    void agreesOnCompressionWithoutContext() throws Exception {
        try (var client = WireClient.open(relay.port(), DEFLATE)) {
            assertEquals(
                    "permessage-deflate; server_no_context_takeover; client_no_context_takeover",
                    client.headers().get("sec-websocket-extensions"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "permessage-deflate; server_max_window_bits=10",
                "permessage-deflate; foo",
                "permessage-deflate; client_max_window_bits=7",
                "x-webkit-deflate-frame",
                "permessage-deflate; server_no_context_takeover; server_no_context_takeover"
            })
    void declinesWhatItCannotDo(String offer) throws Exception {
        try (var client = WireClient.open(relay.port(), "Sec-WebSocket-Extensions: " + offer + "\r\n")) {
            assertEquals(101, client.status());
            assertFalse(client.headers().containsKey("sec-websocket-extensions"));
        }
    }

    @Test
    void takesTheSecondOfTwoOffers() throws Exception {
        var offers = "permessage-deflate; server_max_window_bits=10, permessage-deflate; client_max_window_bits";
        try (var client = WireClient.open(relay.port(), "Sec-WebSocket-Extensions: " + offers + "\r\n")) {
            assertTrue(client.headers()
                    .getOrDefault("sec-websocket-extensions", "")
                    .startsWith("permessage-deflate;"));
        }
    }

    @Test
    void readsCompressedAndFragmentedMessages() throws Exception {
        var compressed = deflate(bytes("[\"REQ\",\"s\",{\"limit\":0}]" + " ".repeat(10_000)));
        try (var client = WireClient.open(relay.port(), DEFLATE)) {
            client.write(frame(true, 4, TEXT, true, compressed));
            assertEquals("[\"EOSE\",\"s\"]", client.receive());
            client.write(frame(false, 4, TEXT, true, Arrays.copyOf(compressed, 10)));
            client.write(frame(true, 0, CONTINUATION, true, Arrays.copyOfRange(compressed, 10, compressed.length)));
            assertEquals("[\"EOSE\",\"s\"]", client.receive());
            client.send("[\"REQ\",\"plain\",{\"limit\":0}]");
            assertEquals("[\"EOSE\",\"plain\"]", client.receive());
        }
    }

    @Test
    void sendsLongEventsCompressedStoredAndLive() throws Exception {
        var content = "word ".repeat(2_000) + "é😀\\\"";
        var event = StoreSamples.event(3, 1, System.currentTimeMillis() / 1000, List.of(), content);
        try (var publisher = relay.connect();
                var reader = new RelayClient(WireClient.open(relay.port(), DEFLATE))) {
            reader.subscribe("live \"sub\"".replace("\"", "'"), "{\"authors\":[\"" + StoreSamples.author(3) + "\"]}");
            publisher.publishOk(event);
            var frame = reader.wire().frame();
            assertEquals(4, frame.reserved(), "compressed");
            assertTrue(frame.payload().length < content.length() / 4);
            assertEquals(List.of(event), reader.events("{\"ids\":[\"" + event.id() + "\"]}"));
        }
    }

    @Test
    void sendsShortEventsAsTheyAre() throws Exception {
        try (var publisher = relay.connect();
                var reader = new RelayClient(WireClient.open(relay.port(), DEFLATE))) {
            reader.subscribe("s", "{\"authors\":[\"" + StoreSamples.author(4) + "\"]}");
            publisher.publishOk(RelayUnderTest.note(4, "short"));
            assertEquals(0, reader.wire().frame().reserved());
        }
    }

    @Test
    void stopsABombWhileItInflates() throws Exception {
        var bomb = deflate(new byte[1 << 28]);
        assertTrue(bomb.length < 1 << 20);
        try (var client = WireClient.open(relay.port(), DEFLATE)) {
            client.write(frame(true, 4, TEXT, true, bomb));
            assertEquals(1009, client.receiveClose().closeCode());
        }
    }

    @Test
    void takesACompressedMessageOfExactlyTheLimit() throws Exception {
        var start = "[\"REQ\",\"s\",{\"limit\":0}";
        for (int excess = 0; excess < 2; excess++) {
            var text = bytes(start + " ".repeat(5_242_880 - start.length() - 1 + excess) + "]");
            try (var client = WireClient.open(relay.port(), DEFLATE)) {
                client.write(frame(true, 4, TEXT, true, deflate(text)));
                if (excess == 0) {
                    assertEquals("[\"EOSE\",\"s\"]", client.receive());
                } else {
                    assertEquals(1009, client.receiveClose().closeCode());
                }
            }
        }
    }

    @Test
    void closesForDataThatCannotBeInflated() throws Exception {
        try (var client = WireClient.open(relay.port(), DEFLATE)) {
            client.write(frame(true, 4, TEXT, true, (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff));
            assertEquals(1007, client.receiveClose().closeCode());
        }
        try (var client = WireClient.open(relay.port(), DEFLATE)) {
            client.write(frame(false, 0, TEXT, true, bytes("[")));
            client.write(frame(true, 4, CONTINUATION, true, bytes("]")));
            assertEquals(1002, client.receiveClose().closeCode());
        }
    }

    // ---- liveness

    @Test
    void asksASilentPeerAndDropsADeadOne() throws Exception {
        try (var quick = RelayUnderTest.startWith(times -> new WebSocketConfig(
                        times.messageMax(),
                        Duration.ofMillis(200),
                        times.idleMax(),
                        times.closeMax(),
                        times.stallMax()));
                var client = WireClient.open(quick.port())) {
            assertEquals(PING, client.frame().opcode());
            client.send(PONG);
            assertEquals(PING, client.frame().opcode());
            assertTrue(client.isEnd());
        }
    }

    @Test
    void closesAConnectionWithNothingOpenAndKeepsOneWithASubscription() throws Exception {
        try (var quick = RelayUnderTest.startWith(times -> new WebSocketConfig(
                        times.messageMax(),
                        times.pingInterval(),
                        Duration.ofMillis(300),
                        times.closeMax(),
                        times.stallMax()));
                var waiting = new RelayClient(WireClient.open(quick.port()));
                var client = WireClient.open(quick.port())) {
            waiting.subscribe("s", "{}");
            var close = client.receiveClose();
            assertEquals(1000, close.closeCode());
            var note = RelayUnderTest.note(1, "x");
            try (var publisher = quick.connect()) {
                publisher.publishOk(note);
            }
            assertEquals(note, waiting.live("s"));
        }
    }

    private void assertFault(int code, byte... bytes) throws IOException {
        try (var client = open()) {
            client.write(bytes);
            assertEquals(code, client.receiveClose().closeCode());
            client.socket().shutdownOutput();
            assertTrue(client.isEnd());
        }
    }

    private static byte[] join(byte[] first, byte[] second) {
        var out = new ByteArrayOutputStream();
        out.writeBytes(first);
        out.writeBytes(second);
        return out.toByteArray();
    }

    private static byte[] deflate(byte[] text) {
        var deflater = new Deflater(9, true);
        deflater.setInput(text);
        var out = new ByteArrayOutputStream();
        var buffer = new byte[1 << 16];
        int count;
        do {
            count = deflater.deflate(buffer, 0, buffer.length, Deflater.SYNC_FLUSH);
            out.write(buffer, 0, count);
        } while (count == buffer.length);
        deflater.end();
        return Arrays.copyOf(out.toByteArray(), out.size() - 4);
    }
}
