package dev.grapnel.purgatory.reconcile;

import dev.grapnel.git.pool.AbsentObject;
import dev.grapnel.git.push.Repointing;
import dev.grapnel.git.refs.RefChange;
import dev.grapnel.git.refs.RefOutcome;
import dev.grapnel.git.repository.RepositoryLease;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.purgatory.pool.Pool;
import dev.grapnel.purgatory.reconcile.ReconcileCounts.Step;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes `refs/nostr/<id>` for proposals whose commit is here (purgatory 5.2.6): for those that wait, and for
/// served ones where a repository may lack it (P-407).
final class ProposalRefs {
    private static final Logger LOG = LoggerFactory.getLogger(ProposalRefs.class);

    private final Scene scene;
    private final Pool pool;
    private final Set<PublicKey> released;
    private final ObjectExamination objects;
    private final Reconciler.Parts parts;
    private final Map<PublicKey, String> failures = new HashMap<>();
    private boolean isOurFault;

    ProposalRefs(Scene scene, Selection selection, ObjectExamination objects, Reconciler.Parts parts) {
        this.scene = scene;
        this.pool = scene.situation().pool();
        this.released = Set.copyOf(selection.announcements());
        this.objects = objects;
        this.parts = parts;
    }

    /// What can be served now.
    ///
    /// @param released proposals that have waited, the oldest first
    /// @param further other identifiers that they name
    /// @param isOurFault whether a disk or the like is to blame for failures
    record Written(
            List<ProposalScene.Candidate> released,
            Map<PublicKey, String> failures,
            boolean isOurFault,
            Set<Identifier> further) {
        Written {
            released = List.copyOf(released);
            failures = Map.copyOf(failures);
            further = Set.copyOf(further);
        }
    }

    Written write() throws IOException {
        var ready = new ArrayList<ProposalScene.Candidate>();
        for (var candidate : scene.held().candidates()) {
            var owners = ProposalScene.relevant(candidate, pool, released);
            var here = owners.isEmpty() ? Optional.<ProposalScene.Candidate>empty() : findHere(candidate, owners);
            if (here.isPresent() && give(here.get(), owners)) {
                ready.add(candidate);
            }
        }
        completeServed();
        removeGone();
        return new Written(ready, failures, isOurFault, furtherOf(ready));
    }

    private Set<Identifier> furtherOf(Collection<ProposalScene.Candidate> ready) {
        var further = new TreeSet<Identifier>();
        for (var candidate : ready) {
            candidate.targets().forEach(target -> further.add(target.identifier()));
        }
        further.remove(pool.identifier());
        return further;
    }

    /// A proposal with all places where its commit is, if that is anywhere.
    private Optional<ProposalScene.Candidate> findHere(ProposalScene.Candidate waiting, List<PublicKey> owners)
            throws IOException {
        if (objects.isHere(waiting)) {
            return Optional.of(waiting);
        }
        var written = written(waiting, owners);
        var candidate = waiting.writtenIn(written);
        return !written.isEmpty() && objects.isHere(candidate) ? Optional.of(candidate) : Optional.empty();
    }

    /// Whether at least one repository has it now (P-403).
    private boolean give(ProposalScene.Candidate candidate, List<PublicKey> owners) {
        int count = 0;
        for (var owner : owners) {
            count += give(candidate, owner) ? 1 : 0;
        }
        return count > 0;
    }

    /// Repositories to which a run has given it that could not write down what it came to: it was killed, or the
    /// store failed, and what was pushed is nowhere else (K5).
    private List<RepositoryAddress> written(ProposalScene.Candidate candidate, List<PublicKey> owners) {
        var found = new ArrayList<RepositoryAddress>();
        for (var owner : owners) {
            if (has(candidate, owner)) {
                found.add(new RepositoryAddress(owner, pool.identifier()));
            }
        }
        return found;
    }

    private boolean give(ProposalScene.Candidate candidate, PublicKey owner) {
        var address = new RepositoryAddress(owner, pool.identifier());
        try (var lease = parts.repositories().find(address).orElse(null)) {
            if (lease == null) {
                failures.put(owner, "the repository is not there");
                return false;
            }
            return give(candidate, candidate.proposal().tip().orElseThrow(), lease);
        } catch (AbsentObject e) { // whoever proposes cannot make the repository of another fail
            LOG.warn(
                    "reconcile.error identifier={} event={} step=promote error=object {} is missing",
                    pool.identifier(),
                    candidate.id(),
                    e.object());
            parts.counts().failed(Step.PROMOTE);
            return false;
        } catch (IOException e) {
            isOurFault = true;
            LOG.warn(
                    "reconcile.error identifier={} event={} step=promote error={}",
                    pool.identifier(),
                    candidate.id(),
                    e.toString());
            parts.counts().failed(Step.PROMOTE);
            failures.put(owner, e.toString());
            return false;
        }
    }

    private boolean give(ProposalScene.Candidate candidate, Oid tip, RepositoryLease lease) throws IOException {
        var name = candidate.proposal().ref();
        var before = lease.refs().current().target(name);
        if (before.equals(tip)) {
            return true;
        }
        objects.bring(tip, candidate, lease);
        var change = new RefChange(name, before, tip);
        try (var reader = lease.newReader()) {
            var outcome =
                    new Repointing(lease, parts.moves()).apply(List.of(change), Optional.empty(), reader, () -> {});
            return isDone(outcome, List.of(change), lease, name + " could not be written");
        }
    }

    private boolean isDone(RefOutcome outcome, List<RefChange> changes, RepositoryLease lease, String problem) {
        boolean isDone = outcome instanceof RefOutcome.Done;
        if (isDone) {
            parts.counts().moved(RefCounts.of(changes));
        } else {
            parts.counts().failed(Step.PROMOTE);
            failures.put(lease.address().owner(), problem);
        }
        return isDone;
    }

    /// What was taken back has no ref any more, wherever it had one (service 4.9.5).
    private void removeGone() {
        scene.repairs().forEach((owner, repair) -> {
            var gone = repair.gone().stream().filter(this::isGone).toList();
            if (!gone.isEmpty()) {
                removeGone(gone, new RepositoryAddress(owner, pool.identifier()));
            }
        });
    }

    private boolean isGone(EventId id) {
        return parts.store().read(view -> !view.isServed(id) && !view.isHeld(id));
    }

    private void removeGone(List<EventId> gone, RepositoryAddress address) {
        try (var lease = parts.repositories().find(address).orElse(null)) {
            if (lease == null) {
                return; // its refs went with it
            }
            var refs = lease.refs().current();
            var changes = gone.stream()
                    .map(id -> new RefName(RefName.PROPOSALS + id))
                    .filter(name -> !refs.target(name).isZero())
                    .map(name -> new RefChange(name, refs.target(name), Oid.ZERO))
                    .toList();
            if (!changes.isEmpty()) {
                remove(changes, lease);
            }
        } catch (IOException e) {
            isOurFault = true;
            parts.counts().failed(Step.PROMOTE);
            LOG.warn("reconcile.error identifier={} step=promote error={}", pool.identifier(), e.toString());
            failures.put(address.owner(), e.toString());
        }
    }

    private void remove(List<RefChange> changes, RepositoryLease lease) throws IOException {
        try (var reader = lease.newReader()) {
            var outcome = new Repointing(lease, parts.moves()).apply(changes, Optional.empty(), reader, () -> {});
            var _ = isDone(outcome, changes, lease, "refs of proposals that were taken back could not be removed");
        }
    }

    /// A repository that is new here, or whose maintainers have changed, may lack refs of proposals that are
    /// served already.
    private void completeServed() throws IOException {
        var owners = new HashSet<>(released);
        pool.announced().stream()
                .filter(entry -> entry.isServedHosted() && scene.repairs().containsKey(entry.author()))
                .forEach(entry -> owners.add(entry.author()));
        if (owners.isEmpty()) {
            return;
        }
        var served = parts.store().read(view -> ProposalScene.served(owners, pool, view));
        for (var candidate : served.candidates()) {
            var lacking = ProposalScene.relevant(candidate, pool, released).stream()
                    .filter(owners::contains)
                    .toList();
            for (var owner : lacking) {
                complete(candidate, owner);
            }
        }
    }

    private void complete(ProposalScene.Candidate served, PublicKey owner) throws IOException {
        if (failures.containsKey(owner) || has(served, owner)) {
            return;
        }
        var candidate = served.shownBy(parts.pools(), pool.identifier());
        if (!objects.isHere(candidate) || !give(candidate, owner)) {
            failures.putIfAbsent(owner, "the commit of pull request " + candidate.id() + " is missing");
        }
    }

    /// One that cannot be read has nothing, and stays in the ledger.
    private boolean has(ProposalScene.Candidate candidate, PublicKey owner) {
        try {
            return reads(candidate, owner);
        } catch (IOException e) {
            isOurFault = true;
            failures.put(owner, e.toString());
            return false;
        }
    }

    private boolean reads(ProposalScene.Candidate candidate, PublicKey owner) throws IOException {
        var address = new RepositoryAddress(owner, pool.identifier());
        try (var lease = parts.repositories().find(address).orElse(null)) {
            return lease != null
                    && candidate
                            .proposal()
                            .tip()
                            .filter(lease.refs()
                                    .current()
                                    .target(candidate.proposal().ref())::equals)
                            .isPresent();
        }
    }
}
