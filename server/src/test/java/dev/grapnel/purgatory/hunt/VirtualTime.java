package dev.grapnel.purgatory.hunt;

import dev.grapnel.purgatory.pool.Timeline;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Time that passes when told to. Tasks are threads of which one runs at a time, until it waits or ends; what happens
/// at the same moment happens in the order in which it was asked for. So every run is the same.
public final class VirtualTime implements Timer, Executor {
    private static final Instant BEGINNING = Instant.parse("2026-01-01T00:00:00Z");

    private final PriorityQueue<Appointment> agenda = new PriorityQueue<>(
            Comparator.<Appointment>comparingLong(one -> one.at).thenComparingLong(one -> one.number));
    private final Semaphore baton = new Semaphore(0);
    private final List<Throwable> failures = new ArrayList<>();
    private long now; // milliseconds
    private long numbers;
    private int tasks;
    private @Nullable Semaphore current;

    private static final class Appointment {
        private final long at;
        private final long number;
        private final Runnable work;
        private boolean isOff;

        Appointment(long at, long number, Runnable work) {
            this.at = at;
            this.number = number;
            this.work = work;
        }
    }

    /// Something a task waits for and another may end early.
    public final class Pause {
        private boolean isEnded;
        private @Nullable Semaphore waiter;

        /// Waits.
        ///
        /// @return whether the whole time has passed
        public boolean await(Duration time) {
            if (isEnded) {
                return false;
            }
            var me = current;
            if (me == null) {
                throw new IllegalStateException("only a task may wait");
            }
            waiter = me;
            var off = after(time, () -> resume(me));
            baton.release();
            me.acquireUninterruptibly();
            waiter = null;
            off.run();
            return !isEnded;
        }

        /// Ends it; who waits goes on at this moment.
        public void end() {
            var me = waiter;
            if (!isEnded && me != null) {
                var _ = after(Duration.ZERO, () -> resume(me));
            }
            isEnded = true;
        }
    }

    public Timeline timeline() {
        return new Timeline(this::instant, () -> TimeUnit.MILLISECONDS.toNanos(now));
    }

    public Instant instant() {
        return BEGINNING.plusMillis(now);
    }

    public long now() {
        return now;
    }

    /// Tasks that have not ended.
    public int tasks() {
        return tasks;
    }

    @Override
    public Runnable after(Duration wait, Runnable work) {
        var appointment = new Appointment(now + wait.toMillis(), numbers++, work);
        agenda.add(appointment);
        return () -> appointment.isOff = true;
    }

    @Override
    public void execute(Runnable work) {
        var _ = after(Duration.ZERO, () -> begin(work));
    }

    private void begin(Runnable work) {
        var go = new Semaphore(0);
        tasks++;
        var _ = Thread.ofVirtual().start(() -> {
            go.acquireUninterruptibly();
            try {
                work.run();
            } catch (Throwable e) { // told to the test at the end of its step
                failures.add(e);
            } finally {
                tasks--;
                baton.release();
            }
        });
        resume(go);
    }

    private void resume(Semaphore task) {
        current = task;
        task.release();
        baton.acquireUninterruptibly();
        current = null;
    }

    /// Lets time pass, and all that happens meanwhile happen.
    public void advance(Duration time) {
        long until = now + time.toMillis();
        for (var next = agenda.peek(); next != null && next.at <= until; next = agenda.peek()) {
            agenda.remove();
            if (!next.isOff) {
                now = Math.max(now, next.at);
                next.work.run();
            }
        }
        now = until;
        if (!failures.isEmpty()) {
            throw new AssertionError("a task failed", failures.getFirst());
        }
    }

    /// Lets time pass until a moment.
    public void advanceTo(long moment) {
        advance(Duration.ofMillis(moment - now));
    }
}
