package dev.grapnel.sync.sim;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.negentropy.NegentropyItems;
import java.util.List;

/// What a relay serves.
interface Shelf {
    /// The newest that match, so many at most; `limit` of the filter does not count.
    List<Event> find(Filter filter, int most);

    /// All that match, for negentropy.
    NegentropyItems items(Filter filter);
}
