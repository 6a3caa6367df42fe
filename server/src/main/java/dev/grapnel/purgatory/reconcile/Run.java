package dev.grapnel.purgatory.reconcile;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.purgatory.ReleasePath;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/// One run for one identifier, whose lock the caller holds: look, align, release (purgatory 5.2).
final class Run {
    /// So many repositories are worth threads of their own.
    private static final int MANY = 3;

    private final Identifier identifier;
    private final ReleasePath path;
    private final Reconciler.Parts parts;
    private final Alignments alignments;

    Run(Identifier identifier, ReleasePath path, Reconciler.Parts parts) {
        this.identifier = identifier;
        this.path = path;
        this.parts = parts;
        this.alignments = new Alignments(identifier, parts);
    }

    /// Empty if what it rests on has changed meanwhile: then nothing was released, and all of it is to be repeated.
    ///
    /// @param incoming what a push has brought, if there was one
    /// @param patience whether repositories other than the one that was pushed to may still be aligned
    Optional<Report> run(Optional<Incoming> incoming, Patience patience) throws IOException {
        var scene = parts.store().read(view -> Scene.read(identifier, view, parts.pools(), parts.staged()));
        var situation = scene.situation();
        try (var objects = examine(situation, incoming)) {
            var plan = Plan.of(situation, objects);
            var signed = incoming.filter(Incoming::isSigned);
            if (signed.isPresent()) {
                alignments.takeIn(signed.get(), plan, objects);
                if (!alignments.failures().isEmpty()) {
                    return Optional.of(report(List.of(), alignments.failures(), false, Set.of()));
                }
            }
            var rest = signed.isPresent() ? Optional.<Incoming>empty() : incoming;
            try (var afterwards = examine(situation, rest);
                    var before = examine(situation, Optional.empty())) {
                alignOthers(plan, situation, afterwards, rest.isPresent(), patience);
                alignments.tendUngoverned(situation, plan);
                // a push whose branches could not be taken brings no proposals either (P-241)
                boolean isCancelled = rest.filter(push ->
                                push.hasBranches() && alignments.failures().containsKey(ownerOf(push)))
                        .isPresent();
                return release(scene, plan, isCancelled ? before : afterwards);
            }
        }
    }

    private static PublicKey ownerOf(Incoming incoming) {
        return incoming.repository().address().owner();
    }

    /// What is being received can be read by one only.
    private void alignOthers(
            Plan plan, Situation situation, ObjectExamination objects, boolean isShared, Patience patience) {
        if (isShared || plan.goals().size() < MANY) {
            alignments.alignOthers(plan, objects, patience);
        } else {
            alignments.alignOthersTogether(plan, () -> examine(situation, Optional.empty()), patience);
        }
    }

    private Optional<Report> release(Scene scene, Plan plan, ObjectExamination objects) throws IOException {
        var selection = Selection.of(scene.situation(), plan, alignments.results());
        var proposals = new ProposalRefs(scene, selection, objects, parts).write();
        var all = new TreeMap<>(alignments.failures());
        proposals.failures().forEach(all::putIfAbsent);
        new Mending(scene, plan, objects, parts).mend(alignments.lacking()).forEach(all::putIfAbsent);
        return new Release(identifier, scene, plan, selection, proposals, alignments.results(), all, path, parts)
                .commit()
                .map(released ->
                        report(released, all, proposals.isOurFault(), further(scene, proposals, Set.copyOf(released))));
    }

    /// Refs that moved show what was hidden: somebody may have waited for it.
    private Set<Identifier> further(Scene scene, ProposalRefs.Written proposals, Set<EventId> released) {
        var further = new TreeSet<>(proposals.further());
        boolean isWaitedFor = Stream.concat(
                        scene.situation().held().stream()
                                .map(state -> state.event().id()),
                        scene.held().candidates().stream().map(ProposalScene.Candidate::id))
                .anyMatch(id -> !released.contains(id));
        if (alignments.changed() > 0 && isWaitedFor) {
            further.add(identifier);
        }
        return further;
    }

    private ObjectExamination examine(Situation situation, Optional<Incoming> incoming) {
        return new ObjectExamination(
                situation.pool(),
                parts.objects(),
                parts.staged().of(identifier),
                incoming.map(Incoming::quarantine),
                incoming.map(Incoming::proposals).orElse(Set.of()));
    }

    private Report report(
            List<EventId> released, Map<PublicKey, String> all, boolean isOurFault, Set<Identifier> further) {
        return new Report(
                released,
                alignments.changed(),
                alignments.moved(),
                alignments.failures(),
                all,
                isOurFault || alignments.isOurFault(),
                further);
    }
}
