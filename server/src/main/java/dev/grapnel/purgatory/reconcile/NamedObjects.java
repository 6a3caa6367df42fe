package dev.grapnel.purgatory.reconcile;

import dev.grapnel.git.maintenance.KeepRoots;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.nostr.repository.RepositoryState;
import dev.grapnel.purgatory.pool.Pools;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.StoreView;
import dev.grapnel.store.row.RowKeys;
import dev.grapnel.store.row.TrashRecord;
import dev.grapnel.store.table.Table;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// Objects that events and trash records of a repository name: they stay although no ref reaches them (service
/// 7.5).
public final class NamedObjects implements KeepRoots {
    private final EventStore store;
    private final Pools pools;

    public NamedObjects(EventStore store, Pools pools) {
        this.store = store;
        this.pools = pools;
    }

    @Override
    public Collection<Oid> of(RepositoryAddress repository) {
        return store.read(view -> {
            var objects = new HashSet<Oid>();
            addStates(repository, view, objects);
            addProposals(repository, view, objects);
            view.forEachRow(Table.TRASH, RowKeys.trashOf(repository), row -> {
                var record = (TrashRecord) row;
                objects.addAll(record.refs().values());
                objects.addAll(record.alsoKept());
            });
            return objects;
        });
    }

    /// A(O,d) may fall back to an older state, and whoever was removed may be confirmed again.
    private void addStates(RepositoryAddress repository, StoreView view, Set<Oid> objects) {
        var situation = Situation.read(repository.identifier(), view, pools);
        Stream.concat(situation.served().stream(), situation.held().stream())
                .filter(state -> isHeard(state.author(), situation))
                .map(RepositoryState::refs)
                .forEach(refs -> objects.addAll(refs.values()));
    }

    private static boolean isHeard(PublicKey author, Situation situation) {
        return situation.pool().findAnnounced(author).isPresent();
    }

    private void addProposals(RepositoryAddress repository, StoreView view, Set<Oid> objects) {
        var pool = pools.seenBy(view, repository.identifier());
        Stream.of(ProposalScene.held(pool, view, pools), ProposalScene.served(List.of(repository.owner()), pool, view))
                .flatMap(scene -> scene.candidates().stream())
                .flatMap(candidate -> candidate.proposal().tip().stream())
                .forEach(objects::add);
    }
}
