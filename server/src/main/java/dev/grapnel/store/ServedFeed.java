package dev.grapnel.store;

import dev.grapnel.nostr.event.Event;
import java.util.List;

/// Hears of every event that becomes visible, in commit order, after those were told who brought it. Called by
/// the writer, which waits for it meanwhile.
@FunctionalInterface
public interface ServedFeed {
    /// For a store that nobody listens to.
    ServedFeed NONE = _ -> {};

    /// These events are visible now.
    void served(List<Fresh> events);

    /// An event that has just become visible.
    ///
    /// @param number its commit number
    record Fresh(long number, Event event) {}
}
