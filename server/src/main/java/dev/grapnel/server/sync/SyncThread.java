package dev.grapnel.server.sync;

import dev.grapnel.sync.world.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The thread of sync (R1.21): runs one task after the other and nothing beside.
///
/// The inbox has no limit of its own, because a thread that posts must not wait. It is bounded by those who post: each
/// connection, scan and question has one task here at a time, or as many as it may have undecided (R4.26).
///
/// A due timer and a posted task take turns, so that neither can keep the other waiting for ever.
public final class SyncThread implements Scheduler, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SyncThread.class);
    private static final Duration FAREWELL_MAX = Duration.ofSeconds(2);

    /// Taken-back timers are left where they are until there are this many.
    private static final int STALE_MAX = 1_024;

    /// Hears how the loop fares, on the loop. Must be quick.
    public interface Watcher {
        /// For a loop that nobody watches.
        Watcher NONE = new Watcher() {
            @Override
            public void turned(long nanos) {
                // nobody counts
            }

            @Override
            public void failed() {
                // nobody counts
            }
        };

        /// A task took so long.
        void turned(long nanos);

        /// A task ended by an exception; it is in the log.
        void failed();
    }

    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final Watcher watcher;
    private final Thread thread;
    private final Queue<Runnable> inbox = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile boolean isAsleep;
    private volatile boolean isClosed;

    // ---- the loop's own

    private final PriorityQueue<Timer> timers = new PriorityQueue<>();
    private long timersMade;
    private int timersStale;

    private SyncThread(InstantSource clock, LongSupplier nanoTime, Watcher watcher) {
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.watcher = watcher;
        this.thread = Thread.ofPlatform().name("sync").daemon().unstarted(this::run);
    }

    /// Starts the loop.
    ///
    /// @param nanoTime a clock that only runs forward
    public static SyncThread start(InstantSource clock, LongSupplier nanoTime, Watcher watcher) {
        var loop = new SyncThread(clock, nanoTime, watcher);
        loop.thread.start();
        return loop;
    }

    @Override
    public long nanos() {
        return nanoTime.getAsLong();
    }

    @Override
    public Instant wall() {
        return clock.instant();
    }

    @Override
    public void post(Runnable work) {
        waiting.incrementAndGet();
        inbox.add(work);
        if (isAsleep) {
            LockSupport.unpark(thread);
        }
    }

    /// Tasks that were posted and have not run.
    public int waiting() {
        return waiting.get();
    }

    @Override
    public Runnable after(Duration wait, Runnable work) {
        if (!Thread.currentThread().equals(thread)) {
            throw new IllegalStateException("timers belong to the loop");
        }
        var timer = new Timer(nanos() + Math.max(0, wait.toNanos()), timersMade++, work);
        timers.add(timer);
        return () -> takeBack(timer);
    }

    private void takeBack(Timer timer) {
        if (timer.work != null) {
            timer.work = null;
            timersStale++;
        }
        if (timersStale > STALE_MAX && timersStale > timers.size() / 2) {
            timers.removeIf(other -> other.work == null);
            timersStale = 0;
        }
    }

    private void run() {
        while (!isClosed) {
            boolean turned = runDue();
            var posted = inbox.poll();
            if (posted != null) {
                waiting.decrementAndGet();
                turn(posted);
            } else if (!turned) {
                sleep();
            }
        }
    }

    /// @return whether a timer was due
    private boolean runDue() {
        var next = timers.peek();
        if (next == null || next.due - nanos() > 0) {
            return false;
        }
        timers.poll();
        var work = next.work;
        if (work == null) {
            timersStale--;
        } else {
            next.work = null; // taking it back has no effect any more
            turn(work);
        }
        return true;
    }

    private void turn(Runnable work) {
        long begun = nanos();
        try {
            work.run();
            watcher.turned(nanos() - begun);
        } catch (RuntimeException | Error e) { // the other relays must not suffer from one
            LOG.error("sync task failed", e);
            watcher.failed();
        }
    }

    /// Whoever posts sees that we sleep, or we see what was posted.
    private void sleep() {
        isAsleep = true;
        if (inbox.isEmpty() && !isClosed) {
            var next = timers.peek();
            if (next == null) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, Math.max(1, next.due - nanos()));
            }
        }
        isAsleep = false;
        Thread.interrupted(); // nobody may end it this way, and with it nobody sleeps
    }

    /// Ends the loop after the task that runs; what waits is not run any more.
    @Override
    public void close() {
        isClosed = true;
        LockSupport.unpark(thread);
        try {
            if (!thread.join(FAREWELL_MAX)) {
                LOG.warn("sync is left behind in the middle of a task");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // then it is not waited for
        }
    }

    /// Something to be run later.
    private static final class Timer implements Comparable<Timer> {
        private final long due;
        private final long number;
        private @Nullable Runnable work;

        Timer(long due, long number, Runnable work) {
            this.due = due;
            this.number = number;
            this.work = work;
        }

        /// By time; those of one moment in the order in which they were made.
        @Override
        public int compareTo(Timer other) {
            int order = Long.compare(due - other.due, 0);
            return order != 0 ? order : Long.compare(number, other.number);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return Long.hashCode(number);
        }
    }
}
