package dev.grapnel.purgatory.reconcile;

import dev.grapnel.git.repository.RepositoryLease;
import dev.grapnel.nostr.repository.RepositoryState;
import dev.grapnel.purgatory.pool.Timeline;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.StoreTransaction;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.row.RowKeys;
import dev.grapnel.store.row.TrashRecord;
import dev.grapnel.store.table.Table;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Remembers what empty states take away (P-527), so that it can be brought back for a while.
public final class TrashRecords {
    private static final Logger LOG = LoggerFactory.getLogger(TrashRecords.class);

    /// The oldest is merged into its successor when there are more.
    private static final int RECORDS_MAX = 16;

    private final EventStore store;
    private final Timeline time;
    private final Duration retention;

    public TrashRecords(EventStore store, Timeline time, Duration retention) {
        this.store = store;
        this.time = time;
        this.retention = retention;
    }

    /// Writes down what an empty state is about to remove; durable when it returns. A record that says it already
    /// stays: a kill came between it and the refs (K18).
    void keep(RepositoryLease repository, RepositoryState winner, Alignment alignment) throws IOException {
        var removed = alignment.removed();
        if (!winner.isEmpty() || removed.isEmpty()) {
            return;
        }
        var now = time.wall();
        var record = new TrashRecord(
                repository.address(),
                winner.event().id(),
                removed,
                Optional.of(repository.refs().current().head()),
                new TreeSet<>(),
                now,
                now.plus(retention));
        try {
            store.write(Urgency.WAITING, 0, transaction -> put(record, transaction))
                    .join();
        } catch (CompletionException e) {
            throw new IOException("what the empty state takes away could not be written down", e.getCause());
        }
        LOG.warn(
                "refs.emptied owner={} identifier={} state={} refs={} until={}",
                record.repository().owner(),
                record.repository().identifier(),
                record.stateId(),
                removed.size(),
                record.until());
    }

    private static boolean put(TrashRecord record, StoreTransaction transaction) {
        var before = transaction.findRow(Table.TRASH, record.key()).map(row -> (TrashRecord) row);
        if (before.isPresent()) {
            boolean isNew = !before.get().keeps(record.refs().values());
            if (isNew) {
                transaction.put(record.absorb(before.get()));
            }
            return isNew;
        }
        var others = new ArrayList<TrashRecord>();
        transaction.forEachRow(Table.TRASH, RowKeys.trashOf(record.repository()), row -> others.add((TrashRecord) row));
        others.sort(Comparator.comparing(TrashRecord::removedAt));
        others.add(record);
        while (others.size() > RECORDS_MAX) {
            var oldest = others.removeFirst();
            others.set(0, others.getFirst().absorb(oldest));
            transaction.remove(Table.TRASH, oldest.key());
            transaction.put(others.getFirst());
        }
        transaction.put(others.getLast());
        return true;
    }
}
