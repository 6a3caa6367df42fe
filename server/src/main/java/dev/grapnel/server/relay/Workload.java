package dev.grapnel.server.relay;

import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// What one connection has asked for and not got yet. Few questions are answered at a time, the others wait;
/// when too much waits, nothing more is read from the connection (relay 2.8, 6.6).
final class Workload {
    private static final int RUNNING_MAX = 20;
    private static final int WAITING_MAX = 256;
    private static final long BYTES_MAX = 8L << 20;

    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>(0);
    private int running;
    private int events;
    private long bytes;

    /// Takes a question; true if it may be answered now, else it is kept until [#finishQuestion] hands it out.
    ///
    /// @param question what begins to answer it, and does not wait
    /// @param length bytes it keeps until it is answered
    boolean beginQuestion(Runnable question, long length) {
        lock.lock();
        try {
            bytes += length;
            if (running < RUNNING_MAX) {
                running++;
                return true;
            }
            waiting.add(question);
            return false;
        } finally {
            lock.unlock();
        }
    }

    /// A question is answered; returns the next one, which counts as begun.
    @Nullable
    Runnable finishQuestion(long length) {
        lock.lock();
        try {
            bytes -= length;
            var next = waiting.poll();
            if (next == null) {
                running--;
            }
            return next;
        } finally {
            lock.unlock();
        }
    }

    void beginEvent(int length) {
        lock.lock();
        try {
            events++;
            bytes += length;
        } finally {
            lock.unlock();
        }
    }

    void finishEvent(int length) {
        lock.lock();
        try {
            events--;
            bytes -= length;
        } finally {
            lock.unlock();
        }
    }

    boolean isSaturated() {
        lock.lock();
        try {
            return events + waiting.size() > WAITING_MAX || bytes > BYTES_MAX;
        } finally {
            lock.unlock();
        }
    }

    /// Whether every event was answered.
    boolean hasNoEvents() {
        lock.lock();
        try {
            return events == 0;
        } finally {
            lock.unlock();
        }
    }

    boolean isEmpty() {
        lock.lock();
        try {
            return events == 0 && running == 0;
        } finally {
            lock.unlock();
        }
    }
}
