package dev.grapnel.sync;

import dev.grapnel.sync.world.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongConsumer;

/// Notices when the clock of dates was set (R4.8).
final class ClockWatch {
    private static final Duration TICK = Duration.ofSeconds(60);
    private static final long TOLERANCE = 300;

    private final Scheduler loop;
    private final LongConsumer jumped;
    private long nanos;
    private Instant wall;
    private Runnable alarm = () -> {};

    /// @param jumped told by how many seconds
    ClockWatch(Scheduler loop, LongConsumer jumped) {
        this.loop = loop;
        this.jumped = jumped;
        this.nanos = loop.nanos();
        this.wall = loop.wall();
    }

    void start() {
        nanos = loop.nanos();
        wall = loop.wall();
        alarm = loop.after(TICK, this::tick);
    }

    void stop() {
        alarm.run();
    }

    private void tick() {
        long passed = (loop.nanos() - nanos) / 1_000_000_000;
        long shown = Duration.between(wall, loop.wall()).toSeconds();
        start(); // first: whatever fails below must not end the watch
        if (Math.abs(shown - passed) > TOLERANCE) {
            jumped.accept(shown - passed);
        }
    }
}
