package dev.grapnel.bench.load.wire;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/// Wakes somebody at a time that is meant in microseconds; a selector knows milliseconds only.
final class Alarm implements AutoCloseable {
    private final Runnable wake;
    private final Thread thread;
    private final AtomicLong due = new AtomicLong(Loop.NEVER);
    private volatile boolean stopped;

    Alarm(String name, Runnable wake) {
        this.wake = wake;
        this.thread = Thread.ofPlatform().daemon().name(name).start(this::run);
    }

    /// Sets the time; an earlier one is forgotten.
    void set(long time) {
        if (due.getAndSet(time) != time) {
            LockSupport.unpark(thread);
        }
    }

    private void run() {
        while (!stopped) {
            long time = due.get();
            if (time == Loop.NEVER) {
                LockSupport.park(this);
            } else if (time - System.nanoTime() > 0) {
                LockSupport.parkNanos(this, time - System.nanoTime());
            } else if (due.compareAndSet(time, Loop.NEVER)) {
                wake.run();
            }
        }
    }

    @Override
    public void close() {
        stopped = true;
        LockSupport.unpark(thread);
    }
}
