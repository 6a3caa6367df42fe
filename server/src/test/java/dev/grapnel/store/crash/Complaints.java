package dev.grapnel.store.crash;

import dev.grapnel.store.engine.StoreObserver;
import java.util.function.Consumer;

/// Passes on, as one line, whatever a store wants its operator to know.
record Complaints(Consumer<String> out) implements StoreObserver {
    @Override
    public void damaged(String where) {
        out.accept("damaged: " + where);
    }

    @Override
    public void setAside(String row, String file) {
        out.accept("set aside: " + row);
    }

    @Override
    public void refusing(String reason) {
        out.accept("refusing: " + reason);
    }

    @Override
    public void writing() {
        out.accept("writing");
    }

    @Override
    public void compacted() {
        // nothing to complain about
    }

    @Override
    public void compactionFailed(String reason) {
        out.accept("not compacted: " + reason);
    }
}
