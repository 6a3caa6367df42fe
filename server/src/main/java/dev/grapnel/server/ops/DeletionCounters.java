package dev.grapnel.server.ops;

import dev.grapnel.store.engine.GateTally;
import dev.grapnel.store.engine.RequestTally;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/// Counts what becomes of gates (purgatory 10.1) and of deletion requests whose time is over (service 11).
public final class DeletionCounters {
    private final MeterRegistry registry;
    private final Counter put;
    private final Counter used;
    private final Counter expired;
    private final Counter evicted;
    private final Counter runs;
    private final Counter retired;
    private final Counter tombstones;
    private final Counter forgotten;
    private final Counter failures;
    private final Counter skipped;

    DeletionCounters(MeterRegistry registry) {
        this.registry = registry;
        put = gates("put");
        used = gates("used");
        expired = gates("expired");
        evicted = gates("evicted");
        runs = Counter.builder("ngit_deletion_request_cleanup_runs_total")
                .description("Passes over deletion requests")
                .register(registry);
        retired = removed("main");
        tombstones = removed("tombstone");
        forgotten = removed("metadata");
        failures = outcome("failure");
        skipped = outcome("stale_or_concurrent_skip");
    }

    private Counter gates(String outcome) {
        return Counter.builder("purgatory_gates_total")
                .description("What became of deletion requests by authors with nothing here")
                .tag("outcome", outcome)
                .register(registry);
    }

    private Counter removed(String type) {
        return Counter.builder("ngit_deletion_request_cleanup_removed_total")
                .description("What ended with its time: service, tombstones, requests")
                .tag("type", type)
                .register(registry);
    }

    private Counter outcome(String outcome) {
        return Counter.builder("ngit_deletion_request_cleanup_outcomes_total")
                .description("What passes over deletion requests could not or need not do")
                .tag("outcome", outcome)
                .register(registry);
    }

    public void gatesChanged(GateTally tally) {
        put.increment(tally.put());
        used.increment(tally.used());
        expired.increment(tally.expired());
        evicted.increment(tally.evicted());
    }

    /// A pass has begun.
    public void passed() {
        runs.increment();
    }

    /// A pass has done this.
    public void aged(RequestTally tally) {
        retired.increment(tally.retired());
        tombstones.increment(tally.tombstones());
        forgotten.increment(tally.forgotten());
        skipped.increment(tally.skipped());
    }

    /// A pass could not do something.
    public void failed() {
        failures.increment();
    }
}
