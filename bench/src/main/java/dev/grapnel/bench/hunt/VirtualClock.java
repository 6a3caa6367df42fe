package dev.grapnel.bench.hunt;

import dev.grapnel.purgatory.hunt.Timer;
import dev.grapnel.purgatory.pool.Timeline;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Time that jumps from one appointment to the next. Tasks run on threads of their own, one at a time and each until it
/// sleeps or ends, so every run is the same and costs only what is computed.
final class VirtualClock implements Timer, Executor {
    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    private final PriorityQueue<Appointment> agenda =
            new PriorityQueue<>(Comparator.comparingLong(Appointment::at).thenComparingLong(Appointment::number));
    private final SynchronousQueue<Boolean> done = new SynchronousQueue<>();
    private volatile long now; // milliseconds
    private long numbers;
    private int running;
    private @Nullable Throwable failure;

    /// @param isOff whether somebody took it back
    private record Appointment(long at, long number, Runnable work, AtomicBoolean isOff) {}

    Timeline timeline() {
        return new Timeline(this::instant, () -> TimeUnit.MILLISECONDS.toNanos(now));
    }

    Instant instant() {
        return BEGIN.plusMillis(now);
    }

    /// Milliseconds since the beginning.
    long now() {
        return now;
    }

    /// Tasks that have not ended.
    int running() {
        return running;
    }

    @Override
    public Runnable after(Duration wait, Runnable work) {
        var isOff = new AtomicBoolean();
        agenda.add(new Appointment(now + wait.toMillis(), numbers++, work, isOff));
        return () -> isOff.set(true);
    }

    @Override
    public void execute(Runnable work) {
        var _ = after(Duration.ZERO, () -> begin(work));
    }

    private void begin(Runnable work) {
        running++;
        var _ = Thread.ofVirtual().start(() -> {
            try {
                work.run();
            } catch (RuntimeException | Error e) { // told by who lets time pass
                failure = e;
            } finally {
                running--;
                hand(done);
            }
        });
        take(done);
    }

    /// Lets a task sleep; others go on meanwhile.
    void sleep(Duration time) {
        var wake = new SynchronousQueue<Boolean>();
        var _ = after(time, () -> {
            hand(wake);
            take(done);
        });
        hand(done);
        take(wake);
    }

    /// Lets time pass up to a moment, with all that happens until then.
    void advanceTo(long moment) {
        for (var next = agenda.peek(); next != null && next.at() <= moment; next = agenda.peek()) {
            agenda.remove();
            if (!next.isOff().get()) {
                now = Math.max(now, next.at());
                next.work().run();
            }
            if (failure != null) {
                throw new IllegalStateException("a task failed", failure);
            }
        }
        now = moment;
    }

    private static void hand(SynchronousQueue<Boolean> queue) {
        try {
            queue.put(true);
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts these", e);
        }
    }

    private static void take(SynchronousQueue<Boolean> queue) {
        try {
            var _ = queue.take();
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts these", e);
        }
    }
}
