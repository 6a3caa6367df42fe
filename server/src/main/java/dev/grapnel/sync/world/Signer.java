package dev.grapnel.sync.world;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.outbound.RemoteUrl;

/// Signs with the operator's key (R4.22).
@FunctionalInterface
public interface Signer {
    /// The answer to a challenge, kind 22242.
    Event authenticate(RemoteUrl relay, String challenge);
}
