package dev.grapnel.store;

import java.time.Duration;

/// Follows the commit order from a number on. What was served and removed again between two looks, or expired,
/// shows only as removed. Used by one thread at a time.
public interface Tail {
    /// The next changes, in commit order: removals of a number before the event of that number. Waits for the
    /// first one up to the given time; then the list is empty.
    TailStep next(int changesMax, Duration wait) throws InterruptedException;

    /// The last number that was handed out completely.
    long position();
}
