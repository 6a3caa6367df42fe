package dev.grapnel.sync;

import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.sync.index.WantedIndex;
import dev.grapnel.sync.received.RelayNames;
import java.util.OptionalInt;
import java.util.function.IntPredicate;

/// Relays by their ordinals.
record FollowedRelays(WantedIndex index, IntPredicate bootstrap) implements RelayNames {
    @Override
    public RemoteUrl url(int relay) {
        return index.relay(relay);
    }

    @Override
    public OptionalInt find(RemoteUrl url) {
        return index.findRelay(url);
    }

    @Override
    public boolean isBootstrap(int relay) {
        return bootstrap.test(relay);
    }
}
