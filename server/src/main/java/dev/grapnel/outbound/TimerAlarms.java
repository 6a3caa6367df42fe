package dev.grapnel.outbound;

import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// Alarms by one thread and the time of the machine.
public final class TimerAlarms implements Alarms, AutoCloseable {
    private final ScheduledThreadPoolExecutor timer;

    /// Starts the thread when the first alarm is set.
    public TimerAlarms() {
        timer = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().name("outbound-alarms").daemon().factory());
        timer.setRemoveOnCancelPolicy(true);
    }

    @Override
    public Alarm after(Duration delay, Runnable action) {
        var task = timer.schedule(action, delay.toNanos(), TimeUnit.NANOSECONDS);
        return () -> task.cancel(false);
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
