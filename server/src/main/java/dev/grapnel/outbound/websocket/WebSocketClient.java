package dev.grapnel.outbound.websocket;

import dev.grapnel.outbound.Cancellation;
import dev.grapnel.outbound.Dialer;
import dev.grapnel.outbound.Failure;
import dev.grapnel.outbound.OutboundException;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.outbound.http.Head;
import dev.grapnel.outbound.http.Header;
import dev.grapnel.websocket.FrameMemory;
import dev.grapnel.websocket.FrameReader;
import dev.grapnel.websocket.HandshakeKey;
import dev.grapnel.websocket.Inflation;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/// Opens WebSockets, blocking the calling thread; meant for virtual ones. Redirects are not followed (P-815).
public final class WebSocketClient {
    /// What came of it.
    public sealed interface Opened {
        /// Both sides may talk.
        record Open(WebSocket socket) implements Opened {}

        /// The server answered as one that wants no WebSocket, at least not now.
        ///
        /// @param retryAfter when it wants to be asked again; a stranger's text
        record Refused(int status, Optional<String> retryAfter) implements Opened {}
    }

    private final Dialer dialer;
    private final String userAgent;
    private final Inflation inflation;
    private final RandomGenerator chance;

    /// @param userAgent from [dev.grapnel.outbound.http.Client#userAgent]
    /// @param chance nobody can foresee it: masks keep others from choosing what goes over the line
    public WebSocketClient(Dialer dialer, String userAgent, Inflation inflation, RandomGenerator chance) {
        this.dialer = dialer;
        this.userAgent = userAgent;
        this.inflation = inflation;
        this.chance = chance;
    }

    /// Opens one of few, whose messages need not be counted.
    ///
    /// @param url of `ws` or `wss`
    /// @throws OutboundException if there is no answer, or none that makes sense
    public Opened open(RemoteUrl url, SocketLimits limits, Cancellation cancellation) throws IOException {
        return open(url, limits, List.of(), FrameMemory.PLENTY, cancellation);
    }

    /// Opens one.
    ///
    /// @param headers further fields of the handshake
    /// @param memory for messages that are still coming
    /// @throws OutboundException if there is no answer, or none that makes sense
    public Opened open(
            RemoteUrl url, SocketLimits limits, List<Header> headers, FrameMemory memory, Cancellation cancellation)
            throws IOException {
        if (!url.scheme().isRelay()) {
            throw new IllegalArgumentException("a WebSocket has the scheme ws or wss");
        }
        var line = dialer.dial(url, limits.line(), cancellation);
        boolean done = false;
        try {
            var upgrade = new Upgrade(newKey());
            line.output().write(upgrade.request(url, userAgent, headers));
            line.awaitFirstByte();
            var in = new BufferedInputStream(line.input(), WebSocket.BUFFER);
            var head = Head.readSwitching(in);
            if (head.status() != Head.SWITCHING) {
                return new Opened.Refused(head.status(), upgrade.findFirst(head, "Retry-After"));
            }
            boolean compresses = upgrade.judge(head);
            line.part();
            var reader = new FrameReader(FrameReader.Sender.SERVER, limits.messageMax(), compresses, inflation, memory);
            var socket = new WebSocket(line, in, reader, limits, chance, dialer.nanoTime());
            done = true;
            return new Opened.Open(socket);
        } finally {
            if (!done) {
                line.close();
            }
        }
    }

    private String newKey() {
        var bytes = new byte[HandshakeKey.BYTES];
        chance.nextBytes(bytes);
        return Base64.getEncoder().encodeToString(bytes);
    }

    static OutboundException broken(String reason) {
        return new OutboundException(new Failure.Protocol(reason));
    }
}
