package dev.grapnel.server;

import dev.grapnel.config.Configuration;
import dev.grapnel.config.PurgatorySettings;
import dev.grapnel.config.ServiceDomain;
import dev.grapnel.git.client.VisitLimits;
import dev.grapnel.git.pack.PackLimits;
import dev.grapnel.git.repository.HuntingLimits;
import dev.grapnel.git.repository.RepositoriesConfig;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.nostr.url.Host;
import dev.grapnel.outbound.AddressRules;
import dev.grapnel.outbound.Dialer;
import dev.grapnel.outbound.Gateway;
import dev.grapnel.outbound.Judged;
import dev.grapnel.outbound.OwnAddresses;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.outbound.Rule;
import dev.grapnel.outbound.TimerAlarms;
import dev.grapnel.outbound.UrlShape;
import dev.grapnel.outbound.http.Client;
import dev.grapnel.purgatory.Admission;
import dev.grapnel.purgatory.Admitted;
import dev.grapnel.purgatory.Custody;
import dev.grapnel.purgatory.Happening;
import dev.grapnel.purgatory.Lane;
import dev.grapnel.purgatory.Origin;
import dev.grapnel.purgatory.Targets;
import dev.grapnel.purgatory.hunt.Hunt;
import dev.grapnel.purgatory.hunt.HuntConfig;
import dev.grapnel.purgatory.hunt.HuntNote;
import dev.grapnel.purgatory.hunt.HuntPicture;
import dev.grapnel.purgatory.hunt.HuntUrl;
import dev.grapnel.purgatory.hunt.NaughtyList;
import dev.grapnel.purgatory.hunt.Occasion;
import dev.grapnel.purgatory.hunt.Timer;
import dev.grapnel.purgatory.hunt.UrlRules;
import dev.grapnel.purgatory.hunt.World;
import dev.grapnel.purgatory.pool.Pools;
import dev.grapnel.purgatory.reconcile.Attention;
import dev.grapnel.purgatory.reconcile.Lacks;
import dev.grapnel.purgatory.reconcile.Settlements;
import dev.grapnel.server.control.HuntLimitsAnswer;
import dev.grapnel.server.control.HuntListAnswer;
import dev.grapnel.server.hunt.Desks;
import dev.grapnel.server.hunt.HuntLines;
import dev.grapnel.server.hunt.HuntedWorld;
import dev.grapnel.server.ops.Build;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.HeldAnnouncement;
import dev.grapnel.store.row.HeldProposal;
import dev.grapnel.store.row.Source;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The part of the service that fetches what events wait for (purgatory 6): told what happens to them, it hunts as
/// long as something is missing.
final class Hunting implements HuntListAnswer.Hunts, HuntLimitsAnswer.Holder, Settlements.Copies, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Hunting.class);

    private final Hunt hunt;
    private final HuntedWorld world;
    private final EventStore store;
    private final Pools pools;
    private final GitHost host;
    private final InstantSource clock;
    private final Outside outside;
    private final NaughtyList naughty;
    private final AtomicBoolean isCutOff = new AtomicBoolean();
    /// Whoever follows relays, once that begins.
    private final AtomicReference<@Nullable Syncing> links = new AtomicReference<>();
    private final Desks desks = Desks.ofThisMachine();
    private final TimerAlarms alarms = new TimerAlarms();
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("hunt-", 0).factory());

    Hunting(
            Configuration settings,
            ServiceDomain domain,
            Build build,
            Custody custody,
            EventStore store,
            GitHost host,
            Lacks lacks,
            Attention attention,
            CompletableFuture<Admission> gate,
            Outside outside,
            Consumer<HuntNote> listener,
            ScheduledExecutorService timer,
            RandomGenerator chance,
            InstantSource clock,
            LongSupplier nanoTime) {
        this.store = store;
        this.pools = custody.pools();
        this.host = host;
        this.clock = clock;
        this.outside = outside;
        var rules = AddressRules.of(
                settings.require(PurgatorySettings.ADDRESS_ALLOW),
                settings.require(PurgatorySettings.SYNC_ALLOW_NON_GLOBAL_TARGETS),
                domain);
        rules.openings().forEach(opening -> LOG.warn("{} {}", opening.event(), opening.text()));
        var own = OwnAddresses.of(domain.address(), settings.require(PurgatorySettings.OWN_DOMAINS));
        var gateway = new Gateway(rules, own, outside.names(), settings.find(PurgatorySettings.ONION_PROXY));
        var shape = UrlShape.git(settings.require(PurgatorySettings.HUNT_SCHEMES));
        this.world = new HuntedWorld(
                store,
                pools,
                lacks,
                attention,
                host.repositories(),
                lease -> Reconciliation.shownIds(lease, host.hosting()),
                custody::sweep,
                (event, origin) -> gate.thenCompose(admission -> admit(event, origin, admission)),
                (relay, ids) -> Optional.ofNullable(links.get()).map(sync -> sync.revive(relay, ids)),
                new HuntedWorld.Ways(
                        slots -> new Dialer(gateway, outside.names(), slots, outside.tls(), alarms, nanoTime),
                        shape,
                        Client.userAgent(build.version(), domain.address().toString()),
                        (int) Math.min(settings.require(PurgatorySettings.HUNT_MAX_REDIRECTS), Integer.MAX_VALUE),
                        HuntLines.of(settings),
                        limits(settings),
                        host.space(),
                        own,
                        chance,
                        desks,
                        clock));
        this.naughty = new StoredNaughtyList(
                store, settings.require(PurgatorySettings.NAUGHTY_LIST_EXPIRATION_HOURS), clock, isCutOff::get);
        this.hunt = new Hunt(
                HuntConfig.of(settings),
                world,
                urlRules(shape, own, rules),
                naughty,
                pools.time(),
                Timer.of(timer),
                threads,
                chance,
                note -> {
                    listener.accept(note);
                    follow(note);
                });
    }

    /// Repairs release nothing, so nobody else says that they are done.
    private void follow(HuntNote note) {
        if (note instanceof HuntNote.Finished finished) {
            later(() -> tidy(finished.identifier()));
        }
    }

    private static VisitLimits limits(Configuration settings) {
        var usual = PackLimits.DEFAULTS;
        long packBytes = settings.require(PurgatorySettings.HUNT_MAX_PACK_BYTES);
        return new VisitLimits(
                VisitLimits.DEFAULTS.advertisementBytes(),
                new PackLimits(
                        packBytes,
                        Math.min(settings.require(PurgatorySettings.MAX_PACK_OBJECTS), Integer.MAX_VALUE / 2),
                        Math.min(settings.require(PurgatorySettings.MAX_OBJECT_BYTES), Integer.MAX_VALUE - 1),
                        RepositoriesConfig.defaults().caches().wholeBytesMax(),
                        packBytes > Long.MAX_VALUE / 4 ? Long.MAX_VALUE : packBytes * 4,
                        usual.deltaDepth(),
                        usual.resolved()),
                new HuntingLimits(
                        settings.require(PurgatorySettings.HUNT_AREA_MAX_BYTES),
                        settings.require(PurgatorySettings.HUNT_AREA_TOTAL_BYTES)));
    }

    /// What can be said of a URL before anybody is asked.
    static UrlRules urlRules(UrlShape shape, OwnAddresses own, AddressRules rules) {
        return published -> switch (RemoteUrl.parse(published, shape)) {
            case Judged.Refused<RemoteUrl>(var rule, var reason) -> unfit(rule, reason);
            case Judged.Passed<RemoteUrl>(var url) -> {
                if (own.covers(url)) {
                    yield unfit(Rule.OWN, "it leads to this service itself");
                }
                yield switch (rules.judgeName(url.host())) {
                    case Judged.Refused<Host>(var rule, var reason) -> unfit(rule, reason);
                    case Judged.Passed<Host> _ -> new UrlRules.Judgement.Fit(new HuntUrl(url.text(), url.host()));
                };
            }
        };
    }

    private static UrlRules.Judgement unfit(Rule rule, String reason) {
        return new UrlRules.Judgement.Unfit(rule.word(), reason, rule == Rule.OWN);
    }

    Hunt hunt() {
        return hunt;
    }

    /// Whom to leave alone; shared with relay links.
    NaughtyList naughty() {
        return naughty;
    }

    /// From now on relays are asked by their links.
    void linkBy(Syncing sync) {
        links.set(sync);
    }

    /// Whether this server itself seems to be without a network, which its links can tell: then nobody is to blame.
    void setCutOff(boolean isOff) {
        isCutOff.set(isOff);
    }

    /// What it knows of everything else.
    World world() {
        return world;
    }

    /// Begins, with what waited already (purgatory 7.5). What was fetched for nobody goes.
    void start() {
        hunt.start();
        var waiting = new HashSet<Identifier>();
        pools.all().forEach(pool -> {
            pool.states()
                    .forEach(state -> resume(
                            pool.identifier(), state.source(), state.version().createdAt()));
            if (!pool.states().isEmpty()) {
                waiting.add(pool.identifier());
            }
        });
        heldProposals()
                .forEach(row -> namesOf(row).forEach(identifier -> {
                    waiting.add(identifier);
                    resume(identifier, row.source(), row.event().createdAt());
                }));
        host.repositories().hunting().list().stream()
                .filter(identifier -> !waiting.contains(identifier))
                .forEach(this::tidy);
    }

    private Collection<Held> heldProposals() {
        var ids = new HashSet<dev.grapnel.nostr.event.EventId>();
        pools.all().forEach(pool -> pool.proposals().forEach(proposal -> ids.add(proposal.id())));
        pools.namelessProposals().forEach(proposal -> ids.add(proposal.id()));
        return store.read(
                view -> ids.stream().flatMap(id -> view.findHeld(id).stream()).toList());
    }

    private void resume(Identifier identifier, Source source, long createdAt) {
        var waited = Duration.ofSeconds(Math.max(0, clock.instant().getEpochSecond() - createdAt));
        hunt.resume(identifier, occasion(source), waited);
    }

    private static Occasion occasion(Source source) {
        return switch (source) {
            case DIRECT -> Occasion.DIRECT;
            case SYNC -> Occasion.SYNCED;
        };
    }

    /// By the store's writer, which must not wait.
    void note(Happening happening) {
        switch (happening) {
            case Happening.NowHeld(var row) -> {
                if (!(row instanceof HeldAnnouncement)) {
                    long now = pools.time().now();
                    later(() -> namesOf(row).forEach(name -> hunt.notice(name, occasion(row.source()), now)));
                }
            }
            case Happening.Released(var row, var _) -> {
                if (row instanceof HeldAnnouncement) {
                    later(() -> namesOf(row).forEach(this::promote));
                } else {
                    later(() -> namesOf(row).forEach(this::recheck));
                }
            }
            case Happening.Dropped(var row, var _) -> later(() -> namesOf(row).forEach(this::recheck));
            case Happening.UploadExpired _,
                    Happening.Mismatched _,
                    Happening.UploadsForgotten _,
                    Happening.SoftExpired _,
                    Happening.Revived _,
                    Happening.Recorded _,
                    Happening.Offline _,
                    Happening.Restored _ -> {
                // nothing to hunt for
            }
        }
    }

    /// Proposals may have waited for it.
    private void promote(Identifier identifier) {
        if (!pools.of(identifier).proposals().isEmpty()) {
            hunt.notice(identifier, Occasion.PROMOTED);
        }
    }

    /// A run could not bring a repository in line: served data may be missing (P-610). Told each time, so a hunt that
    /// goes on already is left as it is.
    void noteShortage(Identifier identifier) {
        later(() -> {
            if (hunt.picture(identifier).isEmpty()) {
                repair(identifier);
            }
        });
    }

    /// Hunts for served data that is missing, as if it had just been lost.
    void repair(Identifier identifier) {
        if (world.look(identifier).needs().stream().anyMatch(need -> need.isServed())) {
            hunt.notice(identifier, Occasion.REPAIR);
        }
    }

    private void recheck(Identifier identifier) {
        hunt.recheck(identifier);
        tidy(identifier);
    }

    /// Nobody waits for what was fetched: it goes (P-660).
    private void tidy(Identifier identifier) {
        try {
            if (host.repositories().hunting().isThere(identifier)
                    && world.look(identifier).isEmpty()) {
                host.repositories().hunting().delete(identifier);
            }
        } catch (IOException | UncheckedIOException e) { // nothing that was fetched is worth a start
            LOG.warn("what was fetched stays until the next start identifier={} reason={}", identifier, e.toString());
        }
    }

    private Collection<Identifier> namesOf(Held row) {
        return row instanceof HeldProposal
                ? store.read(view -> Targets.of(row.event(), view)).stream()
                        .map(RepositoryAddress::identifier)
                        .distinct()
                        .toList()
                : row.identifiers();
    }

    private void later(Runnable work) {
        try {
            threads.execute(() -> {
                try {
                    work.run();
                } catch (RuntimeException e) { // what is hunted is found again by the next event or start
                    LOG.error("hunting not told", e);
                }
            });
        } catch (RejectedExecutionException _) {
            // the server stops
        }
    }

    private static CompletableFuture<Admitted> admit(Event event, Origin origin, Admission admission) {
        var outcome = new CompletableFuture<Admitted>();
        admission.admit(new Lane(), event, origin, (admitted, problem) -> {
            if (problem != null) {
                outcome.completeExceptionally(problem);
            } else {
                outcome.complete(Objects.requireNonNull(admitted));
            }
        });
        return outcome;
    }

    @Override
    public boolean matterTo(Identifier identifier) {
        return hunt.isRefreshable(identifier);
    }

    @Override
    public void seen(Identifier identifier) {
        hunt.refresh(identifier);
    }

    /// Whether data is on its way for entries with this deadline (P-667).
    boolean isFetching(Identifier identifier, long deadline) {
        return hunt.isFetching(identifier, deadline);
    }

    @Override
    public List<HuntPicture> all(int most) {
        return hunt.config().isEnabled() ? hunt.pictures(most) : List.of();
    }

    /// Nothing if nothing is ever hunted: nobody shall wait for it.
    @Override
    public Optional<HuntPicture> find(Identifier identifier) {
        return hunt.config().isEnabled() ? hunt.picture(identifier) : Optional.empty();
    }

    @Override
    public HuntConfig.Limits limits() {
        return hunt.config().limits();
    }

    @Override
    public void change(HuntConfig.Limits limits) {
        hunt.change(hunt.config().with(limits));
        LOG.info("hunting limits changed limits={}", limits);
    }

    /// Hunts at once, because the operator says so.
    boolean huntNow(Identifier identifier) {
        if (world.look(identifier).isEmpty()) {
            return false;
        }
        hunt.insist(identifier);
        return true;
    }

    @Override
    public void close() {
        hunt.close();
        threads.shutdown();
        desks.close();
        alarms.close();
        outside.close();
    }
}
