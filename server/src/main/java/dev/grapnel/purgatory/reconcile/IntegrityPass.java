package dev.grapnel.purgatory.reconcile;

import dev.grapnel.git.pool.Closure;
import dev.grapnel.git.refs.Refs;
import dev.grapnel.git.repository.Repositories;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.Proposal;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.purgatory.IdentifierLocks;
import dev.grapnel.purgatory.Targets;
import dev.grapnel.purgatory.pool.Announced;
import dev.grapnel.purgatory.pool.Pool;
import dev.grapnel.purgatory.pool.Pools;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.StoreView;
import dev.grapnel.store.StoredEvent;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.Repair;
import dev.grapnel.store.row.RowKeys;
import dev.grapnel.store.table.Table;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Compares repositories with what their events say (README 4, P-733). It deletes nothing and moves nothing.
public final class IntegrityPass {
    private final EventStore store;
    private final Pools pools;
    private final Repositories repositories;
    private final ObjectExamination.Pools objects;
    private final StagedObjects staged;
    private final IdentifierLocks locks;

    public IntegrityPass(
            EventStore store,
            Pools pools,
            Repositories repositories,
            ObjectExamination.Pools objects,
            StagedObjects staged,
            IdentifierLocks locks) {
        this.store = store;
        this.pools = pools;
        this.repositories = repositories;
        this.objects = objects;
        this.staged = staged;
        this.locks = locks;
    }

    /// What was found under one name.
    ///
    /// @param looked repositories that were looked at
    public record Findings(List<RepositoryAddress> looked, List<Divergence> divergences) {
        public Findings {
            looked = List.copyOf(looked);
            divergences = List.copyOf(divergences);
        }
    }

    /// All names under which there should be a repository.
    public List<Identifier> identifiers() {
        return pools.all().stream()
                .filter(pool -> pool.announced().stream().anyMatch(Announced::hasRepository))
                .map(Pool::identifier)
                .sorted()
                .toList();
    }

    /// Looks at all repositories of one name, while nothing of them changes.
    ///
    /// @throws IOException if something of ours failed
    public Findings look(Identifier identifier) throws IOException {
        try {
            return locks.holding(List.of(identifier), () -> {
                try {
                    return lookHolding(identifier);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private Findings lookHolding(Identifier identifier) throws IOException {
        var situation = store.read(view -> Situation.read(identifier, view, pools));
        var looked = new ArrayList<RepositoryAddress>();
        var found = new ArrayList<Divergence>();
        try (var examination =
                new ObjectExamination(situation.pool(), objects, staged.of(identifier), Optional.empty(), Set.of())) {
            var plan = Plan.of(situation, examination);
            for (var entry : situation.pool().announced()) {
                if (entry.hasRepository()) {
                    var address = new RepositoryAddress(entry.author(), identifier);
                    looked.add(address);
                    compare(address, findGoal(plan, entry), examination, found);
                }
            }
        }
        return new Findings(looked, found);
    }

    private static Optional<Plan.Goal> findGoal(Plan plan, Announced entry) {
        return plan.goals().stream()
                .filter(goal -> goal.owner().equals(entry.author()))
                .findFirst();
    }

    private void compare(
            RepositoryAddress address,
            Optional<Plan.Goal> goal,
            Readiness.Examination examination,
            List<Divergence> found)
            throws IOException {
        try (var lease = repositories.find(address).orElse(null)) {
            if (lease == null) {
                found.add(new Divergence.Absent(address));
                return;
            }
            var refs = lease.refs().current();
            if (goal.isPresent()) { // one that was withdrawn is frozen
                found.addAll(branchesAndTags(address, refs, goal.get(), examination));
            }
            found.addAll(store.read(view -> proposals(address, refs, view)));
        }
    }

    static List<Divergence> branchesAndTags(
            RepositoryAddress address, Refs refs, Plan.Goal goal, Readiness.Examination examination)
            throws IOException {
        var winner = goal.winner();
        if (winner.isEmpty()) {
            int count = (int)
                    refs.values().keySet().stream().filter(Alignment::isManaged).count();
            // without a state the refs of a served repository stay as they were (E-2)
            return goal.isServed() || count == 0 ? List.of() : List.of(new Divergence.Unsigned(address, count));
        }
        var alignment = Alignment.of(refs, winner.get());
        if (alignment.isNothing()) {
            return List.of();
        }
        int count = alignment.changes().size() + (alignment.head().isPresent() ? 1 : 0);
        var first = alignment.changes().isEmpty()
                ? "HEAD"
                : alignment.changes().getFirst().name().text();
        boolean isComplete = examination.of(winner.get()) == Readiness.READY;
        return List.of(new Divergence.Unaligned(address, winner.get().event().id(), count, first, isComplete));
    }

    private static List<Divergence> proposals(RepositoryAddress address, Refs refs, StoreView view) {
        var found = new ArrayList<Divergence>();
        refs.values().forEach((name, value) -> {
            if (name.text().startsWith(RefName.PROPOSALS)) {
                compareProposal(address, name, value.target(), view).ifPresent(found::add);
            }
        });
        return found;
    }

    private static Optional<Divergence> compareProposal(
            RepositoryAddress address, RefName name, Oid target, StoreView view) {
        var proposal = EventId.parse(name.text().substring(RefName.PROPOSALS.length()))
                .find()
                .flatMap(id -> findProposal(id, view));
        if (proposal.isEmpty()) {
            return Optional.of(new Divergence.Unexplained(address, name, target));
        }
        var proposed = proposal.get().commit();
        return proposed.equals(target.toString())
                ? Optional.empty()
                : Optional.of(new Divergence.Mistaken(address, name, target, proposed));
    }

    private static Optional<Proposal> findProposal(EventId id, StoreView view) {
        return view.find(id)
                .map(StoredEvent::read)
                .or(() -> view.findHeld(id).map(Held::event))
                .filter(event -> event.kind() == Kinds.PULL_REQUEST || event.kind() == Kinds.PULL_REQUEST_UPDATE)
                .flatMap(event -> Targets.read(event).find());
    }

    /// Looks at everything that the refs of a repository reach, while it is used. What seems to be missing is looked
    /// for a second time: files are packed anew meanwhile.
    ///
    /// @throws IOException if something of ours failed, or nobody wants to know any more
    public List<Divergence> lookAtObjects(RepositoryAddress address, Closure.Rest rest) throws IOException {
        return findIncomplete(address, rest).isEmpty() ? List.of() : findIncomplete(address, rest);
    }

    private List<Divergence> findIncomplete(RepositoryAddress address, Closure.Rest rest) throws IOException {
        var found = new ArrayList<Divergence>();
        try (var lease = repositories.find(address).orElse(null)) {
            if (lease != null) {
                try (var closure = Closure.begin(repositories, lease, rest)) {
                    for (var ref : lease.refs().current().values().entrySet()) {
                        closure.findProblem(ref.getValue().target())
                                .ifPresent(problem ->
                                        found.add(new Divergence.Incomplete(address, ref.getKey(), problem)));
                    }
                }
            }
        }
        return found;
    }

    /// Enters repositories in the repair ledger, to be looked at now.
    public void queue(Collection<RepositoryAddress> different) {
        if (!different.isEmpty()) {
            store.write(Urgency.WAITING, 0, transaction -> {
                        var now = pools.time().wall();
                        for (var address : different) {
                            transaction.put(transaction
                                    .findRow(Table.REPAIRS, RowKeys.repository(address))
                                    .map(row -> ((Repair) row).dueAt(now))
                                    .orElseGet(() -> Repair.due(address, now)));
                        }
                        return true;
                    })
                    .join();
        }
    }
}
