package dev.grapnel.purgatory;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// The events of one sender, who expects that an earlier one counts when a later one is judged. What the
/// sender has on the way to the store is not in any view yet, so as long as there is something, only the
/// writer can refuse.
public final class Lane {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition quiet = lock.newCondition();
    private int onTheWay;

    void begin() {
        lock.lock();
        try {
            onTheWay++;
        } finally {
            lock.unlock();
        }
    }

    void end() {
        lock.lock();
        try {
            onTheWay--;
            if (onTheWay == 0) {
                quiet.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    boolean isQuiet() {
        lock.lock();
        try {
            return onTheWay == 0;
        } finally {
            lock.unlock();
        }
    }

    /// Waits until everything that was sent before is decided about. The store answers each of its works,
    /// so this ends.
    void awaitQuiet() throws InterruptedException {
        lock.lock();
        try {
            while (onTheWay > 0) {
                quiet.await();
            }
        } finally {
            lock.unlock();
        }
    }
}
