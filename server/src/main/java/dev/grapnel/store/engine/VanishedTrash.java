package dev.grapnel.store.engine;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.store.StoreTransaction;
import dev.grapnel.store.row.RowKeys;
import dev.grapnel.store.row.Standing;
import dev.grapnel.store.row.TrashedEvent;
import dev.grapnel.store.table.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Optional;

/// After a request to vanish there is no trash (service 4.9.8): what its author had in there does not come
/// back.
final class VanishedTrash {
    private VanishedTrash() {}

    static void end(Event request, StoreTransaction transaction, Instant now) {
        var repositories = new ArrayList<Standing>();
        transaction.forEachRow(Table.REPOSITORIES, RowKeys.repositoriesOf(request.author()), row -> {
            if (row instanceof Standing standing && standing.phase() == Standing.Phase.TRASHED) {
                repositories.add(standing);
            }
        });
        repositories.forEach(standing -> transaction.put(
                Standing.offline(standing.repository(), Standing.Cause.VANISHED, now, Optional.empty())));
        if (transaction.count(Table.TRASHED_EVENTS) > 0) {
            endEvents(request, transaction);
        }
    }

    private static void endEvents(Event request, StoreTransaction transaction) {
        var keys = new ArrayList<Bytes>();
        transaction.forEachRow(Table.TRASHED_EVENTS, Bytes.EMPTY, row -> {
            var event = ((TrashedEvent) row).event();
            if (event.author().equals(request.author()) && event.createdAt() <= request.createdAt()) {
                keys.add(row.key());
            }
        });
        keys.forEach(key -> transaction.remove(Table.TRASHED_EVENTS, key));
    }
}
