package dev.grapnel.store.row;

import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Oid;
import java.util.List;
import java.util.Optional;

/// What is kept about an expired state or proposal so that data which comes late is noticed (P-123).
///
/// @param createdAt the event's own date, Unix seconds
/// @param missing objects that were missing, the branch of HEAD first
/// @param cloneUrls where to look, in the order of P-620
/// @param relay where the event came from, if it was synced
public record Dormant(
        List<Identifier> identifiers,
        PublicKey author,
        long createdAt,
        List<Oid> missing,
        List<String> cloneUrls,
        Optional<String> relay) {
    /// Most objects one record names.
    public static final int MISSING_MAX = 64;

    /// Most places one record names.
    public static final int CLONE_URLS_MAX = 8;

    /// @throws IllegalArgumentException if it names more than it may
    public Dormant {
        Checks.notNegative("created_at", createdAt);
        identifiers = List.copyOf(identifiers);
        missing = Checks.most("missing objects", missing, MISSING_MAX);
        cloneUrls = Checks.most("clone URLs", cloneUrls, CLONE_URLS_MAX);
        cloneUrls.forEach(url -> Checks.text("a clone URL", url));
        relay.ifPresent(url -> Checks.text("the relay", url));
    }
}
