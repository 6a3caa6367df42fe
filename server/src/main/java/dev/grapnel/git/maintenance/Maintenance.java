package dev.grapnel.git.maintenance;

import dev.grapnel.git.repository.Repositories;
import dev.grapnel.git.repository.RepositoryPlace;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Visits repositories that changed, one after another, on one thread of low priority within a budget.
///
/// Nobody waits for it: [#noteChange] only leaves a note. Soon after the start and then now and then it
/// looks at all repositories, for what was not noted or what became due by time alone, and links equal
/// packs.
public final class Maintenance implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Maintenance.class);
    private static final Duration REMOVAL_EVERY = Duration.ofSeconds(1);

    /// Packs out of sight that somebody still reads; at the limit the rest is left for the next sweep.
    private static final int REMOVALS_MAX = 10_000;

    private final MaintenanceConfig config;
    private final Surroundings surroundings;
    private final Repositories repositories;
    private final BudgetPace pace;
    private final RepositoryUpkeep upkeep;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ChangeQueue queue;
    private final Deque<RepositoryUpkeep.Removal> removals = new ArrayDeque<>();
    private final LongAdder visits = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final LongAdder bytesWritten = new LongAdder();
    private final Thread thread;
    private long nextLook;
    private boolean isClosed;

    /// What was done since the start.
    ///
    /// @param waiting repositories that changed and were not visited yet
    public record Counts(long visits, long failures, long bytesWritten, int waiting) {}

    public Maintenance(
            MaintenanceConfig config,
            UpkeepConfig upkeepConfig,
            Surroundings surroundings,
            Repositories repositories,
            FullRepack.Others others) {
        this.config = config;
        this.surroundings = surroundings;
        this.repositories = repositories;
        this.pace = new BudgetPace(
                config.workShare(), config.bytesPerSecond(), surroundings.pauser(), surroundings.nanos());
        this.upkeep = new RepositoryUpkeep(surroundings, pace, upkeepConfig, others);
        this.queue = new ChangeQueue(config);
        this.nextLook = surroundings.nanos().getAsLong() + config.firstLook().toNanos();
        this.thread = lowly(this::run);
    }

    @SuppressWarnings(
            "ThreadPriorityCheck") // nothing depends on it; those who are served may come first where it works
    private static Thread lowly(Runnable work) {
        return Thread.ofPlatform()
                .name("git-maintenance")
                .daemon()
                .priority(Thread.MIN_PRIORITY)
                .unstarted(work);
    }

    /// Begins.
    public void start() {
        thread.start();
    }

    /// Notes that objects came in or refs moved.
    public void noteChange(RepositoryAddress repository) {
        lock.lock();
        try {
            queue.note(repository, surroundings.nanos().getAsLong());
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    /// For metrics.
    public Counts counts() {
        lock.lock();
        try {
            return new Counts(visits.sum(), failures.sum(), bytesWritten.sum(), queue.size());
        } finally {
            lock.unlock();
        }
    }

    /// Interrupts what is going on, which leaves every repository sound, and waits for its end.
    @Override
    public void close() {
        lock.lock();
        try {
            isClosed = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
        thread.interrupt();
        boolean isInterrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException _) {
                isInterrupted = true; // the end is near: files must not be touched after this returns
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            while (true) {
                var next = awaitNext();
                pace.restart();
                if (next.isPresent()) {
                    visit(next.get());
                } else if (isLookDue()) {
                    lookAtAll();
                }
                removeUnread();
            }
        } catch (InterruptedException _) {
            // asked to stop
        } catch (RuntimeException | Error e) {
            LOG.error("git maintenance has ended, packs pile up until the server is started again", e);
        }
    }

    /// Waits until there is something to do: a repository to visit, or else something that is due by time.
    private Optional<RepositoryAddress> awaitNext() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!isClosed) {
                long now = surroundings.nanos().getAsLong();
                var due = queue.poll(now);
                if (due.isPresent() || isLookDue()) {
                    return due;
                }
                long wait = Math.min(nextLook - now, queue.nextIn(now).orElse(Long.MAX_VALUE));
                boolean isRemovalWaiting = !removals.isEmpty();
                long left = changed.awaitNanos(isRemovalWaiting ? Math.min(wait, REMOVAL_EVERY.toNanos()) : wait);
                if (isRemovalWaiting && left <= 0) {
                    return Optional.empty();
                }
            }
            throw new InterruptedException("closed");
        } finally {
            lock.unlock();
        }
    }

    private boolean isLookDue() {
        return surroundings.nanos().getAsLong() - nextLook >= 0;
    }

    private void visit(RepositoryAddress repository) throws InterruptedException {
        try {
            var place = repositories.findPlace(repository);
            if (place.isPresent()) {
                visitOurs(place.get());
            }
        } catch (IOException e) {
            throwIfStopping();
            failures.increment();
            LOG.warn("maintenance failed repo={}", repository, e);
        }
    }

    /// Nobody knows yet what of another server's repositories events need.
    private void visitOurs(RepositoryPlace place) throws IOException, InterruptedException {
        if (!repositories.isForeign(place.address())) {
            visit(place);
        }
    }

    /// The failure of one is no reason to neglect the others; it is tried again when it changes or all are
    /// looked at.
    private void visit(RepositoryPlace place) throws InterruptedException {
        long began = surroundings.nanos().getAsLong();
        try {
            var report = upkeep.visit(place);
            visits.increment();
            bytesWritten.add(report.bytesWritten());
            report.removals().forEach(this::removeLater);
            if (report.hasChanged()) {
                long millis = Duration.ofNanos(surroundings.nanos().getAsLong() - began)
                        .toMillis();
                LOG.info(
                        "repacked repo={} packs={} bytes={} millis={}",
                        place.address(),
                        report.packs(),
                        report.bytesWritten(),
                        millis);
            }
        } catch (InterruptedIOException | ClosedByInterruptException _) {
            throw new InterruptedException("interrupted during maintenance");
        } catch (IOException | RuntimeException | OutOfMemoryError e) { // of memory, the next one may need less
            throwIfStopping();
            if (Files.exists(place.directory())) {
                failures.increment();
                LOG.warn("maintenance failed repo={}", place.address(), e);
            }
        }
    }

    private void throwIfStopping() throws InterruptedException {
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedException("interrupted during maintenance");
        }
    }

    /// Most need nothing; finding that out is work, too, and is rested from.
    private void lookAtAll() throws InterruptedException {
        nextLook = surroundings.nanos().getAsLong() + config.lookEvery().toNanos();
        try {
            var places = repositories.listPlaces();
            for (var place : places) {
                visitChanged();
                visitOurs(place);
                pace.spend(0);
                removeUnread();
            }
            relink(places);
        } catch (InterruptedIOException _) {
            throw new InterruptedException("interrupted while looking at all repositories");
        } catch (IOException e) {
            throwIfStopping();
            failures.increment();
            LOG.warn("could not look at all repositories", e);
        }
    }

    /// Those that changed do not wait until all others were looked at.
    private void visitChanged() throws InterruptedException {
        for (var next = pollChanged(); next.isPresent(); next = pollChanged()) {
            visit(next.get());
        }
    }

    private Optional<RepositoryAddress> pollChanged() {
        lock.lock();
        try {
            return queue.poll(surroundings.nanos().getAsLong());
        } finally {
            lock.unlock();
        }
    }

    private void relink(List<RepositoryPlace> places) throws IOException {
        var byIdentifier = new TreeMap<Identifier, List<RepositoryPlace>>();
        for (var place : places) {
            byIdentifier
                    .computeIfAbsent(place.address().identifier(), _ -> new ArrayList<>())
                    .add(place);
        }
        var relink = new Relink(surroundings.disk(), pace);
        for (var family : byIdentifier.values()) {
            if (family.size() > 1) {
                long saved = relink.run(family);
                if (saved > 0) {
                    LOG.info(
                            "linked equal packs identifier={} bytes={}",
                            family.getFirst().address().identifier(),
                            saved);
                }
            }
        }
    }

    private void removeLater(RepositoryUpkeep.Removal removal) {
        if (removals.size() < REMOVALS_MAX) {
            removals.add(removal);
        } else {
            upkeep.leave(removal);
        }
    }

    private void removeUnread() throws InterruptedException {
        for (int left = removals.size(); left > 0; left--) {
            var removal = removals.remove();
            try {
                if (!upkeep.remove(removal)) {
                    removals.add(removal);
                }
            } catch (IOException e) {
                throwIfStopping();
                LOG.warn("could not delete old packs repo={}", removal.place().address(), e); // a sweep will
            }
        }
    }
}
