package dev.grapnel.nostr.message;

import dev.grapnel.nostr.event.EventDefect;
import java.util.Optional;

/// Outcome of reading what another relay sent.
public sealed interface ParsedRelayMessage {
    /// A message.
    record Read(RelayMessage message) implements ParsedRelayMessage {}

    /// A delivery of something that is no valid event; the id it claims, 64 hex digits of any case, is there if it
    /// has one, so that whoever asked for that event knows.
    record BadEvent(SubscriptionId id, Optional<String> claimedId, EventDefect defect) implements ParsedRelayMessage {}

    /// A well-formed message of a kind we do not know; harmless.
    record Unknown() implements ParsedRelayMessage {}

    /// Not JSON, or not the form of its command.
    record Malformed(String reason) implements ParsedRelayMessage {}
}
