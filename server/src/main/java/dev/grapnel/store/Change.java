package dev.grapnel.store;

/// One step of the store's commit order, as [Tail] shows it.
public sealed interface Change {
    /// Its commit number; what belongs to one event shares one.
    long number();

    /// An event became visible.
    record Served(StoredEvent event) implements Change {
        @Override
        public long number() {
            return event.number();
        }
    }

    /// An event left service.
    record Removed(long number, Removal removal) implements Change {}
}
