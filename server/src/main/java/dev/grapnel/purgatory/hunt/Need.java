package dev.grapnel.purgatory.hunt;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.store.row.Source;
import java.util.List;

/// An event that lacks objects.
///
/// @param author who signed it: turns go round among authors, whatever number of events one has
/// @param isServed whether it is served and its data was lost or never copied
/// @param source where a held one came from; of no meaning for a served one
/// @param isOverdue whether its deadline has passed: nothing is fetched for its sake alone (P-667)
/// @param tips what it lacks, the branch of HEAD first
/// @param cloneUrls where it may be, as published, in the order of P-620
public record Need(
        EventId event,
        PublicKey author,
        boolean isServed,
        Source source,
        boolean isOverdue,
        List<Tip> tips,
        List<String> cloneUrls) {
    /// An object that is missing.
    ///
    /// @param isHead whether HEAD's branch has it
    /// @param refs the refs that shall have it; none for a proposal
    public record Tip(Oid oid, boolean isHead, List<RefName> refs) {
        public Tip {
            refs = List.copyOf(refs);
        }
    }

    public Need {
        tips = List.copyOf(tips);
        cloneUrls = List.copyOf(cloneUrls);
    }
}
