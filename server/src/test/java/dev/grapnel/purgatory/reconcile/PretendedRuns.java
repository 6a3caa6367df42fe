package dev.grapnel.purgatory.reconcile;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.nostr.repository.RepositoryState;
import dev.grapnel.purgatory.Happenings;
import dev.grapnel.purgatory.ReleasePath;
import dev.grapnel.purgatory.pool.Pools;
import dev.grapnel.store.EventStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/// Runs of the reconciler in which git is only pretended: whether an object is here is a question to somebody, and
/// refs are always moved at once. Which state governs, what is released and how it is written down are the real thing.
public final class PretendedRuns {
    private static final int ROUNDS_MAX = 5;

    private final Reconciler.Parts parts;
    private final Predicate<Oid> isHere;

    @SuppressWarnings("NullAway") // what touches repositories is never called
    public PretendedRuns(EventStore store, Pools pools, Happenings happenings, Predicate<Oid> isHere) {
        this.isHere = isHere;
        this.parts = new Reconciler.Parts(
                store, pools, null, null, StagedObjects.NONE, null, happenings, null, _ -> {}, new NoCounts(), _ -> {});
    }

    /// What a run has come to.
    ///
    /// @param released what is served now
    /// @param further other identifiers that must be looked at
    public record Outcome(List<EventId> released, Set<Identifier> further) {
        public Outcome {
            released = List.copyOf(released);
            further = new TreeSet<>(further);
        }
    }

    /// Does what is to be done for an identifier.
    public Outcome run(Identifier identifier, ReleasePath path) throws IOException {
        for (int round = 0; round < ROUNDS_MAX; round++) {
            var scene = parts.store().read(view -> Scene.read(identifier, view, parts.pools(), parts.staged()));
            var plan = Plan.of(scene.situation(), this::readiness);
            var results = results(plan);
            var selection = Selection.of(scene.situation(), plan, results);
            var proposals = proposals(identifier, scene, selection);
            var released =
                    new Release(identifier, scene, plan, selection, proposals, results, Map.of(), path, parts).commit();
            if (released.isPresent()) {
                return new Outcome(released.get(), proposals.further());
            }
        }
        throw new IOException("events of " + identifier + " keep changing");
    }

    private Readiness readiness(RepositoryState state) {
        if (!state.isSatisfiable()) {
            return Readiness.HOPELESS;
        }
        return state.refs().values().stream().allMatch(isHere) ? Readiness.READY : Readiness.INCOMPLETE;
    }

    private Map<PublicKey, Selection.Result> results(Plan plan) {
        var results = new TreeMap<PublicKey, Selection.Result>();
        for (var goal : plan.goals()) {
            boolean isAligned = goal.winner()
                    .filter(state -> readiness(state) != Readiness.READY)
                    .isEmpty();
            boolean hasContent =
                    isAligned && goal.winner().filter(state -> !state.isEmpty()).isPresent();
            results.put(goal.owner(), new Selection.Result(isAligned, hasContent));
        }
        return results;
    }

    private ProposalRefs.Written proposals(Identifier identifier, Scene scene, Selection selection) {
        var pool = scene.situation().pool();
        var owners = Set.copyOf(selection.announcements());
        var ready = new ArrayList<ProposalScene.Candidate>();
        var further = new TreeSet<Identifier>();
        for (var candidate : scene.held().candidates()) {
            boolean isReady = !ProposalScene.relevant(candidate, pool, owners).isEmpty()
                    && candidate.proposal().tip().filter(isHere).isPresent();
            if (isReady) {
                ready.add(candidate);
                candidate.targets().stream().map(RepositoryAddress::identifier).forEach(further::add);
            }
        }
        further.remove(identifier);
        return new ProposalRefs.Written(ready, Map.of(), false, further);
    }

    private static final class NoCounts implements ReconcileCounts {
        @Override
        public void ran(ReleasePath trigger, Duration time) {}

        @Override
        public void failed(Step step) {}

        @Override
        public void moved(RefCounts refs) {}
    }
}
