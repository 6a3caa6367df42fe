package dev.grapnel.store.engine;

import dev.grapnel.store.EventStore;
import dev.grapnel.store.StoreDecision;
import dev.grapnel.store.StoreRefusal;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.table.SnapshotEnded;
import dev.grapnel.store.table.StoreDamage;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.table.TableEngine;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/// One look through all tombstones and requests, for those whose time is over (service 4.9.3).
///
/// Most rows are not due, so they are read from snapshots, a thousand at a time, while the writer does other
/// things; what is due is looked at again and settled in small transactions. However many there are, a pass
/// needs the memory of one such step. A pass that ends early has done no harm: the next begins at the
/// beginning.
final class RequestPass {
    /// Rows that are read from one snapshot.
    static final int LOOK_MAX = 1_000;

    /// Rows that are settled in one transaction, which others wait for.
    static final int DUE_MAX = 50;

    private static final int SNAPSHOTS_MAX = 3;

    private final EventStore store;
    private final TableEngine engine;
    private final StoreDecision decision;
    private final StoreObserver observer;
    private final Instant asOf;

    /// @param asOf the moment that everything is judged by, or a request could be over for one table and not
    ///             for the other
    RequestPass(EventStore store, TableEngine engine, StoreDecision decision, StoreObserver observer, Instant asOf) {
        this.store = store;
        this.engine = engine;
        this.decision = decision;
        this.observer = observer;
        this.asOf = asOf;
    }

    /// @throws StoreRefusal if the store cannot be written to
    /// @throws StoreDamage if a table cannot be read to its end
    /// @throws InterruptedException between two steps, when the thread was interrupted
    void run() throws InterruptedException {
        walk(Table.TOMBSTONES);
        walk(Table.REQUESTS);
    }

    private void walk(Table table) throws InterruptedException {
        byte @Nullable [] from = new byte[0];
        while (from != null) {
            if (Thread.interrupted()) {
                throw new InterruptedException("the pass over deletion requests was to end");
            }
            var look = look(table, from);
            look.damages().forEach(observer::ageingFailed);
            settle(table, look.due());
            from = look.next();
        }
    }

    /// What was found in one snapshot.
    ///
    /// @param due keys of rows about which something is to be done
    /// @param next where to go on; null at the end
    @SuppressWarnings("ArrayRecordComponent") // nobody compares looks
    private record Look(List<byte[]> due, List<String> damages, byte @Nullable [] next) {}

    private Look look(Table table, byte[] from) {
        for (int attempt = 1; ; attempt++) {
            try {
                return lookOnce(table, from);
            } catch (SnapshotEnded ended) {
                if (attempt == SNAPSHOTS_MAX) {
                    throw new StoreDamage("a thousand rows could not be read before the snapshot ended", ended);
                }
            }
        }
    }

    private Look lookOnce(Table table, byte[] from) {
        var due = new ArrayList<byte[]>();
        var damages = new ArrayList<String>();
        try (var snapshot = engine.pin()) {
            var view = new TableView(snapshot, decision, asOf);
            var rows = snapshot.rows(table, from);
            for (int i = 0; i < LOOK_MAX && due.size() < DUE_MAX; i++) {
                if (!rows.next()) {
                    return new Look(due, damages, null);
                }
                try {
                    if (RequestAges.isDue(table, rows.key(), rows.value(), view, snapshot, asOf)) {
                        due.add(rows.key());
                    }
                } catch (StoreDamage damage) {
                    damages.add(String.valueOf(damage.getMessage())); // the others can be judged without it
                }
            }
            return new Look(due, damages, Keys.join(rows.key(), new byte[1]));
        }
    }

    private void settle(Table table, List<byte[]> due) throws InterruptedException {
        for (int at = 0; at < due.size(); ) {
            var rest = due.subList(at, due.size());
            try {
                at += write(table, rest);
            } catch (StoreRefusal refusal) {
                if (!(refusal.getCause() instanceof StoreDamage)) {
                    throw refusal;
                }
                if (rest.size() == 1) {
                    observer.ageingFailed(String.valueOf(refusal.getMessage()));
                    return;
                }
                for (var key : rest) {
                    settle(table, List.of(key)); // one that is damaged must not keep the others
                }
                return;
            }
        }
    }

    private int write(Table table, List<byte[]> keys) throws InterruptedException {
        var written = store.write(
                Urgency.WAITING,
                0,
                transaction -> ((TableTransaction) transaction).ages().settle(table, keys, asOf));
        try {
            var settled = written.get();
            observer.requestsAged(settled.tally());
            return settled.count();
        } catch (ExecutionException e) {
            if (Thread.interrupted()) {
                throw new InterruptedException("the pass over deletion requests was to end");
            }
            if (e.getCause() instanceof StoreRefusal refusal) {
                throw refusal;
            }
            throw new IllegalStateException("a step of the pass over deletion requests failed", e.getCause());
        }
    }
}
