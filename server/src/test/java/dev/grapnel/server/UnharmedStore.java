package dev.grapnel.server;

import dev.grapnel.store.engine.StoreObserver;

/// Nothing is damaged.
final class UnharmedStore implements StoreObserver {
    @Override
    public void damaged(String where) {
        throw new AssertionError(where);
    }

    @Override
    public void setAside(String row, String file) {
        throw new AssertionError(row);
    }

    @Override
    public void refusing(String reason) {
        throw new AssertionError(reason);
    }

    @Override
    public void writing() {
        // never after a refusal
    }
}
