package dev.grapnel.server;

import dev.grapnel.server.address.AddressBook;
import dev.grapnel.server.address.Admitted;
import dev.grapnel.server.address.Client;
import dev.grapnel.server.address.ClientAddress;
import dev.grapnel.server.relay.Relay;
import dev.grapnel.server.sync.OwnCalls;
import dev.grapnel.server.web.RelayDoor;
import dev.grapnel.server.websocket.Handshake;
import dev.grapnel.server.websocket.WebSocketConnection;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.HttpStream;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/// Where a request becomes a session with the relay (relay 6.1).
final class RelayEntrance implements RelayDoor {
    private static final Duration STOPPING_RETRY = Duration.ofSeconds(10);

    private final Supplier<Relay> relay;
    private final AddressBook addresses;
    private final Function<Request, ClientAddress> addressOf;
    private final OwnCalls calls;
    private final WebSocketConnection.Commons commons;

    /// @param calls by which handshakes of this very process are recognised
    RelayEntrance(
            Supplier<Relay> relay,
            AddressBook addresses,
            Function<Request, ClientAddress> addressOf,
            OwnCalls calls,
            WebSocketConnection.Commons commons) {
        this.relay = relay;
        this.addresses = addresses;
        this.addressOf = addressOf;
        this.calls = calls;
        this.commons = commons;
    }

    @Override
    public void open(Request request, Response response, Callback callback) {
        var meta = request.getConnectionMetaData();
        boolean isHttp11 = meta.getHttpVersion() == HttpVersion.HTTP_1_1;
        switch (Handshake.judge(request.getMethod(), isHttp11, request.getHeaders())) {
            case Handshake.Outcome.Refuse(var status, var reason) -> {
                if (status == HttpStatus.UPGRADE_REQUIRED_426) {
                    response.getHeaders().put(HttpHeader.SEC_WEBSOCKET_VERSION, "13");
                    response.getHeaders().put(HttpHeader.UPGRADE, "websocket");
                }
                refuse(status, reason, response, callback);
            }
            case Handshake.Outcome.Accept accept -> {
                if (relay.get().isStopping()) {
                    refuseUntil(503, "the relay is shutting down", STOPPING_RETRY, response, callback);
                } else if (isOurs(request)) {
                    refuse(HttpStatus.LOOP_DETECTED_508, "this relay does not talk to itself", response, callback);
                } else {
                    admit(accept, request, response, callback);
                }
            }
        }
    }

    /// Whether it is a handshake of our own sync, which a name that is not known as ours led here (sync R1.15).
    private boolean isOurs(Request request) {
        return Optional.ofNullable(request.getHeaders().get(OwnCalls.HEADER))
                .filter(calls::recognise)
                .isPresent();
    }

    private void admit(Handshake.Outcome.Accept accept, Request request, Response response, Callback callback) {
        switch (addresses.connect(addressOf.apply(request))) {
            case Admitted.Full(var after) ->
                refuseUntil(503, "the relay has as many connections as it can take", after, response, callback);
            case Admitted.TooManyHere(var after) ->
                refuseUntil(429, "your address has as many connections as it may have", after, response, callback);
            case Admitted.TooFast(var after) ->
                refuseUntil(429, "your address opens connections too fast", after, response, callback);
            case Admitted.Welcome(var client) -> upgrade(accept, client, request, response, callback);
        }
    }

    private void upgrade(
            Handshake.Outcome.Accept accept, Client client, Request request, Response response, Callback callback) {
        var meta = request.getConnectionMetaData();
        var connector = meta.getConnector();
        WebSocketConnection connection;
        try {
            connection = new WebSocketConnection(
                    meta.getConnection().getEndPoint(),
                    connector.getExecutor(),
                    connector.getByteBufferPool(),
                    commons,
                    accept.extension().isPresent(),
                    peer -> relay.get().open(peer, client));
        } catch (RuntimeException e) {
            client.close();
            throw e;
        }
        var headers = response.getHeaders();
        response.setStatus(HttpStatus.SWITCHING_PROTOCOLS_101);
        headers.put(HttpHeader.UPGRADE, "websocket");
        headers.put(HttpHeader.CONNECTION, "Upgrade");
        headers.put(HttpHeader.SEC_WEBSOCKET_ACCEPT, accept.accept());
        accept.extension().ifPresent(answer -> headers.put(HttpHeader.SEC_WEBSOCKET_EXTENSIONS, answer));
        request.setAttribute(HttpStream.UPGRADE_CONNECTION_ATTRIBUTE, connection);
        response.write(true, null, Callback.from(callback::succeeded, problem -> {
            connection.abandon();
            callback.failed(problem);
        }));
    }

    private static void refuseUntil(int status, String reason, Duration after, Response response, Callback callback) {
        response.getHeaders().put(HttpHeader.RETRY_AFTER, Math.max(1, after.toSeconds()));
        refuse(status, reason, response, callback);
    }

    private static void refuse(int status, String reason, Response response, Callback callback) {
        response.setStatus(status);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain; charset=utf-8");
        response.getHeaders().put(HttpHeader.CONNECTION, "close");
        Content.Sink.write(response, true, reason + "\n", callback);
    }
}
