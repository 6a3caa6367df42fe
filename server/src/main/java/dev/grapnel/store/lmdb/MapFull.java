package dev.grapnel.store.lmdb;

import dev.grapnel.store.table.StoreFailure;

/// One transaction needed more room than the map had left. It is undone and the map is larger now: the same
/// changes succeed in a new transaction, perhaps after a few such failures.
public final class MapFull extends StoreFailure {
    private static final long serialVersionUID = 1;

    MapFull() {
        super("the changes of one transaction did not fit into the map of the store; it was enlarged, try again");
    }

    @Override
    public boolean mayRepeat() {
        return true;
    }
}
