package dev.grapnel.sync.sim;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Refusal;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventDraft;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.MaintainerModel;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.nostr.repository.RepositoryState;
import dev.grapnel.nostr.rule.EventRules;
import dev.grapnel.outbound.OwnAddresses;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.purgatory.Admission;
import dev.grapnel.purgatory.Admitted;
import dev.grapnel.purgatory.Arrival.Ground;
import dev.grapnel.purgatory.Custody;
import dev.grapnel.purgatory.Grounds;
import dev.grapnel.purgatory.Happening;
import dev.grapnel.purgatory.Lane;
import dev.grapnel.purgatory.Origin;
import dev.grapnel.purgatory.Purgatory;
import dev.grapnel.purgatory.PurgatoryConfig;
import dev.grapnel.purgatory.ReleasePath;
import dev.grapnel.purgatory.Settlement;
import dev.grapnel.purgatory.Targets;
import dev.grapnel.purgatory.pool.Timeline;
import dev.grapnel.purgatory.reconcile.PretendedRuns;
import dev.grapnel.purgatory.rule.AcceptanceRules;
import dev.grapnel.purgatory.rule.GraspPolicy;
import dev.grapnel.purgatory.rule.HeldLimits;
import dev.grapnel.purgatory.rule.Lists;
import dev.grapnel.store.Change;
import dev.grapnel.store.ServedFeed;
import dev.grapnel.store.StoreRefusal;
import dev.grapnel.store.StoreRules;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.Tail;
import dev.grapnel.store.TailStep;
import dev.grapnel.store.engine.StoreObserver;
import dev.grapnel.store.engine.TableStore;
import dev.grapnel.store.engine.WriterConfig;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.HeldAnnouncement;
import dev.grapnel.store.row.Source;
import dev.grapnel.sync.home.PoolsView;
import dev.grapnel.sync.home.ServedMeaning;
import dev.grapnel.sync.world.Gate;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/// A node between a start and the next crash: real gate, policy, purgatory and store, without sockets and repositories.
///
/// The store's writer is the only other thread. Every call here waits for it, and what its callbacks noted is carried
/// out afterwards on the loop, in a fixed order.
final class NodeLife {
    private static final PurgatoryConfig CONFIG = PurgatoryConfig.DEFAULTS;
    private static final WriterConfig WRITER = new WriterConfig(
            10_000, 64L << 20, 1_000, 8L << 20, Duration.ofDays(1000), Duration.ofDays(1000), 1_000_000);
    private static final Duration JUDGING = Duration.ofNanos(300_000);
    private static final Duration REMOVAL_EVERY = Duration.ofMinutes(15);
    private static final Duration AGAIN = Duration.ofMinutes(1);
    private static final int ROUNDS_MAX = 1_000;

    private final SimNode node;
    private final LifeTime loop;
    private final NodePort port;
    private final Custody custody;
    private final TableStore store;
    private final Purgatory purgatory;
    private final Admission admission;
    private final PretendedRuns runs;
    private final NodeHunt hunt;
    private final NodeSweep sweep;
    private final NodeArchive archive;
    private final PoolsView view;
    private final SimRelay relay;
    private final Tail tail;
    private final Lane lane = new Lane();
    private final Core core;
    private final Set<Identifier> touched = new TreeSet<>();
    private final Set<Identifier> attention = new TreeSet<>();
    private final Map<Identifier, Source> hunted = new TreeMap<>();

    NodeLife(SimNode node, SimNetwork network, GitWorld git, RandomGenerator random, CoreFactory factory) {
        this.node = node;
        this.loop = new LifeTime(network.time(), node::clockAhead);
        this.port = network.connect(node.name());
        var time = new Timeline(loop::wall, loop::nanos);
        this.custody = new Custody(CONFIG, MaintainerModel.CONFIRMED, _ -> true, time, this::happened, this::changed);
        this.store = new TableStore(
                node.openEngine(),
                StoreRules.DEFAULTS.withServices(List.of(node.service())),
                WRITER,
                loop::wall,
                new Silent(),
                ServedFeed.NONE,
                custody.follower());
        this.purgatory = custody.load(store);
        this.runs =
                new PretendedRuns(store, custody.pools(), custody.happenings(), object -> git.has(node.name(), object));
        this.admission = admission(git);
        this.hunt = new NodeHunt(node.name(), store, custody.pools(), git, loop, random, this::attend);
        this.sweep = new NodeSweep(store, custody.pools(), custody.happenings(), CONFIG);
        var meaning = new ServedMeaning(new OwnAddresses(List.of(node.service())));
        this.archive = new NodeArchive(store, custody.pools(), meaning, loop);
        this.view = new PoolsView(store, custody.pools(), meaning, loop);
        this.relay = new SimRelay(network.time(), random, node.url(), RelayModels.grapnel(), new StoreShelf(store));
        this.tail = store.tail(store.commitNumber());
        this.core = factory.create(ports(random));
    }

    private Admission admission(GitWorld git) {
        var rules = new AcceptanceRules(
                node.service(), StoreSamples.author(999), Lists.NONE, CONFIG.expiry(), HeldLimits.DEFAULTS, Set.of());
        return new Admission(
                store,
                EventRules.DEFAULTS,
                new GraspPolicy(rules, custody.pools()),
                custody.happenings(),
                new Ready(),
                new AtOnce(git),
                _ -> Optional.empty(),
                loop::wall,
                loop::nanos);
    }

    private Ports ports(RandomGenerator random) {
        return new Ports(
                node.name(),
                node.url(),
                node.bootstrap(),
                loop,
                random,
                port,
                port,
                archive,
                this::admit,
                view,
                node.files().open(loop),
                this::authenticate,
                node.naughty());
    }

    private Event authenticate(RemoteUrl url, String challenge) {
        return new EventDraft(
                        loop.wall().getEpochSecond(),
                        Kinds.RELAY_AUTH,
                        List.of(List.of("relay", url.text()), List.of("challenge", challenge)),
                        "")
                .sign(StoreSamples.secretKey(999), Bytes.wrap(new byte[32]));
    }

    // ---- life

    void begin() {
        custody.pools().all().forEach(pool -> {
            attention.add(pool.identifier());
            if (!pool.states().isEmpty() || !pool.proposals().isEmpty()) {
                hunted.put(pool.identifier(), Source.SYNC);
            }
        });
        settle();
        repeat();
        repeatRemoval();
        core.start();
    }

    private void repeat() {
        loop.after(CONFIG.sweepEvery(), () -> {
            guarded(() -> {
                purgatory.followClock();
                sweep.run();
            });
            settle();
            repeat();
        });
    }

    /// Removes what its authors gave no longer time.
    private void repeatRemoval() {
        loop.after(REMOVAL_EVERY, () -> {
            guarded(() -> {
                sweep.forget();
                store.sweep().join();
            });
            settle();
            repeatRemoval();
        });
    }

    /// A disk that is full is a fault of this world; whatever it prevented is tried again.
    private static void guarded(Runnable work) {
        try {
            work.run();
        } catch (CompletionException e) {
            if (!(e.getCause() instanceof StoreRefusal)) {
                throw e;
            }
        }
    }

    /// In order, as at a stop of the server.
    void stop() {
        core.stop();
        end();
    }

    /// Everything ends here and now, in the middle of whatever it does.
    void end() {
        loop.end();
        relay.close();
        port.crash();
        custody.close();
        store.close();
    }

    // ---- what is asked of it

    Admitted submit(Event event) {
        var admitted = judge(event, new Origin.Direct(Set.of(), true));
        settle();
        return admitted;
    }

    /// What became of an event that somebody found elsewhere; at once.
    Gate.Ruling sync(Event event, RemoteUrl from) {
        var admitted = judge(event, new Origin.Synced(Optional.of(from.text())));
        settle();
        return store.read(now -> Rulings.of(event, admitted, now));
    }

    private void admit(Event event, RemoteUrl from, Consumer<Gate.Ruling> answer) {
        loop.after(JUDGING, () -> {
            var ruling = sync(event, from);
            node.ruled(event, from, ruling);
            answer.accept(ruling);
        });
    }

    private Admitted judge(Event event, Origin origin) {
        var outcome = new CompletableFuture<Admitted>();
        admission.admit(lane, event, origin, (admitted, problem) -> {
            if (problem != null) {
                outcome.completeExceptionally(problem);
            } else {
                outcome.complete(Objects.requireNonNull(admitted));
            }
        });
        return outcome.join();
    }

    // ---- what follows from it

    /// Called by the writer, for which the loop waits.
    private void happened(Happening happening) {
        if (happening instanceof Happening.NowHeld(var row)) {
            row.identifiers().forEach(identifier -> {
                touched.add(identifier);
                attention.add(identifier);
                if (!(row instanceof HeldAnnouncement)) {
                    hunted.put(identifier, sourceOf(row));
                }
            });
        }
    }

    private static Source sourceOf(Held row) {
        return row.source();
    }

    /// Called by the writer, for which the loop waits.
    private void changed(List<Identifier> identifiers) {
        identifiers.forEach(identifier -> {
            touched.add(identifier);
            attention.add(identifier);
        });
    }

    /// Git data that an event names has come.
    void pushed(Event event) {
        Stream.concat(
                        event
                                .tags()
                                .findValue("d")
                                .flatMap(text -> Identifier.parse(text).find())
                                .stream(),
                        RepositoryAddress.namedBy(event).stream().map(RepositoryAddress::identifier))
                .forEach(attention::add);
        settle();
    }

    private void attend(Identifier identifier) {
        attention.add(identifier);
        settle();
    }

    /// Releases what can be served now, and tells everybody what has changed.
    private void settle() {
        for (int round = 0; !attention.isEmpty(); round++) {
            var identifier = attention.iterator().next();
            attention.remove(identifier);
            if (round > ROUNDS_MAX) {
                throw new IllegalStateException("it does not come to rest: " + identifier);
            }
            reconcile(identifier);
        }
        hunted.forEach(hunt::begin);
        hunted.clear();
        tell();
        view.noteChange(touched);
        touched.clear();
        archive.look();
    }

    private void reconcile(Identifier identifier) {
        try {
            attention.addAll(runs.run(identifier, ReleasePath.HUNT).further());
        } catch (IOException _) { // the disk is full
            loop.after(AGAIN, () -> attend(identifier));
        }
    }

    private void tell() {
        while (tail.position() < store.commitNumber()) {
            switch (NodeArchive.next(tail)) {
                case TailStep.Changes(var changes) ->
                    changes.forEach(change -> {
                        switch (change) {
                            case Change.Served(var stored) -> {
                                node.served(stored.read());
                                relay.broadcast(stored.read());
                            }
                            case Change.Removed(var _, var removal) -> node.removed(removal.id());
                        }
                    });
                case TailStep.Lost _ -> throw new IllegalStateException("a node looks after every commit");
            }
        }
    }

    // ---- what others see

    SimRelay relay() {
        return relay;
    }

    TableStore store() {
        return store;
    }

    Purgatory purgatory() {
        return purgatory;
    }

    Custody custody() {
        return custody;
    }

    NodePort port() {
        return port;
    }

    NodeArchive archive() {
        return archive;
    }

    Core core() {
        return core;
    }

    /// Repositories are always ready, and what was in the trash is still there.
    private static final class Ready implements Grounds {
        @Override
        public <T> T over(
                Map<RepositoryAddress, Ground> repositories,
                Function<Map<RepositoryAddress, Ground>, T> work,
                Function<Refusal, T> otherwise) {
            return work.apply(repositories);
        }
    }

    /// Whether git data is here is known at once; what waits is released by [#settle].
    private final class AtOnce implements Settlement {
        private final GitWorld git;

        AtOnce(GitWorld git) {
            this.git = git;
        }

        @Override
        public CompletableFuture<Boolean> settle(Event event) {
            return CompletableFuture.completedFuture(false);
        }

        @Override
        public void settleLater(Event event) {
            // what waits is looked at with every change
        }

        @Override
        public boolean hasData(Event event) {
            return switch (event.kind()) {
                case Kinds.STATE ->
                    RepositoryState.parse(event)
                            .find()
                            .filter(state -> state.isSatisfiable()
                                    && state.refs().values().stream().allMatch(oid -> git.has(node.name(), oid)))
                            .isPresent();
                case Kinds.PULL_REQUEST, Kinds.PULL_REQUEST_UPDATE ->
                    Targets.read(event)
                            .find()
                            .flatMap(proposal -> proposal.tip())
                            .filter(oid -> git.has(node.name(), oid))
                            .isPresent();
                default -> false;
            };
        }
    }

    private static final class Silent implements StoreObserver {
        @Override
        public void damaged(String where) {
            throw new IllegalStateException("nothing is damaged in memory: " + where);
        }

        @Override
        public void setAside(String row, String file) {}

        @Override
        public void refusing(String reason) {}

        @Override
        public void writing() {}
    }
}
