package dev.grapnel.server;

import dev.grapnel.config.Configuration;
import dev.grapnel.config.PurgatorySettings;
import dev.grapnel.config.ServiceSettings;
import dev.grapnel.server.ops.Metrics;
import dev.grapnel.server.ops.Readiness;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/// What is looked at now and then, as long as the service runs.
record Lookouts(Configuration settings, Metrics metrics, Readiness readiness, ScheduledExecutorService timer) {
    private static final Duration TOP_LOOK = Duration.ofSeconds(60);
    private static final Duration DISK_LOOK = Duration.ofSeconds(10);

    void begin() {
        watchDisk();
        publishTop();
    }

    /// Which repositories move the most bytes is told afresh every minute (service 11).
    private void publishTop() {
        int count = (int) Math.min(settings.require(ServiceSettings.METRICS_TOP_N_REPOS), Integer.MAX_VALUE);
        repeat(TOP_LOOK, () -> metrics.publishTopRepositories(count));
    }

    private void watchDisk() {
        if (settings.require(ServiceSettings.DATABASE_BACKEND) == ServiceSettings.Backend.MEMORY) {
            return;
        }
        var floor = new DiskFloor(
                settings.require(ServiceSettings.RELAY_DATA_PATH),
                settings.require(PurgatorySettings.MIN_FREE_DISK_BYTES),
                readiness);
        floor.look();
        repeat(DISK_LOOK, floor::look);
        metrics.gauge("grapnel_disk_free_bytes", "Free space where the data is.", floor::freeBytes);
    }

    private void repeat(Duration every, Runnable look) {
        var _ = timer.scheduleWithFixedDelay(look, every.toNanos(), every.toNanos(), TimeUnit.NANOSECONDS);
    }
}
