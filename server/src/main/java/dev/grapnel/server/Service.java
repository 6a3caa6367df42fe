package dev.grapnel.server;

import dev.grapnel.config.BindAddress;
import dev.grapnel.config.Configuration;
import dev.grapnel.config.RelaySettings;
import dev.grapnel.config.ServiceDomain;
import dev.grapnel.config.ServiceSettings;
import dev.grapnel.config.SyncSettings;
import dev.grapnel.git.push.PushPolicy;
import dev.grapnel.git.repository.Repositories;
import dev.grapnel.nostr.key.SecretKey;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.purgatory.AcceptancePolicy;
import dev.grapnel.purgatory.Admission;
import dev.grapnel.purgatory.AnnouncedHosting;
import dev.grapnel.purgatory.Custody;
import dev.grapnel.purgatory.Ejection;
import dev.grapnel.purgatory.Grounds;
import dev.grapnel.purgatory.Happening;
import dev.grapnel.purgatory.Purgatory;
import dev.grapnel.purgatory.PurgatoryLog;
import dev.grapnel.purgatory.Settlement;
import dev.grapnel.purgatory.hunt.HuntLog;
import dev.grapnel.purgatory.hunt.HuntPicture;
import dev.grapnel.purgatory.intake.Uploads;
import dev.grapnel.purgatory.pool.Timeline;
import dev.grapnel.purgatory.reconcile.Attention;
import dev.grapnel.purgatory.reconcile.Lacks;
import dev.grapnel.purgatory.reconcile.NamedObjects;
import dev.grapnel.purgatory.rule.GraspPolicy;
import dev.grapnel.server.address.AddressBook;
import dev.grapnel.server.address.AddressLimits;
import dev.grapnel.server.address.ClientAddresses;
import dev.grapnel.server.control.ControlServer;
import dev.grapnel.server.control.StatusAnswer;
import dev.grapnel.server.live.LiveMatcher;
import dev.grapnel.server.live.SubscriptionIndex;
import dev.grapnel.server.ops.Build;
import dev.grapnel.server.ops.Metrics;
import dev.grapnel.server.ops.PurgatoryCounters;
import dev.grapnel.server.ops.Readiness;
import dev.grapnel.server.ops.Readiness.Reason;
import dev.grapnel.server.ops.RecentSync;
import dev.grapnel.server.relay.Relay;
import dev.grapnel.server.relay.RelayConfig;
import dev.grapnel.server.relay.ScanPool;
import dev.grapnel.server.sync.OwnCalls;
import dev.grapnel.server.web.Features;
import dev.grapnel.server.web.HttpPort;
import dev.grapnel.server.web.HttpSurface;
import dev.grapnel.server.web.RepositoryPortrait;
import dev.grapnel.server.web.ServiceIdentity;
import dev.grapnel.server.websocket.ConnectionWatch;
import dev.grapnel.server.websocket.Deflation;
import dev.grapnel.server.websocket.MemoryBudget;
import dev.grapnel.server.websocket.WebSocketConfig;
import dev.grapnel.server.websocket.WebSocketConnection;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.StoreRefusal;
import dev.grapnel.store.table.StoreDamage;
import dev.grapnel.store.table.StoreFailure;
import dev.grapnel.websocket.Inflation;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The running server: a list of its parts, in the order in which they depend on each other.
///
/// The port is opened first, so that `/health` can tell that the rest is on its way (service 2.2).
public final class Service implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Service.class);
    private static final Duration PUSHES_MAX = Duration.ofSeconds(30);
    private static final Duration CONTROL_LOOK = Duration.ofSeconds(5);
    private static final int LIVE_EVENTS_MAX = 20_000;
    private static final long LIVE_BYTES_MAX = 64L << 20;

    private final Configuration settings;
    private final Operator operator;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final SecureRandom random = new SecureRandom();
    private final LateSync sync = new LateSync();
    private final OwnCalls calls = new OwnCalls(random);
    private final Readiness readiness = new Readiness();
    private final Metrics metrics;
    private final Build build;
    private final int cores = Runtime.getRuntime().availableProcessors();
    private final long heapBytes = Runtime.getRuntime().maxMemory();
    private final AddressBook addresses;
    private final Requesters requesters;
    private final SubscriptionIndex index = new SubscriptionIndex();
    private final ExecutorService tasks = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("connection-", 0).factory());
    private final ScheduledExecutorService housekeeping = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("housekeeping").daemon().factory());
    private final ConnectionWatch watch;
    private final ScanPool scans;
    private final ScanPool counts;
    private final LiveMatcher matcher;
    private final MemoryBudget arrivals;
    private final MemoryBudget departures;
    private final HttpPort port;
    private final CompletableFuture<Relay> relay = new CompletableFuture<>();
    private final CompletableFuture<EventStore> store = new CompletableFuture<>();
    private final CompletableFuture<RequestUpkeep> requests = new CompletableFuture<>();
    private final GitRules rules;
    private final Devices devices;
    private final CompletableFuture<GitHost> git = new CompletableFuture<>();
    private final CompletableFuture<ControlServer> control = new CompletableFuture<>();
    private final long startedAt;
    private final ServiceDomain domain;
    private final ServiceIdentity identity;
    private final PurgatoryOpening opening;
    private final PurgatoryCounters purgatoryCounters;
    private final PurgatoryLog purgatoryLog = new PurgatoryLog();
    private final Uploads uploads;
    private final Custody custody;
    private final CompletableFuture<Purgatory> purgatory = new CompletableFuture<>();
    private final CompletableFuture<Reconciliation> reconciliation = new CompletableFuture<>();
    private final CompletableFuture<Syncing> syncing = new CompletableFuture<>();
    private final CompletableFuture<Ejection> ejection = new CompletableFuture<>();
    private final CompletableFuture<PushPolicy> pushes = new CompletableFuture<>();

    private Service(
            Configuration settings,
            Operator operator,
            Build build,
            GitRules rules,
            Devices devices,
            WebSocketConfig connections,
            InstantSource clock,
            LongSupplier nanoTime)
            throws IOException {
        this.settings = settings;
        this.operator = operator;
        this.rules = rules;
        this.devices = devices;
        this.build = build;
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.startedAt = nanoTime.getAsLong();
        this.metrics = new Metrics(build, nanoTime, Path.of("/"));
        this.addresses = new AddressBook(AddressLimits.from(settings), nanoTime);
        this.arrivals = new MemoryBudget(heapBytes / 8);
        this.departures = new MemoryBudget(heapBytes / 8);
        this.port = new HttpPort(settings.require(ServiceSettings.BIND_ADDRESS), HttpPort.Limits.DEFAULTS, nanoTime);
        port.open();
        this.domain = ServiceDomain.of(settings, port.port());
        this.identity = new ServiceIdentity(domain.address(), operator.key(), build);
        this.requesters = new Requesters(ClientAddresses.from(settings), identity);
        this.purgatoryCounters = metrics.purgatory(clock);
        this.opening = new PurgatoryOpening(settings, domain.address(), operator.key(), heapBytes);
        this.uploads = new Uploads(opening.uploads(), purgatoryCounters::staging, nanoTime);
        this.custody = new Custody(
                opening.config(),
                opening.model(),
                opening.wishes(),
                new Timeline(clock, nanoTime),
                purgatoryLog.andThen(purgatoryCounters).andThen(uploads).andThen(this::noteHappening),
                this::noteChange);
        this.watch = new ConnectionWatch(connections.lookInterval(), nanoTime);
        this.scans = new ScanPool("scan", Math.max(2, cores), metrics);
        this.counts = new ScanPool("count", Math.max(1, cores / 2), metrics);
        this.matcher = new LiveMatcher(index, LIVE_EVENTS_MAX, Math.min(LIVE_BYTES_MAX, heapBytes / 16));
        port.serve(surface(connections));
    }

    /// Starts a server with rules for its repositories.
    ///
    /// @throws ServiceFailure saying what is in the way
    public static Service start(Configuration settings, SecretKey operator, Build build, GitRules rules)
            throws ServiceFailure {
        var connections = new WebSocketConfig(
                Math.toIntExact(settings.require(RelaySettings.MAX_MESSAGE_LENGTH)),
                settings.require(RelaySettings.PING_INTERVAL),
                WebSocketConfig.DEFAULTS.idleMax(),
                WebSocketConfig.DEFAULTS.closeMax(),
                WebSocketConfig.DEFAULTS.stallMax());
        return start(
                settings,
                Operator.of(operator),
                build,
                rules,
                Devices.REAL,
                connections,
                InstantSource.system(),
                System::nanoTime);
    }

    /// Starts a server with devices, times and clocks of the caller's.
    ///
    /// @throws ServiceFailure saying what is in the way
    static Service start(
            Configuration settings,
            Operator operator,
            Build build,
            GitRules rules,
            Devices devices,
            WebSocketConfig connections,
            InstantSource clock,
            LongSupplier nanoTime)
            throws ServiceFailure {
        Service service;
        try {
            service = new Service(settings, operator, build, rules, devices, connections, clock, nanoTime);
        } catch (IOException e) {
            throw new ServiceFailure(String.valueOf(e.getMessage()), e);
        }
        try {
            service.open();
            return service;
        } catch (IOException | StoreFailure | StoreDamage | StoreRefusal e) {
            service.close();
            throw new ServiceFailure(String.valueOf(e.getMessage()), e);
        } catch (RuntimeException | Error e) {
            service.close();
            throw e;
        }
    }

    private HttpSurface surface(WebSocketConfig connections) {
        var commons = new WebSocketConnection.Commons(
                connections,
                tasks,
                new Inflation(cores * 2),
                new Deflation(cores * 2),
                arrivals,
                departures,
                new MemoryBudget(heapBytes / 8),
                nanoTime,
                watch);
        var entrance = new RelayEntrance(relay::join, addresses, requesters::addressOf, calls, commons);
        return new HttpSurface(
                settings,
                identity,
                features(),
                readiness,
                metrics,
                entrance,
                new LateGitDoor(git, this::portrait),
                request -> requesters.addressOf(request).address(),
                requesters::useTls,
                sync);
    }

    private RepositoryPortrait portrait(RepositoryAddress repository) throws IOException {
        var host = git.join();
        Function<Identifier, Optional<HuntPicture>> hunts =
                reconciliation.isDone() ? hunting()::find : _ -> Optional.empty();
        var pools = custody.pools();
        return new RepositoryPortraits(
                        store.join(), pools, host.repositories(), host.hosting(), domain.address(), hunts)
                .of(repository);
    }

    private Features features() {
        return switch (rules.acceptance()) {
            case GRASP -> Features.grasp(settings.require(SyncSettings.SYNC_ENABLED));
            case ANYTHING -> Features.RELAY_ONLY;
        };
    }

    private void open() throws IOException {
        var opened = new StoreOpening(
                        settings,
                        domain.address(),
                        heapBytes,
                        new StoreReports(readiness, metrics.deletions(), metrics.transactions()),
                        matcher,
                        uploads.following(custody.follower()),
                        devices,
                        clock,
                        random)
                .open();
        store.complete(opened);
        purgatory.complete(custody.load(opened));
        // Not earlier: whoever loads looks at the time of the last commit.
        opened.succeed(random.nextLong(1, Long.MAX_VALUE));
        requests.complete(new RequestUpkeep(opened, settings.require(ServiceSettings.HOLDING_CLEANUP_INTERVAL_SECS)));
        git.complete(GitHost.open(
                new GitOpening(settings, cores, heapBytes),
                rules,
                devices.disk(),
                new AnnouncedHosting(opened, custody.pools(), this::restore),
                rules.policy().apply(new LatePushPolicy(pushes)),
                new NamedObjects(opened, custody.pools()),
                build,
                requesters::addressOf,
                requesters::useTls,
                metrics,
                clock,
                nanoTime));
        var config = RelayConfig.of(settings, heapBytes);
        relay.complete(new Relay(
                config,
                domain.address(),
                opened,
                admission(opened, config),
                index,
                scans,
                counts,
                metrics,
                random,
                clock,
                nanoTime));
        follow(opened, config);
        new Lookouts(settings, metrics, readiness, housekeeping).begin();
        measure();
        listenToOperator(opened);
        readiness.end(Reason.STARTING);
    }

    /// Begins to follow other relays, if there is anything to follow them for.
    private void follow(EventStore opened, RelayConfig config) throws IOException {
        if (operator.secret().isEmpty()
                || rules.acceptance() != GitRules.Acceptance.GRASP
                || !settings.require(SyncSettings.SYNC_ENABLED)) {
            return;
        }
        var parts = new SyncOpening(settings, domain, build, calls, metrics, random, clock, nanoTime, heapBytes, cores)
                .open(
                        operator.secret().get(),
                        devices.outside().get(),
                        opened,
                        custody.pools(),
                        opening.fingerprint(),
                        relay.join().admission(),
                        config.rules(),
                        hunting());
        syncing.complete(parts);
        var view = new RecentSync(parts, nanoTime);
        sync.begin(view);
        metrics.sync(view);
        parts.start();
    }

    /// By the store's writer, which must not wait.
    private void noteChange(List<Identifier> identifiers) {
        if (syncing.isDone()) {
            syncing.join().noteChange(identifiers);
        }
        if (reconciliation.isDone()) {
            reconciliation.join().noteChange(identifiers);
        }
    }

    /// The same.
    private void noteHappening(Happening happening) {
        if (reconciliation.isDone()) {
            reconciliation.join().hunting().note(happening);
        }
        if (syncing.isDone()) {
            syncing.join().note(happening);
        }
    }

    private void restore(RepositoryAddress repository) {
        if (reconciliation.state() == Future.State.SUCCESS) {
            reconciliation.resultNow().restore(repository);
        }
    }

    private Admission admission(EventStore opened, RelayConfig config) throws IOException {
        return switch (rules.acceptance()) {
            case ANYTHING -> admission(opened, config, AcceptancePolicy.ANYTHING, Grounds.NONE, Settlement.NONE);
            case GRASP -> {
                opening.warn();
                var host = git.join();
                new OldPurgatory(settings, host.directory(), clock).takeOver(opened, host.repositories(), metrics);
                var parts = new Reconciliation(
                        opening,
                        identity,
                        custody,
                        opened,
                        host,
                        uploads,
                        metrics.reconcile(),
                        opening::countedAs,
                        (lacks, attention) -> hunting(opened, host, lacks, attention),
                        housekeeping,
                        nanoTime);
                reconciliation.complete(parts);
                PurgatoryFigures.add(metrics, parts, host.repositories());
                var keeper = custody.start(
                        opened,
                        host.repositories(),
                        host.space(),
                        parts::keeps,
                        purgatoryCounters,
                        purgatoryCounters,
                        () -> parts.catchUp(Math.max(2, cores)),
                        housekeeping);
                parts.hunting().start();
                ejection.complete(new Ejection(opened, keeper));
                pushes.complete(parts.pushes());
                var policy = new GraspPolicy(opening.rules(), custody.pools());
                yield admission(opened, config, policy, keeper, parts.settlement());
            }
        };
    }

    private Hunting hunting(EventStore opened, GitHost host, Lacks lacks, Attention attention) {
        return new Hunting(
                settings,
                domain,
                build,
                custody,
                opened,
                host,
                lacks,
                attention,
                relay.thenApply(Relay::admission),
                devices.outside().get(),
                new HuntLog(clock).andThen(metrics.hunt()),
                housekeeping,
                random,
                clock,
                nanoTime);
    }

    private Admission admission(
            EventStore opened, RelayConfig config, AcceptancePolicy policy, Grounds grounds, Settlement settlement) {
        return new Admission(
                opened,
                config.rules(),
                policy,
                custody.happenings(),
                grounds,
                settlement,
                matcher::reserve,
                clock,
                nanoTime);
    }

    private void listenToOperator(EventStore opened) {
        var opening = new ControlOpening(
                settings,
                opened,
                purgatory.join(),
                git.join().repositories(),
                reconciliation.isDone() ? Optional.of(reconciliation.join()) : Optional.empty(),
                ejection.isDone() ? Optional.of(ejection.join()) : Optional.empty(),
                clock,
                nanoTime);
        var facts = new StatusAnswer.Facts(
                build,
                domain.relayUrl(),
                port.port(),
                () -> Duration.ofNanos(nanoTime.getAsLong() - startedAt),
                () -> git.join().hosting().count(),
                () -> addresses.figures().connections(),
                opening::freeBytes,
                readiness);
        opening.open(facts, cores, sync).ifPresent(server -> {
            control.complete(server);
            var _ = housekeeping.scheduleWithFixedDelay(
                    server::look, CONTROL_LOOK.toNanos(), CONTROL_LOOK.toNanos(), TimeUnit.NANOSECONDS);
        });
    }

    private void measure() {
        PurgatoryFigures.add(metrics, purgatory.join(), custody, uploads, store.join());
        RelayFigures.add(metrics, relay.join(), addresses, index);
        new ServiceFigures(arrivals, departures, scans, counts, matcher, store.join()).add(metrics);
    }

    /// Where it listens.
    public BindAddress bound() {
        var bind = settings.require(ServiceSettings.BIND_ADDRESS);
        return new BindAddress(bind.address(), port.port());
    }

    /// The port it listens on.
    public int port() {
        return port.port();
    }

    /// Under which address it knows itself.
    public ServiceDomain domain() {
        return domain;
    }

    /// Lets go of what has waited long enough, now instead of at the next time.
    void sweep() {
        custody.sweep();
        uploads.removeAbandoned();
    }

    /// Waits until nothing is to be aligned or released.
    void awaitReconciled() throws InterruptedException {
        reconciliation.join().awaitQuiet();
    }

    /// Compares repositories with their events if it is time, and returns when that is done.
    void compareIfDue() throws InterruptedException {
        reconciliation.join().compareIfDue();
    }

    /// By which handshakes of our own are recognised when they come back.
    OwnCalls calls() {
        return calls;
    }

    /// Who follows other relays.
    Syncing syncing() {
        return syncing.join();
    }

    Hunting hunting() {
        return reconciliation.join().hunting();
    }

    /// What it keeps.
    EventStore store() {
        return store.join();
    }

    /// What waits.
    Purgatory purgatory() {
        return purgatory.join();
    }

    /// The repositories on disk.
    Repositories repositories() {
        return git.join().repositories();
    }

    /// The gate every event passes, wherever it comes from.
    Admission admission() {
        return relay.join().admission();
    }

    /// For those who count.
    public Metrics metrics() {
        return metrics;
    }

    /// Stops as relay 6.8 says: what was acknowledged is on disk, and everybody was told.
    @Override
    public void close() {
        LOG.info("stopping");
        port.stopAccepting();
        if (relay.isDone()) {
            Farewells.sayFarewell(relay.join());
        }
        if (syncing.isDone()) {
            syncing.join().close();
        }
        if (git.isDone()) {
            git.join().stop(PUSHES_MAX);
        }
        if (control.isDone()) {
            control.join().close();
        }
        port.close();
        watch.close();
        housekeeping.shutdownNow();
        scans.close();
        counts.close();
        if (reconciliation.isDone()) {
            reconciliation.join().close();
        }
        custody.close();
        uploads.close();
        if (git.isDone()) {
            git.join().close();
        }
        if (requests.isDone()) {
            requests.join().close();
        }
        if (store.isDone()) {
            Farewells.renewClock(store.join());
            store.join().close();
        }
        purgatoryLog.close();
        matcher.close();
        tasks.close();
        metrics.close();
        LOG.info("stopped");
    }
}
