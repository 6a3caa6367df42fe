package dev.grapnel.server;

import dev.grapnel.config.PurgatorySettings;
import dev.grapnel.config.ServiceSettings;
import dev.grapnel.git.GitIds;
import dev.grapnel.git.Hosting;
import dev.grapnel.git.maintenance.BudgetPace;
import dev.grapnel.git.maintenance.Pauser;
import dev.grapnel.git.pool.LocalPool;
import dev.grapnel.git.push.PushPolicy;
import dev.grapnel.git.repository.Repositories;
import dev.grapnel.git.repository.RepositoryLease;
import dev.grapnel.git.repository.Staging;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.nostr.url.Scheme;
import dev.grapnel.purgatory.Custody;
import dev.grapnel.purgatory.ReleasePath;
import dev.grapnel.purgatory.Settlement;
import dev.grapnel.purgatory.intake.Extension;
import dev.grapnel.purgatory.intake.Scenes;
import dev.grapnel.purgatory.intake.SignedPushes;
import dev.grapnel.purgatory.intake.Uploads;
import dev.grapnel.purgatory.push.Remote;
import dev.grapnel.purgatory.reconcile.Attention;
import dev.grapnel.purgatory.reconcile.Expectations;
import dev.grapnel.purgatory.reconcile.Inspection;
import dev.grapnel.purgatory.reconcile.IntegrityFindings;
import dev.grapnel.purgatory.reconcile.IntegrityPass;
import dev.grapnel.purgatory.reconcile.IntegrityWatch;
import dev.grapnel.purgatory.reconcile.Lacks;
import dev.grapnel.purgatory.reconcile.Ledger;
import dev.grapnel.purgatory.reconcile.ObjectExamination;
import dev.grapnel.purgatory.reconcile.OwnFailures;
import dev.grapnel.purgatory.reconcile.PassRecord;
import dev.grapnel.purgatory.reconcile.ReconcileCounts;
import dev.grapnel.purgatory.reconcile.Reconciler;
import dev.grapnel.purgatory.reconcile.Settlements;
import dev.grapnel.purgatory.reconcile.TrashRecords;
import dev.grapnel.server.web.ServiceIdentity;
import dev.grapnel.store.EventStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.eclipse.jgit.lib.ObjectId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The parts that bring git data and events together, in the order in which they depend on each other.
final class Reconciliation implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Reconciliation.class);
    private static final Duration PUSH_PATIENCE = Duration.ofSeconds(30);
    private static final Duration RESTORE_PATIENCE = Duration.ofSeconds(10);
    private static final Duration LEDGER_LOOK = Duration.ofSeconds(5);
    private static final Duration INTEGRITY_LOOK = Duration.ofMinutes(1);
    private static final double INTEGRITY_SHARE = 0.1;

    private final ScheduledExecutorService timer;
    private final OwnFailures failures;
    private final Attention attention;
    private final Settlements settlements;
    private final Ledger ledger;
    private final PushPolicy pushes;
    private final EventStore store;
    private final Uploads uploads;
    private final Staging staging;
    private final IntegrityPass integrity;
    private final IntegrityFindings findings = new IntegrityFindings();
    private final IntegrityWatch watch;
    private final Hunting hunting;

    Reconciliation(
            PurgatoryOpening opening,
            ServiceIdentity identity,
            Custody custody,
            EventStore store,
            GitHost host,
            Uploads uploads,
            ReconcileCounts counts,
            Function<InetAddress, String> counted,
            HuntMaking making,
            ScheduledExecutorService timer,
            LongSupplier nanoTime) {
        var pools = custody.pools();
        var repositories = host.repositories();
        var objects = objects(repositories, host.hosting());
        this.timer = timer;
        this.store = store;
        this.uploads = uploads;
        this.staging = repositories.staging();
        var inspection = new Inspection(store, pools, objects, uploads);
        var expectations = new Expectations();
        this.failures = new OwnFailures(pools.time(), opening.config().softExpiry());
        var reconciler = new Reconciler(
                custody.locks(),
                new Reconciler.Parts(
                        store,
                        pools,
                        repositories,
                        objects,
                        uploads,
                        host.moves(),
                        custody.happenings(),
                        new TrashRecords(store, pools.time(), opening.config().retention()),
                        _ -> uploads.removeAbandoned(),
                        counts,
                        expectations::served),
                nanoTime);
        this.attention = new Attention(trying(repositories, reconciler), failures, this::noteShortage, timer);
        this.hunting = making.make(new Lacks(store, pools, objects, uploads), attention);
        this.settlements = new Settlements(store, attention, inspection, expectations, uploads, hunting);
        this.ledger = new Ledger(store, pools, attention);
        this.integrity = new IntegrityPass(store, pools, repositories, objects, uploads, custody.locks());
        this.watch = new IntegrityWatch(
                integrity,
                findings,
                new IntegrityWatch.Schedule(
                        opening.settings().require(PurgatorySettings.INTEGRITY_INTERVAL_DAYS),
                        opening.settings().require(ServiceSettings.STARTUP_INTEGRITY_IDENTIFIERS)),
                new PassRecord(repositories.ownFile("integrity"), repositories.disk()),
                pools.time(),
                () -> new BudgetPace(INTEGRITY_SHARE, Long.MAX_VALUE, Pauser.REAL, nanoTime));
        var scenes = new Scenes(store, pools, repositories, objects, uploads, opening.isReadOnly());
        this.pushes = new SignedPushes(new SignedPushes.Parts(
                scenes,
                reconciler,
                attention,
                custody.locks(),
                custody.pins(),
                new Extension(
                        store,
                        pools,
                        opening.config().expiry(),
                        opening.settings().require(PurgatorySettings.PURGATORY_PUSH_EXTENSION_SECS)),
                uploads,
                counted,
                push -> remote(push.repository(), push.client().isByTls(), identity),
                PUSH_PATIENCE,
                nanoTime));
        var _ = timer.scheduleWithFixedDelay(
                watch::look, INTEGRITY_LOOK.toNanos(), INTEGRITY_LOOK.toNanos(), TimeUnit.NANOSECONDS);
    }

    /// What ends the process within the first run after a start does not do so again: it is about what was fetched.
    private static Attention.Reconciling trying(Repositories repositories, Reconciler reconciler) {
        return (identifier, path) -> {
            try {
                return reconciler.reconcile(identifier, path);
            } finally {
                repositories.hunting().tried(identifier);
            }
        };
    }

    static ObjectExamination.Pools objects(Repositories repositories, Hosting hosting) {
        return (sources, received) -> new LocalPool(repositories, lease -> shown(lease, hosting), sources, received);
    }

    /// Whatever everybody may fetch, of those that have all of it.
    private static SequencedSet<ObjectId> shown(RepositoryLease lease, Hosting hosting) throws IOException {
        return shownIds(lease, hosting).stream().map(GitIds::of).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /// The same as signed events name them.
    static SequencedSet<Oid> shownIds(RepositoryLease lease, Hosting hosting) throws IOException {
        var tips = new LinkedHashSet<Oid>();
        var hosted = hosting.find(lease.address());
        if (hosted.isPresent() && !lease.isLacking()) {
            var seen = lease.seenAs(hosted.get());
            lease.refs().current().without(seen.hidden()).values().values().stream()
                    .map(value -> value.target())
                    .forEach(tips::add);
        }
        return tips;
    }

    private static Remote remote(RepositoryAddress address, boolean isByTls, ServiceIdentity identity) {
        var url = identity.address()
                .cloneUrl(
                        isByTls ? Scheme.HTTPS : Scheme.HTTP,
                        address.owner(),
                        address.identifier().text());
        return new Remote(address, url, identity.relayHint(isByTls));
    }

    /// Makes what fetches missing data.
    @FunctionalInterface
    interface HuntMaking {
        Hunting make(Lacks lacks, Attention attention);
    }

    /// By a thread of the attention, which must not wait.
    private void noteShortage(Identifier identifier) {
        hunting.noteShortage(identifier);
    }

    Hunting hunting() {
        return hunting;
    }

    /// Whether what waits under a name is kept beyond its time, because something of ours has failed, or its data is
    /// on its way.
    boolean keeps(Identifier identifier, long deadline) {
        return failures.keep(identifier) || hunting.isFetching(identifier, deadline);
    }

    /// Begins to work: serves what has its data already, and returns when that is done. Rows and directories of
    /// uploads agree. Nothing is looked at before, because until now the ledger also says what an operator brought.
    void catchUp(int threads) {
        try {
            uploads.load(store, staging);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        attention.start(threads);
        ledger.catchUp();
        var _ = timer.scheduleWithFixedDelay(
                ledger::look, LEDGER_LOOK.toNanos(), LEDGER_LOOK.toNanos(), TimeUnit.NANOSECONDS);
    }

    /// Something of these has changed. By the store's writer.
    void noteChange(List<Identifier> identifiers) {
        identifiers.forEach(identifier -> attention.trigger(identifier, ReleasePath.MEMBERSHIP));
    }

    /// Brings the repositories of a name in line with their events, now.
    void release(Identifier identifier) throws IOException {
        if (!attention.attend(identifier, ReleasePath.REPAIR).join()) {
            throw new IOException("the run for " + identifier + " failed; it is tried again, and the log says why");
        }
    }

    /// The same because repositories are not what they should be: what nobody here has is hunted for as if it had just
    /// been lost (P-608).
    void repair(Identifier identifier) throws IOException {
        release(identifier);
        hunting.repair(identifier);
    }

    /// Has a repository made anew whose directory has vanished, with what its events say as far as that is here.
    /// Waits for a while, because whoever asks wants to read it.
    void restore(RepositoryAddress address) {
        integrity.queue(List.of(address));
        try {
            var _ = attention
                    .attend(address.identifier(), ReleasePath.REPAIR)
                    .get(RESTORE_PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // then nobody wants to read it any more
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("repository not brought back yet address={} reason={}", address, e.toString());
        }
    }

    IntegrityPass integrity() {
        return integrity;
    }

    IntegrityFindings findings() {
        return findings;
    }

    /// Compares repositories with their events if it is time, and returns when that is done.
    void compareIfDue() throws InterruptedException {
        watch.look();
        watch.awaitDone();
        ledger.look();
        attention.awaitQuiet();
    }

    Ledger ledger() {
        return ledger;
    }

    Settlement settlement() {
        return settlements;
    }

    PushPolicy pushes() {
        return pushes;
    }

    /// Waits until nothing is to be done.
    void awaitQuiet() throws InterruptedException {
        attention.awaitQuiet();
    }

    @Override
    public void close() {
        hunting.close();
        watch.close();
        attention.close();
    }
}
