package dev.grapnel.store;

import dev.grapnel.nostr.Bytes;
import java.util.Optional;

/// Answer to a COUNT.
public sealed interface EventCount {
    /// So many.
    ///
    /// @param approximate whether counting stopped at its limit
    /// @param registers HyperLogLog of the authors
    record Counted(long count, boolean approximate, Optional<Bytes> registers) implements EventCount {}

    /// The question cost too much and is given up: `error: query took too long`.
    record TookTooLong() implements EventCount {}
}
