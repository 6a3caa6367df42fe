package dev.grapnel.server.git;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

/// Places for those who make and check packs. Only who computes holds one: whoever waits for its client has
/// given it back, so that slow clients keep nobody from working.
///
/// What has begun is bounded, too, because each takes memory whether it works or waits.
final class Places implements AutoCloseable {
    private static final Duration THREADS_KEPT = Duration.ofSeconds(30);

    private final Semaphore places;
    private final Semaphore rooms;
    private final Duration patience;
    private final LongSupplier nanoTime;
    private final ThreadPoolExecutor threads;

    /// @param atWork that compute at the same time
    /// @param begun that have begun at the same time
    /// @param patience how long one may wait until it can begin: longer, and connections end meanwhile
    /// @param nanoTime a clock that only runs forward
    Places(int atWork, int begun, Duration patience, LongSupplier nanoTime) {
        this.places = new Semaphore(atWork, true);
        this.patience = patience;
        this.nanoTime = nanoTime;
        this.rooms = new Semaphore(begun, true);
        this.threads = new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                THREADS_KEPT.toMillis(),
                TimeUnit.MILLISECONDS,
                new SynchronousQueue<>(),
                Thread.ofPlatform().name("git-", 0).daemon().factory());
    }

    /// Work for which there is a place.
    interface Work {
        void run(Place place) throws IOException;
    }

    /// Does the work on a thread of its own, once there is a place. Waits until there is room for it, so
    /// call it where waiting is cheap.
    ///
    /// @param full called instead if there is no room for it, or no place, for long
    /// @param failed called if it failed
    void run(Work work, Runnable full, Consumer<Throwable> failed) {
        long until = nanoTime.getAsLong() + patience.toNanos();
        if (!awaits(rooms, until)) {
            full.run();
            return;
        }
        try {
            threads.execute(() -> {
                try {
                    work(work, full, until);
                } catch (IOException | RuntimeException | Error e) { // the thread's top: whoever waits is told
                    failed.accept(e);
                } finally {
                    rooms.release();
                }
            });
        } catch (RejectedExecutionException _) {
            rooms.release();
            full.run(); // the server stops
        }
    }

    private boolean awaits(Semaphore permits, long until) {
        try {
            return permits.tryAcquire(until - nanoTime.getAsLong(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // the server stops
            return false;
        }
    }

    private void work(Work work, Runnable full, long until) throws IOException {
        if (!awaits(places, until)) {
            full.run();
            return;
        }
        var place = new Place(until);
        try {
            work.run(place);
        } finally {
            place.leave();
        }
    }

    /// Those at work now.
    int waiting() {
        return places.getQueueLength();
    }

    /// Those that have begun.
    int begun() {
        return threads.getActiveCount();
    }

    /// Takes nobody in any more.
    void stop() {
        threads.shutdown();
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    /// One place, for the thread that got it. Other threads may write through it, to tell the client that
    /// it is being worked for, and change nothing about the place.
    final class Place {
        private final Thread owner = Thread.currentThread();
        private final long until;
        private boolean held = true;

        private Place(long until) {
            this.until = until;
        }

        private void leave() {
            if (Thread.currentThread().equals(owner) && held) {
                held = false;
                places.release();
            }
        }

        private void comeBack() throws IOException {
            if (!Thread.currentThread().equals(owner)) {
                return;
            }
            try {
                places.acquire();
                held = true;
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("the server stops");
            }
        }

        /// Waits for something without holding the place, as long as one may wait that has not begun.
        <T> T waiting(Function<Duration, T> something) throws IOException {
            leave();
            try {
                return something.apply(Duration.ofNanos(until - nanoTime.getAsLong()));
            } finally {
                comeBack();
            }
        }

        /// Reads without holding the place.
        InputStream reading(InputStream in) {
            return new FilterInputStream(in) {
                @Override
                public int read() throws IOException {
                    var one = new byte[1];
                    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
                }

                @Override
                public int read(byte[] into, int from, int length) throws IOException {
                    leave();
                    try {
                        return super.read(into, from, length);
                    } finally {
                        comeBack();
                    }
                }
            };
        }

        /// Writes without holding the place.
        OutputStream writing(OutputStream out) {
            return new FilterOutputStream(out) {
                @Override
                public void write(int b) throws IOException {
                    write(new byte[] {(byte) b}, 0, 1);
                }

                @Override
                public void write(byte[] bytes, int from, int length) throws IOException {
                    leave();
                    try {
                        out.write(bytes, from, length);
                    } finally {
                        comeBack();
                    }
                }

                @Override
                public void flush() throws IOException {
                    leave();
                    try {
                        out.flush();
                    } finally {
                        comeBack();
                    }
                }

                @Override
                public void close() throws IOException {
                    leave();
                    try {
                        out.close(); // without a flush before: what is left and the end go out together
                    } finally {
                        comeBack();
                    }
                }
            };
        }
    }
}
