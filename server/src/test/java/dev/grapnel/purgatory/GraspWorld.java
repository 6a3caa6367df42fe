package dev.grapnel.purgatory;

import dev.grapnel.git.FreeSpace;
import dev.grapnel.git.repository.Repositories;
import dev.grapnel.git.repository.UnflushedRepositories;
import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.MaintainerModel;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.nostr.rule.EventRules;
import dev.grapnel.nostr.url.ServiceAddress;
import dev.grapnel.purgatory.pool.Timeline;
import dev.grapnel.purgatory.rule.AcceptanceRules;
import dev.grapnel.purgatory.rule.GraspPolicy;
import dev.grapnel.purgatory.rule.HeldLimits;
import dev.grapnel.purgatory.rule.Lists;
import dev.grapnel.store.QueryRequest;
import dev.grapnel.store.QueryStep;
import dev.grapnel.store.ServedFeed;
import dev.grapnel.store.StoreRules;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.StoreWork;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.engine.StoreObserver;
import dev.grapnel.store.engine.TableStore;
import dev.grapnel.store.engine.WriterConfig;
import dev.grapnel.store.memory.KeptMemory;
import dev.grapnel.store.row.ExpiredEvent;
import dev.grapnel.store.row.Gate;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.HeldAnnouncement;
import dev.grapnel.store.row.Row;
import dev.grapnel.store.row.Standing;
import dev.grapnel.store.row.TrashedEvent;
import dev.grapnel.store.table.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/// The real parts of a server between its sockets and its disks: gate, rules, store in memory, repositories
/// in a directory, and a clock that goes only when told. It can be stopped, killed and started again.
final class GraspWorld implements AutoCloseable {
    static final String DOMAIN = "git.example.com";
    static final List<String> IDENTIFIERS = List.of("x", "y");
    static final int PEOPLE = 5;

    /// Later than any file is made, so that whatever nothing explains is old enough to be removed.
    private static final Instant BEGIN = Instant.parse("2100-01-01T00:00:00Z");

    private static final ServiceAddress SERVICE =
            ServiceAddress.parse(DOMAIN, "/").require();
    private static final PublicKey OPERATOR = StoreSamples.author(999);
    private static final PurgatoryConfig CONFIG = PurgatoryConfig.DEFAULTS;
    private static final WriterConfig WRITER = new WriterConfig(
            10_000, 64L << 20, 1_000, 8L << 20, Duration.ofDays(1000), Duration.ofDays(1000), 1_000_000);

    private final MaintainerModel model;
    private final Path directory;
    private final KeptMemory memory = new KeptMemory(100_000);
    private final StringBuilder problems = new StringBuilder();
    private volatile Instant now = BEGIN;

    private Repositories repositories;
    private ScheduledThreadPoolExecutor timer;
    private Custody custody;
    private TableStore store;
    private Retention retention;
    private Admission admission;
    private AnnouncedHosting hosting;

    GraspWorld(MaintainerModel model, Path directory) throws IOException {
        this.model = model;
        this.directory = directory;
        start();
    }

    /// Everybody, as the model calls them.
    static List<String> people() {
        return IntStream.range(0, PEOPLE)
                .mapToObj(number -> StoreSamples.author(number).toHex())
                .toList();
    }

    static String cloneUrl(String author, String identifier) {
        return "https://" + DOMAIN + "/" + new Npub(PublicKey.parse(author).require()) + "/" + identifier + ".git";
    }

    /// Service 4.4.2, for the few forms that histories use.
    static boolean listsService(Made made) {
        return made.all("clone").contains(cloneUrl(made.author(), made.identifier()))
                && made.all("relays").contains("wss://" + DOMAIN);
    }

    private void start() throws IOException {
        repositories = UnflushedRepositories.open(directory, () -> now);
        timer = new ScheduledThreadPoolExecutor(1);
        var time = new Timeline(() -> now, () -> Duration.between(BEGIN, now).toNanos());
        custody = new Custody(CONFIG, model, _ -> false, time, _ -> {}, _ -> {});
        store = new TableStore(
                memory.get(),
                StoreRules.DEFAULTS.withServices(List.of(SERVICE)),
                WRITER,
                () -> now,
                new Complaints(),
                ServedFeed.NONE,
                custody.follower());
        custody.load(store);
        var keeper = custody.start(
                store,
                repositories,
                new FreeSpace(() -> Long.MAX_VALUE, 0),
                Reprieve.NONE,
                new NoCounts(),
                (_, _) -> {},
                () -> {},
                timer);
        retention = new Retention(store, custody.pools(), keeper, CONFIG);
        var limits = new HeldLimits(10_000, 100, 50_000, NaivePlace.STATES_PER_AUTHOR, 50_000, 200, 2_000_000);
        var rules = new AcceptanceRules(SERVICE, OPERATOR, Lists.NONE, CONFIG.expiry(), limits, Set.of());
        admission = new Admission(
                store,
                EventRules.DEFAULTS,
                new GraspPolicy(rules, custody.pools()),
                custody.happenings(),
                keeper,
                Settlement.NONE,
                _ -> Optional.empty(),
                () -> now,
                () -> Duration.between(BEGIN, now).toNanos());
        hosting = new AnnouncedHosting(store, custody.pools());
    }

    long now() {
        return now.toEpochMilli();
    }

    /// What OK says.
    String submit(Made made, boolean isSynced) {
        var answer = new CompletableFuture<String>();
        var origin = isSynced ? new Origin.Synced() : new Origin.Direct(Set.of(), true);
        admission.admit(new Lane(), made.event(), origin, (admitted, problem) -> {
            if (admitted != null) {
                answer.complete(admitted.isAccepted() + " " + admitted.message());
            } else {
                answer.completeExceptionally(problem);
            }
        });
        return answer.join();
    }

    void advance(Duration time) {
        now = now.plus(time);
    }

    void sweep() {
        custody.sweep();
    }

    int removeOver() {
        return store.sweep().join();
    }

    void cleanUp() {
        retention.cleanUp();
    }

    /// Writes what nothing in this server writes yet.
    <T> T write(StoreWork<T> work) {
        return store.write(Urgency.WAITING, 0, work).join();
    }

    void restart() throws IOException {
        close();
        start();
    }

    /// As after a kill -9: nothing is finished. A repository may have been made for an event that was never
    /// stored.
    void crash(Optional<RepositoryAddress> halfDone) throws IOException {
        memory.crash();
        if (halfDone.isPresent()) {
            repositories.create(halfDone.get()).close();
        }
        close();
        start();
    }

    // ---- what is to be seen

    Set<String> visible() {
        var ids = new TreeSet<String>();
        try (var query = store.query(QueryRequest.of(Filter.ALL))) {
            while (true) {
                var step = query.next(1 << 20, Duration.ofDays(1));
                step.events().forEach(event -> ids.add(event.read().id().toHex()));
                if (step instanceof QueryStep.Done) {
                    return ids;
                }
            }
        }
    }

    /// Held events with everything about them.
    Map<String, String> held() {
        var held = new TreeMap<String, String>();
        for (var table : List.of(Table.HELD_ANNOUNCEMENTS, Table.HELD_STATES, Table.HELD_PROPOSALS)) {
            forEach(table, row -> {
                var entry = (Held) row;
                var phase = entry instanceof HeldAnnouncement announcement
                        ? announcement.phase().name()
                        : "NONE";
                long deadline = entry.expiresAt().equals(Held.NEVER)
                        ? Long.MAX_VALUE
                        : entry.expiresAt().toEpochMilli();
                held.put(entry.event().id().toHex(), phase + " " + entry.source() + " until " + deadline);
            });
        }
        return held;
    }

    Map<String, String> standings() {
        var standings = new TreeMap<String, String>();
        forEach(Table.REPOSITORIES, row -> {
            var standing = (Standing) row;
            standings.put(key(standing.repository()), standing.phase().name());
        });
        return standings;
    }

    Set<String> remembered() {
        return ids(Table.EXPIRED_EVENTS, row -> ((ExpiredEvent) row).id().toHex());
    }

    Set<String> trashed() {
        return ids(
                Table.TRASHED_EVENTS, row -> ((TrashedEvent) row).event().id().toHex());
    }

    Set<String> gated() {
        return ids(Table.GATES, row -> ((Gate) row).event().id().toHex());
    }

    private interface Name {
        String of(Row row);
    }

    private Set<String> ids(Table table, Name name) {
        var ids = new TreeSet<String>();
        forEach(table, row -> ids.add(name.of(row)));
        return ids;
    }

    private void forEach(Table table, Consumer<Row> action) {
        store.read(view -> {
            view.forEachRow(table, Bytes.EMPTY, action);
            return true;
        });
    }

    private static String key(RepositoryAddress address) {
        return address.owner().toHex() + ":" + address.identifier().text();
    }

    /// The repositories that answer.
    Set<String> answering() {
        var answering = new TreeSet<String>();
        for (var identifier : IDENTIFIERS) {
            for (int number = 0; number < PEOPLE; number++) {
                var address = new RepositoryAddress(StoreSamples.author(number), new Identifier(identifier));
                if (hosting.find(address).isPresent()) {
                    answering.add(key(address));
                }
            }
        }
        return answering;
    }

    /// The repositories that are there.
    Set<String> onDisk() throws IOException, InterruptedException {
        custody.awaitTended();
        var there = new TreeSet<String>();
        repositories.list().forEach(address -> there.add(key(address)));
        return there;
    }

    String problems() {
        return problems.toString();
    }

    @Override
    public void close() throws IOException {
        custody.close();
        store.close();
        timer.shutdownNow();
        repositories.close();
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
            problems.append("refusing: ").append(reason).append('\n');
        }

        @Override
        public void writing() {
            problems.append("writing\n");
        }
    }
}
