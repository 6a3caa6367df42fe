package dev.grapnel.purgatory.reconcile;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Proposal;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.nostr.repository.RepositoryState;
import dev.grapnel.purgatory.Targets;
import dev.grapnel.purgatory.pool.Pools;
import dev.grapnel.store.EventStore;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Looks for the git data of events, and changes nothing.
public final class Inspection {
    private static final Logger LOG = LoggerFactory.getLogger(Inspection.class);

    private final EventStore store;
    private final Pools pools;
    private final ObjectExamination.Pools objects;
    private final StagedObjects staged;

    public Inspection(EventStore store, Pools pools, ObjectExamination.Pools objects, StagedObjects staged) {
        this.store = store;
        this.pools = pools;
        this.objects = objects;
        this.staged = staged;
    }

    /// Whether everything that a state or a proposal names is here. What cannot be read is not.
    boolean hasData(Event event) {
        try {
            return switch (event.kind()) {
                case Kinds.STATE -> hasData(RepositoryState.parse(event).find());
                case Kinds.PULL_REQUEST, Kinds.PULL_REQUEST_UPDATE ->
                    hasProposed(Targets.read(event).find());
                default -> false;
            };
        } catch (IOException e) {
            LOG.warn("git data not looked for event={} reason={}", event.id(), e.toString());
            return false;
        }
    }

    private boolean hasData(Optional<RepositoryState> state) throws IOException {
        if (state.isEmpty()) {
            return false;
        }
        try (var examination = examine(state.get().identifier())) {
            return examination.of(state.get()) == Readiness.READY;
        }
    }

    private boolean hasProposed(Optional<Proposal> proposal) throws IOException {
        if (proposal.isEmpty()) {
            return false;
        }
        var targets = store.read(view -> Targets.of(proposal.get(), view));
        var candidate = new ProposalScene.Candidate(proposal.get(), targets, false, List.of());
        for (var identifier :
                targets.stream().map(RepositoryAddress::identifier).distinct().toList()) {
            try (var examination = examine(identifier)) {
                if (examination.isHere(candidate)) {
                    return true;
                }
            }
        }
        return false;
    }

    private ObjectExamination examine(Identifier identifier) {
        var pool = store.read(view -> pools.seenBy(view, identifier));
        return new ObjectExamination(pool, objects, staged.of(identifier), Optional.empty(), Set.of());
    }
}
