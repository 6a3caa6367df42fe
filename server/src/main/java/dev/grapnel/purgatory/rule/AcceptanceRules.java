package dev.grapnel.purgatory.rule;

import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.url.ServiceAddress;
import java.time.Duration;
import java.util.Set;

/// What the operator decided about events.
///
/// @param service what announcements must list
/// @param operator whose events need no relation to a repository
/// @param expiry how long something waits for its git data
/// @param privateKinds kinds that only authors and recipients may read: none are kept
public record AcceptanceRules(
        ServiceAddress service,
        PublicKey operator,
        Lists lists,
        Duration expiry,
        HeldLimits limits,
        Set<Integer> privateKinds) {
    public AcceptanceRules {
        privateKinds = Set.copyOf(privateKinds);
    }
}
