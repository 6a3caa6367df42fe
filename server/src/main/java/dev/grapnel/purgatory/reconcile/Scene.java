package dev.grapnel.purgatory.reconcile;

import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.purgatory.pool.Pools;
import dev.grapnel.store.StoreView;
import dev.grapnel.store.row.Repair;
import dev.grapnel.store.row.RowKeys;
import dev.grapnel.store.table.Table;
import java.util.Map;
import java.util.TreeMap;

/// What a run begins with.
///
/// @param repairs repositories that may not be what they should, by owner (P-541)
/// @param held proposals that wait
record Scene(Situation situation, Map<PublicKey, Repair> repairs, ProposalScene held) {
    Scene {
        repairs = Map.copyOf(repairs);
    }

    static Scene read(Identifier identifier, StoreView view, Pools pools, StagedObjects staged) {
        var situation = Situation.read(identifier, view, pools);
        var repairs = new TreeMap<PublicKey, Repair>();
        if (view.count(Table.REPAIRS) > 0) {
            for (var entry : situation.pool().announced()) {
                var key = RowKeys.repository(new RepositoryAddress(entry.author(), identifier));
                view.findRow(Table.REPAIRS, key).ifPresent(row -> repairs.put(entry.author(), (Repair) row));
            }
        }
        return new Scene(situation, repairs, ProposalScene.held(situation.pool(), view, pools, staged));
    }
}
