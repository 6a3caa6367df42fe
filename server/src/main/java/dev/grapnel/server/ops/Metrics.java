package dev.grapnel.server.ops;

import dev.grapnel.nostr.Refusal;
import dev.grapnel.nostr.url.Host;
import dev.grapnel.purgatory.hunt.DomainPicture;
import dev.grapnel.server.relay.RelayMeter;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The figures of the service (service 11), counted and written in the text format of Prometheus.
///
/// Counting touches counters that exist already: no lookup by name, no memory per message. No address, key
/// or content of an event is ever part of a label.
public final class Metrics implements RelayMeter, AutoCloseable {
    /// Type of the text that [#scrape] writes.
    public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private static final double NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final double[] LIFETIMES = {1, 5, 15, 30, 60, 300, 900, 3600};

    private volatile @Nullable HuntCounters hunt;
    private volatile Supplier<Map<Host, DomainPicture>> domains = Map::of;
    private volatile @Nullable SyncCounters sync;
    private volatile SyncView syncView = SyncView.OFF;
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Figures figures = new Figures();
    private final ReentrantLock reading = new ReentrantLock();
    private final JvmGcMetrics collections = new JvmGcMetrics();
    private final LongAdder open = new LongAdder();
    private final LongAdder internalErrors = new LongAdder();
    private final LongAdder uncaughtErrors = new LongAdder();
    private final Counter connections;
    private final DistributionSummary lifetimes;
    private final Map<Incoming, Counter> received = new EnumMap<>(Incoming.class);
    private final Map<Outgoing, Counter> sent = new EnumMap<>(Outgoing.class);
    private final KindCounters kinds = new KindCounters(registry);
    private final GitCounters git = new GitCounters(registry);
    private final DeletionCounters deletions = new DeletionCounters(registry);
    private final TransactionCounters transactions = new TransactionCounters(registry);

    /// Begins with all figures that need no other part.
    ///
    /// @param nanoTime a clock that only runs forward
    /// @param root `/`, or a directory that a test made look like it
    public Metrics(Build build, LongSupplier nanoTime, Path root) {
        connections = Counter.builder("ngit_websocket_connections_total")
                .description("WebSocket connections since the start")
                .register(registry);
        lifetimes = DistributionSummary.builder("ngit_websocket_connection_duration_seconds")
                .description("How long WebSocket connections lasted")
                .serviceLevelObjectives(LIFETIMES)
                .register(registry);
        for (var type : Incoming.values()) {
            received.put(type, messages("ngit_websocket_messages_received_total", "Messages of clients", type));
        }
        for (var type : Outgoing.values()) {
            sent.put(type, messages("ngit_websocket_messages_sent_total", "Messages to clients", type));
        }
        gauge("ngit_websocket_connections_active", "Open WebSocket connections", open::sum);
        addErrors();
        addBuild(build, nanoTime);
        ProcessFigures.addTo(this, root);
        CgroupFigures.addTo(this, root);
        bindJvm();
    }

    private Counter messages(String name, String help, Enum<?> type) {
        return Counter.builder(name)
                .description(help)
                .tag("type", type.name().replace('_', '-'))
                .register(registry);
    }

    private void addErrors() {
        counter(
                "grapnel_internal_errors_total",
                "Failures of our own that nobody foresaw; each is in the log",
                internalErrors::sum);
        counter("grapnel_uncaught_errors_total", "Threads that ended by an error", uncaughtErrors::sum);
    }

    private void addBuild(Build build, LongSupplier nanoTime) {
        long start = nanoTime.getAsLong();
        counter("ngit_uptime_seconds", "Seconds since the start", () -> (nanoTime.getAsLong() - start) / NANOS);
        figures.add(
                SampleText.Type.GAUGE,
                "ngit_build_info",
                "Which build runs",
                List.of("version", build.version(), "commit", build.commit()),
                () -> 1);
    }

    private void bindJvm() {
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        collections.bindTo(registry);
    }

    /// For the git host.
    public GitMeter git() {
        return git;
    }

    /// Counts for what brings git data and events together; made once.
    public ReconcileCounters reconcile() {
        return new ReconcileCounters(registry);
    }

    /// Counts for hunting; made once.
    public HuntCounters hunt() {
        hunt = new HuntCounters(registry);
        return hunt;
    }

    /// What goes on with other servers, asked for whenever somebody reads.
    public void domains(Supplier<Map<Host, DomainPicture>> pictures) {
        domains = pictures;
    }

    /// Counts for sync; made once.
    public SyncCounters sync() {
        var counters = new SyncCounters(registry);
        sync = counters;
        return counters;
    }

    /// How sync is doing, asked for whenever somebody reads.
    public void sync(SyncView view) {
        syncView = view;
    }

    /// Counts for purgatory; made once.
    public PurgatoryCounters purgatory(InstantSource clock) {
        return new PurgatoryCounters(registry, clock);
    }

    /// Adds a figure with a label, as [#gauge] does.
    public void gauge(String name, String help, String label, String word, DoubleSupplier value) {
        gauge(name, help, List.of(label, word), value);
    }

    /// Adds a figure with several labels.
    ///
    /// @param labels names and values in turn
    public void gauge(String name, String help, List<String> labels, DoubleSupplier value) {
        Gauge.builder(name, value::getAsDouble)
                .description(help)
                .tags(labels.toArray(String[]::new))
                .register(registry);
    }

    /// For the store.
    public DeletionCounters deletions() {
        return deletions;
    }

    /// For the store as well.
    public TransactionCounters transactions() {
        return transactions;
    }

    /// Publishes which repositories moved the most bytes; to be called from time to time.
    public void publishTopRepositories(int count) {
        reading.lock();
        try {
            git.publishTop(count);
        } finally {
            reading.unlock();
        }
    }

    /// Adds a figure that goes up and down. It is asked for whenever somebody reads; NaN leaves it out.
    ///
    /// @throws IllegalArgumentException if there is one of that name
    public void gauge(String name, String help, DoubleSupplier value) {
        figures.add(SampleText.Type.GAUGE, name, help, List.of(), value);
    }

    /// Adds a figure that only grows. It is asked for whenever somebody reads; NaN leaves it out.
    ///
    /// @throws IllegalArgumentException if there is one of that name
    public void counter(String name, String help, DoubleSupplier value) {
        figures.add(SampleText.Type.COUNTER, name, help, List.of(), value);
    }

    /// All figures as they are now.
    public String scrape() {
        var out = new StringBuilder(registered());
        figures.write(out);
        var syncing = sync;
        if (syncing != null) {
            syncing.write(syncView, out);
        }
        return out.toString();
    }

    /// Rows that come and go are replaced one by one, so nobody may read meanwhile.
    private String registered() {
        reading.lock();
        try {
            var hunting = hunt;
            if (hunting != null) {
                hunting.publish(domains.get());
            }
            return registry.scrape(CONTENT_TYPE);
        } finally {
            reading.unlock();
        }
    }

    @Override
    public void opened() {
        open.increment();
        connections.increment();
    }

    @Override
    public void closed(Duration lifetime) {
        open.decrement();
        lifetimes.record(lifetime.toNanos() / NANOS);
    }

    @Override
    public void received(Incoming type) {
        counterOf(received, type).increment();
    }

    @Override
    public void sent(Outgoing type, int count) {
        counterOf(sent, type).increment(count);
    }

    private static <K extends Enum<K>> Counter counterOf(Map<K, Counter> counters, K type) {
        var counter = counters.get(type);
        if (counter == null) {
            throw new IllegalStateException("no counter of " + type);
        }
        return counter;
    }

    @Override
    public void offered(int kind) {
        kinds.offered(kind);
    }

    @Override
    public void stored(int kind) {
        kinds.stored(kind);
    }

    @Override
    public void refused(int kind, Refusal.Prefix reason) {
        kinds.refused(kind, reason);
    }

    @Override
    public void failed() {
        internalErrors.increment();
    }

    /// A thread ended by an error.
    void uncaught() {
        uncaughtErrors.increment();
    }

    @Override
    public void close() {
        collections.close();
        registry.close();
    }
}
