package dev.grapnel.store.table;

/// A snapshot was held so long that the engine took it back. Nothing is wrong with the data: read again from a new one.
public final class SnapshotEnded extends RuntimeException {
    private static final long serialVersionUID = 1;

    public SnapshotEnded() {
        super("this snapshot was held too long");
    }
}
