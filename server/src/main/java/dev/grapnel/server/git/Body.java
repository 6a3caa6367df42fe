package dev.grapnel.server.git;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
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

    private final Counter raw;
    private final Limits limits;
    private final LongSupplier nanoTime;
    private final long deadline;
    private final boolean packed;
    private long bytes;

    /// How much and how long.
    ///
    /// @param bytes after unpacking
    record Limits(long bytes, Duration time) {}

    private Body(InputStream unpacked, Counter raw, boolean packed, Limits limits, LongSupplier nanoTime) {
        super(unpacked);
        this.raw = raw;
        this.packed = packed;
        this.limits = limits;
        this.nanoTime = nanoTime;
        this.deadline = nanoTime.getAsLong() + limits.time().toNanos();
    }

    /// @param encoding value of `Content-Encoding`, if there is one
    /// @throws BodyRefused if nobody here knows the encoding, or it is broken from the start
    static Body open(InputStream raw, @Nullable String encoding, Limits limits, LongSupplier nanoTime)
            throws IOException {
        var counter = new Counter(raw);
        return switch (encoding == null ? "identity" : encoding.trim().toLowerCase(Locale.ROOT)) {
            case "", "identity" -> new Body(new BufferedInputStream(counter, BUFFER), counter, false, limits, nanoTime);
            case "gzip", "x-gzip" -> new Body(unpack(counter), counter, true, limits, nanoTime);
            default ->
                throw new BodyRefused(
                        HttpStatus.UNSUPPORTED_MEDIA_TYPE_415, "a body is sent as it is, or packed by gzip");
        };
    }

    private static InputStream unpack(InputStream raw) throws IOException {
        try {
            return new BufferedInputStream(new GZIPInputStream(raw, BUFFER), BUFFER);
        } catch (ZipException | EOFException e) {
            throw brokenGzip();
        } catch (IOException e) {
            throw translate(e);
        }
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
        if (nanoTime.getAsLong() - deadline > 0) {
            throw new BodyRefused(HttpStatus.REQUEST_TIMEOUT_408, "the request takes too long");
        }
        int got = readUnpacked(into, from, length);
        if (got > 0) {
            bytes += got;
            check();
        }
        return got;
    }

    private int readUnpacked(byte[] into, int from, int length) throws IOException {
        try {
            return in.read(into, from, length);
        } catch (ZipException e) {
            throw brokenGzip();
        } catch (EOFException e) {
            if (packed) {
                throw brokenGzip();
            }
            throw e;
        } catch (IOException e) {
            throw translate(e);
        }
    }

    private void check() throws BodyRefused {
        if (bytes > limits.bytes()) {
            throw new BodyRefused(
                    HttpStatus.PAYLOAD_TOO_LARGE_413, "a request like this has at most " + limits.bytes() + " bytes");
        }
        if (packed && bytes > RATIO_FROM && bytes / RATIO_MAX > raw.bytes) {
            throw new BodyRefused(HttpStatus.BAD_REQUEST_400, "the body unpacks to more than " + RATIO_MAX + " times");
        }
    }

    private static BodyRefused brokenGzip() {
        return new BodyRefused(HttpStatus.BAD_REQUEST_400, "the body is no whole gzip");
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

    private static final class Counter extends FilterInputStream {
        private long bytes;

        Counter(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            int got = super.read();
            if (got >= 0) {
                bytes++;
            }
            return got;
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            int got = super.read(into, from, length);
            if (got > 0) {
                bytes += got;
            }
            return got;
        }
    }
}
