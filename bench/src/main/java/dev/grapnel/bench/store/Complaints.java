package dev.grapnel.bench.store;

import dev.grapnel.store.engine.StoreObserver;

/// Nothing must go wrong.
public final class Complaints implements StoreObserver {
    @Override
    public void damaged(String where) {
        throw new IllegalStateException(where);
    }

    @Override
    public void setAside(String row, String file) {
        throw new IllegalStateException(row);
    }

    @Override
    public void refusing(String reason) {
        throw new IllegalStateException(reason);
    }

    @Override
    public void writing() {
        // never after a refusal
    }
}
