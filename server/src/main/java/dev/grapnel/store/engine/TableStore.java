package dev.grapnel.store.engine;

import dev.grapnel.nostr.Refusal;
import dev.grapnel.nostr.Refusal.Prefix;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.store.CountRequest;
import dev.grapnel.store.EventCount;
import dev.grapnel.store.EventQuery;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.ItemsOutcome;
import dev.grapnel.store.Lineage;
import dev.grapnel.store.QueryRequest;
import dev.grapnel.store.ServedFeed;
import dev.grapnel.store.StoreDecision;
import dev.grapnel.store.StoreFollower;
import dev.grapnel.store.StoreRefusal;
import dev.grapnel.store.StoreRules;
import dev.grapnel.store.StoreView;
import dev.grapnel.store.StoreWork;
import dev.grapnel.store.Tail;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.Viewer;
import dev.grapnel.store.table.SnapshotEnded;
import dev.grapnel.store.table.StoreDamage;
import dev.grapnel.store.table.StoreFailure;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.table.TableEngine;
import dev.grapnel.store.table.TableSnapshot;
import java.io.IOException;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;

/// The store on an embedded database: readers on snapshots, one [Writer].
public final class TableStore implements EventStore {
    private final TableEngine engine;
    private final StoreDecision decision;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final StoreObserver observer;
    private final Writer writer;
    private final Commits commits;
    private final ReentrantLock ageing = new ReentrantLock();
    private volatile Lineage lineage = Lineage.UNKNOWN;

    /// Opens the store on an engine, which it closes with itself. Rows that cannot be read are moved into a
    /// file.
    public TableStore(
            TableEngine engine,
            StoreRules rules,
            WriterConfig config,
            InstantSource clock,
            StoreObserver observer,
            DamagedRowFile damagedRows) {
        this(engine, rules, config, clock, observer);
        setAside(damagedRows);
    }

    /// The same, for a server: rows are moved as above, the feed hears of every event, the follower of
    /// every change.
    public TableStore(
            TableEngine engine,
            StoreRules rules,
            WriterConfig config,
            InstantSource clock,
            StoreObserver observer,
            DamagedRowFile damagedRows,
            ServedFeed feed,
            StoreFollower follower) {
        this(engine, new StoreDecision(rules), config, clock, observer, feed, follower);
        setAside(damagedRows);
    }

    /// Opens the store on an engine, which it closes with itself.
    public TableStore(
            TableEngine engine, StoreRules rules, WriterConfig config, InstantSource clock, StoreObserver observer) {
        this(engine, rules, config, clock, observer, ServedFeed.NONE, StoreFollower.NONE);
    }

    /// Opens the store on an engine, which it closes with itself; the feed hears of every event, the
    /// follower of every change.
    public TableStore(
            TableEngine engine,
            StoreRules rules,
            WriterConfig config,
            InstantSource clock,
            StoreObserver observer,
            ServedFeed feed,
            StoreFollower follower) {
        this(engine, new StoreDecision(rules), config, clock, observer, feed, follower);
    }

    TableStore(
            TableEngine engine,
            StoreDecision decision,
            WriterConfig config,
            InstantSource clock,
            StoreObserver observer) {
        this(engine, decision, config, clock, observer, ServedFeed.NONE, StoreFollower.NONE);
    }

    private TableStore(
            TableEngine engine,
            StoreDecision decision,
            WriterConfig config,
            InstantSource clock,
            StoreObserver observer,
            ServedFeed feed,
            StoreFollower follower) {
        this.engine = engine;
        this.decision = decision;
        this.clock = clock;
        this.nanoTime = System::nanoTime;
        this.observer = new GuardedObserver(observer);
        this.commits = new Commits(readNumber());
        this.writer = new Writer(engine, decision, config, clock, this.observer, commits, feed, follower);
    }

    /// @throws StoreDamage if there are later events: their numbers would be given out again
    private long readNumber() {
        try (var snapshot = engine.pin()) {
            long number = Meta.NUMBER.read(snapshot);
            if (snapshot.rows(Table.EVENTS, Keys.number(number + 1)).next()) {
                throw new StoreDamage("the last commit number is " + number + ", but there are later events");
            }
            return number;
        }
    }

    private void setAside(DamagedRowFile file) {
        // every start waits for it, so all processors help
        var damaged = RowTables.ALL.parallelStream()
                .flatMap(table -> onSnapshot(snapshot -> DamagedRows.find(snapshot, table, observer)).stream())
                .toList();
        if (damaged.isEmpty()) {
            return;
        }
        try {
            var kept = file.keep(damaged, clock.instant());
            write(Urgency.WAITING, 0, transaction -> ((TableTransaction) transaction).setAside(damaged))
                    .join();
            damaged.forEach(row -> observer.setAside(row.toString(), kept.toString()));
        } catch (IOException | CompletionException e) {
            damaged.forEach(row -> observer.damaged(row + "; it stays where it is: " + e.getMessage()));
        }
    }

    @Override
    public <T> void write(Urgency urgency, int bytes, StoreWork<T> work, CompletableFuture<T> outcome) {
        writer.write(urgency, new Job<>(work, bytes, outcome));
    }

    @Override
    public <T> T read(Function<StoreView, T> reading) {
        return onSnapshot(snapshot -> reading.apply(new TableView(snapshot, decision, clock.instant())));
    }

    @Override
    public EventQuery query(QueryRequest request) {
        return new QueryRun(engine, clock, nanoTime, observer, request);
    }

    @Override
    public EventCount count(CountRequest request) {
        return onSnapshot(
                snapshot -> new EventCounter(snapshot, request.viewer(), clock.instant(), nanoTime).count(request));
    }

    @Override
    public ItemsOutcome items(Filter filter, Viewer viewer, int itemsMax) {
        return onSnapshot(
                snapshot -> new EventCounter(snapshot, viewer, clock.instant(), nanoTime).items(filter, itemsMax));
    }

    /// Counting a million events may take longer than a snapshot lives on a busy machine: then it is tried
    /// again.
    private <T> T onSnapshot(Function<TableSnapshot, T> reading) {
        for (int attempt = 0; ; attempt++) {
            try (var snapshot = engine.pin()) {
                return reading.apply(snapshot);
            } catch (SnapshotEnded ended) {
                if (attempt == 2) {
                    throw new StoreRefusal(
                            new Refusal(Prefix.ERROR, "query took too long"),
                            "three snapshots were held too long",
                            ended);
                }
            }
        }
    }

    @Override
    public Tail tail(long after) {
        return new TableTail(engine, commits, clock, observer, after);
    }

    @Override
    public long commitNumber() {
        return commits.number();
    }

    /// Leaves the mark of a process that serves the store, before it is told to anybody. If that cannot be written,
    /// the store cannot be recognised by it later, which costs time only.
    ///
    /// @param mark that nobody else draws, and not 0
    public void succeed(long mark) {
        try {
            long former = write(Urgency.WAITING, 0, transaction -> ((TableTransaction) transaction).succeed(mark))
                    .join();
            lineage = new Lineage(former, mark);
        } catch (CompletionException _) {
            // a full disk, which is told when it matters: until the next start nobody recognises the store
        }
    }

    @Override
    public Lineage lineage() {
        return lineage;
    }

    /// Removes what has expired now instead of at the next sweep.
    public CompletableFuture<Integer> sweep() {
        return writer.sweep();
    }

    /// Ends what deletion requests and their tombstones have had their time for (service 4.9.3), in many small
    /// transactions; waits for the last of them. While another thread does so nothing is done, and in
    /// disrespector mode requests are served without end. Failures are told to the observer.
    ///
    /// @throws InterruptedException soon after the thread was interrupted; the next call does the rest
    public void ageRequests() throws InterruptedException {
        if (!decision.rules().respectsDeletion()) {
            return;
        }
        if (!ageing.tryLock()) {
            observer.requestsAged(RequestTally.SKIPPED);
            return;
        }
        try {
            observer.ageingBegun();
            new RequestPass(this, engine, decision, observer, clock.instant()).run();
        } catch (StoreRefusal | StoreDamage | StoreFailure e) {
            observer.ageingFailed(String.valueOf(e.getMessage()));
        } finally {
            ageing.unlock();
        }
    }

    @Override
    public void close() {
        writer.close();
        engine.close();
    }
}
