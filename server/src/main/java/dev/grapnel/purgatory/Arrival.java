package dev.grapnel.purgatory;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.repository.RepositoryAddress;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// An event at the gate.
///
/// @param grounds repositories that were made ready for it
/// @param hasData whether its git data is here, as far as somebody has looked
public record Arrival(Event event, Origin origin, Map<RepositoryAddress, Ground> grounds, boolean hasData) {
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
        this(event, origin, Map.of(), false);
    }

    /// The same with more repositories that are ready.
    Arrival with(Map<RepositoryAddress, Ground> more) {
        var all = new TreeMap<>(grounds);
        all.putAll(more);
        return new Arrival(event, origin, all, hasData);
    }

    /// The same with its git data.
    Arrival withData() {
        return new Arrival(event, origin, grounds, true);
    }

    /// Whether another relay had it.
    public boolean isSynced() {
        return switch (origin) {
            case Origin.Direct _ -> false;
            case Origin.Synced _, Origin.Revived _ -> true;
        };
    }

    /// Which relay had it, as far as that is known.
    public Optional<String> relay() {
        return switch (origin) {
            case Origin.Direct _ -> Optional.empty();
            case Origin.Synced(var relay) -> relay;
            case Origin.Revived(var relay) -> Optional.of(relay);
        };
    }
}
