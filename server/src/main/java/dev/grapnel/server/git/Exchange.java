package dev.grapnel.server.git;

import dev.grapnel.git.wire.BrokenPacket;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One request and its answer.
final class Exchange {
    private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);
    private static final long READ_ON_MAX = 16L << 20;
    private static final int BUFFER = 68 * 1024; // one packet of a band and some more

    private final Request request;
    private final Response response;
    private final Callback callback;
    private final Duration drainTime;
    private final LongSupplier nanoTime;
    private final LongAdder sent = new LongAdder();
    private volatile boolean broken;

    /// @param drainTime how long at most a client that has its answer already may go on sending
    Exchange(Request request, Response response, Callback callback, Duration drainTime, LongSupplier nanoTime) {
        this.request = request;
        this.response = response;
        this.callback = callback;
        this.drainTime = drainTime;
        this.nanoTime = nanoTime;
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-cache, max-age=0, must-revalidate");
    }

    String method() {
        return request.getMethod();
    }

    @Nullable
    String query() {
        return request.getHttpURI().getQuery();
    }

    @Nullable
    String header(String name) {
        return request.getHeaders().get(name);
    }

    /// What the client sends, at its pace.
    InputStream input() {
        return Content.Source.asInputStream(request);
    }

    /// Bytes of the answer so far.
    long sent() {
        return sent.sum();
    }

    /// Whether nobody waits for the answer any more, as far as we know.
    boolean isAbandoned() {
        return broken
                || !request.getConnectionMetaData()
                        .getConnection()
                        .getEndPoint()
                        .isOpen();
    }

    /// Answers with something short.
    void reply(int status, String words) {
        reply(status, "text/plain; charset=utf-8", words.getBytes(StandardCharsets.UTF_8));
    }

    /// Answers with something short, and when to come again.
    void replyLater(int status, String words, Duration after) {
        response.getHeaders().put(HttpHeader.RETRY_AFTER, Math.max(1, after.toSeconds()));
        reply(status, words);
    }

    void replyWrongMethod(String allowed) {
        response.getHeaders().put(HttpHeader.ALLOW, allowed);
        reply(HttpStatus.METHOD_NOT_ALLOWED_405, "Git error: this address is used otherwise");
    }

    /// Answers with bytes that are all there already.
    void reply(int status, String type, byte[] body) {
        response.setStatus(status);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
        response.getHeaders().put("X-Content-Type-Options", "nosniff");
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
        sent.add(body.length);
        boolean head = method().equals("HEAD");
        response.write(true, head ? ByteBuffer.allocate(0) : ByteBuffer.wrap(body), callback);
    }

    /// Begins an answer whose end is not known yet; to be closed by [#end].
    OutputStream begin(String type) {
        response.setStatus(HttpStatus.OK_200);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
        return new AnswerStream();
    }

    /// The answer is complete.
    void end(OutputStream out) throws IOException {
        out.close();
        callback.succeeded();
    }

    /// Collects small writes. What is collected when it is closed goes out together with the end of the
    /// answer: each piece sent by itself wakes the client once more.
    private final class AnswerStream extends OutputStream {
        private final ReentrantLock lock = new ReentrantLock();
        private final byte[] buffer = new byte[BUFFER];
        private int filled;
        private boolean closed;

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            lock.lock();
            try {
                if (length > BUFFER - filled) {
                    flush();
                }
                if (length > BUFFER) {
                    send(ByteBuffer.wrap(bytes, from, length), false);
                } else {
                    System.arraycopy(bytes, from, buffer, filled, length);
                    filled += length;
                }
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void flush() throws IOException {
            lock.lock();
            try {
                if (filled > 0) {
                    sendCollected(false);
                }
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void close() throws IOException {
            lock.lock();
            try {
                if (!closed) {
                    closed = true;
                    sendCollected(true);
                }
            } finally {
                lock.unlock();
            }
        }

        private void sendCollected(boolean last) throws IOException {
            int length = filled;
            filled = 0;
            send(ByteBuffer.wrap(buffer, 0, length), last);
        }

        private void send(ByteBuffer bytes, boolean last) throws IOException {
            int length = bytes.remaining();
            try {
                Content.Sink.write(response, last, bytes);
            } catch (IOException e) {
                broken = true;
                throw e;
            }
            sent.add(length);
        }
    }

    /// Whether the HTTP library says that the request itself was broken.
    private static boolean isClients(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause.getClass().getName().startsWith("org.eclipse.jetty.")) {
                return true;
            }
        }
        return false;
    }

    /// Clients that still send do not read; a little of the rest is let pass, so that most hear the answer.
    private void readOn() {
        try {
            var in = input();
            long left = READ_ON_MAX;
            long until = nanoTime.getAsLong() + drainTime.toNanos();
            var sink = new byte[BUFFER];
            for (int got = in.read(sink); got >= 0 && left > 0; got = in.read(sink)) {
                left -= got;
                if (nanoTime.getAsLong() - until > 0) {
                    return;
                }
            }
        } catch (IOException e) {
            LOG.debug("rest of a refused request not read reason={}", e.toString());
        }
    }

    /// Something went wrong; the client is told if it can still be.
    void fail(Throwable failure) {
        if (response.isCommitted()) {
            LOG.debug("answer broken off reason={}", failure.toString());
            callback.failed(failure);
            return;
        }
        switch (failure) {
            case BodyRefused refusal
            when refusal.status() == HttpStatus.REQUEST_TIMEOUT_408 -> {
                response.getHeaders().put(HttpHeader.CONNECTION, "close");
                reply(refusal.status(), "Git error: " + refusal.getMessage());
            }
            case BodyRefused refusal -> {
                readOn();
                reply(refusal.status(), "Git error: " + refusal.getMessage());
            }
            case BrokenPacket brokenPacket -> {
                readOn();
                reply(HttpStatus.BAD_REQUEST_400, "Git error: " + brokenPacket.getMessage());
            }
            default -> {
                if (isAbandoned()) {
                    callback.failed(failure);
                } else if (isClients(failure)) {
                    LOG.debug("request broken off reason={}", failure.toString());
                    reply(HttpStatus.BAD_REQUEST_400, "Git error: the body is not whole");
                } else {
                    LOG.error("git request failed", failure);
                    reply(HttpStatus.INTERNAL_SERVER_ERROR_500, "Git error: this is our mistake, please try again");
                }
            }
        }
    }
}
