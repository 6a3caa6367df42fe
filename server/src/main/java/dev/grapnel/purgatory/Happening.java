package dev.grapnel.purgatory;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.store.row.Dormant;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.Placeholder;
import dev.grapnel.store.row.Standing;

/// Something that has happened in purgatory, for those who count and for the log.
public sealed interface Happening {
    /// An event is held from now on.
    record NowHeld(Held row) implements Happening {}

    /// A held event is served from now on.
    ///
    /// @param path what let it go
    record Released(Held row, ReleasePath path) implements Happening {}

    /// A held event is gone.
    record Dropped(Held row, DropReason reason) implements Happening {}

    /// Nobody published the event in time that something was pushed for.
    record UploadExpired(Placeholder row) implements Happening {}

    /// The event has come that something was pushed for, with another commit.
    ///
    /// @param commit what it names
    record Mismatched(Placeholder row, String commit) implements Happening {}

    /// Uploads that had not ended when the server did.
    record UploadsForgotten(int count) implements Happening {}

    /// A held announcement has lost its repository and is only remembered.
    record SoftExpired(RepositoryAddress repository) implements Happening {}

    /// It has its repository again.
    record Revived(RepositoryAddress repository, String cause) implements Happening {}

    /// It is kept what an event lacked whose time was over (P-123).
    record Recorded(EventId event, Dormant record) implements Happening {}

    /// A repository went offline.
    record Offline(Standing standing) implements Happening {}

    /// A repository came back with what it had.
    record Restored(RepositoryAddress repository) implements Happening {}
}
