package dev.grapnel.sync.world;

import java.time.Duration;
import java.time.Instant;
import java.util.PriorityQueue;

/// A loop in virtual time: tasks run one after the other on the thread that asks for it, each at its own moment, those
/// of one moment in the order in which they came. One drives a whole simulated world.
///
/// Everything that runs leaves its time and number in [#traceHash], and whoever wants adds more: two runs that did the
/// same have the same hash.
public final class VirtualScheduler implements Scheduler {
    private static final int CANCELLED_MAX = 10_000;
    private static final long MULTIPLIER = 0x9e3779b97f4a7c15L;

    private final PriorityQueue<Task> tasks = new PriorityQueue<>();
    private final Instant begin;
    private Duration ahead = Duration.ZERO;
    private long now;
    private long posted;
    private long steps;
    private long hash;
    private int cancelled;
    private Runnable afterStep = () -> {};

    public VirtualScheduler(Instant begin) {
        this(begin, Duration.ZERO);
    }

    /// @param since how much [#nanos] shows at the beginning, which may be negative
    public VirtualScheduler(Instant begin, Duration since) {
        this.begin = begin.minus(since);
        this.now = since.toNanos();
    }

    @Override
    public long nanos() {
        return now;
    }

    @Override
    public Instant wall() {
        return begin.plusNanos(now).plus(ahead);
    }

    /// How long it has run.
    public Duration elapsed() {
        return Duration.ofNanos(now);
    }

    /// Sets the wall clock; nothing that waits is moved.
    public void jump(Duration by) {
        ahead = ahead.plus(by);
    }

    @Override
    public Runnable after(Duration wait, Runnable work) {
        return at(now + Math.max(0, wait.toNanos()), work);
    }

    @Override
    public void post(Runnable work) {
        at(now, work);
    }

    /// Runs something at a moment of [#nanos].
    public Runnable at(long moment, Runnable work) {
        var task = new Task(Math.max(now, moment), posted++, work);
        tasks.add(task);
        return () -> cancel(task);
    }

    private void cancel(Task task) {
        if (!task.isOver) {
            task.finish();
            cancelled++;
            if (cancelled > CANCELLED_MAX && cancelled > tasks.size() / 2) {
                tasks.removeIf(waiting -> waiting.isOver);
                cancelled = 0;
            }
        }
    }

    /// Runs the next task; false if there is none.
    public boolean step() {
        return stepUntil(Long.MAX_VALUE);
    }

    /// Runs everything that is due now, and what follows from it at once.
    public void settle() {
        runUntil(now);
    }

    /// Runs the next task that is due until a moment of [#nanos]; false if there is none.
    public boolean stepUntil(long end) {
        for (var task = tasks.peek(); task != null && task.at <= end; task = tasks.peek()) {
            tasks.remove();
            var work = task.work;
            if (task.isOver) {
                cancelled--;
                continue;
            }
            task.finish();
            now = task.at;
            steps++;
            hash = mix(hash ^ task.at) ^ task.number;
            work.run();
            afterStep.run();
            return true;
        }
        return false;
    }

    /// Runs everything that is due within a time, which then has passed.
    public void runFor(Duration time) {
        runUntil(now + time.toNanos());
    }

    /// Runs everything that is due until a moment of [#nanos], which then is now.
    public void runUntil(long moment) {
        while (stepUntil(moment)) {
            // that was one
        }
        now = Math.max(now, moment);
    }

    /// Runs until nothing waits, as long as that takes no longer than this.
    ///
    /// @return whether nothing waits
    public boolean runUntilQuiet(Duration most) {
        long end = now + most.toNanos();
        while (stepUntil(end)) {
            // that was one
        }
        return waiting() == 0;
    }

    /// When the next task is due, in [#nanos]; [Long#MAX_VALUE] if there is none.
    public long nextAt() {
        while (!tasks.isEmpty() && tasks.peek().isOver) {
            tasks.remove();
            cancelled--;
        }
        return tasks.isEmpty() ? Long.MAX_VALUE : tasks.peek().at;
    }

    /// How many tasks wait.
    public int waiting() {
        return tasks.size() - cancelled;
    }

    /// How many have run.
    public long steps() {
        return steps;
    }

    /// Called after each task, for whatever must always be true.
    public void afterStep(Runnable hook) {
        afterStep = hook;
    }

    /// Adds something that happened to the hash of this run.
    public void trace(long fact) {
        hash = mix(hash ^ fact);
    }

    /// The same for two runs that did the same.
    public long traceHash() {
        return mix(hash ^ now ^ steps);
    }

    private static long mix(long bits) {
        return bits * MULTIPLIER ^ Math.unsignedMultiplyHigh(bits ^ MULTIPLIER, MULTIPLIER);
    }

    private static final class Task implements Comparable<Task> {
        final long at;
        final long number;
        Runnable work;
        boolean isOver;

        Task(long at, long number, Runnable work) {
            this.at = at;
            this.number = number;
            this.work = work;
        }

        /// It has run, or need not; what it would keep from being collected goes.
        void finish() {
            isOver = true;
            work = () -> {};
        }

        @Override
        public int compareTo(Task other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(number, other.number);
        }
    }
}
