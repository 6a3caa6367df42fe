package dev.grapnel.store.engine;

import dev.grapnel.nostr.Refusal;
import dev.grapnel.nostr.Refusal.Prefix;
import dev.grapnel.store.ServedFeed;
import dev.grapnel.store.ServedFeed.Fresh;
import dev.grapnel.store.StoreDecision;
import dev.grapnel.store.StoreFollower;
import dev.grapnel.store.StoreRefusal;
import dev.grapnel.store.StoreTransaction;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.table.StoreDamage;
import dev.grapnel.store.table.StoreFailure;
import dev.grapnel.store.table.TableEngine;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// The one thread that changes the store (relay 7.7). It takes everything that waits, runs it in one
/// transaction of the engine, makes it durable once, then tells everybody. Under load batches grow and
/// share the flush.
///
/// A job that throws is undone without the others: the batch is repeated one by one. When the engine cannot
/// commit, every job of the batch is refused, and the next batch tries again, so writing resumes by itself.
final class Writer implements AutoCloseable {
    private static final int SWEEP_MAX = 1_000;
    private static final int ATTEMPTS_MAX = 20;
    private static final Duration COMPACT_AGAIN = Duration.ofMinutes(55);

    private final TableEngine engine;
    private final StoreDecision decision;
    private final WriterConfig config;
    private final InstantSource clock;
    private final StoreObserver observer;
    private final Commits commits;
    private final ServedFeed feed;
    private final StoreFollower follower;
    private final WriteQueue queue;
    private final Thread thread;
    private boolean refusing;
    private boolean unflushed;
    private boolean compactionDue;
    private long compactAt = System.nanoTime();
    private long sweepAt;
    private long flushAt;

    Writer(
            TableEngine engine,
            StoreDecision decision,
            WriterConfig config,
            InstantSource clock,
            StoreObserver observer,
            Commits commits,
            ServedFeed feed,
            StoreFollower follower) {
        this.engine = engine;
        this.decision = decision;
        this.config = config;
        this.clock = clock;
        this.observer = observer;
        this.commits = commits;
        this.feed = feed;
        this.follower = follower;
        this.queue = new WriteQueue(config);
        this.sweepAt = System.nanoTime() + config.sweepEvery().toNanos();
        this.flushAt = System.nanoTime() + config.flushEvery().toNanos();
        this.thread = Thread.ofPlatform().name("store-writer").start(this::run);
    }

    void write(Urgency urgency, Job<?> job) {
        if (Thread.currentThread().equals(thread)) {
            throw new IllegalStateException("a work cannot give the store another one: it would wait for itself");
        }
        try {
            switch (queue.offer(job, urgency)) {
                case TAKEN -> {}
                case FULL ->
                    job.fail(new StoreRefusal(
                            new Refusal(Prefix.RATE_LIMITED, "slow down"), "the writer's queue is full"));
                case CLOSED -> job.fail(closed());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            job.fail(new StoreRefusal(
                    new Refusal(Prefix.ERROR, "interrupted"), "interrupted while waiting for room", e));
        }
    }

    private static StoreRefusal closed() {
        return new StoreRefusal(new Refusal(Prefix.ERROR, "shutting down"), "the store is closed");
    }

    CompletableFuture<Integer> sweep() {
        var job = new Job<>(transaction -> sweep((TableTransaction) transaction), 0);
        write(Urgency.WAITING, job);
        return job.outcome();
    }

    private int sweep(TableTransaction transaction) {
        compactionDue |= transaction.isCompactionDue();
        return transaction.removeExpired(SWEEP_MAX)
                + transaction.removeOldGates(SWEEP_MAX)
                + transaction.forgetRemovals(config.removalsMax(), SWEEP_MAX);
    }

    private void run() {
        while (!queue.isDry()) {
            try {
                var batch = queue.takeBatch(Math.max(1, Math.min(sweepAt, flushAt) - System.nanoTime()));
                if (!batch.isEmpty()) {
                    carryOut(batch);
                }
                keepHouse();
            } catch (InterruptedException _) {
                // Some work has interrupted itself. Only closing ends this thread: others wait for it.
            } catch (RuntimeException | Error problem) { // whatever it is, others wait for this thread
                observer.damaged("the store's writer met what it should not have: " + problem);
            }
        }
        flush();
    }

    private void keepHouse() {
        long now = System.nanoTime();
        if (compactionDue && now - compactAt >= 0) {
            compact(now);
        }
        if (now - flushAt >= 0) {
            flushAt = now + config.flushEvery().toNanos();
            flush();
        }
        if (now - sweepAt >= 0) {
            sweepAt = now + config.sweepEvery().toNanos();
            var job = new Job<>(transaction -> sweep((TableTransaction) transaction), 0);
            carryOut(List.of(job));
            if (job.outcome().isDone()
                    && !job.outcome().isCompletedExceptionally()
                    && job.outcome().join() >= SWEEP_MAX) {
                sweepAt = now; // there may be more
            }
        }
    }

    /// Readers go on meanwhile, writers wait.
    private void compact(long now) {
        try {
            engine.compact();
            compactionDue = false;
            carryOut(List.of(new Job<>(transaction -> ((TableTransaction) transaction).noteCompaction(), 0)));
            observer.compacted();
        } catch (RuntimeException | Error problem) { // even what nobody foresaw must not keep the house undone
            compactAt = now + COMPACT_AGAIN.toNanos();
            observer.compactionFailed(reason(problem));
        }
    }

    private void flush() {
        if (!unflushed) {
            return;
        }
        try {
            requireFlushed();
        } catch (StoreFailure failure) {
            refuse(failure);
        }
    }

    /// @throws StoreFailure if it cannot be flushed, for whatever reason
    private void requireFlushed() {
        try {
            engine.flush();
            unflushed = false;
        } catch (StoreFailure failure) {
            throw failure;
        } catch (RuntimeException | Error problem) { // nothing may be promised after it either
            throw new StoreFailure("could not flush the store: " + reason(problem), problem);
        }
    }

    /// What is foreseen says it in words; anything else must be seen for what it is.
    private static String reason(Throwable problem) {
        return problem instanceof StoreFailure || problem instanceof StoreDamage
                ? String.valueOf(problem.getMessage())
                : problem.toString();
    }

    private void carryOut(List<Job<?>> batch) {
        try {
            var fresh = commitRepeatedly(batch);
            batch.forEach(Job::complete);
            tell(fresh);
        } catch (StoreFailure failure) {
            refuse(failure);
            batch.forEach(job -> job.fail(unwritable(failure)));
        } catch (RuntimeException | Error problem) { // an Error of one job must not end the thread for all
            if (batch.size() == 1) {
                batch.getFirst().fail(translate(problem));
            } else {
                batch.forEach(job -> carryOut(List.of(job)));
            }
        }
    }

    /// A large batch may need more room than an engine had made, which is no reason to refuse it.
    private List<Fresh> commitRepeatedly(List<Job<?>> batch) {
        for (int attempt = 1; ; attempt++) {
            try {
                return commit(batch);
            } catch (StoreFailure failure) {
                if (!failure.mayRepeat() || attempt == ATTEMPTS_MAX) {
                    throw failure;
                }
            }
        }
    }

    private List<Fresh> commit(List<Job<?>> batch) {
        if (refusing && unflushed) {
            requireFlushed(); // after a flush that failed nothing more is promised before one that does not
        }
        long number;
        List<Fresh> fresh;
        boolean isCommitted = false;
        GateTally gates;
        var kinds = new ArrayList<TransactionKind>();
        long began;
        try (var tables = engine.begin()) {
            var transaction = new TableTransaction(tables, decision, follower, clock.instant());
            for (var job : batch) {
                job.run((StoreTransaction) transaction);
                follower.conclude(transaction);
                transaction.takeKind().ifPresent(kinds::add);
            }
            transaction.finish();
            number = transaction.commitNumber();
            fresh = transaction.fresh();
            gates = transaction.gateTally();
            began = System.nanoTime();
            tables.commit();
            isCommitted = true;
        } finally {
            if (!isCommitted) {
                follower.abandoned();
            }
        }
        var took = Duration.ofNanos(System.nanoTime() - began);
        follower.committed();
        unflushed = true;
        if (refusing) {
            refusing = false;
            observer.writing();
        }
        commits.publish(number);
        if (!gates.isNothing()) {
            observer.gatesChanged(gates);
        }
        if (!kinds.isEmpty()) {
            observer.committed(kinds, took);
        }
        return fresh;
    }

    /// What is stored is stored, whatever those make of it who listen.
    private void tell(List<Fresh> fresh) {
        try {
            if (!fresh.isEmpty()) {
                feed.served(fresh);
            }
        } catch (RuntimeException | Error problem) {
            observer.damaged("new events could not be handed on to those who wait for them: " + problem);
        }
    }

    private void refuse(StoreFailure failure) {
        if (!refusing) {
            refusing = true;
            observer.refusing(String.valueOf(failure.getMessage()));
        }
    }

    private static StoreRefusal unwritable(StoreFailure failure) {
        return new StoreRefusal(
                new Refusal(Prefix.ERROR, "the relay cannot store anything at the moment, try again later"),
                String.valueOf(failure.getMessage()),
                failure);
    }

    private Throwable translate(Throwable problem) {
        if (!(problem instanceof StoreDamage)) {
            return problem;
        }
        observer.damaged(String.valueOf(problem.getMessage()));
        return new StoreRefusal(
                new Refusal(Prefix.ERROR, "the relay's store is damaged here, its operator has been told"),
                String.valueOf(problem.getMessage()),
                problem);
    }

    /// Carries out what waits, then ends.
    @Override
    public void close() {
        queue.close();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException _) {
                interrupted = true; // what was acknowledged must be written first
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
