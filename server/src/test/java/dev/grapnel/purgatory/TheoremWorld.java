package dev.grapnel.purgatory;

import dev.grapnel.git.FreeSpace;
import dev.grapnel.git.GitIds;
import dev.grapnel.git.pool.LocalPool;
import dev.grapnel.git.push.Foundation;
import dev.grapnel.git.push.PushCommand;
import dev.grapnel.git.push.PushLimits;
import dev.grapnel.git.push.PushPolicy;
import dev.grapnel.git.push.PushRequest;
import dev.grapnel.git.push.Pusher;
import dev.grapnel.git.push.ReceivePack;
import dev.grapnel.git.push.RefMoves;
import dev.grapnel.git.refs.Refs;
import dev.grapnel.git.repository.Repositories;
import dev.grapnel.git.repository.RepositoryLease;
import dev.grapnel.git.repository.UnflushedRepositories;
import dev.grapnel.git.wire.KeepAlive;
import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.ListsService;
import dev.grapnel.nostr.repository.MaintainerModel;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.nostr.rule.EventRules;
import dev.grapnel.nostr.url.ServiceAddress;
import dev.grapnel.purgatory.intake.Extension;
import dev.grapnel.purgatory.intake.Scenes;
import dev.grapnel.purgatory.intake.SignedPushes;
import dev.grapnel.purgatory.intake.UploadLimits;
import dev.grapnel.purgatory.intake.Uploads;
import dev.grapnel.purgatory.pool.Timeline;
import dev.grapnel.purgatory.push.Remote;
import dev.grapnel.purgatory.reconcile.Attention;
import dev.grapnel.purgatory.reconcile.Expectations;
import dev.grapnel.purgatory.reconcile.Inspection;
import dev.grapnel.purgatory.reconcile.Ledger;
import dev.grapnel.purgatory.reconcile.ObjectExamination;
import dev.grapnel.purgatory.reconcile.OwnFailures;
import dev.grapnel.purgatory.reconcile.ReconcileCounts;
import dev.grapnel.purgatory.reconcile.Reconciler;
import dev.grapnel.purgatory.reconcile.RefCounts;
import dev.grapnel.purgatory.reconcile.Settlements;
import dev.grapnel.purgatory.reconcile.StagedObjects;
import dev.grapnel.purgatory.reconcile.TrashRecords;
import dev.grapnel.purgatory.rule.AcceptanceRules;
import dev.grapnel.purgatory.rule.GraspPolicy;
import dev.grapnel.purgatory.rule.HeldLimits;
import dev.grapnel.purgatory.rule.Lists;
import dev.grapnel.store.QueryRequest;
import dev.grapnel.store.QueryStep;
import dev.grapnel.store.ServedFeed;
import dev.grapnel.store.StoreRules;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.crash.FailingEngine;
import dev.grapnel.store.engine.StoreObserver;
import dev.grapnel.store.engine.TableStore;
import dev.grapnel.store.engine.WriterConfig;
import dev.grapnel.store.memory.KeptMemory;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.HeldAnnouncement;
import dev.grapnel.store.row.Repair;
import dev.grapnel.store.row.Row;
import dev.grapnel.store.row.Standing;
import dev.grapnel.store.table.Table;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.SequencedSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.eclipse.jgit.lib.ObjectId;

/// The real parts of a server between its sockets and its disks, those that align repositories and release
/// events included. A clock goes when told, threads are waited for, so that each step ends at rest.
@SuppressWarnings("NullAway.Init") // all parts begin together, in start
final class TheoremWorld implements AutoCloseable {
    /// Later than any file is made.
    private static final Instant BEGIN = Instant.parse("2100-01-01T00:00:00Z");

    private static final ServiceAddress SERVICE =
            ServiceAddress.parse(GraspWorld.DOMAIN, "/").require();
    private static final PurgatoryConfig CONFIG = PurgatoryConfig.DEFAULTS;
    private static final WriterConfig WRITER = new WriterConfig(
            10_000, 64L << 20, 1_000, 8L << 20, Duration.ofDays(1000), Duration.ofDays(1000), 1_000_000);

    private final MaintainerModel model;
    private final Path directory;
    private final TheoremObjects objects;
    private final KeptMemory memory = new KeptMemory(100_000);
    private final StringBuilder problems = new StringBuilder();
    private final AtomicReference<Runnable> beforeRun = new AtomicReference<>(() -> {});
    private final AtomicReference<Runnable> inRun = new AtomicReference<>(() -> {});
    private volatile Instant now = BEGIN;

    private FailingEngine engine;
    private Repositories repositories;
    private ManualTimer timer;
    private Custody custody;
    private TableStore store;
    private Retention retention;
    private Admission admission;
    private AnnouncedHosting hosting;
    private Attention attention;
    private Ledger ledger;
    private PushPolicy pushes;

    TheoremWorld(MaintainerModel model, Path directory, TheoremObjects objects) throws IOException {
        this.model = model;
        this.directory = directory;
        this.objects = objects;
        start();
    }

    private void start() throws IOException {
        repositories = UnflushedRepositories.open(directory, () -> now);
        timer = new ManualTimer();
        engine = new FailingEngine(memory.get());
        var time = new Timeline(() -> now, () -> Duration.between(BEGIN, now).toNanos());
        var listening = new CompletableFuture<Attention>();
        custody = new Custody(
                CONFIG,
                model,
                announcement -> ListsService.judge(announcement, SERVICE),
                time,
                _ -> {},
                identifiers -> {
                    if (listening.isDone()) {
                        for (var identifier : identifiers) {
                            var _ = listening.join().attend(identifier, ReleasePath.MEMBERSHIP);
                        }
                    }
                });
        store = new TableStore(
                engine,
                StoreRules.DEFAULTS.withServices(List.of(SERVICE)),
                WRITER,
                () -> now,
                new Complaints(),
                ServedFeed.NONE,
                custody.follower());
        custody.load(store);
        hosting = new AnnouncedHosting(store, custody.pools());
        var settlements = reconciliation();
        listening.complete(attention);
        attention.start(2);
        var keeper = custody.start(
                store,
                repositories,
                new FreeSpace(() -> Long.MAX_VALUE, 0),
                Reprieve.NONE,
                new NoCounts(),
                (_, _) -> {},
                ledger::catchUp,
                timer);
        retention = new Retention(store, custody.pools(), keeper, CONFIG);
        var rules = new AcceptanceRules(
                SERVICE, StoreSamples.author(999), Lists.NONE, CONFIG.expiry(), HeldLimits.DEFAULTS, Set.of());
        admission = new Admission(
                store,
                EventRules.DEFAULTS,
                new GraspPolicy(rules, custody.pools()),
                custody.happenings(),
                keeper,
                settlements,
                _ -> Optional.empty(),
                () -> now,
                () -> Duration.between(BEGIN, now).toNanos());
    }

    private final ReconcileCounts counts = new ReconcileCounts() {
        @Override
        public void ran(ReleasePath trigger, Duration time) {}

        @Override
        public void failed(Step step) {}

        @Override
        public void moved(RefCounts refs) {
            inRun.getAndSet(() -> {}).run();
        }
    };

    /// As the server does it.
    private Settlements reconciliation() throws IOException {
        var pools = custody.pools();
        ObjectExamination.Pools pool =
                (sources, received) -> new LocalPool(repositories, this::shown, sources, received);
        var expectations = new Expectations();
        var reconciler = new Reconciler(
                custody.locks(),
                new Reconciler.Parts(
                        store,
                        pools,
                        repositories,
                        pool,
                        StagedObjects.NONE,
                        RefMoves.UNNOTICED,
                        custody.happenings(),
                        new TrashRecords(store, pools.time(), CONFIG.retention()),
                        _ -> {},
                        counts,
                        expectations::served),
                System::nanoTime);
        var failures = new OwnFailures(pools.time(), CONFIG.softExpiry());
        attention = new Attention(reconciler::reconcile, failures, _ -> {}, timer);
        ledger = new Ledger(store, pools, attention);
        var uploads = new Uploads(UploadLimits.DEFAULTS, _ -> {}, System::nanoTime);
        uploads.load(store, repositories.staging());
        pushes = new SignedPushes(new SignedPushes.Parts(
                new Scenes(store, pools, repositories, pool, StagedObjects.NONE, false),
                reconciler,
                attention,
                custody.locks(),
                custody.pins(),
                new Extension(store, pools, CONFIG.expiry(), Duration.ofMinutes(15)),
                uploads,
                InetAddress::toString,
                push -> new Remote(push.repository(), "https://" + GraspWorld.DOMAIN + "/r.git", GraspWorld.DOMAIN),
                Duration.ofDays(1),
                () -> {
                    beforeRun.getAndSet(() -> {}).run();
                    return System.nanoTime();
                }));
        return new Settlements(
                store,
                attention,
                new Inspection(store, pools, pool, StagedObjects.NONE),
                expectations,
                StagedObjects.NONE,
                Settlements.Copies.NONE);
    }

    private SequencedSet<ObjectId> shown(RepositoryLease lease) throws IOException {
        var tips = new LinkedHashSet<ObjectId>();
        var hosted = hosting.find(lease.address());
        if (hosted.isPresent()) {
            lease.refs().current().without(hosted.get().hidden()).values().values().stream()
                    .map(value -> GitIds.of(value.target()))
                    .forEach(tips::add);
        }
        return tips;
    }

    long now() {
        return now.toEpochMilli();
    }

    // ---- what happens

    /// What OK says.
    String submit(Event event, boolean isSynced) {
        var answer = new CompletableFuture<String>();
        var origin = isSynced ? new Origin.Synced() : new Origin.Direct(Set.of(), true);
        admission.admit(new Lane(), event, origin, (admitted, problem) -> {
            if (admitted != null) {
                answer.complete(admitted.isAccepted() + " " + admitted.message());
            } else {
                answer.completeExceptionally(problem);
            }
        });
        return answer.join();
    }

    /// What git reads of each ref: `ok` or a reason. Empty if there is no such repository.
    ///
    /// @param wanted by name; zero for a deletion
    /// @param lies what the client thinks is there, where that is not so
    Optional<String> push(RepositoryAddress address, Map<String, Oid> wanted, Map<String, Oid> lies, boolean isThin)
            throws IOException {
        if (hosting.find(address).isEmpty()) {
            return Optional.empty();
        }
        var grounds = new ArrayList<Foundation.Ground>();
        try (var lease = repositories.find(address).orElse(null)) {
            if (lease == null) {
                return Optional.empty(); // gone just now
            }
            try {
                for (var other : hosting.named(address.identifier())) {
                    if (!other.equals(address)) {
                        for (var ground : repositories.find(other).stream().toList()) {
                            grounds.add(new Foundation.Ground(ground, shown(ground)));
                        }
                    }
                }
                return Optional.of(push(lease, grounds, wanted, lies, isThin));
            } finally {
                grounds.forEach(ground -> ground.repository().close());
            }
        }
    }

    private String push(
            RepositoryLease lease,
            List<Foundation.Ground> others,
            Map<String, Oid> wanted,
            Map<String, Oid> lies,
            boolean isThin)
            throws IOException {
        var refs = lease.refs().current();
        var commands = new ArrayList<PushCommand>();
        wanted.forEach((name, after) -> {
            var before = lies.getOrDefault(name, target(refs, name));
            commands.add(new PushCommand(name, Bytes.wrap(name.getBytes(StandardCharsets.UTF_8)), before, after));
        });
        var request = new PushRequest(commands, Set.of("report-status"), List.of(), false);
        var shown = shown(lease);
        var pack = request.hasPack() ? objects.pack(wanted.values(), isThin ? shown : Set.of()) : new byte[0];
        var channel = new Report();
        new ReceivePack(
                        repositories,
                        pushes,
                        PushLimits.DEFAULTS,
                        KeepAlive.defaults(System::nanoTime),
                        RefMoves.UNNOTICED,
                        new FreeSpace(() -> Long.MAX_VALUE, 0))
                .answer(
                        lease,
                        new Foundation(new Foundation.Ground(lease, shown), others),
                        request,
                        new Pusher(InetAddress.getLoopbackAddress(), false),
                        new ByteArrayInputStream(pack),
                        channel);
        return channel.text();
    }

    private static Oid target(Refs refs, String name) {
        return refs.values().entrySet().stream()
                .filter(entry -> entry.getKey().text().equals(name))
                .map(entry -> entry.getValue().target())
                .findFirst()
                .orElse(Oid.ZERO);
    }

    private static final class Report implements ReceivePack.Channel {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        @Override
        public OutputStream begin() {
            return bytes;
        }

        @Override
        public void refuse(String reason) {
            bytes.writeBytes(("ng " + reason).getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public void drain() {
            // everything is in memory
        }

        String text() {
            return bytes.toString(StandardCharsets.UTF_8);
        }
    }

    void advance(Duration time) {
        now = now.plus(time);
    }

    void sweep() {
        custody.sweep();
        store.sweep().join();
    }

    void cleanUp() {
        retention.cleanUp();
    }

    /// Happens between the last verdict about the next push and what follows from it.
    void betweenVerdictAndRun(Runnable work) {
        beforeRun.set(work);
    }

    /// Happens when the next run has aligned a repository and has not written down what it came to.
    void betweenRefsAndCommit(Runnable work) {
        inRun.set(work);
    }

    /// From now on, or no more, nothing can be stored.
    void setBroken(boolean isBroken) {
        engine.set(isBroken ? FailingEngine.Fault.COMMIT : FailingEngine.Fault.NONE);
    }

    void restart() throws IOException {
        close();
        start();
    }

    /// As after a kill -9.
    void crash() throws IOException {
        memory.crash();
        restart();
    }

    /// Does at once what was put off after a failure.
    void retry() throws InterruptedException {
        attention.awaitQuiet();
        timer.runAll();
        rest();
    }

    /// Waits until nothing is to be done.
    void rest() throws InterruptedException {
        custody.awaitTended();
        attention.awaitQuiet();
        ledger.look();
        attention.awaitQuiet();
        custody.awaitTended();
    }

    // ---- what is to be seen

    List<Event> served() {
        var events = new ArrayList<Event>();
        try (var query = store.query(QueryRequest.of(Filter.ALL))) {
            while (true) {
                var step = query.next(1 << 20, Duration.ofDays(1));
                step.events().forEach(event -> events.add(event.read()));
                if (step instanceof QueryStep.Done) {
                    return events;
                }
            }
        }
    }

    List<Held> held() {
        var held = new ArrayList<Held>();
        for (var table : List.of(Table.HELD_ANNOUNCEMENTS, Table.HELD_STATES, Table.HELD_PROPOSALS)) {
            forEach(table, row -> held.add((Held) row));
        }
        return held;
    }

    /// Announcements that wait with an empty repository.
    static boolean isActive(Held held) {
        return held instanceof HeldAnnouncement announcement && announcement.phase() == HeldAnnouncement.Phase.ACTIVE;
    }

    static boolean isHosted(Held held) {
        return held instanceof HeldAnnouncement announcement
                && announcement.phase() != HeldAnnouncement.Phase.REFERENCE;
    }

    Map<RepositoryAddress, Standing.Phase> standings() {
        var standings = new TreeMap<RepositoryAddress, Standing.Phase>();
        forEach(Table.REPOSITORIES, row -> {
            var standing = (Standing) row;
            standings.put(standing.repository(), standing.phase());
        });
        return standings;
    }

    void put(Row row) {
        store.write(Urgency.WAITING, 0, transaction -> {
                    transaction.put(row);
                    return true;
                })
                .join();
    }

    Map<RepositoryAddress, String> repairs() {
        var repairs = new TreeMap<RepositoryAddress, String>();
        forEach(Table.REPAIRS, row -> repairs.put(((Repair) row).repository(), row.toString()));
        return repairs;
    }

    private void forEach(Table table, Consumer<Row> action) {
        store.read(view -> {
            view.forEachRow(table, Bytes.EMPTY, action);
            return true;
        });
    }

    Collection<RepositoryAddress> onDisk() throws IOException {
        return repositories.list();
    }

    Refs refs(RepositoryAddress address) throws IOException {
        try (var lease = repositories.find(address).orElseThrow()) {
            return lease.refs().current();
        }
    }

    /// What everybody can list.
    Refs shownRefs(RepositoryAddress address) throws IOException {
        return refs(address).without(hosting.find(address).orElseThrow().hidden());
    }

    /// Of all objects there are, those a repository has.
    Set<Oid> objects(RepositoryAddress address) throws IOException {
        var found = new TreeSet<Oid>();
        try (var lease = repositories.find(address).orElse(null)) {
            if (lease == null) {
                return found;
            }
            try (var reader = lease.newReader()) {
                for (var id : objects.all()) {
                    if (reader.has(GitIds.of(id))) {
                        found.add(id);
                    }
                }
            }
        }
        return found;
    }

    String problems() {
        return problems.toString();
    }

    static RepositoryAddress address(int owner, String identifier) {
        return new RepositoryAddress(StoreSamples.author(owner), new Identifier(identifier));
    }

    @Override
    public void close() throws IOException {
        attention.close();
        custody.close();
        store.close();
        timer.shutdownNow();
        repositories.close();
    }

    /// What is to be done once and later waits until somebody says so.
    private static final class ManualTimer extends ScheduledThreadPoolExecutor {
        private final Queue<Runnable> later = new ConcurrentLinkedQueue<>();

        ManualTimer() {
            super(1);
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable work, long delay, TimeUnit unit) {
            later.add(work);
            return super.schedule(work, 1, TimeUnit.DAYS);
        }

        void runAll() {
            for (var work = later.poll(); work != null; work = later.poll()) {
                work.run();
            }
        }
    }

    private final class Complaints implements StoreObserver {
        @Override
        public void damaged(String where) {
            problems.append("damaged: ").append(where).append('\n');
        }

        @Override
        public void setAside(String row, String file) {
            problems.append("set aside: ").append(row).append('\n');
        }

        @Override
        public void refusing(String reason) {
            // only when told to
        }

        @Override
        public void writing() {
            // again
        }
    }
}
