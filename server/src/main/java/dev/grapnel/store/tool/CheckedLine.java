package dev.grapnel.store.tool;

import dev.grapnel.nostr.event.Event;

/// What a line turned out to be.
sealed interface CheckedLine {
    /// An event.
    ///
    /// @param proof what is known about its signature
    record Candidate(long line, Event event, Proof proof) implements CheckedLine {}

    /// None.
    record Refused(RefusedLine refused) implements CheckedLine {}

    /// What is known about a signature.
    enum Proof {
        /// It was not looked at, because an event with this id was here.
        NOT_NEEDED,
        SIGNED,
        FORGED
    }
}
