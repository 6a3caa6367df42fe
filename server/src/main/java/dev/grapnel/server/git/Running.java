package dev.grapnel.server.git;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Counts what must not be broken off, so that a stop can wait for it.
final class Running {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();
    private int count;

    /// One more, until closed.
    Run begin() {
        lock.lock();
        try {
            count++;
        } finally {
            lock.unlock();
        }
        return this::end;
    }

    private void end() {
        lock.lock();
        try {
            count--;
            ended.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Waits until nothing runs; false if something still does after that time.
    boolean awaitNone(Duration most) throws InterruptedException {
        lock.lock();
        try {
            long left = most.toNanos();
            while (count > 0) {
                if (left <= 0) {
                    return false;
                }
                left = ended.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// Something that runs.
    interface Run extends AutoCloseable {
        @Override
        void close();
    }
}
