package dev.grapnel.server.ops;

import dev.grapnel.purgatory.ReleasePath;
import dev.grapnel.purgatory.reconcile.ReconcileCounts;
import dev.grapnel.purgatory.reconcile.RefCounts;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/// Counts what brings git data and events together (purgatory 10.1).
public final class ReconcileCounters implements ReconcileCounts {
    private static final Duration[] TIMES = {
        Duration.ofMillis(1),
        Duration.ofMillis(5),
        Duration.ofMillis(25),
        Duration.ofMillis(100),
        Duration.ofSeconds(1),
        Duration.ofSeconds(10),
        Duration.ofMinutes(1)
    };

    private final Map<ReleasePath, Timer> times = new EnumMap<>(ReleasePath.class);
    private final Map<Step, Counter> failures = new EnumMap<>(Step.class);
    private final Counter created;
    private final Counter updated;
    private final Counter deleted;
    private final Counter heads;

    ReconcileCounters(MeterRegistry registry) {
        for (var path : ReleasePath.values()) {
            times.put(
                    path,
                    Timer.builder("purgatory_reconcile_seconds")
                            .description("How long it takes to bring repositories in line with events")
                            .tag("trigger", path.word())
                            .serviceLevelObjectives(TIMES)
                            .register(registry));
        }
        for (var step : Step.values()) {
            failures.put(
                    step,
                    Counter.builder("purgatory_reconcile_errors_total")
                            .description("What failed in it")
                            .tag("step", step.word())
                            .register(registry));
        }
        this.created = refs(registry, "create");
        this.updated = refs(registry, "update");
        this.deleted = refs(registry, "delete");
        this.heads = refs(registry, "head");
    }

    private static Counter refs(MeterRegistry registry, String operation) {
        return Counter.builder("purgatory_refs_changed_total")
                .description("Refs that signed events have moved")
                .tag("op", operation)
                .register(registry);
    }

    @Override
    public void ran(ReleasePath trigger, Duration time) {
        find(times, trigger).record(time);
    }

    @Override
    public void failed(Step step) {
        find(failures, step).increment();
    }

    @Override
    public void moved(RefCounts refs) {
        created.increment(refs.created());
        updated.increment(refs.updated());
        deleted.increment(refs.deleted());
        heads.increment(refs.heads());
    }

    /// All there can be were made at the beginning.
    private static <K, V> V find(Map<K, V> meters, K key) {
        return Objects.requireNonNull(meters.get(key));
    }
}
