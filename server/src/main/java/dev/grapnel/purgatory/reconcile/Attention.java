package dev.grapnel.purgatory.reconcile;

import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.purgatory.ReleasePath;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Identifiers that have something to do, and the threads that do it (P-531). Each is named once: whoever asks
/// while it waits shares the next run, whoever asks while it runs gets another one. No more can wait than there are
/// identifiers.
public final class Attention implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Attention.class);
    private static final Duration FAREWELL = Duration.ofSeconds(10);

    private final Reconciling reconciling;
    private final OwnFailures failures;
    private final Consumer<Identifier> shortages;
    private final ScheduledExecutorService timer;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<Identifier, Turn> waiting = new LinkedHashMap<>();
    private final Set<Identifier> running = new HashSet<>();
    private final List<Thread> threads = new ArrayList<>();
    private boolean isClosed;

    /// The work itself.
    @FunctionalInterface
    public interface Reconciling {
        Report run(Identifier identifier, ReleasePath path) throws IOException;
    }

    /// A run that is to come.
    private record Turn(Identifier identifier, ReleasePath path, CompletableFuture<Boolean> done) {}

    /// @param failures told what failed
    /// @param shortages told which identifiers have repositories that could not be brought in line, each time
    /// @param timer for what failed and is tried again
    public Attention(
            Reconciling reconciling,
            OwnFailures failures,
            Consumer<Identifier> shortages,
            ScheduledExecutorService timer) {
        this.reconciling = reconciling;
        this.failures = failures;
        this.shortages = shortages;
        this.timer = timer;
    }

    /// Begins with so many threads: copying objects is work for a processor.
    public void start(int count) {
        for (int i = 0; i < count; i++) {
            threads.add(Thread.ofPlatform().daemon().name("reconcile-" + i).start(this::work));
        }
    }

    /// Asks for a run. The future is done when one that began after this call has ended, true if it came to its end.
    public CompletableFuture<Boolean> attend(Identifier identifier, ReleasePath path) {
        lock.lock();
        try {
            if (isClosed) {
                return CompletableFuture.completedFuture(false);
            }
            var turn = waiting.computeIfAbsent(identifier, name -> new Turn(name, path, new CompletableFuture<>()));
            changed.signalAll();
            return turn.done();
        } finally {
            lock.unlock();
        }
    }

    /// Asks for a run that nobody waits for.
    public void trigger(Identifier identifier, ReleasePath path) {
        var _ = attend(identifier, path);
    }

    private void work() {
        try {
            for (var turn = take(); turn != null; turn = take()) {
                run(turn);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // nobody does that: then this thread ends
        }
    }

    private @Nullable Turn take() throws InterruptedException {
        lock.lock();
        try {
            while (!isClosed) {
                for (var turn : waiting.values()) {
                    if (running.add(turn.identifier())) {
                        waiting.remove(turn.identifier());
                        return turn;
                    }
                }
                changed.await();
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    private void run(Turn turn) {
        boolean isDone = false;
        try {
            var report = reconciling.run(turn.identifier(), turn.path());
            report.further().forEach(identifier -> trigger(identifier, turn.path()));
            note(turn.identifier(), report);
            isDone = true;
        } catch (IOException | RuntimeException e) { // the others must go on, and this one comes again
            LOG.error("reconcile.error identifier={}", turn.identifier(), e);
            attendLater(turn.identifier(), turn.path());
        } finally {
            end(turn);
            turn.done().complete(isDone);
        }
    }

    /// Repositories that could not be written are in the ledger, which tries again.
    private void note(Identifier identifier, Report report) {
        if (report.isOurFault()) {
            int _ = failures.add(identifier);
        } else {
            failures.remove(identifier);
        }
        if (!report.failures().isEmpty()) {
            shortages.accept(identifier);
        }
    }

    /// Asks for a run after a while, because one has failed; after a longer while each time.
    public void attendLater(Identifier identifier, ReleasePath path) {
        if (!timer.isShutdown()) {
            var wait = Retries.after(failures.add(identifier));
            var _ = timer.schedule(() -> trigger(identifier, path), wait.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    private void end(Turn turn) {
        lock.lock();
        try {
            running.remove(turn.identifier());
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Waits until nothing waits and nothing runs.
    public void awaitQuiet() throws InterruptedException {
        lock.lock();
        try {
            while (!isClosed && (!waiting.isEmpty() || !running.isEmpty())) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    /// How many wait.
    public int waiting() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }

    /// Begins nothing more and waits for what runs.
    @Override
    public void close() {
        lock.lock();
        try {
            isClosed = true;
            waiting.values().forEach(turn -> turn.done().complete(false));
            waiting.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        for (var thread : threads) {
            try {
                if (!thread.join(FAREWELL)) {
                    LOG.warn("reconcile still running at the end thread={}", thread.getName());
                }
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt(); // then nobody is waited for
                return;
            }
        }
    }
}
