package dev.grapnel.purgatory.reconcile;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.nostr.repository.RepositoryState;
import dev.grapnel.purgatory.DropReason;
import dev.grapnel.purgatory.Happening;
import dev.grapnel.purgatory.ReleasePath;
import dev.grapnel.purgatory.reconcile.ReconcileCounts.Step;
import dev.grapnel.store.SaveOutcome;
import dev.grapnel.store.StoreTransaction;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.HeldProposal;
import dev.grapnel.store.row.Repair;
import dev.grapnel.store.row.Standing;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes down what a run has come to, all of it or nothing (purgatory 5.2.7): announcements, then states, then
/// proposals are served and their rows are gone.
final class Release {
    private static final Logger LOG = LoggerFactory.getLogger(Release.class);

    /// Whatever brings it back asks for a run at once; this is for those that never do.
    private static final Duration UNTIL_IT_RETURNS = Duration.ofDays(1);

    private final Identifier identifier;
    private final Scene scene;
    private final Plan plan;
    private final Selection selection;
    private final ProposalRefs.Written proposals;
    private final Map<PublicKey, Selection.Result> results;
    private final Map<PublicKey, String> failures;
    private final ReleasePath path;
    private final Reconciler.Parts parts;
    private final List<EventId> released = new ArrayList<>();
    private final List<String> areas = new ArrayList<>();
    private final List<Repair> queued = new ArrayList<>();
    private final List<Repair> mended = new ArrayList<>();

    Release(
            Identifier identifier,
            Scene scene,
            Plan plan,
            Selection selection,
            ProposalRefs.Written proposals,
            Map<PublicKey, Selection.Result> results,
            Map<PublicKey, String> failures,
            ReleasePath path,
            Reconciler.Parts parts) {
        this.identifier = identifier;
        this.scene = scene;
        this.plan = plan;
        this.selection = selection;
        this.proposals = proposals;
        this.results = Map.copyOf(results);
        this.failures = Map.copyOf(failures);
        this.path = path;
        this.parts = parts;
    }

    /// What is served now; empty if the run must be repeated, because something has changed meanwhile.
    ///
    /// @throws IOException if the store could not take it: then nothing has changed
    Optional<List<EventId>> commit() throws IOException {
        if (isNothing()) {
            return Optional.of(List.of());
        }
        try {
            boolean isDone = parts.store()
                    .write(Urgency.WAITING, 0, this::carryOut)
                    .thenApply(this::tell)
                    .join();
            parts.areas().accept(areas);
            logLedger(isDone);
            return isDone ? Optional.of(released) : Optional.empty();
        } catch (CompletionException e) {
            parts.counts().failed(Step.COMMIT);
            throw new IOException("what is ready could not be stored", e.getCause());
        }
    }

    /// Whoever published something is told so before others hear of it.
    private boolean tell(boolean isDone) {
        parts.served().accept(released);
        return isDone;
    }

    private boolean isNothing() {
        return selection.isNothing()
                && proposals.released().isEmpty()
                && plan.superseded().isEmpty()
                && failures.isEmpty()
                && scene.repairs().isEmpty();
    }

    private boolean carryOut(StoreTransaction transaction) {
        released.clear();
        areas.clear();
        queued.clear();
        mended.clear();
        var now = Situation.read(identifier, transaction, parts.pools());
        if (!now.basis().equals(scene.situation().basis())) {
            return false;
        }
        parts.happenings().releasingBy(path);
        var left = releaseAnnouncements(transaction);
        left.states().forEach(state -> releaseState(state, transaction));
        proposals.released().stream()
                .filter(candidate -> !ProposalScene.relevant(
                                candidate, scene.situation().pool(), Set.copyOf(left.announcements()))
                        .isEmpty())
                .forEach(candidate -> releaseProposal(candidate, transaction));
        plan.superseded().forEach(id -> drop(id, transaction));
        keepLedger(transaction);
        return true;
    }

    /// One that the store does not take takes with it what only it justified.
    private Selection releaseAnnouncements(StoreTransaction transaction) {
        var taken = new HashMap<>(results);
        for (var owner : selection.announcements()) {
            if (!releaseAnnouncement(owner, transaction)) {
                taken.remove(owner);
            }
        }
        return Selection.of(scene.situation(), plan, taken);
    }

    private boolean releaseAnnouncement(PublicKey owner, StoreTransaction transaction) {
        var held = scene.situation().pool().findAnnounced(owner).flatMap(entry -> entry.held());
        boolean isServed =
                held.isPresent() && release(held.get().voice().version().id(), transaction);
        if (isServed) {
            var address = new RepositoryAddress(owner, identifier);
            transaction.put(Standing.hosted(address, parts.pools().time().wall()));
        }
        return isServed;
    }

    /// Whatever else its author has waiting is older news.
    private void releaseState(RepositoryState state, StoreTransaction transaction) {
        if (release(state.event().id(), transaction)) {
            scene.situation().held().stream()
                    .filter(other -> other.author().equals(state.author())
                            && state.version().isNewerThan(other.version()))
                    .forEach(other -> drop(other.event().id(), transaction));
        }
    }

    /// Repositories of other names that it concerns get its ref later (P-407).
    private void releaseProposal(ProposalScene.Candidate candidate, StoreTransaction transaction) {
        if (!release(candidate.id(), transaction)) {
            return;
        }
        var now = parts.pools().time().wall();
        for (var other : proposals.further()) {
            var pool = parts.pools().seenBy(transaction, other);
            ProposalScene.relevant(candidate, pool, Set.of()).stream()
                    .map(owner -> Repair.due(new RepositoryAddress(owner, other), now))
                    .filter(due -> transaction.findRow(due.table(), due.key()).isEmpty())
                    .forEach(transaction::put);
        }
    }

    private boolean release(EventId id, StoreTransaction transaction) {
        var row = transaction.findHeld(id);
        if (row.isEmpty()) {
            return false; // gone meanwhile, which has its own consequences
        }
        boolean isServed = transaction.release(id) instanceof SaveOutcome.Served;
        if (isServed) {
            released.add(id);
            parts.happenings().note(new Happening.Released(row.get(), path));
        } else {
            parts.happenings().note(new Happening.Dropped(row.get(), DropReason.SUPERSEDED));
        }
        addAreas(row.get());
        return isServed;
    }

    private void addAreas(Held row) {
        if (row instanceof HeldProposal proposal) {
            proposal.pushedTo().forEach(upload -> areas.add(upload.area().text()));
        }
    }

    private void drop(EventId id, StoreTransaction transaction) {
        transaction
                .drop(id)
                .ifPresent(row -> parts.happenings().note(new Happening.Dropped(row, DropReason.SUPERSEDED)));
    }

    /// Repositories that are what they should be need no repair; the others do, and are tried again after a while.
    /// A row that has changed since the run began asks for another run.
    private void keepLedger(StoreTransaction transaction) {
        var now = parts.pools().time().wall();
        scene.repairs().forEach((owner, repair) -> {
            boolean isDone =
                    !failures.containsKey(owner) && current(repair, transaction).equals(Optional.of(repair));
            if (isDone && isKeptFor(owner, repair)) {
                transaction.put(repair.dueAt(now.plus(UNTIL_IT_RETURNS)));
            } else if (isDone) {
                transaction.remove(repair.table(), repair.key());
                mended.add(repair);
            }
        });
        failures.forEach((owner, reason) -> {
            var due = Repair.due(new RepositoryAddress(owner, identifier), now);
            var repair = current(due, transaction).orElse(due);
            var row = repair.failed(reason, now.plus(Retries.after(repair.attempts())));
            transaction.put(row);
            queued.add(row);
        });
    }

    private static Optional<Repair> current(Repair repair, StoreTransaction transaction) {
        return transaction.findRow(repair.table(), repair.key()).map(row -> (Repair) row);
    }

    /// A repository in the trash keeps refs of proposals that are gone meanwhile; they go when it comes back.
    private boolean isKeptFor(PublicKey owner, Repair repair) {
        return !repair.gone().isEmpty()
                && scene.situation()
                        .pool()
                        .findAnnounced(owner)
                        .filter(entry -> entry.isInTrash() && !entry.hasRepository())
                        .isPresent();
    }

    /// Only what has failed is worth a line: rows come and go with every change of who belongs to whom.
    private void logLedger(boolean isDone) {
        if (isDone) {
            queued.stream()
                    .filter(row -> row.attempts() == 1)
                    .forEach(row -> LOG.warn(
                            "repair.queued owner={} identifier={} reason={}",
                            row.repository().owner(),
                            identifier,
                            row.reason()));
            mended.stream()
                    .filter(row -> row.attempts() > 0)
                    .forEach(row -> LOG.info(
                            "repair.done owner={} identifier={}",
                            row.repository().owner(),
                            identifier));
        }
    }
}
