package dev.grapnel.purgatory;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.Proposal;
import dev.grapnel.nostr.repository.RepositoryState;
import dev.grapnel.purgatory.pool.Pools;
import dev.grapnel.store.StoreView;
import dev.grapnel.store.row.Dormant;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.HeldAnnouncement;
import dev.grapnel.store.row.HeldProposal;
import dev.grapnel.store.row.HeldState;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// What is kept about an event whose time was over, so that data which comes late is noticed (P-123).
final class DormantRecords {
    /// Of which our own are not kept.
    private static final int URLS_MAX = 2 * Dormant.CLONE_URLS_MAX;

    private final Pools pools;
    private final Predicate<String> isOwn;

    /// @param isOwn whether a URL leads to this service, where nothing is to be looked for
    DormantRecords(Pools pools, Predicate<String> isOwn) {
        this.pools = pools;
        this.isOwn = isOwn;
    }

    /// The record of a held event that is about to leave, if it gets one.
    Optional<Dormant> of(EventId id, StoreView view) {
        return view.findHeld(id).flatMap(row -> switch (row) {
            case HeldAnnouncement _ -> Optional.empty();
            case HeldState state -> ofState(state, view);
            case HeldProposal proposal -> ofProposal(proposal, view);
        });
    }

    /// Only the newest of its author is worth looking for, and only if it names objects that can ever be
    /// here.
    private Optional<Dormant> ofState(HeldState row, StoreView view) {
        var event = row.event();
        boolean isNewest = pools.seenBy(view, row.identifier()).statesOf(event.author()).stream()
                        .noneMatch(other -> event.isOlderThan(other.version()))
                && event.findAddress()
                        .flatMap(view::findCurrent)
                        .filter(served -> event.isOlderThan(served.version()))
                        .isEmpty();
        return RepositoryState.parse(event)
                .find()
                .filter(state -> isNewest && !state.isEmpty() && state.isSatisfiable())
                .map(state -> record(row, missing(state), cloneUrls(row.identifier(), event.author(), view)));
    }

    private Optional<Dormant> ofProposal(HeldProposal row, StoreView view) {
        return row.proposal().tip().map(tip -> record(row, List.of(tip), cloneUrls(row.proposal(), view)));
    }

    private Dormant record(Held row, List<Oid> missing, List<String> urls) {
        return new Dormant(
                row.identifiers(),
                row.event().author(),
                row.event().createdAt(),
                missing,
                urls.stream()
                        .filter(url -> !isOwn.test(url))
                        .limit(Dormant.CLONE_URLS_MAX)
                        .toList(),
                row.relay());
    }

    /// The branch of HEAD first.
    private static List<Oid> missing(RepositoryState state) {
        var head = state.head();
        return state.refs().entrySet().stream()
                .sorted(Comparator.comparing(entry -> !head.equals(Optional.of(entry.getKey()))))
                .map(entry -> entry.getValue())
                .distinct()
                .limit(Dormant.MISSING_MAX)
                .toList();
    }

    private List<String> cloneUrls(Identifier identifier, PublicKey author, StoreView view) {
        return ClonePlaces.ofStates(author, pools.seenBy(view, identifier), view, URLS_MAX);
    }

    private List<String> cloneUrls(Proposal proposal, StoreView view) {
        var urls = new LinkedHashSet<String>();
        for (var target : Targets.of(proposal, view)) {
            urls.addAll(ClonePlaces.ofProposal(
                    proposal, List.of(target.owner()), pools.seenBy(view, target.identifier()), view, URLS_MAX));
        }
        urls.addAll(proposal.cloneUrls());
        return List.copyOf(urls);
    }
}
