package dev.grapnel.nostr.message;

import dev.grapnel.nostr.event.EventDefect;

/// Outcome of reading what another relay sent.
public sealed interface ParsedRelayMessage {
    /// A message.
    record Read(RelayMessage message) implements ParsedRelayMessage {}

    /// A delivery of something that is no valid event.
    record BadEvent(SubscriptionId id, EventDefect defect) implements ParsedRelayMessage {}

    /// A well-formed message of a kind we do not know; harmless.
    record Unknown() implements ParsedRelayMessage {}

    /// Not JSON, or not the form of its command.
    record Malformed(String reason) implements ParsedRelayMessage {}
}
