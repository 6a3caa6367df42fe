package dev.grapnel.server.sync;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.ItemsOutcome;
import dev.grapnel.store.Lineage;
import dev.grapnel.store.QueryRequest;
import dev.grapnel.store.Viewer;
import dev.grapnel.sync.home.ServedMeaning;
import dev.grapnel.sync.home.StoreFacts;
import dev.grapnel.sync.world.Archive;
import dev.grapnel.sync.world.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The event store as sync reads it. What may take longer than a few keys is read by two threads of its own, so that
/// questions of sync never take more than a share of the machine.
public final class StoreArchive implements Archive, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StoreArchive.class);
    private static final int THREADS = 2;
    private static final Duration FAREWELL_MAX = Duration.ofSeconds(1);
    private static final Duration IDLE_MAX = Duration.ofSeconds(60);

    /// Sets and slices that may wait; each relay has two sessions at most, and scans are few.
    private static final int WAITING_MAX = 10_000;

    private final EventStore store;
    private final StoreFacts facts;
    private final ServedMeaning meaning;
    private final Scheduler loop;
    private final ThreadPoolExecutor threads;
    private final Set<StoreFollowing> followings = ConcurrentHashMap.newKeySet();

    StoreArchive(EventStore store, StoreFacts facts, ServedMeaning meaning, Scheduler loop) {
        this.store = store;
        this.facts = facts;
        this.meaning = meaning;
        this.loop = loop;
        this.threads = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                IDLE_MAX.toSeconds(),
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(WAITING_MAX),
                Thread.ofPlatform().name("sync-store-", 0).daemon().factory());
        threads.allowCoreThreadTimeOut(true);
    }

    @Override
    public Standing standing(EventId id) {
        return facts.standing(id);
    }

    /// A set that cannot be made, or not now, is answered as one that is too large: then the filter is asked for in
    /// another way.
    @Override
    public void items(Filter filter, int itemsMax, Consumer<ItemsOutcome> answer) {
        try {
            threads.execute(() -> {
                var outcome = itemsOf(filter, itemsMax);
                loop.post(() -> answer.accept(outcome));
            });
        } catch (RejectedExecutionException _) {
            loop.post(() -> answer.accept(new ItemsOutcome.TooMany(itemsMax)));
        }
    }

    private ItemsOutcome itemsOf(Filter filter, int itemsMax) {
        try {
            return store.items(filter, Viewer.ALL, itemsMax);
        } catch (RuntimeException | Error e) {
            LOG.error("set for a comparison could not be made", e);
            return new ItemsOutcome.TooMany(itemsMax);
        }
    }

    @Override
    public long commitNumber() {
        return store.commitNumber();
    }

    @Override
    public Lineage lineage() {
        return store.lineage();
    }

    @Override
    public Runnable follow(long after, Follower follower) {
        var following = new StoreFollowing(store.tail(after), meaning, follower, loop);
        followings.add(following);
        following.begin();
        return () -> {
            followings.remove(following);
            following.end();
        };
    }

    @Override
    public void scan(List<Integer> kinds, int sliceMax, Slices slices) {
        begin(
                Filter.builder()
                        .kinds(kinds.stream().mapToInt(Integer::intValue).toArray())
                        .build(),
                sliceMax,
                slices);
    }

    @Override
    public void scanTagged(char letter, List<String> values, int sliceMax, Slices slices) {
        boolean isHexOnly = letter == 'e';
        var possible = values.stream()
                .filter(value -> !isHexOnly || EventId.parse(value).find().isPresent())
                .toList();
        begin(Filter.builder().tag(letter, possible).build(), sliceMax, slices);
    }

    private void begin(Filter filter, int sliceMax, Slices slices) {
        new StoreScan(store.query(QueryRequest.of(filter)), meaning, sliceMax, slices, threads, loop).begin();
    }

    @Override
    public boolean isListless(PublicKey person) {
        return facts.isListless(person);
    }

    @Override
    public boolean isAnnounced(RepositoryAddress repository) {
        return facts.isAnnounced(repository);
    }

    @Override
    public List<StateAuthor> stateAuthors(RepositoryAddress repository) {
        return facts.stateAuthors(repository);
    }

    /// To be closed before the store is.
    @Override
    public void close() {
        followings.forEach(StoreFollowing::end);
        threads.shutdown(); // without interrupting anybody who reads
        threads.getQueue().clear();
        try {
            var _ = threads.awaitTermination(FAREWELL_MAX.toNanos(), TimeUnit.NANOSECONDS);
            for (var following : followings) {
                following.awaitEnd(FAREWELL_MAX);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // then nobody is waited for
        }
    }
}
