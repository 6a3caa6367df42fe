package dev.grapnel.store.engine;

import java.time.Duration;
import java.util.List;

/// Keeps what an observer throws from those who tell it something: the writer must go on. It goes where
/// uncaught exceptions go.
record GuardedObserver(StoreObserver observer) implements StoreObserver {
    @Override
    public void damaged(String where) {
        tell(() -> observer.damaged(where));
    }

    @Override
    public void setAside(String row, String file) {
        tell(() -> observer.setAside(row, file));
    }

    @Override
    public void refusing(String reason) {
        tell(() -> observer.refusing(reason));
    }

    @Override
    public void writing() {
        tell(observer::writing);
    }

    @Override
    public void compacted() {
        tell(observer::compacted);
    }

    @Override
    public void compactionFailed(String reason) {
        tell(() -> observer.compactionFailed(reason));
    }

    @Override
    public void gatesChanged(GateTally tally) {
        tell(() -> observer.gatesChanged(tally));
    }

    @Override
    public void committed(List<TransactionKind> kinds, Duration took) {
        tell(() -> observer.committed(kinds, took));
    }

    @Override
    public void ageingBegun() {
        tell(observer::ageingBegun);
    }

    @Override
    public void requestsAged(RequestTally tally) {
        tell(() -> observer.requestsAged(tally));
    }

    @Override
    public void ageingFailed(String reason) {
        tell(() -> observer.ageingFailed(reason));
    }

    private static void tell(Runnable telling) {
        try {
            telling.run();
        } catch (RuntimeException | Error problem) { // as one of a listener is no concern of the store either
            var thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, problem);
        }
    }
}
