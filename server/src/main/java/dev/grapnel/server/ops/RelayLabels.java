package dev.grapnel.server.ops;

import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.sync.SyncPicture;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Names for relays in metrics (sync 9.1): strangers name relays, so only so many have one, and all others share one.
/// Names are given on the loop of sync and read by anybody.
final class RelayLabels {
    static final String OTHER = "other";
    static final int NAMES_MAX = 1_000;

    private final Map<RemoteUrl, String> names = new ConcurrentHashMap<>();

    /// The name of a relay, which gets one if there is room.
    String give(RemoteUrl relay) {
        var known = names.get(relay);
        if (known != null) {
            return known;
        }
        if (names.size() >= NAMES_MAX) {
            return OTHER;
        }
        var name = SyncPicture.nameOf(relay);
        names.put(relay, name);
        return name;
    }

    /// The relay is gone, and its name with it.
    ///
    /// @return the name, if it had one that no other has
    Optional<String> take(RemoteUrl relay) {
        var name = names.remove(relay);
        return name == null || names.containsValue(name) ? Optional.empty() : Optional.of(name);
    }

    /// How a relay is to be shown. Empty for one that is gone: while there is room, everybody who is there has a name.
    Optional<String> find(RemoteUrl relay) {
        var name = names.get(relay);
        if (name != null) {
            return Optional.of(name);
        }
        return names.size() >= NAMES_MAX ? Optional.of(OTHER) : Optional.empty();
    }
}
