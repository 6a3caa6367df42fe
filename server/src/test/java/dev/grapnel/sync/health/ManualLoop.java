package dev.grapnel.sync.health;

import dev.grapnel.sync.world.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;

/// A loop whose time passes when a test says so.
final class ManualLoop implements Scheduler {
    private final PriorityQueue<Task> tasks =
            new PriorityQueue<>(Comparator.comparingLong(Task::at).thenComparingLong(Task::number));
    private long nanos = Duration.ofDays(3).toNanos();
    private Instant wall = Instant.parse("2026-01-01T00:00:00Z");
    private long numbers;

    private record Task(long at, long number, Runnable work) {}

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public Instant wall() {
        return wall;
    }

    @Override
    public Runnable after(Duration wait, Runnable work) {
        var task = new Task(nanos + wait.toNanos(), numbers++, work);
        tasks.add(task);
        return () -> tasks.remove(task);
    }

    @Override
    public void post(Runnable work) {
        after(Duration.ZERO, work);
    }

    /// Lets time pass, and does what becomes due.
    void advance(Duration by) {
        long end = nanos + by.toNanos();
        for (var next = tasks.peek(); next != null && next.at() <= end; next = tasks.peek()) {
            tasks.remove();
            move(Math.max(nanos, next.at()));
            next.work().run();
        }
        move(end);
    }

    private void move(long to) {
        wall = wall.plusNanos(to - nanos);
        nanos = to;
    }

    /// Sets the clock of dates.
    void setWall(Instant to) {
        wall = to;
    }

    /// How many tasks wait.
    int waiting() {
        return tasks.size();
    }
}
