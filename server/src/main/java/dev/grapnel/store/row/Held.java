package dev.grapnel.store.row;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.repository.Identifier;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// An event in purgatory: acknowledged to its sender, visible to nobody (purgatory 1). Pins are not stored:
/// no push and no fetch outlives the process.
public sealed interface Held extends Row permits HeldAnnouncement, HeldState, HeldProposal {
    /// The deadline of what waits for something else than time.
    Instant NEVER = Instant.ofEpochMilli(Long.MAX_VALUE);

    /// What is held.
    Event event();

    /// When it entered purgatory, which is not the event's own date.
    Instant heldSince();

    /// When it leaves if nothing happens.
    Instant expiresAt();

    /// Where it came from.
    Source source();

    /// The relay it came from, if it was synced and is worth fetching again (P-123).
    default Optional<String> relay() {
        return Optional.empty();
    }

    /// The identifiers it names, each once: one, or for a proposal any number.
    List<Identifier> identifiers();

    /// The same with another deadline.
    Held withExpiry(Instant time);

    /// The same, come from elsewhere.
    Held withSource(Source other);

    /// What may change about it.
    default Terms terms() {
        return new Terms(expiresAt(), source(), Optional.empty());
    }

    /// The same on other terms.
    default Held withTerms(Terms terms) {
        return withExpiry(terms.expiresAt()).withSource(terms.source());
    }
}
