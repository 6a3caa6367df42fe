package dev.grapnel.server.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.outbound.AddressRules;
import dev.grapnel.outbound.RawServer;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.outbound.UrlShape;
import dev.grapnel.sync.world.RelayInformation;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Information documents over real sockets.
final class RelayDocumentsTest {
    private static final String DOCUMENT = "{\"limitation\":{\"max_limit\":500}}";

    private SocketsUnderTest under = new SocketsUnderTest();

    @AfterEach
    void close() {
        under.close();
    }

    private Optional<RelayInformation> ask(RemoteUrl relay, boolean isConfigured) throws Exception {
        var answer = new CompletableFuture<Optional<RelayInformation>>();
        under.runOnLoop(() -> under.documents.ask(relay, isConfigured, answer::complete));
        return answer.get(20, TimeUnit.SECONDS);
    }

    private Optional<RelayInformation> answered(String answer) throws Exception {
        try (var server = RawServer.open(RawServer.answering(answer))) {
            return ask(SocketsUnderTest.url(server), false);
        }
    }

    @Test
    void documentIsAskedForWhereTheRelayIs() throws Exception {
        var head = new CompletableFuture<String>();
        try (var server = RawServer.open(peer -> {
            head.complete(RawServer.readHead(peer.getInputStream()));
            peer.getOutputStream().write(RawServer.ok(DOCUMENT).getBytes(StandardCharsets.UTF_8));
        })) {
            var url = RemoteUrl.parse("ws://relay.example:" + server.port() + "/sub/?key=1", UrlShape.relay())
                    .require();
            assertEquals(OptionalInt.of(500), ask(url, false).orElseThrow().limitMax());
            assertTrue(head.join().startsWith("GET /sub?key=1 HTTP/1.1\r\n"), head.join());
            assertTrue(head.join().contains("\r\nAccept: application/nostr+json\r\n"));
        }
    }

    private static String status(int status) {
        return "HTTP/1.1 " + status + " x\r\nContent-Length: 2\r\n\r\n{}";
    }

    /// So it need not be asked again soon.
    @Test
    void whoAnswersOtherwiseSaysNothingOfItself() throws Exception {
        var nothing = Optional.of(RelayInformation.NONE);
        assertEquals(nothing, answered(RawServer.ok("<html>")));
        assertEquals(nothing, answered(status(404)));
        assertEquals(nothing, answered(RawServer.redirect("http://other.example/")));
        assertEquals(nothing, answered(RawServer.ok("{\"name\":\"" + "x".repeat(256 << 10) + "\"}")));
    }

    @Test
    void ofAServerInTroubleItIsNotKnown() throws Exception {
        assertEquals(Optional.empty(), answered(status(429)));
        assertEquals(Optional.empty(), answered(status(502)));
        assertEquals(Optional.empty(), answered("SSH-2.0\r\n"));
    }

    @Test
    void addressesAreCheckedAsForLinks() throws Exception {
        under.close();
        under = new SocketsUnderTest(AddressRules.strict(), SocketsUnderTest.LIMITS, 1 << 20);
        try (var server = RawServer.open(RawServer.answering(RawServer.ok(DOCUMENT)))) {
            assertEquals(Optional.empty(), ask(SocketsUnderTest.url(server), false));
            assertEquals(0, server.accepted());
            assertTrue(ask(SocketsUnderTest.url(server), true).isPresent());
        }
    }

    @Test
    void nobodyThereIsNoDocument() throws Exception {
        RemoteUrl gone;
        try (var server = RawServer.open(_ -> {})) {
            gone = SocketsUnderTest.url(server);
        }
        assertEquals(Optional.empty(), ask(gone, false));
    }
}
