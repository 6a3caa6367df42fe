package dev.grapnel.purgatory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.FreeSpace;
import dev.grapnel.git.repository.Repositories;
import dev.grapnel.git.repository.RepositoriesConfig;
import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.MaintainerModel;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.nostr.rule.EventRules;
import dev.grapnel.nostr.url.ServiceAddress;
import dev.grapnel.purgatory.pool.Announced;
import dev.grapnel.purgatory.pool.Tally;
import dev.grapnel.purgatory.pool.Timeline;
import dev.grapnel.purgatory.pool.WaitingProposal;
import dev.grapnel.purgatory.pool.WaitingState;
import dev.grapnel.purgatory.rule.AcceptanceRules;
import dev.grapnel.purgatory.rule.GraspPolicy;
import dev.grapnel.purgatory.rule.HeldLimits;
import dev.grapnel.purgatory.rule.Lists;
import dev.grapnel.store.ServedFeed;
import dev.grapnel.store.StoreRules;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.StoreView;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.crash.FailingEngine;
import dev.grapnel.store.crash.FailingEngine.Fault;
import dev.grapnel.store.engine.ManualTime;
import dev.grapnel.store.engine.StoreCheck;
import dev.grapnel.store.engine.StoreObserver;
import dev.grapnel.store.engine.TableStore;
import dev.grapnel.store.engine.WriterConfig;
import dev.grapnel.store.lmdb.LmdbConfig;
import dev.grapnel.store.lmdb.LmdbEngine;
import dev.grapnel.store.memory.MemoryEngine;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.Standing;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.table.TableEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The device fails while events are decided about (I-11): whoever sent them is told, and nothing is left
/// of them, neither in the store nor in memory nor on disk.
final class FailedCommitTest {
    private static final long NOW = 1_790_000_000L;
    private static final String DOMAIN = "git.example.com";
    private static final ServiceAddress SERVICE =
            ServiceAddress.parse(DOMAIN, "/").require();
    private static final int OWNER = 1;
    private static final int OTHER = 2;
    private static final PublicKey OPERATOR = StoreSamples.author(999);

    @TempDir
    Path directory;

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

    enum Engine {
        MEMORY,
        LMDB
    }

    private static Stream<Arguments> faultsOfEngines() {
        return Arrays.stream(Engine.values())
                .flatMap(engine ->
                        Stream.of(Fault.BEGIN, Fault.CHANGE, Fault.COMMIT).map(fault -> Arguments.of(engine, fault)));
    }

    @AfterEach
    void stop() {
        timer.shutdownNow();
    }

    @ParameterizedTest
    @MethodSource("faultsOfEngines")
    void nothingIsLeftOfWhatCouldNotBeWritten(Engine engine, Fault fault) throws Exception {
        try (var site = new Site(engine)) {
            site.serve(announcement(NOW - 9, OWNER, "served"), "served");
            site.mustTake(announcement(NOW - 9, OWNER, "x"));
            site.mustTake(state(NOW - 8, OWNER, "x"));
            var proposal = pullRequest(NOW - 8, OTHER, "x");
            site.mustTake(proposal);
            var before = site.picture("served", "x", "y");
            site.device.set(fault);
            for (var event : changes(proposal)) {
                var answer = site.admit(event);
                assertTrue(answer.message().startsWith("error: "), () -> event + ": " + answer.message());
                assertTrue(!answer.isAccepted(), event::toString);
                assertEquals(before, site.picture("served", "x", "y"), event::toString);
            }
            site.device.set(Fault.NONE);
            for (var event : changes(proposal)) {
                var message = site.admit(event).message();
                boolean isExpected = message.isEmpty()
                        || message.startsWith("purgatory: ")
                        || message.equals("blocked: announcement no longer lists this service");
                assertTrue(isExpected, () -> event + ": " + message);
            }
            site.custody.awaitTended();
            var after = site.picture("served", "x", "y");
            assertEquals(Set.of(address("served"), address("y")), after.onDisk());
            assertEquals(2, after.held().size(), after.toString());
            assertEquals(0, StoreCheck.run(site.below, _ -> {}, _ -> {}).problems());
        }
    }

    /// Each of them changes something if those before it were taken.
    private static List<Event> changes(Event proposal) {
        return List.of(
                announcement(NOW - 7, OWNER, "y"),
                announcement(NOW - 6, OWNER, "x"),
                announcement(NOW - 5, OWNER, "served"),
                state(NOW - 5, OWNER, "x"),
                pullRequest(NOW - 4, OTHER, "served"),
                StoreSamples.event(
                        OTHER,
                        Kinds.DELETION,
                        NOW - 3,
                        List.of(List.of("e", proposal.id().toHex())),
                        ""),
                announcementAt("other.example.org", NOW - 2, OWNER, "x"),
                announcementAt("other.example.org", NOW - 2, OWNER, "served"));
    }

    @ParameterizedTest
    @MethodSource("faultsOfEngines")
    void whatCouldNotBeSweptIsSweptTheNextTime(Engine engine, Fault fault) throws Exception {
        try (var site = new Site(engine)) {
            site.mustTake(announcement(NOW - 9, OWNER, "x"));
            site.mustTake(state(NOW - 8, OWNER, "x"));
            var before = site.picture("x");
            site.advance(Duration.ofHours(1));
            site.device.set(fault);
            site.custody.sweep();
            assertEquals(before.held(), site.picture("x").held());
            assertEquals(before.pools(), site.picture("x").pools());
            site.device.set(Fault.NONE);
            site.custody.sweep();
            var after = site.picture("x");
            assertEquals(1, after.held().size(), after.toString());
            assertEquals(Set.of(), after.onDisk());
            assertEquals(1, site.custody.pools().total().soft());
            assertEquals(0, StoreCheck.run(site.below, _ -> {}, _ -> {}).problems());
        }
    }

    // ---- events

    private static Event announcement(long second, int author, String identifier) {
        return announcementAt(DOMAIN, second, author, identifier);
    }

    private static Event announcementAt(String domain, long second, int author, String identifier) {
        var clone = "https://" + domain + "/" + new Npub(StoreSamples.author(author)) + "/" + identifier + ".git";
        return StoreSamples.event(
                author,
                Kinds.ANNOUNCEMENT,
                second,
                List.of(List.of("d", identifier), List.of("clone", clone), List.of("relays", "wss://" + domain)),
                "");
    }

    private static Event state(long second, int author, String identifier) {
        var main = List.of("refs/heads/main", "1".repeat(40));
        return StoreSamples.event(author, Kinds.STATE, second, List.of(List.of("d", identifier), main), "");
    }

    private static Event pullRequest(long second, int author, String identifier) {
        return StoreSamples.event(
                author,
                Kinds.PULL_REQUEST,
                second,
                List.of(List.of("a", address(identifier).toString()), List.of("c", "2".repeat(40))),
                "please");
    }

    private static RepositoryAddress address(String identifier) {
        return new RepositoryAddress(StoreSamples.author(OWNER), new Identifier(identifier));
    }

    /// What there is: in the store, in memory, on disk.
    private record Picture(
            List<Remembered> pools,
            Tally total,
            Set<EventId> held,
            long commitNumber,
            long standings,
            Set<RepositoryAddress> onDisk) {}

    /// What is known about an identifier.
    private record Remembered(List<Announced> announced, List<WaitingState> states, List<WaitingProposal> proposals) {}

    /// Everything behind the gate, without a port.
    private final class Site implements AutoCloseable {
        private final ManualTime clock = new ManualTime(NOW);
        private final AtomicLong nanos = new AtomicLong();
        private final TableEngine below;
        private final FailingEngine device;
        private final Custody custody;
        private final TableStore store;
        private final Repositories repositories;
        private final Admission admission;
        private final Lane lane = new Lane();

        Site(Engine kind) throws IOException {
            var rules = new AcceptanceRules(
                    SERVICE, OPERATOR, Lists.NONE, PurgatoryConfig.DEFAULTS.expiry(), HeldLimits.DEFAULTS, Set.of());
            below = open(kind);
            device = new FailingEngine(below);
            custody = new Custody(
                    PurgatoryConfig.DEFAULTS,
                    MaintainerModel.CONFIRMED,
                    _ -> true,
                    new Timeline(clock, nanos::get),
                    _ -> {},
                    _ -> {});
            store = new TableStore(
                    device,
                    StoreRules.DEFAULTS,
                    WriterConfig.DEFAULTS,
                    clock,
                    new Unmoved(),
                    ServedFeed.NONE,
                    custody.follower());
            repositories = Repositories.open(directory.resolve("git"), RepositoriesConfig.defaults(), clock);
            custody.load(store);
            var keeper = custody.start(
                    store,
                    repositories,
                    new FreeSpace(() -> Long.MAX_VALUE, 0),
                    Reprieve.NONE,
                    new Uncounted(),
                    (_, _) -> {},
                    () -> {},
                    timer);
            admission = new Admission(
                    store,
                    EventRules.DEFAULTS,
                    new GraspPolicy(rules, custody.pools()),
                    custody.happenings(),
                    keeper,
                    Settlement.NONE,
                    _ -> Optional.empty(),
                    clock,
                    nanos::get);
        }

        private TableEngine open(Engine kind) throws IOException {
            return switch (kind) {
                case MEMORY -> new MemoryEngine(new Random(1), MemoryEngine.EVENTS_MAX);
                case LMDB -> LmdbEngine.open(Files.createDirectories(directory.resolve("relay")), LmdbConfig.DEFAULTS);
            };
        }

        /// An announcement that was released.
        void serve(Event announcement, String identifier) throws IOException {
            repositories.create(address(identifier)).close();
            store.write(Urgency.WAITING, 0, transaction -> {
                        transaction.put(Standing.hosted(address(identifier), clock.instant()));
                        return transaction.save(announcement);
                    })
                    .join();
        }

        Admitted admit(Event event) {
            var answer = new CompletableFuture<Admitted>();
            admission.admit(lane, event, new Origin.Direct(Set.of(), true), (admitted, problem) -> {
                if (admitted != null) {
                    answer.complete(admitted);
                } else {
                    answer.completeExceptionally(new AssertionError("no answer to " + event, problem));
                }
            });
            return answer.join();
        }

        void mustTake(Event event) {
            assertEquals(
                    "purgatory: won't be served until git data arrives",
                    admit(event).message());
        }

        void advance(Duration time) {
            clock.advance(time);
            nanos.addAndGet(time.toNanos());
        }

        Picture picture(String... identifiers) throws IOException {
            var pools = custody.pools();
            var remembered = Arrays.stream(identifiers)
                    .map(identifier -> pools.of(new Identifier(identifier)))
                    .map(pool -> new Remembered(pool.announced(), pool.states(), pool.proposals()))
                    .toList();
            return new Picture(
                    remembered,
                    pools.total(),
                    store.read(FailedCommitTest::heldIn),
                    store.commitNumber(),
                    store.read(view -> view.count(Table.REPOSITORIES)),
                    new TreeSet<>(repositories.list()));
        }

        @Override
        public void close() throws IOException {
            device.set(Fault.NONE);
            custody.close();
            store.close();
            repositories.close();
        }
    }

    private static Set<EventId> heldIn(StoreView view) {
        var ids = new ArrayList<EventId>();
        for (var table : List.of(Table.HELD_ANNOUNCEMENTS, Table.HELD_STATES, Table.HELD_PROPOSALS)) {
            view.forEachRow(
                    table, Bytes.EMPTY, row -> ids.add(((Held) row).event().id()));
        }
        return new TreeSet<>(ids);
    }

    private static final class Uncounted implements ListCounts {
        @Override
        public void removal(Phase phase) {
            throw new AssertionError("nothing is on a list");
        }

        @Override
        public void restoration(Standing.Cause cause, boolean isDone) {
            throw new AssertionError("nothing is on a list");
        }
    }

    /// Hears of the failures and does nothing.
    private static final class Unmoved implements StoreObserver {
        @Override
        public void damaged(String where) {
            throw new AssertionError(where);
        }

        @Override
        public void setAside(String row, String file) {
            throw new AssertionError(row);
        }

        @Override
        public void refusing(String reason) {
            // as it should
        }

        @Override
        public void writing() {
            // as it should
        }
    }
}
