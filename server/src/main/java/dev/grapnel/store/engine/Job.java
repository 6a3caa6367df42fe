package dev.grapnel.store.engine;

import dev.grapnel.store.StoreTransaction;
import dev.grapnel.store.StoreWork;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// A transaction on its way, and who waits for it. Touched by the writer only, once it is in the queue.
final class Job<T extends @Nullable Object> {
    private final StoreWork<T> work;
    private final int bytes;
    private final CompletableFuture<T> outcome;
    private @Nullable Runnable completion;

    Job(StoreWork<T> work, int bytes) {
        this(work, bytes, new CompletableFuture<>());
    }

    Job(StoreWork<T> work, int bytes, CompletableFuture<T> outcome) {
        this.work = work;
        this.bytes = bytes;
        this.outcome = outcome;
    }

    int bytes() {
        return bytes;
    }

    CompletableFuture<T> outcome() {
        return outcome;
    }

    /// Does the work and remembers the result; nobody hears of it before [#complete].
    void run(StoreTransaction transaction) {
        var result = work.run(transaction);
        completion = () -> outcome.complete(result);
    }

    /// Tells who waits: the work is durable.
    void complete() {
        if (completion == null) {
            throw new IllegalStateException("this job has not run");
        }
        completion.run();
    }

    /// Tells who waits: nothing has changed.
    void fail(Throwable reason) {
        outcome.completeExceptionally(reason);
    }
}
