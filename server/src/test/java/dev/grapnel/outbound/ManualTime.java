package dev.grapnel.outbound;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/// A clock and alarms that stand still until told. The clock begins shortly before its numbers overflow.
public final class ManualTime implements LongSupplier, Alarms {
    private record Set(long at, Runnable action) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final List<Set> alarms = new ArrayList<>();
    private long now = Long.MAX_VALUE - Duration.ofSeconds(3).toNanos();

    @Override
    public long getAsLong() {
        lock.lock();
        try {
            return now;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Alarm after(Duration delay, Runnable action) {
        lock.lock();
        try {
            var set = new Set(now + delay.toNanos(), action);
            alarms.add(set);
            return () -> remove(set);
        } finally {
            lock.unlock();
        }
    }

    private void remove(Set set) {
        lock.lock();
        try {
            alarms.remove(set);
        } finally {
            lock.unlock();
        }
    }

    /// Alarms that are to come.
    public int waiting() {
        lock.lock();
        try {
            return alarms.size();
        } finally {
            lock.unlock();
        }
    }

    /// Lets time pass, alarm by alarm.
    public void advance(Duration by) {
        long end = getAsLong() + by.toNanos();
        for (var due = takeDue(end); due.isPresent(); due = takeDue(end)) {
            due.get().run();
        }
    }

    private Optional<Runnable> takeDue(long end) {
        lock.lock();
        try {
            long start = now;
            var next = alarms.stream()
                    .filter(set -> set.at() - end <= 0)
                    .min(Comparator.comparingLong(set -> set.at() - start));
            now = next.map(Set::at).orElse(end);
            next.ifPresent(alarms::remove);
            return next.map(Set::action);
        } finally {
            lock.unlock();
        }
    }
}
