package dev.grapnel.purgatory;

import dev.grapnel.git.FreeSpace;
import dev.grapnel.git.repository.Repositories;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Announcement;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.MaintainerModel;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.purgatory.pool.PoolFollower;
import dev.grapnel.purgatory.pool.Pools;
import dev.grapnel.purgatory.pool.Timeline;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.StoreFollower;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Purgatory while the server runs: what is known in memory, what follows from changes, and who looks after
/// the rest now and then. Its parts in the order in which they depend on each other.
///
/// Made before the store is opened, because it follows the store from its first transaction on.
public final class Custody implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Custody.class);

    private final PurgatoryConfig config;
    private final Wishes wishes;
    private final Pools pools;
    private final Happenings happenings;
    private final Tending tending = new Tending();
    private final PoolFollower follower;
    private final IdentifierLocks locks = new IdentifierLocks();
    private final Pins pins;
    private final ReentrantLock sweepLock = new ReentrantLock();
    private volatile Runnable sweeping = () -> {};
    private volatile Runnable followingClock = () -> {};
    private volatile LongSupplier dormantCount = () -> 0;

    /// What the operator wants. Without lists only the last question is one.
    @FunctionalInterface
    public interface Wishes {
        /// Whether nothing of this author counts.
        default boolean isMuted(PublicKey author) {
            return false;
        }

        /// Whether a blacklist names a repository or its owner.
        default boolean isBlacklisted(RepositoryAddress repository) {
            return false;
        }

        /// Whether the whitelist names a repository, or there is none.
        default boolean isWhitelisted(RepositoryAddress repository) {
            return true;
        }

        /// Whether the whitelist or an archive lets it be hosted.
        default boolean isAllowed(Announcement announcement) {
            return true;
        }

        /// Whether a clone URL leads to this service.
        default boolean isOwn(String cloneUrl) {
            return false;
        }

        /// Whether an announcement asks for a repository here and may have one.
        boolean isHosted(Announcement announcement);
    }

    /// @param changed told which identifiers have other announcements, states or proposals; called by the
    ///     store's writer
    public Custody(
            PurgatoryConfig config,
            MaintainerModel model,
            Wishes wishes,
            Timeline time,
            Consumer<Happening> listener,
            Consumer<List<Identifier>> changed) {
        this.config = config;
        this.wishes = wishes;
        this.pools = new Pools(model, wishes::isMuted, time);
        this.happenings = new Happenings(listener);
        this.follower = new PoolFollower(pools, new Aftermath(pools, happenings, tending::add, changed));
        this.pins = new Pins(time, config.pinTime());
    }

    /// What the store must call.
    public StoreFollower follower() {
        return follower;
    }

    public Pools pools() {
        return pools;
    }

    public Happenings happenings() {
        return happenings;
    }

    public Pins pins() {
        return pins;
    }

    public IdentifierLocks locks() {
        return locks;
    }

    /// Reads what the store holds.
    public Purgatory load(EventStore store) {
        new StartUp(store, pools, config, happenings).load(follower);
        var clock = new ClockSteps(store, pools);
        followingClock = clock::follow;
        return new Purgatory(store, pools, happenings, pins, clock);
    }

    /// Brings repositories and events together again (purgatory 7.5) and begins to look after them.
    ///
    /// @param reprieve what expires later than its time
    /// @param catchUp serves what has its data already
    /// @throws IOException if the repositories cannot be read
    public RepositoryKeeper start(
            EventStore store,
            Repositories repositories,
            FreeSpace space,
            Reprieve reprieve,
            ListCounts listCounts,
            RetentionCounts retentionCounts,
            Runnable catchUp,
            ScheduledExecutorService timer)
            throws IOException {
        var keeper = new RepositoryKeeper(repositories, store, pools, locks, space);
        var start = new StartUp(store, pools, config, happenings);
        var retention = new Retention(store, pools, keeper, config);
        cleanUp(retention, retentionCounts); // first: what is over does not come back
        new ListChanges(store, pools, keeper, listWishes(), listCounts, happenings).apply();
        start.hostWhatIsServed(keeper, wishes::isHosted);
        start.releaseReferences();
        start.tendRepositories(keeper, tending::add);
        new StagingCheck(store, repositories.staging(), happenings).run();
        var sweep = new Sweep(store, pools, keeper, pins, reprieve, wishes::isOwn, config, happenings);
        catchUp.run(); // before the sweep: what came just before the end has not waited in vain
        sweep.run();
        tending.start(() -> removeOrphans(start, keeper), keeper::tend);
        dormantCount = retention::dormantCount;
        sweeping = () -> {
            followingClock.run();
            sweep.run();
            retention.boundExpired();
        };
        repeat(timer, config.sweepEvery(), this::sweep);
        repeat(timer, config.cleanUpEvery(), () -> {
            cleanUp(retention, retentionCounts);
            removeOrphans(start, keeper);
        });
        return keeper;
    }

    private ListChanges.Wishes listWishes() {
        return new ListChanges.Wishes() {
            @Override
            public boolean isBlacklisted(RepositoryAddress repository) {
                return wishes.isBlacklisted(repository);
            }

            @Override
            public boolean isWhitelisted(RepositoryAddress repository) {
                return wishes.isWhitelisted(repository);
            }

            @Override
            public boolean isAllowed(Announcement announcement) {
                return wishes.isAllowed(announcement);
            }

            @Override
            public boolean isHosted(Announcement announcement) {
                return wishes.isHosted(announcement);
            }

            @Override
            public boolean restoresBlacklisted() {
                return config.restoresBlacklisted();
            }
        };
    }

    private void removeOrphans(StartUp start, RepositoryKeeper keeper) {
        try {
            start.removeOrphans(keeper, tending::isClosed);
        } catch (IOException e) {
            LOG.warn("repositories without announcement not looked for reason={}", e.toString());
        }
    }

    private static void cleanUp(Retention retention, RetentionCounts counts) {
        var ended = retention.cleanUp();
        counts.pass(ended.repositories(), ended.events());
    }

    /// The timer's thread must not wait for a store or a disk, so the work has a thread of its own; one
    /// that still runs is not begun a second time.
    private void repeat(ScheduledExecutorService timer, Duration every, Runnable work) {
        var isRunning = new AtomicBoolean();
        var _ = timer.scheduleWithFixedDelay(
                () -> {
                    if (isRunning.compareAndSet(false, true)) {
                        Thread.ofVirtual().name("purgatory-keeper").start(() -> guarded(work, isRunning));
                    }
                },
                every.toNanos(),
                every.toNanos(),
                TimeUnit.NANOSECONDS);
    }

    /// Lets go of what has waited long enough, and returns when that is done and the directories are what
    /// the store says.
    public void sweep() {
        sweepLock.lock();
        try {
            sweeping.run();
            tending.awaitDone();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // the rest is done without anybody waiting
        } finally {
            sweepLock.unlock();
        }
    }

    private static void guarded(Runnable work, AtomicBoolean isRunning) {
        try {
            work.run();
        } catch (RuntimeException | Error e) { // the next time must come
            LOG.error("purgatory not looked after", e);
        } finally {
            isRunning.set(false);
        }
    }

    /// Expired events whose data is still looked for, when it was last counted.
    public long dormantCount() {
        return dormantCount.getAsLong();
    }

    /// Waits until the directories are what the store says.
    public void awaitTended() throws InterruptedException {
        tending.awaitDone();
    }

    /// To be closed before the store is.
    @Override
    public void close() {
        tending.close();
        try {
            followingClock.run();
        } catch (RuntimeException e) {
            LOG.warn("deadlines do not follow the clock, which was set reason={}", e.toString());
        }
    }
}
