package dev.grapnel.purgatory;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.repository.Proposal;
import dev.grapnel.nostr.repository.PullRequest;
import dev.grapnel.nostr.repository.PullRequestUpdate;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.store.StoreView;
import dev.grapnel.store.StoredEvent;
import dev.grapnel.store.row.Held;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/// Which repositories a proposal is for (service 4.6.2).
public final class Targets {
    /// Most references that are followed to find out what an update is for, its own and those of what it
    /// updates together.
    private static final int REFERENCES_MAX = 200;

    /// Longest chain of updates that name no repository.
    private static final int CHAIN_MAX = 16;

    private Targets() {}

    /// Reads a pull request or an update of one.
    public static Parsed<Proposal> read(Event event) {
        return event.kind() == Kinds.PULL_REQUEST_UPDATE
                ? PullRequestUpdate.parse(event).map(update -> (Proposal) update)
                : PullRequest.parse(event).map(request -> (Proposal) request);
    }

    /// The repositories it names itself.
    static List<RepositoryAddress> named(Event event) {
        return read(event).find().map(Proposal::repositories).orElse(List.of());
    }

    /// The repositories it names; one that names none has those of the pull request it refers to, if need
    /// be through other updates.
    public static List<RepositoryAddress> of(Event event, StoreView view) {
        return read(event).find().map(proposal -> of(proposal, view)).orElse(List.of());
    }

    /// The same for one that was read already.
    public static List<RepositoryAddress> of(Proposal proposal, StoreView view) {
        var generation = List.of(proposal);
        var seen = new TreeSet<EventId>();
        for (int length = 0; length <= CHAIN_MAX && !generation.isEmpty(); length++) {
            var named = generation.stream()
                    .map(Proposal::repositories)
                    .filter(found -> !found.isEmpty())
                    .findFirst();
            if (named.isPresent()) {
                return named.get();
            }
            generation = generation.stream()
                    .flatMap(found -> found.references().stream())
                    .filter(id -> seen.size() < REFERENCES_MAX && seen.add(id))
                    .flatMap(id -> findProposal(id, view).stream())
                    .toList();
        }
        return List.of();
    }

    private static Optional<Proposal> findProposal(EventId id, StoreView view) {
        return view.find(id)
                .filter(found -> isProposal(found.kind()))
                .map(StoredEvent::read)
                .or(() -> view.findHeld(id).map(Held::event).filter(event -> isProposal(event.kind())))
                .flatMap(event -> read(event).find());
    }

    private static boolean isProposal(int kind) {
        return kind == Kinds.PULL_REQUEST || kind == Kinds.PULL_REQUEST_UPDATE;
    }
}
