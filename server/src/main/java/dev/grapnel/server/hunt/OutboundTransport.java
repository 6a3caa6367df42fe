package dev.grapnel.server.hunt;

import dev.grapnel.git.client.Transport;
import dev.grapnel.nostr.Bytes;
import dev.grapnel.outbound.Cancellation;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.outbound.http.Body;
import dev.grapnel.outbound.http.Client;
import dev.grapnel.outbound.http.RedirectGuard;
import dev.grapnel.outbound.http.Request;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;

/// Speaks HTTP with the repository of a stranger. A redirect of the first request holds for all that follow; later
/// ones are not followed (P-805).
final class OutboundTransport implements Transport {
    private final Client client;
    private final HuntLines limits;
    private final RedirectGuard guard;
    private final Desks.Desk desk;
    private final Cancellation cancellation = new Cancellation();
    private volatile RemoteUrl base;
    private boolean isBegun;

    /// @param desk given back while the other side is waited for
    OutboundTransport(Client client, RemoteUrl url, HuntLines limits, RedirectGuard guard, Desks.Desk desk) {
        this.client = client;
        this.base = url;
        this.limits = limits;
        this.guard = guard;
        this.desk = desk;
    }

    /// Who is asked: not the first any more if it led elsewhere.
    RemoteUrl base() {
        return base;
    }

    @Override
    public Transport.Answer get(String path, Map<String, String> headers) throws IOException {
        var request = with(Request.get(base, "/" + path, limits.advertisement(), Long.MAX_VALUE), headers);
        dev.grapnel.outbound.http.Answer answer;
        if (isBegun) {
            answer = desk.away(() -> client.ask(request, cancellation));
        } else {
            isBegun = true;
            answer = desk.away(() -> client.askFollowing(request, this::follow, cancellation));
            base = answer.base();
        }
        return new Heard(answer, desk);
    }

    private boolean follow(RemoteUrl target) {
        boolean mayBe = guard.permits(target);
        if (mayBe) {
            base = target; // whatever fails from now on fails there
        }
        return mayBe;
    }

    @Override
    public Transport.Answer post(String path, Map<String, String> headers, Bytes body, Awaited awaited)
            throws IOException {
        var patience = switch (awaited) {
            case REFS -> limits.advertisement();
            case PACK -> limits.pack();
        };
        var request = with(Request.post(base, "/" + path, Body.of(body.toArray()), patience, Long.MAX_VALUE), headers);
        return new Heard(desk.away(() -> client.ask(request, cancellation)), desk);
    }

    private static Request with(Request request, Map<String, String> headers) {
        var complete = request;
        for (var header : headers.entrySet()) {
            if (!header.getKey().equalsIgnoreCase("Accept-Encoding")) { // the client itself asks for plain answers
                complete = complete.with(header.getKey(), header.getValue());
            }
        }
        return complete;
    }

    @Override
    public void close() {
        cancellation.cancel();
    }

    private record Heard(dev.grapnel.outbound.http.Answer answer, Desks.Desk desk) implements Transport.Answer {
        @Override
        public int status() {
            return answer.status();
        }

        @Override
        public Optional<String> findHeader(String name) {
            return answer.findHeader(name);
        }

        @Override
        public InputStream body() {
            return desk.reading(answer.body());
        }

        @Override
        public void close() {
            answer.close();
        }
    }
}
