package dev.grapnel.server.ops;

import dev.grapnel.purgatory.DropReason;
import dev.grapnel.purgatory.Happening;
import dev.grapnel.purgatory.ListCounts;
import dev.grapnel.purgatory.RetentionCounts;
import dev.grapnel.purgatory.StagingOutcome;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.Source;
import dev.grapnel.store.row.Standing;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/// Counts what happens in purgatory (purgatory 10.1, service 11). Kinds are those that can be held, so
/// labels are few.
public final class PurgatoryCounters implements Consumer<Happening>, ListCounts, RetentionCounts {
    private static final double[] HOLD_TIMES = {1, 10, 60, 300, 900, 1800, 3600, 86_400};

    private final MeterRegistry registry;
    private final InstantSource clock;
    private final Counter revivals;
    private final Counter deletions;
    private final Counter cleanUps;
    private final AtomicInteger lastRepositories = new AtomicInteger();
    private final AtomicInteger lastEvents = new AtomicInteger();

    PurgatoryCounters(MeterRegistry registry, InstantSource clock) {
        this.registry = registry;
        this.clock = clock;
        this.revivals = counter("purgatory_revivals_total", "Announcements that got their repository back");
        this.deletions = counter("purgatory_repos_deleted_total", "Empty repositories that nobody pushed to in time");
        this.cleanUps = counter("ngit_holding_cleanup_runs_total", "Passes over trash");
        for (var phase : new String[] {"attempted", "succeeded", "failed"}) {
            counter(
                    "ngit_blacklist_deletions_total",
                    "Repositories taken offline by lists",
                    "phase",
                    phase,
                    "result",
                    phase);
        }
        for (var result : new String[] {"restored", "failed"}) {
            restorations("ngit_blacklist_startup_restore_total", result);
            restorations("ngit_whitelist_startup_restore_total", result);
        }
        counter("ngit_recovery_total", "Repositories restored from trash", "result", "success");
        for (var outcome : StagingOutcome.values()) {
            staged(outcome);
        }
        for (var type : new String[] {"payload", "archive_file"}) {
            deleted(type);
        }
        registry.gauge(
                "ngit_holding_cleanup_last_run_deleted", List.of(Tag.of("type", "archive_file")), lastRepositories);
        registry.gauge("ngit_holding_cleanup_last_run_deleted", List.of(Tag.of("type", "payload")), lastEvents);
    }

    private Counter counter(String name, String help, String... tags) {
        return Counter.builder(name).description(help).tags(tags).register(registry);
    }

    private Counter restorations(String name, String result) {
        return counter(name, "Repositories restored at a start", "result", result, "reason", "list");
    }

    private Counter deleted(String type) {
        return counter("ngit_holding_cleanup_deleted_total", "What passes over trash have deleted", "type", type);
    }

    @Override
    public void accept(Happening happening) {
        switch (happening) {
            case Happening.NowHeld(var row) ->
                counter(
                                "purgatory_events_held_total",
                                "Events that had to wait",
                                "kind",
                                kind(row),
                                "source",
                                word(row.source()))
                        .increment();
            case Happening.Released(var row, var path) -> {
                counter(
                                "purgatory_events_released_total",
                                "Events that waited and are served",
                                "kind",
                                kind(row),
                                "path",
                                path.word())
                        .increment();
                waited(row, "released");
            }
            case Happening.Dropped(var row, var reason) -> dropped(row, reason);
            case Happening.SoftExpired _ -> deletions.increment();
            case Happening.Revived _ -> revivals.increment();
            case Happening.Offline _,
                    Happening.Recorded _,
                    Happening.UploadExpired _,
                    Happening.Mismatched _,
                    Happening.UploadsForgotten _ -> {}
            case Happening.Restored _ ->
                counter("ngit_recovery_total", "Repositories restored from trash", "result", "success")
                        .increment();
        }
    }

    /// Counts what becomes of uploads that nobody has signed.
    public void staging(StagingOutcome outcome) {
        staged(outcome).increment();
    }

    private Counter staged(StagingOutcome outcome) {
        return counter(
                "purgatory_staging_total", "What became of uploads nobody had signed", "outcome", outcome.word());
    }

    private void dropped(Held row, DropReason reason) {
        counter(
                        "purgatory_events_dropped_total",
                        "Events that waited in vain",
                        "kind",
                        kind(row),
                        "reason",
                        reason.word())
                .increment();
        waited(row, reason.word());
    }

    private void waited(Held row, String outcome) {
        var time = Duration.between(row.heldSince(), clock.instant());
        DistributionSummary.builder("purgatory_hold_seconds")
                .description("How long events waited")
                .tag("kind", kind(row))
                .tag("outcome", outcome)
                .serviceLevelObjectives(HOLD_TIMES)
                .register(registry)
                .record(Math.max(0, time.toMillis()) / 1000.0);
    }

    private static String kind(Held row) {
        return Integer.toString(row.event().kind());
    }

    private static String word(Source source) {
        return source.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public void removal(Phase phase) {
        var word = phase.name().toLowerCase(Locale.ROOT);
        counter("ngit_blacklist_deletions_total", "Repositories taken offline by lists", "phase", word, "result", word)
                .increment();
    }

    @Override
    public void restoration(Standing.Cause cause, boolean isDone) {
        var name = cause == Standing.Cause.BLACKLISTED
                ? "ngit_blacklist_startup_restore_total"
                : "ngit_whitelist_startup_restore_total";
        restorations(name, isDone ? "restored" : "failed").increment();
    }

    @Override
    public void pass(int repositories, int events) {
        cleanUps.increment();
        deleted("archive_file").increment(repositories);
        deleted("payload").increment(events);
        lastRepositories.set(repositories);
        lastEvents.set(events);
    }
}
