package dev.grapnel.sync.world;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.nostr.message.SubscriptionId;

/// What came over a connection, taken apart before it reaches the loop.
public sealed interface Heard {
    /// How long the message was, as it came.
    int bytes();

    /// An event whose form and hash are right. Its signature was not looked at.
    ///
    /// @param decided to be run once, when it has an outcome: until then it counts against what a connection may
    /// have
    ///     undecided (R4.26), and beyond that nothing more is read
    record Delivered(SubscriptionId id, Event event, int bytes, Runnable decided) implements Heard {}

    /// Any message but `EVENT`.
    record Said(RelayMessage message, int bytes) implements Heard {}

    /// A message nobody can do anything with; harmless.
    ///
    /// @param reason a fixed word, for metrics: `unknown` for a type nobody knows, `large_event` for an event
    ///     larger than we take
    record Unknown(String reason, int bytes) implements Heard {}

    /// Something that is no message, or no event with the id it claims (R4.24).
    ///
    /// @param reason a fixed word, for metrics: `json`, `utf8`, `size`, `binary`, `event`, `hash`
    record Junk(String reason, int bytes) implements Heard {}
}
