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
    private final Cancellation cancellation = new Cancellation();
    private volatile RemoteUrl base;
    private boolean isBegun;

    OutboundTransport(Client client, RemoteUrl url, HuntLines limits, RedirectGuard guard) {
        this.client = client;
        this.base = url;
        this.limits = limits;
        this.guard = guard;
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
            answer = client.ask(request, cancellation);
        } else {
            isBegun = true;
            answer = client.askFollowing(request, this::follow, cancellation);
            base = answer.base();
        }
        return new Heard(answer);
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
        var request = Request.post(base, "/" + path, Body.of(body.toArray()), patience, Long.MAX_VALUE);
        return new Heard(client.ask(with(request, headers), cancellation));
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

    private record Heard(dev.grapnel.outbound.http.Answer answer) implements Transport.Answer {
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
            return answer.body();
        }

        @Override
        public void close() {
            answer.close();
        }
    }
}
