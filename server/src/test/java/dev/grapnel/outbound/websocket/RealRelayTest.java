package dev.grapnel.outbound.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.message.ClientMessage;
import dev.grapnel.nostr.message.MessageLimits;
import dev.grapnel.nostr.message.ParsedRelayMessage;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.nostr.message.RelayMessageReader;
import dev.grapnel.nostr.message.SubscriptionId;
import dev.grapnel.outbound.Cancellation;
import dev.grapnel.outbound.Outside;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.outbound.UrlShape;
import dev.grapnel.outbound.websocket.WebSocket.Heard;
import dev.grapnel.outbound.websocket.WebSocketClient.Opened;
import dev.grapnel.server.RelayUnderTest;
import dev.grapnel.websocket.CloseCode;
import dev.grapnel.websocket.Inflation;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Our side of a WebSocket with the other side of our own.
final class RealRelayTest {
    private static final RelayMessageReader READER = new RelayMessageReader(MessageLimits.DEFAULTS);

    @Test
    void talksWithARelay() throws Exception {
        try (var relay = RelayUnderTest.start();
                var outside = new Outside()) {
            var client = new WebSocketClient(outside.dialer, "Grapnel/1", new Inflation(1), new SecureRandom());
            var url = RemoteUrl.parse("ws://" + Outside.HOST + ":" + relay.port(), UrlShape.relay())
                    .require();
            var limits = new SocketLimits(Outside.LIMITS, 1 << 20, Duration.ofSeconds(20), 1 << 20);
            try (var socket = ((Opened.Open) client.open(url, limits, new Cancellation())).socket()) {
                // long enough to come back compressed
                var note = RelayUnderTest.note(1, "all work and no play ".repeat(500));
                socket.send(new ClientMessage.Publish(note).json());
                assertEquals(new RelayMessage.Ok(note.id().toHex(), true, ""), next(socket));
                var id = new SubscriptionId("s");
                var filter = Filter.builder().ids(List.of(note.id())).build();
                socket.send(new ClientMessage.Subscribe(id, List.of(filter)).json());
                long before = socket.bytesReceived();
                assertEquals(new RelayMessage.Delivery(id, note), next(socket));
                assertInstanceOf(RelayMessage.EndOfStored.class, next(socket));
                assertEquals(true, socket.bytesReceived() - before < 2_000, "it comes compressed");
                socket.ping();
                socket.bid(CloseCode.NORMAL);
                assertEquals(new Heard.Closed(CloseCode.NORMAL), socket.receive());
            }
        }
    }

    private static RelayMessage next(WebSocket socket) throws IOException {
        while (true) {
            var text = assertInstanceOf(Heard.Message.class, socket.receive()).text();
            var read = assertInstanceOf(ParsedRelayMessage.Read.class, READER.read(text.bytes(), 0, text.length()));
            if (!(read.message() instanceof RelayMessage.Challenge)) {
                return read.message();
            }
        }
    }
}
