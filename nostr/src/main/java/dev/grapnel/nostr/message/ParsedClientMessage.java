package dev.grapnel.nostr.message;

/// Outcome of reading what a client sent.
public sealed interface ParsedClientMessage {
    /// A message.
    record Read(ClientMessage message) implements ParsedClientMessage {}

    /// Nothing that needs an answer or an act: white space, or a CLOSE of something that cannot be open.
    record Nothing() implements ParsedClientMessage {}

    /// Malformed; this is the answer (relay 1.5, 2.3). A CLOSED or NEG-ERR names the id the message would
    /// have opened: what is open under it ends all the same (relay 2.5).
    record Refused(RelayMessage reply) implements ParsedClientMessage {}
}
