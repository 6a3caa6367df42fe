package dev.grapnel.purgatory.reconcile;

import dev.grapnel.git.repository.RepositoryLease;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.nostr.repository.RepositoryState;
import dev.grapnel.purgatory.reconcile.ReconcileCounts.Step;
import dev.grapnel.purgatory.reconcile.Selection.Result;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Aligns the repositories of an identifier, and keeps what became of each. The caller holds the identifier's lock.
final class Alignments {
    private static final Logger LOG = LoggerFactory.getLogger(Alignments.class);
    private static final String LATE = "took too long, goes on later";

    /// Each waits for the disk most of the time, and disks force several files in the time of one.
    private static final int AT_ONCE = 8;

    private final Identifier identifier;
    private final Reconciler.Parts parts;
    private final Map<PublicKey, Result> results = new HashMap<>();
    private final Map<PublicKey, String> failures = new TreeMap<>();
    private final Set<PublicKey> lacking = ConcurrentHashMap.newKeySet();
    private RefCounts moved = RefCounts.NONE;
    private int changed;
    private boolean isOurFault;
    private @Nullable Leader leader;

    Alignments(Identifier identifier, Reconciler.Parts parts) {
        this.identifier = identifier;
        this.parts = parts;
    }

    /// What became of one repository.
    private sealed interface Attempt {
        /// @param step what was done last
        record Ended(Aligning.Outcome outcome, boolean hasContent, Step step) implements Attempt {}

        /// Nothing was done.
        record Left(String reason) implements Attempt {}

        /// Something of ours failed.
        record Broken(IOException problem, Step step) implements Attempt {}
    }

    Map<PublicKey, Result> results() {
        return results;
    }

    /// Owners whose repositories are not what their state says, and why.
    Map<PublicKey, String> failures() {
        return failures;
    }

    /// Owners whose repositories are known to lack something that their refs reach.
    Set<PublicKey> lacking() {
        return lacking;
    }

    RefCounts moved() {
        return moved;
    }

    /// How many repositories have other refs than before.
    int changed() {
        return changed;
    }

    boolean isOurFault() {
        return isOurFault;
    }

    /// Gives the repository that was pushed to what came, and its refs.
    ///
    /// @throws IOException if something of ours failed: whoever pushed is told so
    void takeIn(Incoming incoming, Plan plan, ObjectExamination objects) throws IOException {
        var owner = incoming.repository().address().owner();
        for (var goal : plan.goals()) {
            if (goal.owner().equals(owner) && goal.winner().isPresent()) {
                noteIfLacking(incoming.repository());
                var aligning = aligning(objects);
                var outcome = alignPushed(aligning, goal.winner().get(), incoming);
                note(owner, new Attempt.Ended(outcome, hasContent(incoming.repository()), aligning.step()));
                follow(incoming.repository(), goal.winner().get());
            }
        }
    }

    /// What it needed came from wherever it was; everybody else who follows the same state can have it from there.
    private void follow(RepositoryLease aligned, RepositoryState winner) {
        if (failures.isEmpty() && !aligned.isPartial()) {
            leader = new Leader(parts.repositories(), aligned, winner);
        }
    }

    private Aligning.Outcome alignPushed(Aligning aligning, RepositoryState winner, Incoming incoming)
            throws IOException {
        try {
            return aligning.alignPushed(winner, incoming);
        } catch (IOException e) {
            parts.counts().failed(aligning.step());
            throw e;
        }
    }

    private Supply supply(RepositoryLease lease, RepositoryState winner, ObjectExamination objects) {
        var first = leader;
        return first != null && first.leads(lease, winner) ? first : objects;
    }

    private Aligning aligning(Supply objects) {
        return new Aligning(objects, parts.trash(), parts.moves());
    }

    /// Aligns all others, one after the other.
    void alignOthers(Plan plan, ObjectExamination objects, Patience patience) {
        open(plan).forEach(goal -> note(goal.owner(), attempt(goal, objects, patience)));
    }

    /// Aligns all others, several at a time.
    ///
    /// @param examinations makes one for each, because each is for one thread
    void alignOthersTogether(Plan plan, Supplier<ObjectExamination> examinations, Patience patience) {
        var places = new Semaphore(AT_ONCE);
        var attempts = new LinkedHashMap<PublicKey, Future<Attempt>>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var goal : open(plan)) {
                attempts.put(goal.owner(), threads.submit(() -> {
                    places.acquire();
                    try (var objects = examinations.get()) {
                        return attempt(goal, objects, patience);
                    } finally {
                        places.release();
                    }
                }));
            }
        }
        attempts.forEach((owner, attempt) -> note(owner, attempt.resultNow()));
    }

    /// Those that nobody has looked at yet.
    private List<Plan.Goal> open(Plan plan) {
        return plan.goals().stream()
                .filter(goal -> !results.containsKey(goal.owner()) || isForeign(goal.owner()))
                .toList();
    }

    /// One that fails does not stop the others.
    private Attempt attempt(Plan.Goal goal, ObjectExamination objects, Patience patience) {
        if (patience.isOver()) {
            return new Attempt.Left(LATE);
        }
        var address = new RepositoryAddress(goal.owner(), identifier);
        try (var lease = parts.repositories().find(address).orElse(null)) {
            if (lease == null) {
                return attemptAnew(goal, address, objects);
            }
            return attempt(goal, lease, objects);
        } catch (IOException e) {
            return new Attempt.Broken(e, Step.ALIGN);
        }
    }

    private Attempt attemptAnew(Plan.Goal goal, RepositoryAddress address, ObjectExamination objects)
            throws IOException {
        try (var lease = makeAnew(address)) {
            return attempt(goal, lease, objects);
        }
    }

    /// Somebody took its directory away; what it had comes from others, as far as they have it.
    private RepositoryLease makeAnew(RepositoryAddress address) throws IOException {
        LOG.warn("repository was missing, made anew identifier={} owner={}", identifier, address.owner());
        return parts.repositories().create(address);
    }

    private Attempt attempt(Plan.Goal goal, RepositoryLease lease, ObjectExamination objects) throws IOException {
        noteIfLacking(lease);
        return goal.winner().isPresent()
                ? attempt(lease, goal.winner().get(), objects)
                : new Attempt.Ended(new Aligning.Outcome.Aligned(RefCounts.NONE), hasContent(lease), Step.ALIGN);
    }

    private void noteIfLacking(RepositoryLease lease) {
        if (lease.isLacking()) {
            lacking.add(lease.address().owner());
        }
    }

    /// Sees to the repositories that no state governs: they are there.
    void tendUngoverned(Situation situation, Plan plan) {
        for (var entry : situation.pool().announced()) {
            boolean isGoverned =
                    plan.goals().stream().anyMatch(goal -> goal.owner().equals(entry.author()));
            if (entry.hasRepository() && !isGoverned) {
                tend(new RepositoryAddress(entry.author(), identifier));
            }
        }
    }

    private void tend(RepositoryAddress address) {
        try (var lease = parts.repositories().find(address).orElse(null)) {
            if (lease == null) {
                makeAnew(address).close();
            } else {
                noteIfLacking(lease);
            }
        } catch (IOException e) {
            note(address.owner(), new Attempt.Broken(e, Step.ALIGN));
        }
    }

    private Attempt attempt(RepositoryLease lease, RepositoryState winner, ObjectExamination objects) {
        var aligning = aligning(supply(lease, winner, objects));
        try {
            var outcome = aligning.align(lease, winner);
            if (outcome instanceof Aligning.Outcome.Aligned && lease.isForeign()) {
                TakeOver.run(parts, lease);
            }
            return new Attempt.Ended(outcome, hasContent(lease), aligning.step());
        } catch (IOException e) {
            return new Attempt.Broken(e, aligning.step());
        }
    }

    private void note(PublicKey owner, Attempt attempt) {
        switch (attempt) {
            case Attempt.Left(var reason) -> failures.put(owner, reason);
            case Attempt.Broken(var problem, var step) -> {
                isOurFault = true;
                failed(owner, step, problem.toString());
            }
            case Attempt.Ended(Aligning.Outcome.Aligned(var counts), var hasContent, var _) -> {
                changed += counts.isNothing() ? 0 : 1;
                moved = moved.plus(counts);
                parts.counts().moved(counts);
                results.put(owner, new Result(true, hasContent));
            }
            case Attempt.Ended(Aligning.Outcome.Failed(var reason), var hasContent, var step) -> {
                failed(owner, step, reason);
                results.put(owner, new Result(false, hasContent));
            }
        }
    }

    private void failed(PublicKey owner, Step step, String reason) {
        parts.counts().failed(step);
        LOG.warn("reconcile.error identifier={} owner={} step={} error={}", identifier, owner, step.word(), reason);
        failures.put(owner, reason);
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
}
