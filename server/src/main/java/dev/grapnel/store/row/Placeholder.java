package dev.grapnel.store.row;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.store.table.Table;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// A commit that was pushed to `refs/nostr/<id>` before the event with that id came (purgatory 1.4). Always
/// direct.
///
/// @param id the event that is waited for
/// @param commit the commit that was pushed
/// @param heldSince when the first push began
/// @param pushedTo every push of it, one at least
public record Placeholder(EventId id, Oid commit, Instant heldSince, Instant expiresAt, List<Upload> pushedTo)
        implements Row {
    /// @throws IllegalArgumentException if nothing was pushed, or the uploads contradict each other
    public Placeholder {
        heldSince = Millis.of(heldSince);
        expiresAt = Millis.of(expiresAt);
        pushedTo = Upload.checked(pushedTo);
        if (pushedTo.isEmpty()) {
            throw new IllegalArgumentException("a placeholder stands for at least one push");
        }
    }

    /// Whether no upload is complete yet: then it matches no event and counts for limits only (P-240).
    public boolean isReceiving() {
        return pushedTo.stream().allMatch(Upload::receiving);
    }

    /// Submitter and identifier of the contributor endpoint it was pushed to.
    public Optional<RepositoryAddress> prsScope() {
        return Upload.findScope(pushedTo);
    }

    /// The same with another deadline.
    public Placeholder withExpiry(Instant time) {
        return new Placeholder(id, commit, heldSince, time, pushedTo);
    }

    /// The same with other uploads.
    public Placeholder withPushedTo(List<Upload> uploads) {
        return new Placeholder(id, commit, heldSince, expiresAt, uploads);
    }

    @Override
    public Table table() {
        return Table.PLACEHOLDERS;
    }

    @Override
    public Bytes key() {
        return RowKeys.event(id);
    }
}
