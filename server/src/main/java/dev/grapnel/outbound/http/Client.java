package dev.grapnel.outbound.http;

import dev.grapnel.outbound.Cancellation;
import dev.grapnel.outbound.Dialer;
import dev.grapnel.outbound.Failure;
import dev.grapnel.outbound.Judged;
import dev.grapnel.outbound.Line;
import dev.grapnel.outbound.OutboundException;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.outbound.Rule;
import dev.grapnel.outbound.UrlShape;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/// Asks other servers over HTTP/1.1, blocking the calling thread; meant for virtual ones.
public final class Client {
    private static final int BUFFER = 32 << 10;

    private final Dialer dialer;
    private final UrlShape shape;
    private final String userAgent;
    private final int redirectsMax;

    /// @param shape of URLs that redirects may lead to
    /// @param userAgent from [#userAgent]
    public Client(Dialer dialer, UrlShape shape, String userAgent, int redirectsMax) {
        this.dialer = dialer;
        this.shape = shape;
        this.userAgent = new Header("User-Agent", userAgent).value();
        this.redirectsMax = redirectsMax;
    }

    /// Who asks (P-812), so that an operator who is asked too often knows whom to tell.
    public static String userAgent(String version, String domain) {
        return "Grapnel/" + version + " (" + domain + ")";
    }

    /// Asks, and follows no redirect.
    ///
    /// @throws OutboundException if there is no answer
    /// @throws IOException if the request's own body cannot be written
    public Answer ask(Request request, Cancellation cancellation) throws IOException {
        var answer = exchange(request, cancellation);
        if (Redirects.isRedirect(answer.status())) {
            answer.close();
            throw refused("only the first question may be led elsewhere");
        }
        return answer;
    }

    /// Asks, and goes where redirects lead, each target checked like the first URL (P-805).
    ///
    /// @param request a GET
    /// @throws OutboundException if there is no answer
    public Answer askFollowing(Request request, RedirectGuard guard, Cancellation cancellation) throws IOException {
        if (request.method() != Request.Method.GET) {
            throw new IllegalArgumentException("only a GET can follow redirects");
        }
        long begun = dialer.nanoTime().getAsLong();
        var next = request;
        for (int followed = 0; ; followed++) {
            var answer = followed == 0 ? exchange(next, cancellation) : exchangeElsewhere(next, cancellation);
            if (!Redirects.isRedirect(answer.status())) {
                return answer;
            }
            var location = answer.findHeader("Location");
            answer.close();
            if (followed == redirectsMax) {
                throw refused("there are more than " + redirectsMax + " redirects");
            }
            var target = admit(Redirects.judge(next, location, shape), guard);
            var passed = Duration.ofNanos(dialer.nanoTime().getAsLong() - begun);
            next = next.at(target, request.limits().whole().minus(passed));
        }
    }

    private static RemoteUrl admit(Judged<RemoteUrl> judged, RedirectGuard guard) throws OutboundException {
        var target = switch (judged) {
            case Judged.Passed<RemoteUrl>(var url) -> url;
            case Judged.Refused<RemoteUrl>(var rule, var reason) ->
                throw new OutboundException(new Failure.Redirected(rule, reason));
        };
        if (!guard.permits(target)) {
            throw new OutboundException(new Failure.Busy("the server a redirect leads to may not be asked now"));
        }
        return target;
    }

    private Answer exchangeElsewhere(Request request, Cancellation cancellation) throws IOException {
        try {
            return exchange(request, cancellation);
        } catch (OutboundException e) {
            if (e.failure() instanceof Failure.Policy(var rule, var reason)) {
                throw new OutboundException(new Failure.Redirected(rule, reason), e);
            }
            throw e;
        }
    }

    private Answer exchange(Request request, Cancellation cancellation) throws IOException {
        var line = dialer.dial(request.base(), request.limits(), cancellation);
        boolean done = false;
        try {
            send(request, line);
            line.awaitFirstByte();
            var in = new BufferedInputStream(line.input(), BUFFER);
            var answer = new Answer(request, Head.read(in), line, in);
            done = true;
            return answer;
        } finally {
            if (!done) {
                line.close();
            }
        }
    }

    private void send(Request request, Line line) throws IOException {
        var out = new BufferedOutputStream(line.output(), BUFFER);
        out.write(head(request).toBytes());
        switch (request.body()) {
            case Body.None _ -> {}
            case Body.Sized(var length, var writer) -> {
                var sized = new SizedOutput(out, length);
                writer.writeTo(sized);
                sized.finish();
            }
            case Body.Chunked(var writer) -> {
                var chunks = new ChunkedOutput(out);
                writer.writeTo(chunks);
                chunks.finish();
            }
        }
        out.flush();
    }

    private RequestHead head(Request request) {
        var head = new RequestHead(request.method(), request.target(), request.base(), userAgent)
                .with("Accept-Encoding", request.encoding() == Request.Encoding.GZIP ? "gzip" : "identity")
                .with("Connection", "close");
        request.headers().forEach(header -> head.with(header.name(), header.value()));
        return switch (request.body()) {
            case Body.None _ -> head;
            case Body.Sized sized -> head.with("Content-Length", Long.toString(sized.length()));
            case Body.Chunked _ -> head.with("Transfer-Encoding", "chunked");
        };
    }

    private static OutboundException refused(String reason) {
        return new OutboundException(new Failure.Redirected(Rule.REDIRECT, reason));
    }

    /// Exactly the bytes that were promised.
    private static final class SizedOutput extends OutputStream {
        private final OutputStream out;
        private long left;

        SizedOutput(OutputStream out, long length) {
            this.out = out;
            this.left = length;
        }

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] buffer, int offset, int length) throws IOException {
            left -= length;
            if (left < 0) {
                throw new IllegalStateException("a request's body is longer than it was said to be");
            }
            out.write(buffer, offset, length);
        }

        void finish() {
            if (left != 0) {
                throw new IllegalStateException("a request's body is shorter than it was said to be");
            }
        }
    }

    /// A chunk for every write of some size.
    private static final class ChunkedOutput extends OutputStream {
        private final OutputStream out;
        private final byte[] chunk = new byte[BUFFER / 2];
        private int filled;

        ChunkedOutput(OutputStream out) {
            this.out = out;
        }

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] buffer, int offset, int length) throws IOException {
            for (int at = offset; at < offset + length; ) {
                int count = Math.min(chunk.length - filled, offset + length - at);
                System.arraycopy(buffer, at, chunk, filled, count);
                filled += count;
                at += count;
                if (filled == chunk.length) {
                    send();
                }
            }
        }

        private void send() throws IOException {
            out.write((Integer.toHexString(filled) + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
            out.write(chunk, 0, filled);
            out.write("\r\n".getBytes(StandardCharsets.ISO_8859_1));
            filled = 0;
        }

        void finish() throws IOException {
            if (filled > 0) {
                send();
            }
            out.write("0\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
        }
    }
}
