package dev.grapnel.sync.received;

import dev.grapnel.sync.world.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;

/// A loop that turns only when told.
final class ManualLoop implements Scheduler {
    private final Queue<Runnable> posted = new ArrayDeque<>();
    private final Queue<Timer> timers =
            new PriorityQueue<>(Comparator.comparingLong(Timer::at).thenComparingLong(Timer::number));
    private Instant wall = Instant.parse("2026-01-01T00:00:00Z");
    private long nanos = -5_000_000_000L;
    private long numbers;

    private record Timer(long at, long number, Runnable work) {}

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
        var timer = new Timer(nanos + wait.toNanos(), numbers++, work);
        timers.add(timer);
        return () -> timers.remove(timer);
    }

    @Override
    public void post(Runnable work) {
        posted.add(work);
    }

    /// Does everything that can be done now.
    void run() {
        for (var work = posted.poll(); work != null; work = posted.poll()) {
            work.run();
        }
    }

    /// Lets time go by, and everything happen that is due.
    void advance(Duration time) {
        run();
        long end = nanos + time.toNanos();
        for (var next = timers.peek(); next != null && next.at() <= end; next = timers.peek()) {
            timers.remove();
            goTo(next.at());
            next.work().run();
            run();
        }
        goTo(end);
    }

    private void goTo(long moment) {
        wall = wall.plusNanos(moment - nanos);
        nanos = moment;
    }

    /// Moves the wall clock alone.
    void step(Duration time) {
        wall = wall.plus(time);
    }
}
