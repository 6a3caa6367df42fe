package dev.grapnel.server.ops;

import dev.grapnel.store.engine.TransactionKind;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/// Counts transactions about what waits, and how long the disk took with them (purgatory 10.1).
public final class TransactionCounters {
    private static final double[] COMMIT_TIMES = {0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10};
    private static final double NANOS = 1e9;

    private final Map<TransactionKind, Counter> transactions = new EnumMap<>(TransactionKind.class);
    private final Map<TransactionKind, DistributionSummary> commits = new EnumMap<>(TransactionKind.class);

    TransactionCounters(MeterRegistry registry) {
        for (var kind : TransactionKind.values()) {
            transactions.put(
                    kind,
                    Counter.builder("purgatory_store_transactions_total")
                            .description("Transactions of the store about what waits or was taken back")
                            .tag("kind", kind.word())
                            .register(registry));
            commits.put(
                    kind,
                    DistributionSummary.builder("purgatory_store_commit_seconds")
                            .description("How long commits took, for each transaction in them")
                            .tag("kind", kind.word())
                            .serviceLevelObjectives(COMMIT_TIMES)
                            .register(registry));
        }
    }

    public void committed(TransactionKind kind, Duration took) {
        Objects.requireNonNull(transactions.get(kind)).increment();
        Objects.requireNonNull(commits.get(kind)).record(took.toNanos() / NANOS);
    }
}
