package dev.grapnel.sync.index;

import dev.grapnel.sync.world.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.TreeMap;

/// A loop whose time goes on only when a test says so.
final class ManualLoop implements Scheduler {
    private final Deque<Runnable> posted = new ArrayDeque<>();
    private final TreeMap<Due, Runnable> timers = new TreeMap<>();
    private long now;
    private long count;

    private record Due(long at, long number) implements Comparable<Due> {
        @Override
        public int compareTo(Due other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(number, other.number);
        }
    }

    @Override
    public long nanos() {
        return now;
    }

    @Override
    public Instant wall() {
        return Instant.EPOCH.plusNanos(now);
    }

    @Override
    public Runnable after(Duration wait, Runnable work) {
        var due = new Due(now + wait.toNanos(), count++);
        timers.put(due, work);
        return () -> timers.remove(due);
    }

    @Override
    public void post(Runnable work) {
        posted.add(work);
    }

    /// Does what is to be done now.
    void settle() {
        while (!posted.isEmpty()) {
            posted.poll().run();
        }
    }

    /// One task only.
    boolean step() {
        var next = posted.poll();
        if (next != null) {
            next.run();
        }
        return next != null;
    }

    void advance(Duration by) {
        long end = now + by.toNanos();
        settle();
        while (!timers.isEmpty() && timers.firstKey().at() <= end) {
            var due = timers.firstEntry();
            timers.remove(due.getKey());
            now = due.getKey().at();
            due.getValue().run();
            settle();
        }
        now = end;
    }

    /// Lets time go on and runs what becomes due, but nothing that follows from it.
    void pass(Duration by) {
        now += by.toNanos();
        while (!timers.isEmpty() && timers.firstKey().at() <= now) {
            timers.pollFirstEntry().getValue().run();
        }
    }

    int timers() {
        return timers.size();
    }
}
