package dev.grapnel.purgatory;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.store.row.Placeholder;
import dev.grapnel.store.row.Row;
import dev.grapnel.store.row.Terms;

/// Something a verdict does beside its main act, in the same transaction.
public sealed interface Effect {
    /// Writes a row that holds no event.
    record Put(Row row) implements Effect {}

    /// Removes a row that holds no event.
    record Remove(Row row) implements Effect {}

    /// Lets go of what was pushed for an event that names another commit.
    record Mismatch(Placeholder row, String commit) implements Effect {}

    /// Forgets what a repository was to this server.
    record Forget(RepositoryAddress repository) implements Effect {}

    /// Holds something on other terms.
    record Amend(EventId id, Terms terms) implements Effect {}

    /// Gives an announcement whose time was over its repository back.
    record Revive(EventId id, RepositoryAddress repository, Terms terms) implements Effect {}

    /// Lets something that is held go.
    record Drop(EventId id, DropReason reason) implements Effect {}
}
