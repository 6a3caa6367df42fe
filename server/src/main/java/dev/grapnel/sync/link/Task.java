package dev.grapnel.sync.link;

import dev.grapnel.sync.link.Asking.End;
import dev.grapnel.sync.link.Ledger.Use;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// One thing to ask for, as often as it takes.
abstract sealed class Task permits PageWalk, GroupedCatchUp, Reconciliation, IdFetch {
    private final HistoricWork work;
    private final Batch batch;
    private boolean isSentAgain;
    private boolean isAuthenticated;
    private boolean isHalved;
    private boolean isRefused;
    private int silences;

    Task(HistoricWork work, Batch batch) {
        this.work = work;
        this.batch = batch;
    }

    final HistoricWork work() {
        return work;
    }

    final Batch batch() {
        return batch;
    }

    /// Which kind of slot it needs.
    Use use() {
        return Use.REQUEST;
    }

    /// Asks. A slot is free, and the pace allows it.
    abstract void begin(Wire wire);

    /// It is no longer wanted; nothing is told any more.
    abstract void abandon();

    /// The same in smaller pieces, because the relay bears no more; itself if it cannot be cut.
    abstract List<Task> cut(int width);

    /// A NOTICE refused something that was just asked (R4.21).
    ///
    /// @return whether this is meant
    abstract boolean refuseSilent(Duration within, String text);

    /// What it asks for, so that a refusal can be remembered; 0 if it is never the same again.
    abstract long fingerprint();

    /// What it has in common with others that are refused likewise.
    abstract Patience.Kind kind();

    /// What may be asked instead of it, though it is no smaller.
    Optional<Task> instead() {
        return Optional.empty();
    }

    /// Its kind is not asked for now.
    void rest() {
        setRefused();
        work.failed(this, false);
    }

    /// Nobody answers it, though others are answered: that is taken for nothing at all (R4.17).
    void assumeEmpty() {
        work.done(this);
    }

    /// Filters of its requests.
    int filterCount() {
        return 1;
    }

    /// Values of its largest filter, as far as they are ours to choose.
    int width() {
        return 0;
    }

    /// Whether it starts at once, whatever the pace (R3.15).
    boolean isUrgent() {
        return batch.purpose() == Purpose.CATCHUP;
    }

    /// It failed and waits for its time, or that has come.
    void setAside(boolean isAside) {}

    /// Whether nothing is left to ask for, so that it is over as soon as it begins.
    boolean isVoid() {
        return false;
    }

    // ---- what went wrong before

    /// Whether this is the first time; from then on it is not.
    final boolean mayBeSentAgain() {
        boolean may = !isSentAgain;
        isSentAgain = true;
        return may;
    }

    final boolean mayAuthenticate() {
        boolean may = !isAuthenticated;
        isAuthenticated = true;
        return may;
    }

    final boolean mayBeHalved() {
        boolean may = !isHalved;
        isHalved = true;
        return may;
    }

    final void setRefused() {
        isRefused = true;
    }

    final boolean isRefused() {
        return isRefused;
    }

    /// So often nothing at all came.
    final int countSilence() {
        return ++silences;
    }

    /// The usual answers to an end that is none (R4.17, R4.20).
    final void fail(End end) {
        switch (end) {
            case End.Closed(var text) -> work.refusals().refused(this, text, false);
            case End.Silent _ -> work.silences().silent(this);
            case End.Complete _ -> throw new IllegalStateException("what is complete has not failed");
        }
    }
}
