package dev.grapnel.purgatory.reconcile;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.store.row.Source;
import java.util.List;

/// An event whose git data is not all here (P-610).
///
/// @param author who signed it: places are shared among authors, whatever number of events one has
/// @param isServed whether it is served: then its data was lost, or never came to a repository that needs it
/// @param source where a held one came from
/// @param isOverdue whether it has waited long enough (P-667)
/// @param missing what is not here, the branch of HEAD first
/// @param cloneUrls where it may be, as published (P-620)
public record Lack(
        EventId event,
        PublicKey author,
        boolean isServed,
        Source source,
        boolean isOverdue,
        List<Missing> missing,
        List<String> cloneUrls) {
    /// An object that is not here with all it reaches.
    ///
    /// @param isHead whether it is the branch of HEAD
    /// @param refs refs that name it; none for a proposal
    public record Missing(Oid id, boolean isHead, List<RefName> refs) {
        public Missing {
            refs = List.copyOf(refs);
        }
    }

    public Lack {
        missing = List.copyOf(missing);
        cloneUrls = List.copyOf(cloneUrls);
    }
}
