package dev.grapnel.store;

import java.util.List;

/// One block of an answer.
public sealed interface QueryStep {
    /// The events of this block, in order.
    List<StoredEvent> events();

    /// There may be more.
    record More(List<StoredEvent> events) implements QueryStep {}

    /// The last block.
    ///
    /// @param exhausted whether everything that matches was sent; false if a limit was reached and something
    ///     may have been cut off
    record Done(List<StoredEvent> events, boolean exhausted) implements QueryStep {}

    /// The question cost too much and is given up: `error: query took too long`.
    record TookTooLong(List<StoredEvent> events) implements QueryStep {}
}
