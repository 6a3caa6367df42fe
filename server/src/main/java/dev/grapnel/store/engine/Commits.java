package dev.grapnel.store.engine;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// The number of the last visible commit, and a place to wait for the next one.
final class Commits {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private volatile long number;

    Commits(long number) {
        this.number = number;
    }

    long number() {
        return number;
    }

    /// Says that everything up to this number is visible.
    void publish(long committed) {
        if (committed == number) {
            return;
        }
        lock.lock();
        try {
            number = committed;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Waits until a number after the given one is visible, or the time is over.
    void awaitAfter(long position, long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = nanos;
            while (number <= position && left > 0) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }
}
