package dev.grapnel.purgatory.reconcile;

import dev.grapnel.git.maintenance.Pace;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.purgatory.pool.Timeline;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Compares repositories with what their events say by itself, without haste (P-733): refs and what they name
/// after a start, refs and everything they reach whenever some days have gone by. What a run can put right
/// enters the repair ledger.
public final class IntegrityWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(IntegrityWatch.class);
    private static final Duration FAREWELL = Duration.ofSeconds(10);

    private final IntegrityPass pass;
    private final IntegrityFindings findings;
    private final Schedule schedule;
    private final PassRecord record;
    private final Timeline time;
    private final Supplier<Pace> paces;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile boolean isClosed;
    private long dueAt;
    private boolean readsObjects;
    private @Nullable Thread thread;

    /// When and what.
    ///
    /// @param every time between comparisons; none if it is nothing
    /// @param only the names to which they are limited; nothing for all
    public record Schedule(Duration every, List<Identifier> only) {
        public Schedule {
            only = List.copyOf(only);
        }
    }

    /// @param record when everything was compared last
    /// @param paces how fast one may go
    public IntegrityWatch(
            IntegrityPass pass,
            IntegrityFindings findings,
            Schedule schedule,
            PassRecord record,
            Timeline time,
            Supplier<Pace> paces) {
        this.pass = pass;
        this.findings = findings;
        this.schedule = schedule;
        this.record = record;
        this.time = time;
        this.paces = paces;
        this.dueAt = schedule.every().isZero() ? Timeline.NEVER : time.now();
    }

    /// Begins a comparison if it is time for one; to be called now and then. Waits for nothing.
    public void look() {
        lock.lock();
        try {
            if (!isClosed && thread == null && dueAt <= time.now()) {
                boolean isDeep = readsObjects;
                thread = Thread.ofPlatform().daemon().name("integrity").start(() -> run(isDeep));
            }
        } finally {
            lock.unlock();
        }
    }

    private void run(boolean isDeep) {
        try {
            compareAll(isDeep);
            if (isDeep) {
                record.write(time.wall());
            }
        } catch (InterruptedIOException _) {
            LOG.debug("integrity pass ended early"); // the server stops
        } catch (RuntimeException e) { // the next one must come
            LOG.error("integrity pass failed", e);
        } finally {
            end(isDeep);
        }
    }

    /// Only those that were done count for the next start; here each is followed by a pause.
    private void end(boolean isDeep) {
        long next = isDeep
                ? time.after(schedule.every())
                : time.momentOf(record.since(time.wall()).plus(schedule.every()));
        lock.lock();
        try {
            thread = null;
            dueAt = next;
            readsObjects = true;
        } finally {
            lock.unlock();
        }
    }

    private void compareAll(boolean isDeep) throws InterruptedIOException {
        var identifiers = schedule.only().isEmpty() ? pass.identifiers() : schedule.only();
        var counting = findings.begin();
        var pace = paces.get();
        int looked = 0;
        for (var identifier : identifiers) {
            rest(pace);
            try {
                looked += compare(identifier, isDeep, pace, counting);
            } catch (InterruptedIOException e) {
                throw e;
            } catch (IOException | RuntimeException e) { // the others are looked at all the same
                LOG.warn("repositories not compared identifier={} reason={}", identifier, e.toString());
            }
        }
        counting.publish(isDeep);
        LOG.info("integrity pass done repositories={} objects={} findings={}", looked, isDeep, counting.total());
    }

    private int compare(Identifier identifier, boolean isDeep, Pace pace, IntegrityFindings.Counting counting)
            throws IOException {
        var found = pass.look(identifier);
        var divergences = new ArrayList<>(found.divergences());
        var different = new TreeSet<RepositoryAddress>();
        divergences.stream()
                .filter(Divergence::isRepairable)
                .map(Divergence::repository)
                .forEach(different::add);
        pass.queue(different);
        for (var address : found.readable()) {
            rest(pace);
            var broken = isDeep ? pass.lookAtObjects(address, () -> rest(pace)) : pass.lookAtTips(address);
            divergences.addAll(broken);
            if (broken.stream().anyMatch(Divergence.Incomplete.class::isInstance)) {
                pass.noteLacking(List.of(address));
            }
        }
        divergences.forEach(counting::note);
        return found.looked().size();
    }

    private void rest(Pace pace) throws InterruptedIOException {
        if (isClosed) {
            throw new InterruptedIOException("the server stops");
        }
        pace.spend(0);
    }

    /// Waits until nothing is compared.
    public void awaitDone() throws InterruptedException {
        var running = running();
        if (running != null) {
            running.join();
        }
    }

    private @Nullable Thread running() {
        lock.lock();
        try {
            return thread;
        } finally {
            lock.unlock();
        }
    }

    /// Ends what runs where it is. Nothing is interrupted, because that would close files under the hands of others.
    @Override
    public void close() {
        isClosed = true;
        var running = running();
        try {
            if (running != null && !running.join(FAREWELL)) {
                LOG.warn("repositories are still being compared at the end");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // then nobody is waited for
        }
    }
}
