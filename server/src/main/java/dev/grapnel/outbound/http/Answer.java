package dev.grapnel.outbound.http;

import dev.grapnel.outbound.Failure;
import dev.grapnel.outbound.Line;
import dev.grapnel.outbound.OutboundException;
import dev.grapnel.outbound.RemoteUrl;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Optional;

/// What a server answered, whatever its status. Closing it hangs up, read to the end or not.
public final class Answer implements AutoCloseable {
    private final RemoteUrl base;
    private final Head head;
    private final Line line;
    private final long max;
    private final Body body;

    Answer(Request request, Head head, Line line, InputStream in) {
        this.base = request.base();
        this.max = request.answerMax();
        this.head = head;
        this.line = line;
        this.body = new Body(in);
    }

    /// The status, such as 200.
    public int status() {
        return head.status();
    }

    /// The base that answered: another than was asked if a redirect led there. Further requests go to it.
    public RemoteUrl base() {
        return base;
    }

    /// The first value of a header. It is a stranger's text.
    public Optional<String> findHeader(String name) {
        return head.headers().stream()
                .filter(header -> header.isCalled(name))
                .map(Header::value)
                .findFirst();
    }

    /// What the answer holds, decompressed. It throws [OutboundException] if it ends too early, is too long or
    /// keeps us waiting.
    public InputStream body() {
        return body;
    }

    /// Another limit of silence from now on: some servers say a word and then pack for minutes.
    public void allowSilence(Duration limit) {
        line.allowSilence(limit);
    }

    /// Bytes that came, head and compression included, TLS not.
    public long bytesReceived() {
        return line.bytesReceived();
    }

    /// Bytes that went.
    public long bytesSent() {
        return line.bytesSent();
    }

    @Override
    public void close() {
        line.close();
        body.free();
    }

    /// Opened when it is read, because a status tells enough even if the body behind it makes no sense.
    private final class Body extends InputStream {
        private final InputStream raw;
        private Optional<Gunzip> gunzip = Optional.empty();
        private Optional<InputStream> open = Optional.empty();
        private boolean isBegun;

        Body(InputStream raw) {
            this.raw = raw;
        }

        @Override
        public int read() throws IOException {
            return begin(stream().read());
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            return begin(stream().read(buffer, offset, length));
        }

        private InputStream stream() throws OutboundException {
            if (open.isEmpty()) {
                open = Optional.of(open());
            }
            return open.get();
        }

        private InputStream open() throws OutboundException {
            var framing = head.framing();
            if (framing instanceof Head.Framing.Length(var bytes) && bytes > max) {
                throw new OutboundException(new Failure.TooLarge("the answer", max));
            }
            var plain = new BoundedInput(new FramedInput(raw, framing), max);
            if (!head.isGzip()) {
                return plain;
            }
            var inflated = new Gunzip(plain);
            gunzip = Optional.of(inflated);
            return new BoundedInput(inflated, max);
        }

        private int begin(int result) {
            if (!isBegun) {
                isBegun = true;
                line.begun();
            }
            return result;
        }

        void free() {
            gunzip.ifPresent(Gunzip::close);
        }
    }
}
