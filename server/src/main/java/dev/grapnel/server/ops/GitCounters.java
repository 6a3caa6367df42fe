package dev.grapnel.server.ops;

import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.nostr.repository.RepositoryAddress;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/// Counts what git does, under the names dashboards know.
final class GitCounters implements GitMeter {
    private static final double NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final double[] TIMES = {0.1, 0.5, 1, 2.5, 5, 10, 30, 60};

    /// Repositories whose bytes are counted; beyond, the one unused for longest starts afresh.
    private static final int REPOSITORIES_MAX = 10_000;

    private final MeterRegistry registry;
    private final Counter in;
    private final Counter out;
    private final MultiGauge top;
    private final ReentrantLock lock = new ReentrantLock();
    private final LinkedHashMap<RepositoryAddress, Long> bytes = new LinkedHashMap<>();

    GitCounters(MeterRegistry registry) {
        this.registry = registry;
        in = direction("in");
        out = direction("out");
        top = MultiGauge.builder("ngit_git_top_repos_bytes")
                .description("Repositories that moved the most bytes")
                .register(registry);
        for (var operation : Operation.values()) {
            operations(operation, true);
            operations(operation, false);
            times(operation);
        }
        for (var result : Authorization.values()) {
            authorizations(result);
        }
    }

    private Counter direction(String direction) {
        return Counter.builder("ngit_git_bytes_total")
                .description("Bytes of git requests and answers")
                .tag("direction", direction)
                .register(registry);
    }

    private Counter operations(Operation operation, boolean success) {
        return Counter.builder("ngit_git_operations_total")
                .description("Requests of git clients")
                .tag("operation", word(operation))
                .tag("status", success ? "success" : "error")
                .register(registry);
    }

    private DistributionSummary times(Operation operation) {
        return DistributionSummary.builder("ngit_git_operation_duration_seconds")
                .description("How long requests of git clients took")
                .tag("operation", word(operation))
                .serviceLevelObjectives(TIMES)
                .register(registry);
    }

    private Counter authorizations(Authorization result) {
        return Counter.builder("ngit_git_push_authorization_total")
                .description("What became of pushes")
                .tag("result", word(result))
                .register(registry);
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public void finished(Operation operation, boolean success, Duration time) {
        operations(operation, success).increment();
        times(operation).record(time.toNanos() / NANOS);
    }

    @Override
    public void moved(RepositoryAddress repository, long received, long sent) {
        in.increment((double) received);
        out.increment((double) sent);
        lock.lock();
        try {
            long before = bytes.getOrDefault(repository, 0L);
            bytes.putLast(repository, before + received + sent);
            if (bytes.size() > REPOSITORIES_MAX) {
                bytes.pollFirstEntry();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void judged(Authorization result) {
        authorizations(result).increment();
    }

    /// Publishes those that moved the most.
    void publishTop(int count) {
        lock.lock();
        try {
            var rows = bytes.entrySet().stream()
                    .sorted(Map.Entry.<RepositoryAddress, Long>comparingByValue(Comparator.reverseOrder()))
                    .limit(count)
                    .<MultiGauge.Row<?>>map(
                            entry -> MultiGauge.Row.of(Tags.of("repo", name(entry.getKey())), entry.getValue()))
                    .toList();
            top.register(rows, true);
        } finally {
            lock.unlock();
        }
    }

    private static String name(RepositoryAddress repository) {
        return new Npub(repository.owner()).text() + "/"
                + repository.identifier().text();
    }
}
