package dev.grapnel.purgatory;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.StoreTransaction;
import dev.grapnel.store.StoreView;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.row.Row;
import dev.grapnel.store.row.RowKeys;
import dev.grapnel.store.row.Standing;
import dev.grapnel.store.row.TrashedEvent;
import dev.grapnel.store.table.Table;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Ends what the trash keeps of one repository before its time is over, because the operator says so (service
/// 10.4).
public final class Ejection {
    private final EventStore store;
    private final RepositoryKeeper keeper;

    public Ejection(EventStore store, RepositoryKeeper keeper) {
        this.store = store;
        this.keeper = keeper;
    }

    /// What is gone for good.
    ///
    /// @param events that will not come back
    /// @param records of refs that empty states removed
    public record Ejected(int events, int records) {}

    /// Deletes data, events and records; nothing if the repository is not in the trash.
    ///
    /// @throws IOException if the data could not be deleted; then everything is as before, or can be repeated
    public Optional<Ejected> eject(RepositoryAddress address) throws IOException {
        try {
            return keeper.holding(address.identifier(), () -> {
                try {
                    return ejectHolding(address);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /// The row goes last: as long as it is there, this can be repeated.
    private Optional<Ejected> ejectHolding(RepositoryAddress address) throws IOException {
        if (!store.read(view -> isInTrash(address, view))) {
            return Optional.empty();
        }
        keeper.purge(address);
        return Optional.of(store.write(Urgency.WAITING, 0, transaction -> forget(address, transaction))
                .join());
    }

    private static boolean isInTrash(RepositoryAddress address, StoreView view) {
        return view.findRow(Table.REPOSITORIES, RowKeys.repository(address))
                .filter(row -> !((Standing) row).phase().isOnline())
                .isPresent();
    }

    private static Ejected forget(RepositoryAddress address, StoreTransaction transaction) {
        var records = new ArrayList<Row>();
        transaction.forEachRow(Table.TRASH, RowKeys.trashOf(address), records::add);
        var events = new ArrayList<Row>();
        boolean isLast = !hasOtherTrash(address, transaction);
        transaction.forEachRow(Table.TRASHED_EVENTS, RowKeys.statesOf(address.identifier()), row -> {
            if (row instanceof TrashedEvent trashed && (isLast || isOnlyFor(address, trashed))) {
                events.add(row);
            }
        });
        removeAll(records, transaction);
        removeAll(events, transaction);
        transaction.remove(Table.REPOSITORIES, RowKeys.repository(address));
        return new Ejected(events.size(), records.size());
    }

    private static void removeAll(List<Row> rows, StoreTransaction transaction) {
        rows.forEach(row -> transaction.remove(row.table(), row.key()));
    }

    /// What another repository in the trash could bring back stays for that.
    private static boolean isOnlyFor(RepositoryAddress address, TrashedEvent trashed) {
        return trashed.event().kind() == Kinds.STATE
                ? trashed.event().author().equals(address.owner())
                : Targets.named(trashed.event()).stream().allMatch(address::equals);
    }

    private static boolean hasOtherTrash(RepositoryAddress address, StoreTransaction view) {
        var others = new ArrayList<Row>();
        view.forEachRow(Table.REPOSITORIES, Bytes.EMPTY, row -> {
            if (row instanceof Standing standing
                    && !standing.phase().isOnline()
                    && standing.repository().identifier().equals(address.identifier())
                    && !standing.repository().equals(address)) {
                others.add(row);
            }
        });
        return !others.isEmpty();
    }
}
