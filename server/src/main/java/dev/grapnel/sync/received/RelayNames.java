package dev.grapnel.sync.received;

import dev.grapnel.outbound.RemoteUrl;
import java.util.OptionalInt;

/// Relays by their ordinals. On the loop.
public interface RelayNames {
    /// The address of a relay.
    RemoteUrl url(int relay);

    /// The ordinal of an address, if it was met since the start.
    OptionalInt find(RemoteUrl url);

    /// Whether the operator named it as the place to begin: then it may bring any number of announcements (R7.14a).
    boolean isBootstrap(int relay);
}
