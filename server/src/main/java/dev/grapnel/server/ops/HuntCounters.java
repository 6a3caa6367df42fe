package dev.grapnel.server.ops;

import dev.grapnel.nostr.url.Host;
import dev.grapnel.purgatory.hunt.DomainPicture;
import dev.grapnel.purgatory.hunt.HuntNote;
import dev.grapnel.purgatory.hunt.HuntNote.AttemptResult;
import dev.grapnel.purgatory.hunt.HuntNote.DeferReason;
import dev.grapnel.purgatory.hunt.HuntNote.DormantResult;
import dev.grapnel.purgatory.hunt.HuntNote.HedgeOutcome;
import dev.grapnel.purgatory.hunt.HuntNote.OidKind;
import dev.grapnel.purgatory.hunt.HuntNote.Operation;
import dev.grapnel.purgatory.hunt.HuntNote.Outcome;
import dev.grapnel.purgatory.hunt.HuntNote.Role;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/// Counts what hunting does (purgatory 10.1), by the names of this service and by those of the existing one.
public final class HuntCounters implements Consumer<HuntNote> {
    private static final Duration[] TIMES = {
        Duration.ofMillis(100),
        Duration.ofSeconds(1),
        Duration.ofSeconds(10),
        Duration.ofMinutes(1),
        Duration.ofMinutes(10),
        Duration.ofHours(1)
    };

    private final MeterRegistry registry;
    private final DomainLabels domains = new DomainLabels();
    private final MultiGauge inFlight;
    private final MultiGauge queued;
    private final Map<Operation, Map<Role, AtomicInteger>> active = new EnumMap<>(Operation.class);

    HuntCounters(MeterRegistry registry) {
        this.registry = registry;
        this.inFlight = MultiGauge.builder("purgatory_domain_in_flight")
                .description("Conversations with other git servers")
                .register(registry);
        this.queued = MultiGauge.builder("purgatory_domain_queued")
                .description("Identifiers that wait for other git servers")
                .register(registry);
        for (var result : AttemptResult.values()) {
            var _ = attempts(result);
        }
        for (var result : DormantResult.values()) {
            var _ = dormant(result);
        }
        for (var outcome : HedgeOutcome.values()) {
            var _ = hedges(outcome);
        }
        for (var kind : OidKind.values()) {
            var _ = oids(kind);
        }
        for (boolean isMoved : new boolean[] {true, false}) {
            var _ = refreshes(isMoved);
        }
        for (var operation : Operation.values()) {
            for (var role : Role.values()) {
                for (var outcome : Outcome.values()) {
                    var _ = requests(operation, role, outcome);
                }
                addActive(operation, role);
            }
            for (var reason : DeferReason.values()) {
                var _ = deferred(operation, reason);
            }
        }
        var _ = fetched();
        var _ = bytes();
        var _ = passes();
        var _ = fetchTime();
        var _ = backoff();
    }

    private void addActive(Operation operation, Role role) {
        var count = new AtomicInteger();
        active.computeIfAbsent(operation, _ -> new EnumMap<>(Role.class)).put(role, count);
        Gauge.builder("ngit_purgatory_git_subprocess_active", count, AtomicInteger::doubleValue)
                .description("Requests to other git servers that go on")
                .tag("operation", word(operation))
                .tag("role", word(role))
                .register(registry);
    }

    private AtomicInteger active(Operation operation, Role role) {
        return Objects.requireNonNull(
                Objects.requireNonNull(active.get(operation)).get(role));
    }

    /// Shows what goes on now.
    void publish(Map<Host, DomainPicture> pictures) {
        var conversations = new TreeMap<String, Integer>(Map.of(DomainLabels.OTHER, 0));
        var waiting = new TreeMap<String, Integer>(Map.of(DomainLabels.OTHER, 0));
        pictures.forEach((domain, picture) -> {
            var name = domains.find(domain);
            conversations.merge(name, picture.inFlight(), Integer::sum);
            waiting.merge(name, picture.queued(), Integer::sum);
        });
        inFlight.register(rows(conversations), true);
        queued.register(rows(waiting), true);
    }

    private static List<MultiGauge.Row<?>> rows(Map<String, Integer> values) {
        return values.entrySet().stream()
                .<MultiGauge.Row<?>>map(entry -> MultiGauge.Row.of(Tags.of("domain", entry.getKey()), entry.getValue()))
                .toList();
    }

    @Override
    public void accept(HuntNote note) {
        switch (note) {
            case HuntNote.Finished _ -> attempts(AttemptResult.FINISHED).increment();
            case HuntNote.Incomplete incomplete -> {
                attempts(incomplete.result()).increment();
                backoff().record(incomplete.nextDelay());
            }
            case HuntNote.Visited visited -> visited(visited);
            case HuntNote.Requesting(var operation, var role) -> {
                int _ = active(operation, role).incrementAndGet();
            }
            case HuntNote.Requested requested -> requested(requested);
            case HuntNote.Asked(var kind, int count) -> oids(kind).increment(count);
            case HuntNote.Deferred(var operation, var reason) ->
                deferred(operation, reason).increment();
            case HuntNote.Refreshed(var _, boolean isMoved) ->
                refreshes(isMoved).increment();
            case HuntNote.HedgeEnded(var outcome) -> hedges(outcome).increment();
            case HuntNote.Throttled(var domain, var obstacle) ->
                counter(
                                "purgatory_domain_throttled_total",
                                "Domains that could not be asked at once",
                                "domain",
                                domains.find(domain),
                                "cause",
                                word(obstacle))
                        .increment();
            case HuntNote.UrlRefused(var _, var rule) ->
                counter("purgatory_url_refused_total", "Published addresses that are never asked", "rule", rule)
                        .increment();
            case HuntNote.DormantChecked(var result) -> dormant(result).increment();
            case HuntNote.Queued _,
                    HuntNote.Started _,
                    HuntNote.Stuck _,
                    HuntNote.Broke _,
                    HuntNote.Failed _,
                    HuntNote.Hedged _,
                    HuntNote.Enqueued _,
                    HuntNote.Woken _,
                    HuntNote.Naughty _,
                    HuntNote.DormantRevived _ -> {
                // the log tells, or a gauge does
            }
        }
    }

    private void visited(HuntNote.Visited visited) {
        var counted = domains.count(visited.url().domain());
        counted.displaced().ifPresent(this::forget);
        counter(
                        "purgatory_domain_requests_total",
                        "Visits of other git servers",
                        "domain",
                        counted.name(),
                        "result",
                        visited.result())
                .increment();
        passes().increment();
        bytes().increment((double) visited.bytes());
        fetchTime().record(visited.took());
        fetched().increment(visited.oids());
    }

    /// Its series end: it shares one with all others from now on.
    private void forget(String domain) {
        registry.getMeters().stream()
                .filter(meter -> domain.equals(meter.getId().getTag("domain")))
                .forEach(registry::remove);
    }

    private void requested(HuntNote.Requested requested) {
        int _ = active(requested.operation(), requested.role()).decrementAndGet();
        requests(requested.operation(), requested.role(), requested.outcome()).increment();
        Timer.builder("ngit_purgatory_git_subprocess_duration_seconds")
                .description("How long requests to other git servers take")
                .tag("operation", word(requested.operation()))
                .tag("role", word(requested.role()))
                .serviceLevelObjectives(TIMES)
                .register(registry)
                .record(requested.took());
        counter(
                        "ngit_purgatory_git_subprocess_output_bytes_total",
                        "What other git servers have sent",
                        "operation",
                        word(requested.operation()),
                        "role",
                        word(requested.role()),
                        "stream",
                        "stdout")
                .increment((double) requested.bytes());
    }

    private Counter attempts(AttemptResult result) {
        return counter("purgatory_sync_attempts_total", "Attempts to find git data", "result", word(result));
    }

    private Counter dormant(DormantResult result) {
        return counter("purgatory_dormant_checks_total", "Looks for data that comes late", "result", word(result));
    }

    private Counter hedges(HedgeOutcome outcome) {
        return counter("purgatory_sync_hedges_total", "Second sources beside slow ones", "outcome", word(outcome));
    }

    private Counter refreshes(boolean isMoved) {
        return counter(
                "purgatory_sync_refreshes_total",
                "Copies of waiting events met elsewhere",
                "result",
                isMoved ? "moved" : "ignored");
    }

    private Counter oids(OidKind kind) {
        return counter("ngit_purgatory_git_fetch_oids_total", "Ids that were asked for", "kind", word(kind));
    }

    private Counter requests(Operation operation, Role role, Outcome outcome) {
        return counter(
                "ngit_purgatory_git_subprocess_total",
                "Requests to other git servers",
                "operation",
                word(operation),
                "role",
                word(role),
                "outcome",
                word(outcome));
    }

    private Counter deferred(Operation operation, DeferReason reason) {
        return counter(
                "ngit_purgatory_git_deferred_total",
                "Requests that were left for later",
                "operation",
                word(operation),
                "reason",
                word(reason));
    }

    private Counter fetched() {
        return counter("purgatory_sync_oids_fetched_total", "Needed ids that came");
    }

    private Counter bytes() {
        return counter("purgatory_fetch_bytes_total", "What came from other git servers");
    }

    private Counter passes() {
        return counter("ngit_purgatory_git_fetch_passes_total", "Visits of other git servers");
    }

    private Timer fetchTime() {
        return Timer.builder("purgatory_fetch_seconds")
                .description("How long visits of other git servers take")
                .serviceLevelObjectives(TIMES)
                .register(registry);
    }

    private Timer backoff() {
        return Timer.builder("purgatory_sync_backoff_seconds")
                .description("How long is waited after an attempt in vain")
                .serviceLevelObjectives(TIMES)
                .register(registry);
    }

    private Counter counter(String name, String help, String... tags) {
        return Counter.builder(name).description(help).tags(tags).register(registry);
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
