package dev.grapnel.purgatory.hunt;

import dev.grapnel.nostr.url.Host;

/// A URL that may be fetched from.
///
/// @param text normalised: two URLs are one if this is equal (P-623)
/// @param domain whose patience it costs (P-624)
public record HuntUrl(String text, Host domain) {
    /// Where its connection leads.
    public Site site() {
        return Site.find(text).orElseGet(() -> Site.secure(domain));
    }

    @Override
    public String toString() {
        return text;
    }
}
