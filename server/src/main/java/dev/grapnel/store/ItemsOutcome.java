package dev.grapnel.store;

import dev.grapnel.nostr.negentropy.NegentropyItems;

/// The set a negentropy session works on.
public sealed interface ItemsOutcome {
    /// The set, frozen.
    record Items(NegentropyItems items) implements ItemsOutcome {}

    /// More than the limit.
    record TooMany(int itemsMax) implements ItemsOutcome {}
}
