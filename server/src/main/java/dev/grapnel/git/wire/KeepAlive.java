package dev.grapnel.git.wire;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// Tells clients that wait for long that they are still being worked for (service 2.5).
///
/// @param silence after which something is said
/// @param nanoTime a clock that only runs forward
public record KeepAlive(Duration silence, LongSupplier nanoTime) {
    private static final int LOOKS = 4;

    /// What the specification asks for.
    public static KeepAlive defaults(LongSupplier nanoTime) {
        return new KeepAlive(Duration.ofSeconds(5), nanoTime);
    }

    /// Bands over a stream, on which it can be told when something was said last.
    ///
    /// @param large `side-band-64k` rather than `side-band`
    public SideBand bands(OutputStream stream, boolean large) {
        return new SideBand(stream, large, nanoTime);
    }

    /// Speaks up on these bands until closed, whenever nothing else was said for long.
    public Watch watch(SideBand bands) {
        var watch = new Watch();
        Thread.ofVirtual().name("keep-alive").start(() -> speakUp(bands, watch));
        return watch;
    }

    private void speakUp(SideBand bands, Watch watch) {
        try {
            while (!watch.ended.await(silence.toNanos() / LOOKS, TimeUnit.NANOSECONDS)) {
                bands.keepAlive(silence.toNanos());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // the server stops, and the answer ends with it
        } catch (IOException _) {
            // The client is gone; whoever makes its answer finds out with the next packet.
        }
    }

    /// Until when somebody waits.
    public static final class Watch implements AutoCloseable {
        private final CountDownLatch ended = new CountDownLatch(1);

        private Watch() {}

        @Override
        public void close() {
            ended.countDown();
        }
    }
}
