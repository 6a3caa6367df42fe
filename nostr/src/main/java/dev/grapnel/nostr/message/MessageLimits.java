package dev.grapnel.nostr.message;

import dev.grapnel.nostr.event.EventLimits;
import dev.grapnel.nostr.filter.FilterLimits;

/// How large a message and its parts may be.
///
/// @param subscriptionIdMax characters of a subscription id
/// @param negentropy whether NIP-77 is offered; if not, its commands are answered so that clients fall back at once
public record MessageLimits(EventLimits event, FilterLimits filter, int subscriptionIdMax, boolean negentropy) {
    /// What a Grapnel relay enforces unless told otherwise.
    public static final MessageLimits DEFAULTS =
            new MessageLimits(EventLimits.DEFAULTS, FilterLimits.DEFAULTS, SubscriptionId.LENGTH_MAX, true);

    /// @throws IllegalArgumentException naming the limit that cannot be
    public MessageLimits {
        if (subscriptionIdMax < 1 || subscriptionIdMax > SubscriptionId.ECHO_MAX / 4) {
            // A character takes up to four bytes, and what may be opened must be named in answers.
            throw new IllegalArgumentException("max-subid-length must be 1 to " + SubscriptionId.ECHO_MAX / 4);
        }
    }
}
