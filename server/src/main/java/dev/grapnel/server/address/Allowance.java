package dev.grapnel.server.address;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/// How many messages of one sort an address may still send. All its connections share it, from any thread.
sealed interface Allowance {
    /// Whether one more may come.
    boolean take();

    /// Whether far too many have come for long.
    boolean isAbused();

    /// Whether a new one would be the same.
    boolean isRested();

    /// Of an address that has no limits.
    record Unlimited() implements Allowance {
        @Override
        public boolean take() {
            return true;
        }

        @Override
        public boolean isAbused() {
            return false;
        }

        @Override
        public boolean isRested() {
            return true;
        }
    }

    /// Of any other.
    final class Limited implements Allowance {
        private final LongSupplier nanoTime;
        private final ReentrantLock lock = new ReentrantLock();
        private final Bucket bucket;
        private final Excess excess;

        Limited(Rate rate, LongSupplier nanoTime, long origin) {
            this.nanoTime = nanoTime;
            long now = nanoTime.getAsLong();
            this.bucket = new Bucket(rate, now);
            this.excess = new Excess(rate, origin, now);
        }

        @Override
        public boolean take() {
            long now = nanoTime.getAsLong();
            lock.lock();
            try {
                excess.note(now);
                return bucket.take(now);
            } finally {
                lock.unlock();
            }
        }

        @Override
        public boolean isAbused() {
            long now = nanoTime.getAsLong();
            lock.lock();
            try {
                return excess.isSustained(now);
            } finally {
                lock.unlock();
            }
        }

        @Override
        public boolean isRested() {
            long now = nanoTime.getAsLong();
            lock.lock();
            try {
                return bucket.isFull(now) && excess.isQuiet(now);
            } finally {
                lock.unlock();
            }
        }
    }
}
