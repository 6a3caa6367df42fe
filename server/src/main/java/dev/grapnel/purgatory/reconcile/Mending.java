package dev.grapnel.purgatory.reconcile;

import dev.grapnel.git.pool.Closure;
import dev.grapnel.git.pool.LocalPool;
import dev.grapnel.git.refs.Refs;
import dev.grapnel.git.repository.RepositoryLease;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.nostr.repository.RepositoryState;
import dev.grapnel.purgatory.Targets;
import dev.grapnel.purgatory.reconcile.ReconcileCounts.Step;
import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Completes repositories that have lost files, from what others of their name have (P-733): whatever their refs
/// reach is brought, each as whoever declared the ref may have it. No ref changes.
final class Mending {
    private static final Logger LOG = LoggerFactory.getLogger(Mending.class);

    private final Scene scene;
    private final Plan plan;
    private final ObjectExamination objects;
    private final Reconciler.Parts parts;
    private final Map<PublicKey, String> failures = new TreeMap<>();

    Mending(Scene scene, Plan plan, ObjectExamination objects, Reconciler.Parts parts) {
        this.scene = scene;
        this.plan = plan;
        this.objects = objects;
        this.parts = parts;
    }

    /// Those of some owners whose repositories still lack something, and what.
    Map<PublicKey, String> mend(Collection<PublicKey> owners) {
        for (var owner : owners) {
            var address = new RepositoryAddress(owner, scene.situation().pool().identifier());
            try (var lease = parts.repositories().find(address).orElse(null)) {
                if (lease != null && lease.isLacking()) {
                    mend(lease).ifPresent(problem -> fail(address, problem));
                }
            } catch (IOException e) {
                fail(address, e.toString());
            }
        }
        return failures;
    }

    private void fail(RepositoryAddress address, String problem) {
        parts.counts().failed(Step.COPY);
        LOG.warn(
                "reconcile.error identifier={} owner={} step={} error={}",
                address.identifier(),
                address.owner(),
                Step.COPY.word(),
                problem);
        failures.put(address.owner(), problem);
    }

    /// What is missing afterwards.
    private Optional<String> mend(RepositoryLease lease) throws IOException {
        var refs = lease.refs().current();
        bringDeclared(refs, lease);
        for (var ref : refs.values().entrySet()) {
            if (ref.getKey().text().startsWith(RefName.PROPOSALS)) {
                bringProposed(ref.getKey(), ref.getValue().target(), lease);
            }
        }
        var problem = findProblem(refs, lease);
        if (problem.isEmpty()) {
            long incomplete = countIncomplete(lease);
            lease.markWhole(incomplete > 0);
            LOG.info(
                    "repository.completed identifier={} owner={} incomplete={}",
                    lease.address().identifier(),
                    lease.address().owner(),
                    incomplete);
        }
        return problem;
    }

    /// Branches and tags, of which those that nobody has stay as they are.
    private void bringDeclared(Refs refs, RepositoryLease lease) throws IOException {
        var tips = new LinkedHashSet<Oid>();
        refs.values().forEach((name, value) -> {
            if (Alignment.isManaged(name)) {
                tips.add(value.target());
            }
        });
        var owner = lease.address().owner();
        var author = plan.goals().stream()
                .filter(goal -> goal.owner().equals(owner))
                .flatMap(goal -> goal.winner().stream())
                .map(RepositoryState::author)
                .findFirst()
                .orElse(owner);
        var _ = objects.bringFound(tips, author, lease);
    }

    private void bringProposed(RefName name, Oid target, RepositoryLease lease) throws IOException {
        var candidate = EventId.parse(name.text().substring(RefName.PROPOSALS.length()))
                .find()
                .flatMap(this::findServed)
                .filter(found -> found.proposal().tip().equals(Optional.of(target)));
        if (candidate.isPresent() && objects.isHere(candidate.get())) {
            objects.bring(target, candidate.get(), lease);
        }
    }

    private Optional<ProposalScene.Candidate> findServed(EventId id) {
        return parts.store()
                .read(view -> view.find(id)
                        .filter(event ->
                                event.kind() == Kinds.PULL_REQUEST || event.kind() == Kinds.PULL_REQUEST_UPDATE)
                        .flatMap(event -> Targets.read(event.read()).find())
                        .map(proposal ->
                                new ProposalScene.Candidate(proposal, Targets.of(proposal, view), false, List.of())))
                .map(candidate -> candidate.shownBy(
                        parts.pools(), scene.situation().pool().identifier()));
    }

    private Optional<String> findProblem(Refs refs, RepositoryLease lease) throws IOException {
        try (var closure = Closure.begin(parts.repositories(), lease, () -> {})) {
            for (var ref : refs.values().entrySet()) {
                var problem = closure.findProblem(ref.getValue().target());
                if (problem.isPresent()) {
                    return Optional.of(ref.getKey() + " " + problem.get());
                }
            }
        }
        return Optional.empty();
    }

    /// What refs do not reach may have lost something, too.
    private long countIncomplete(RepositoryLease lease) throws IOException {
        List<LocalPool.Source> itself = List.of(new LocalPool.Source.Related(lease.address()));
        try (var pool = parts.objects().open(itself, Optional.empty())) {
            return pool.countIncomplete();
        }
    }
}
