package dev.grapnel.nostr.event;

/// Outcome of reading an event: closed, so that every reader has an answer for each case.
public sealed interface ParsedEvent {
    /// Well-formed, within the limits, and its id is its hash. The signature has not been looked at.
    record Valid(Event event) implements ParsedEvent {}

    /// An object that names an id, but is no valid event. The id is echoed exactly as it was sent: 64 hex
    /// digits of any case, so that clients can tell which of their events is meant.
    record Defective(String claimedId, EventDefect defect) implements ParsedEvent {}

    /// An object that is no valid event and does not name a usable id either.
    record Nameless(EventDefect defect) implements ParsedEvent {}

    /// Not JSON, or `id` given twice: nothing can be said about the text as a whole.
    record Unreadable(String reason) implements ParsedEvent {}
}
