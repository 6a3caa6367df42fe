package dev.grapnel.server.hunt;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Where fetched packs are taken in. That computes for long, and what computes for long on a virtual thread keeps
/// requests of clients from running; so it has threads of the system, and only as many compute at once as leave
/// processors to others. Whoever waits for a stranger's bytes holds no desk.
///
/// How many threads there are is bounded by the number of conversations.
public final class Desks implements AutoCloseable {
    private final Semaphore free;
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofPlatform().name("hunt-intake-", 0).daemon().factory());

    /// @param count how many compute at once
    public Desks(int count) {
        this.free = new Semaphore(count, true);
    }

    /// Half of a machine.
    public static Desks ofThisMachine() {
        return new Desks(Math.max(1, Runtime.getRuntime().availableProcessors() / 2));
    }

    /// Something that computes, or waits.
    @FunctionalInterface
    interface Work<T> {
        T run() throws IOException;
    }

    /// The right of one conversation to work at a desk, one thing at a time.
    Desk newDesk() {
        return new Desk();
    }

    @Override
    public void close() {
        threads.shutdown();
    }

    final class Desk {
        private final ReentrantLock lock = new ReentrantLock();
        private @Nullable Thread worker;
        private boolean isCancelled;
        private boolean isHeld; // by the worker alone

        /// Works at a desk, as soon as one is free.
        ///
        /// @throws InterruptedIOException if it was cancelled or the server stops
        <T> T work(Work<T> work) throws IOException {
            try {
                return await(threads.submit(() -> begin(work)));
            } catch (RejectedExecutionException _) {
                throw new InterruptedIOException("the server stops");
            }
        }

        private <T> T begin(Work<T> work) throws IOException {
            setWorker(Thread.currentThread());
            try {
                sit();
                return work.run();
            } finally {
                leave();
                setWorker(null);
            }
        }

        private void setWorker(@Nullable Thread thread) throws InterruptedIOException {
            lock.lock();
            try {
                worker = thread;
                if (isCancelled && thread != null) {
                    throw new InterruptedIOException("cancelled before it began");
                }
            } finally {
                lock.unlock();
            }
        }

        /// Returns only when the work has ended: what it uses is closed afterwards.
        private <T> T await(Future<T> result) throws IOException {
            boolean isInterrupted = false;
            try {
                while (true) {
                    try {
                        return result.get();
                    } catch (InterruptedException _) {
                        isInterrupted = true;
                        cancel();
                    }
                }
            } catch (ExecutionException e) {
                if (e.getCause() instanceof IOException cause) {
                    throw cause;
                }
                if (e.getCause() instanceof RuntimeException cause) {
                    throw cause;
                }
                throw new IllegalStateException("taking in what was fetched failed", e);
            } finally {
                if (isInterrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        /// Waits for others without a desk; who has none just waits.
        <T> T away(Work<T> waiting) throws IOException {
            if (!isHeld) {
                return waiting.run();
            }
            leave();
            try {
                return waiting.run();
            } finally {
                sit();
            }
        }

        /// Reads without a desk.
        InputStream reading(InputStream in) {
            return new FilterInputStream(in) {
                @Override
                public int read() throws IOException {
                    var one = new byte[1];
                    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
                }

                @Override
                public int read(byte[] bytes, int from, int length) throws IOException {
                    return away(() -> in.read(bytes, from, length));
                }
            };
        }

        /// Ends what is being worked at, within moments; by any thread.
        void cancel() {
            lock.lock();
            try {
                isCancelled = true;
                if (worker != null) {
                    worker.interrupt();
                }
            } finally {
                lock.unlock();
            }
        }

        private void sit() throws InterruptedIOException {
            try {
                free.acquire();
                isHeld = true;
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("cancelled while others worked");
            }
        }

        private void leave() {
            if (isHeld) {
                isHeld = false;
                free.release();
            }
        }
    }
}
