package dev.grapnel.store;

import java.time.Duration;

/// A question being answered, block by block, newest first, ties by lower id (relay 2.6). Used by one thread at
/// a time; between two blocks it keeps no thread and no lock, and after [#pause] nothing of the store at all.
public interface EventQuery extends AutoCloseable {
    /// The commit this answer speaks of: no event with a greater number is part of it (relay 2.7).
    long commitNumber();

    /// The next block. Ends early when so many bytes are gathered or so much time has passed, to let others go
    /// on.
    QueryStep next(int bytesMax, Duration slice);

    /// Lets go of the snapshot until the next block is asked for, because that may take a while.
    void pause();

    @Override
    void close();
}
