package dev.grapnel.purgatory.reconcile;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Identifier;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// What a run has done (P-514).
///
/// @param released events that are served from now on, in that order
/// @param aligned how many repositories have other refs than before
/// @param moved what moved there
/// @param unaligned owners whose repositories are not what their state says, and why
/// @param failures the same, and owners whose repositories lack refs of proposals
/// @param isOurFault whether a disk or the like is to blame for some of them
/// @param further identifiers that now have something to do
public record Report(
        List<EventId> released,
        int aligned,
        RefCounts moved,
        Map<PublicKey, String> unaligned,
        Map<PublicKey, String> failures,
        boolean isOurFault,
        Set<Identifier> further) {
    public Report {
        released = List.copyOf(released);
        unaligned = Map.copyOf(new TreeMap<>(unaligned));
        failures = Map.copyOf(new TreeMap<>(failures));
        further = Set.copyOf(further);
    }
}
