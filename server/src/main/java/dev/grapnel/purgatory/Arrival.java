package dev.grapnel.purgatory;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.repository.RepositoryAddress;
import java.util.Map;
import java.util.TreeMap;

/// An event at the gate.
///
/// @param grounds repositories that were made ready for it
public record Arrival(Event event, Origin origin, Map<RepositoryAddress, Ground> grounds) {
    /// What a repository that was made ready has in it.
    public enum Ground {
        /// Nothing.
        EMPTY,
        /// What it had before it went offline.
        RESTORED
    }

    public Arrival {
        grounds = Map.copyOf(grounds);
    }

    /// Nothing was made ready.
    public Arrival(Event event, Origin origin) {
        this(event, origin, Map.of());
    }

    /// The same with more repositories that are ready.
    Arrival with(Map<RepositoryAddress, Ground> more) {
        var all = new TreeMap<>(grounds);
        all.putAll(more);
        return new Arrival(event, origin, all);
    }

    /// Whether another relay had it.
    public boolean isSynced() {
        return origin instanceof Origin.Synced;
    }
}
