package dev.grapnel.server.git;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.eclipse.jetty.http.HttpStatus;
import org.jspecify.annotations.Nullable;

/// What a client sends, unpacked and within its limits.
///
/// Everything that is wrong with it is a [BodyRefused] with the status of service 2.8; other failures mean
/// that the client is gone.
final class Body extends FilterInputStream {
    private static final int BUFFER = 64 * 1024;
    private static final int RATIO_MAX = 200;
    private static final long RATIO_FROM = 1 << 20;

    /// Packing something that cannot be packed makes it a little larger.
    private static final long PACKING_COSTS = 64 * 1024;

    private static final long PACKING_PART = 100;

    private final Arrival raw;
    private final Limits limits;
    private final boolean packed;
    private long bytes;

    /// How much and how long.
    ///
    /// @param bytes after unpacking
    record Limits(long bytes, Duration time) {}

    private Body(InputStream unpacked, Arrival raw, boolean packed, Limits limits) {
        super(new BufferedInputStream(unpacked, BUFFER));
        this.raw = raw;
        this.packed = packed;
        this.limits = limits;
    }

    /// @param encoding value of `Content-Encoding`, if there is one
    /// @throws BodyRefused if nobody here knows the encoding
    static Body open(InputStream raw, @Nullable String encoding, Limits limits, LongSupplier nanoTime)
            throws BodyRefused {
        var arrival = new Arrival(raw, limits, nanoTime);
        return switch (encoding == null ? "identity" : encoding.trim().toLowerCase(Locale.ROOT)) {
            case "", "identity" -> new Body(arrival, arrival, false, limits);
            case "gzip", "x-gzip" -> new Body(new Gunzip(arrival), arrival, true, limits);
            default ->
                throw new BodyRefused(
                        HttpStatus.UNSUPPORTED_MEDIA_TYPE_415, "a body is sent as it is, or packed by gzip");
        };
    }

    /// Bytes that came over the wire.
    long received() {
        return raw.bytes;
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        int got = in.read(into, from, length);
        if (got > 0) {
            bytes += got;
            check();
        }
        return got;
    }

    private void check() throws BodyRefused {
        if (bytes > limits.bytes()) {
            throw tooLarge(limits);
        }
        if (packed && bytes > RATIO_FROM && bytes / RATIO_MAX > raw.bytes) {
            throw new BodyRefused(HttpStatus.BAD_REQUEST_400, "the body unpacks to more than " + RATIO_MAX + " times");
        }
    }

    private static BodyRefused tooLarge(Limits limits) {
        return new BodyRefused(
                HttpStatus.PAYLOAD_TOO_LARGE_413, "a request like this has at most " + limits.bytes() + " bytes");
    }

    /// Silence is the client's fault and gets an answer.
    private static IOException translate(IOException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof TimeoutException) {
                return new BodyRefused(HttpStatus.REQUEST_TIMEOUT_408, "nothing more came for a while");
            }
        }
        return failure;
    }

    @Override
    public long skip(long count) throws IOException {
        var sink = new byte[(int) Math.min(Math.max(count, 0), BUFFER)];
        int got = read(sink, 0, sink.length);
        return Math.max(got, 0);
    }

    @Override
    public boolean markSupported() {
        return false;
    }

    /// What comes over the wire. Its limits are looked at here, too: a body can be packed so that it never
    /// unpacks to anything.
    private static final class Arrival extends FilterInputStream {
        private final Limits limits;
        private final LongSupplier nanoTime;
        private final long deadline;
        private long bytes;

        Arrival(InputStream in, Limits limits, LongSupplier nanoTime) {
            super(in);
            this.limits = limits;
            this.nanoTime = nanoTime;
            this.deadline = nanoTime.getAsLong() + limits.time().toNanos();
        }

        @Override
        public int read() throws IOException {
            var one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            if (nanoTime.getAsLong() - deadline > 0) {
                throw new BodyRefused(HttpStatus.REQUEST_TIMEOUT_408, "the request takes too long");
            }
            int got = readArrived(into, from, length);
            if (got > 0) {
                bytes += got;
            }
            if (bytes - PACKING_COSTS - bytes / PACKING_PART > limits.bytes()) {
                throw tooLarge(limits);
            }
            return got;
        }

        private int readArrived(byte[] into, int from, int length) throws IOException {
            try {
                return super.read(into, from, length);
            } catch (IOException e) {
                throw translate(e);
            }
        }
    }
}
