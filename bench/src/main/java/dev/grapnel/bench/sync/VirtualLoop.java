package dev.grapnel.bench.sync;

import dev.grapnel.bench.purgatory.Report;
import dev.grapnel.sync.world.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicReference;

/// The loop of sync in time that jumps from one appointment to the next and passes while a turn runs. Knows the longest
/// turn.
final class VirtualLoop implements Scheduler {
    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    private final Queue<Runnable> posted = new ArrayDeque<>();
    private final PriorityQueue<Appointment> agenda =
            new PriorityQueue<>(Comparator.comparingLong(Appointment::at).thenComparingLong(Appointment::number));
    private long now;
    private long turnBegun;
    private boolean isInTurn;
    private long numbers;
    private long turns;
    private long longest;

    /// Something to be done then; whoever takes it back leaves nothing of it.
    private record Appointment(long at, long number, AtomicReference<Runnable> work) {}

    @Override
    public long nanos() {
        return isInTurn ? now + System.nanoTime() - turnBegun : now;
    }

    @Override
    public Instant wall() {
        return BEGIN.plusNanos(nanos());
    }

    @Override
    public Runnable after(Duration wait, Runnable work) {
        var due = new AtomicReference<>(work);
        agenda.add(new Appointment(nanos() + wait.toNanos(), numbers++, due));
        return () -> due.set(() -> {});
    }

    @Override
    public void post(Runnable work) {
        posted.add(work);
    }

    /// Runs what was posted, and what is due within a time from now.
    void run(Duration time) {
        long end = now + time.toNanos();
        while (true) {
            var next = posted.poll();
            if (next != null) {
                turn(next);
            } else if (agenda.peek() != null && agenda.peek().at() <= end) {
                var due = agenda.remove();
                now = Math.max(now, due.at());
                turn(due.work().get());
            } else {
                now = Math.max(now, end);
                return;
            }
        }
    }

    private void turn(Runnable work) {
        turnBegun = System.nanoTime();
        isInTurn = true;
        long begun = Report.cpuNanos();
        work.run();
        longest = Math.max(longest, Report.cpuNanos() - begun);
        now = nanos();
        isInTurn = false;
        turns++;
    }

    long turns() {
        return turns;
    }

    /// The longest turn since this was last asked, in milliseconds of CPU.
    double takeLongest() {
        double millis = longest / 1e6;
        longest = 0;
        return millis;
    }
}
