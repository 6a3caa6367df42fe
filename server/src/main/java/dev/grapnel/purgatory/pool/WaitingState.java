package dev.grapnel.purgatory.pool;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Version;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.RepositoryState;
import dev.grapnel.nostr.rule.Expiration;
import dev.grapnel.store.row.HeldState;
import dev.grapnel.store.row.Source;
import dev.grapnel.store.row.Terms;
import java.util.Optional;

/// A state in purgatory.
///
/// @param isEmpty whether it wants no branch and no tag
/// @param deadline a moment of the [Timeline]
/// @param expiry the second from which on it authorises nothing (NIP-40)
public record WaitingState(
        Version version, PublicKey author, boolean isEmpty, Source source, long deadline, long expiry) {
    static WaitingState of(HeldState row, Timeline time) {
        boolean isEmpty = RepositoryState.parse(row.event())
                .find()
                .map(RepositoryState::isEmpty)
                .orElse(false);
        return new WaitingState(
                row.event().version(),
                row.event().author(),
                isEmpty,
                row.source(),
                time.momentOf(row.expiresAt()),
                Expiration.of(row.event()).find().orElse(Expiration.NEVER).second());
    }

    WaitingState on(Terms terms, Timeline time) {
        return new WaitingState(version, author, isEmpty, terms.source(), time.momentOf(terms.expiresAt()), expiry);
    }

    public EventId id() {
        return version.id();
    }

    /// On which terms it is held, with another deadline.
    public Terms terms(long otherDeadline, Timeline time) {
        return new Terms(time.wallAt(otherDeadline), source, Optional.empty());
    }
}
