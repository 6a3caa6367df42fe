package dev.grapnel.store;

import dev.grapnel.nostr.filter.Filter;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/// One durable store for everything Grapnel knows. All methods may be called from any thread.
///
/// Served events have commit numbers, strictly increasing in the order in which they became visible; removals
/// that come with no event take one as well. Nothing that is held is seen by [#query], [#count], [#items] or
/// [#tail].
public interface EventStore extends AutoCloseable {
    /// Runs a transaction on the writer. The future completes when its effects are durable and visible, or
    /// fails with [StoreRefusal] if nothing was changed. Transactions take effect in the order in which they
    /// were given; those that wait together share one flush.
    ///
    /// With [Urgency#REFUSABLE] a full queue fails the future at once; otherwise the caller waits for room.
    ///
    /// Not to be called from inside a work, which would wait for itself.
    ///
    /// @param bytes about how much memory the work keeps while it waits
    default <T> CompletableFuture<T> write(Urgency urgency, int bytes, StoreWork<T> work) {
        var outcome = new CompletableFuture<T>();
        write(urgency, bytes, work, outcome);
        return outcome;
    }

    /// The same with a future of the caller's: what follows it is told before those who listen to the store hear
    /// of its events.
    <T> void write(Urgency urgency, int bytes, StoreWork<T> work, CompletableFuture<T> outcome);

    /// Reads one consistent state. The function must be quick, wait for nothing and not keep the view; it may
    /// be run again.
    <T> T read(Function<StoreView, T> reading);

    /// Begins to answer filters (relay 2.6).
    EventQuery query(QueryRequest request);

    /// Counts what matches any of the filters (relay 5.3).
    EventCount count(CountRequest request);

    /// Everything a filter matches as the vector negentropy works on (relay 5.6).
    ItemsOutcome items(Filter filter, Viewer viewer, int itemsMax);

    /// Follows the changes after a commit number; 0 is the beginning.
    Tail tail(long after);

    /// Number of the last commit that is visible.
    long commitNumber();

    /// Which history it has.
    Lineage lineage();

    /// Waits for what was given to [#write], makes it durable and lets go of all files.
    @Override
    void close();
}
