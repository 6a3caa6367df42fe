package dev.grapnel.purgatory.reconcile;

import dev.grapnel.git.repository.RepositoryLease;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.nostr.repository.RepositoryState;
import dev.grapnel.purgatory.ReleasePath;
import dev.grapnel.purgatory.reconcile.ReconcileCounts.Step;
import dev.grapnel.purgatory.reconcile.Selection.Result;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One run for one identifier, whose lock the caller holds: look, align, release (purgatory 5.2).
final class Run {
    private static final Logger LOG = LoggerFactory.getLogger(Run.class);
    private static final String LATE = "took too long, goes on later";

    private final Identifier identifier;
    private final ReleasePath path;
    private final Reconciler.Parts parts;
    private final Map<PublicKey, Result> results = new HashMap<>();
    private final Map<PublicKey, String> failures = new TreeMap<>();
    private RefCounts moved = RefCounts.NONE;
    private int changed;
    private boolean isOurFault;

    Run(Identifier identifier, ReleasePath path, Reconciler.Parts parts) {
        this.identifier = identifier;
        this.path = path;
        this.parts = parts;
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
                takeIn(signed.get(), plan, objects);
                if (!failures.isEmpty()) {
                    return Optional.of(report(List.of()));
                }
            }
            var rest = signed.isPresent() ? Optional.<Incoming>empty() : incoming;
            try (var afterwards = examine(situation, rest);
                    var before = examine(situation, Optional.empty())) {
                alignAll(plan, afterwards, patience);
                // a push whose branches could not be taken brings no proposals either (P-241)
                boolean isCancelled = rest.filter(push -> push.hasBranches() && failures.containsKey(ownerOf(push)))
                        .isPresent();
                return release(scene, plan, isCancelled ? before : afterwards);
            }
        }
    }

    /// Gives the repository that was pushed to what came, and its refs.
    private void takeIn(Incoming incoming, Plan plan, ObjectExamination objects) throws IOException {
        var owner = incoming.repository().address().owner();
        for (var goal : plan.goals()) {
            if (goal.owner().equals(owner) && goal.winner().isPresent()) {
                var aligning = aligning(objects);
                var outcome = alignPushed(aligning, goal.winner().get(), incoming);
                note(owner, outcome, hasContent(incoming.repository().address()), aligning.step());
            }
        }
    }

    /// Whoever pushed is told that it failed; here it is counted only.
    private Aligning.Outcome alignPushed(Aligning aligning, RepositoryState winner, Incoming incoming)
            throws IOException {
        try {
            return aligning.alignPushed(winner, incoming);
        } catch (IOException e) {
            parts.counts().failed(aligning.step());
            throw e;
        }
    }

    private static PublicKey ownerOf(Incoming incoming) {
        return incoming.repository().address().owner();
    }

    private void alignAll(Plan plan, ObjectExamination objects, Patience patience) {
        for (var goal : plan.goals()) {
            if (!results.containsKey(goal.owner()) || isForeign(goal.owner())) {
                if (patience.isOver()) {
                    failures.put(goal.owner(), LATE);
                } else {
                    align(goal, objects);
                }
            }
        }
    }

    private Optional<Report> release(Scene scene, Plan plan, ObjectExamination objects) throws IOException {
        var selection = Selection.of(scene.situation(), plan, results);
        var proposals = new ProposalRefs(scene, selection, objects, parts).write();
        var all = new TreeMap<>(failures);
        proposals.failures().forEach(all::putIfAbsent);
        return new Release(identifier, scene, plan, selection, proposals, results, all, path, parts)
                .commit()
                .map(released -> new Report(
                        released,
                        changed,
                        moved,
                        failures,
                        all,
                        isOurFault || proposals.isOurFault(),
                        further(scene, proposals, Set.copyOf(released))));
    }

    /// Refs that moved show what was hidden: somebody may have waited for it.
    private Set<Identifier> further(Scene scene, ProposalRefs.Written proposals, Set<EventId> released) {
        var further = new TreeSet<>(proposals.further());
        boolean isWaitedFor = Stream.concat(
                        scene.situation().held().stream()
                                .map(state -> state.event().id()),
                        scene.held().candidates().stream().map(ProposalScene.Candidate::id))
                .anyMatch(id -> !released.contains(id));
        if (changed > 0 && isWaitedFor) {
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

    private Aligning aligning(ObjectExamination objects) {
        return new Aligning(objects, parts.trash(), parts.moves());
    }

    /// One that fails does not stop the others.
    private void align(Plan.Goal goal, ObjectExamination objects) {
        var address = new RepositoryAddress(goal.owner(), identifier);
        var aligning = aligning(objects);
        try (var lease = parts.repositories().find(address).orElse(null)) {
            if (lease == null) {
                failures.put(goal.owner(), "the repository is not there");
                return;
            }
            var outcome = goal.winner().isPresent()
                    ? aligning.align(lease, goal.winner().get())
                    : new Aligning.Outcome.Aligned(RefCounts.NONE);
            if (outcome instanceof Aligning.Outcome.Aligned && goal.winner().isPresent() && lease.isForeign()) {
                TakeOver.run(parts, lease);
            }
            note(goal.owner(), outcome, hasContent(lease), aligning.step());
        } catch (IOException e) {
            var step = aligning.step();
            isOurFault = true;
            parts.counts().failed(step);
            LOG.warn(
                    "reconcile.error identifier={} owner={} step={} error={}",
                    identifier,
                    goal.owner(),
                    step.word(),
                    e.toString());
            failures.put(goal.owner(), e.toString());
        }
    }

    private void note(PublicKey owner, Aligning.Outcome outcome, boolean hasContent, Step step) {
        switch (outcome) {
            case Aligning.Outcome.Aligned(var counts) -> {
                changed += counts.isNothing() ? 0 : 1;
                moved = moved.plus(counts);
                parts.counts().moved(counts);
                results.put(owner, new Result(true, hasContent));
            }
            case Aligning.Outcome.Failed(var reason) -> {
                parts.counts().failed(step);
                LOG.warn(
                        "reconcile.error identifier={} owner={} step={} error={}",
                        identifier,
                        owner,
                        step.word(),
                        reason);
                failures.put(owner, reason);
                results.put(owner, new Result(false, hasContent));
            }
        }
    }

    private boolean hasContent(RepositoryAddress address) throws IOException {
        try (var lease = parts.repositories().find(address).orElse(null)) {
            return lease != null && hasContent(lease);
        }
    }

    /// What another server left says nothing as long as nobody has compared it with events.
    private static boolean hasContent(RepositoryLease lease) throws IOException {
        return !lease.isForeign() && Alignment.hasContent(lease.refs().current());
    }

    private boolean isForeign(PublicKey owner) {
        try (var lease = parts.repositories()
                .find(new RepositoryAddress(owner, identifier))
                .orElse(null)) {
            return lease != null && lease.isForeign();
        } catch (IOException _) {
            return false; // whoever needs it will be told
        }
    }

    private Report report(List<EventId> released) {
        return new Report(released, changed, moved, failures, failures, isOurFault, Set.of());
    }
}
