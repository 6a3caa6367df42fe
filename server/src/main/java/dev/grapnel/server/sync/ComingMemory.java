package dev.grapnel.server.sync;

import dev.grapnel.websocket.FrameMemory;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/// Memory for messages of relays that are still coming (R4.26).
///
/// It costs a stranger nothing to begin a message and never to end it, so it must cost others little. The first 64 KiB
/// of each link come from a part of their own: ordinary messages never wait for large ones. Whoever waits for the rest
/// has its turn before those who would hold more. While somebody waits, the link goes that has held an unfinished
/// message longest, if that is too long.
final class ComingMemory {
    /// Of a link, from the part for ordinary messages.
    static final int SMALL = 64 << 10;

    private static final Duration WAIT_MAX = Duration.ofSeconds(10);

    /// From when on an unfinished message is in the way of those who wait.
    private static final Duration HELD_MAX = Duration.ofSeconds(5);

    private static final Duration LOOK = Duration.ofMillis(250);

    private final ReentrantLock lock = new ReentrantLock();
    private final Part small;
    private final Part large;
    private final long shareMax;
    private final LongSupplier nanoTime;
    private long asked;

    /// @param bytes for all links; a quarter is for ordinary messages
    /// @param shareMax the most that one link may hold; there is always room for one that does
    ComingMemory(long bytes, long shareMax, LongSupplier nanoTime) {
        this.small = new Part(bytes / 4);
        this.large = new Part(Math.max(bytes - bytes / 4, shareMax));
        this.shareMax = shareMax;
        this.nanoTime = nanoTime;
    }

    /// What one link may use.
    ///
    /// @param end ends the link, because it keeps others waiting; must not wait
    Share open(Runnable end) {
        return new Share(end);
    }

    long used() {
        lock.lock();
        try {
            return small.used + large.used;
        } finally {
            lock.unlock();
        }
    }

    /// How many wait.
    int waiting() {
        lock.lock();
        try {
            return small.waiters.size() + large.waiters.size();
        } finally {
            lock.unlock();
        }
    }

    /// What one link holds. Its thread alone asks and gives back.
    final class Share implements FrameMemory {
        private final Runnable end;
        private long fromSmall;
        private long fromLarge;
        private OptionalLong heldSince = OptionalLong.empty();
        private boolean isWaiting;

        private Share(Runnable end) {
            this.end = end;
        }

        private long held() {
            return fromSmall + fromLarge;
        }

        @Override
        public boolean reserve(long bytes) {
            lock.lock();
            try {
                return held() + bytes <= shareMax && take(bytes);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return false;
            } finally {
                lock.unlock();
            }
        }

        private boolean take(long bytes) throws InterruptedException {
            long ordinary = Math.clamp(SMALL - fromSmall, 0, bytes);
            if (!small.take(this, ordinary)) {
                return false;
            }
            fromSmall += ordinary;
            boolean isWhole = false;
            try {
                isWhole = large.take(this, bytes - ordinary);
            } finally { // who is interrupted while it waits has nothing either
                if (!isWhole) {
                    fromSmall -= ordinary;
                    small.giveBack(this, ordinary, fromSmall == 0);
                }
            }
            if (isWhole) {
                fromLarge += bytes - ordinary;
                if (heldSince.isEmpty()) {
                    heldSince = OptionalLong.of(nanoTime.getAsLong());
                }
            }
            return isWhole;
        }

        @Override
        public void release(long bytes) {
            lock.lock();
            try {
                long rest = Math.min(bytes, fromLarge);
                fromLarge -= rest;
                fromSmall -= bytes - rest;
                large.giveBack(this, rest, fromLarge == 0);
                small.giveBack(this, bytes - rest, fromSmall == 0);
                if (held() == 0) {
                    heldSince = OptionalLong.empty();
                }
            } finally {
                lock.unlock();
            }
        }

        /// The message is whole: whatever it waits for now is no fault of the link's.
        void whole() {
            lock.lock();
            try {
                heldSince = OptionalLong.empty();
            } finally {
                lock.unlock();
            }
        }

        private boolean isInTheWay(long now) {
            return !isWaiting && heldSince.isPresent() && now - heldSince.getAsLong() >= HELD_MAX.toNanos();
        }
    }

    /// Somebody who waits.
    ///
    /// @param least who would hold less goes first
    private record Waiter(long least, long number, long bytes, Condition turn) {
        private static final Comparator<Waiter> ORDER =
                Comparator.comparingLong(Waiter::least).thenComparingLong(Waiter::number);
    }

    /// A part of the memory. All of it is guarded by the lock.
    private final class Part {
        private final long max;
        private final TreeSet<Waiter> waiters = new TreeSet<>(Waiter.ORDER);
        private final Set<Share> holders = new LinkedHashSet<>();
        private long used;

        private Part(long max) {
            this.max = max;
        }

        private boolean take(Share share, long bytes) throws InterruptedException {
            if (bytes == 0) {
                return true;
            }
            if (bytes > max) {
                return false;
            }
            if ((!waiters.isEmpty() || used + bytes > max) && !await(share, bytes)) {
                return false;
            }
            used += bytes;
            holders.add(share);
            return true;
        }

        private boolean await(Share share, long bytes) throws InterruptedException {
            var waiter = new Waiter(share.held() + bytes, asked++, bytes, lock.newCondition());
            waiters.add(waiter);
            share.isWaiting = true;
            long begun = nanoTime.getAsLong();
            try {
                while (!waiters.first().equals(waiter) || used + bytes > max) {
                    if (nanoTime.getAsLong() - begun >= WAIT_MAX.toNanos()) {
                        return false;
                    }
                    if (waiters.first().equals(waiter)) {
                        endOldest();
                    }
                    var _ = waiter.turn().await(LOOK.toNanos(), TimeUnit.NANOSECONDS);
                }
                return true;
            } finally {
                share.isWaiting = false;
                excuse(share, nanoTime.getAsLong() - begun);
                waiters.remove(waiter);
                wakeFirst();
            }
        }

        /// What a link waits for it is not to blame for.
        private void excuse(Share share, long nanos) {
            if (share.heldSince.isPresent()) {
                share.heldSince = OptionalLong.of(share.heldSince.getAsLong() + nanos);
            }
        }

        private void endOldest() {
            long now = nanoTime.getAsLong();
            Optional<Share> oldest = holders.stream()
                    .filter(share -> share.isInTheWay(now))
                    .min(Comparator.comparingLong(share -> share.heldSince.orElseThrow() - now));
            if (oldest.isEmpty()) {
                return;
            }
            oldest.get().heldSince = OptionalLong.empty(); // once is enough
            lock.unlock(); // others may be called
            try {
                oldest.get().end.run();
            } finally {
                lock.lock();
            }
        }

        private void giveBack(Share share, long bytes, boolean isAll) {
            used -= bytes;
            if (isAll) {
                holders.remove(share);
            }
            if (bytes > 0) {
                wakeFirst();
            }
        }

        private void wakeFirst() {
            if (!waiters.isEmpty()) {
                waiters.first().turn().signal();
            }
        }
    }
}
