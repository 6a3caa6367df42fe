package dev.grapnel.purgatory.pool;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.rule.Expiration;
import dev.grapnel.store.row.HeldProposal;
import dev.grapnel.store.row.Source;
import dev.grapnel.store.row.Terms;
import java.util.List;
import java.util.Optional;

/// A pull request or an update of one in purgatory.
///
/// @param identifiers of the repositories it names itself
/// @param deadline a moment of the [Timeline]
/// @param expiry the second from which on it is not wanted (NIP-40)
public record WaitingProposal(
        EventId id, PublicKey author, List<Identifier> identifiers, Source source, long deadline, long expiry) {
    public WaitingProposal {
        identifiers = List.copyOf(identifiers);
    }

    static WaitingProposal of(HeldProposal row, Timeline time) {
        return new WaitingProposal(
                row.event().id(),
                row.event().author(),
                row.identifiers(),
                row.source(),
                time.momentOf(row.expiresAt()),
                Expiration.of(row.event()).find().orElse(Expiration.NEVER).second());
    }

    /// On which terms it is held, with another deadline.
    public Terms terms(long otherDeadline, Timeline time) {
        return new Terms(time.wallAt(otherDeadline), source, Optional.empty());
    }

    WaitingProposal on(Terms terms, Timeline time) {
        return new WaitingProposal(id, author, identifiers, terms.source(), time.momentOf(terms.expiresAt()), expiry);
    }
}
