package dev.grapnel.purgatory.legacy;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.store.row.AreaName;
import dev.grapnel.store.row.Upload;

/// A push to `refs/nostr/<id>` that the existing server took in.
///
/// @param event the event that was waited for
/// @param commit what was pushed
/// @param repository where to; at the contributor endpoint the submitter and the identifier of the target
public record OldPush(EventId event, Oid commit, RepositoryAddress repository, Upload.Endpoint endpoint) {
    /// The address of the client is not in the file, so the push counts for the total quota only (P-715).
    Upload upload(AreaName area) {
        return new Upload(repository, endpoint, area, false, "");
    }
}
