package dev.grapnel.bench.sync;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.store.ItemsOutcome;
import dev.grapnel.sync.world.Archive;
import java.util.List;
import java.util.function.Consumer;

/// A store in which every owner has a state, nothing is known by its id, and nothing is ever read.
final class OwnStates implements Archive {
    @Override
    public Standing standing(EventId id) {
        return Standing.UNKNOWN;
    }

    @Override
    public void items(Filter filter, int itemsMax, Consumer<ItemsOutcome> answer) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isAnnounced(RepositoryAddress repository) {
        return false;
    }

    @Override
    public long commitNumber() {
        return 0;
    }

    @Override
    public Runnable follow(long after, Follower follower) {
        return () -> {};
    }

    @Override
    public void scan(List<Integer> kinds, int sliceMax, Slices slices) {
        slices.done();
    }

    @Override
    public void scanTagged(char letter, List<String> values, int sliceMax, Slices slices) {
        slices.done();
    }

    @Override
    public List<StateAuthor> stateAuthors(RepositoryAddress repository) {
        return List.of(new StateAuthor("30618:" + repository.owner() + ":" + repository.identifier()));
    }
}
