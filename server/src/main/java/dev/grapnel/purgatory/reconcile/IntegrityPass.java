package dev.grapnel.purgatory.reconcile;

import dev.grapnel.git.maintenance.TipCheck;
import dev.grapnel.git.pool.Closure;
import dev.grapnel.git.pool.LocalPool.Source;
import dev.grapnel.git.refs.Refs;
import dev.grapnel.git.repository.Repositories;
import dev.grapnel.git.repository.RepositoryLease;
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
import dev.grapnel.store.row.TrashedEvent;
import dev.grapnel.store.table.Table;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

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

        /// Those of them that could be read.
        public List<RepositoryAddress> readable() {
            var others = divergences.stream()
                    .filter(Divergence.Unreadable.class::isInstance)
                    .map(Divergence::repository)
                    .collect(Collectors.toSet());
            return looked.stream().filter(address -> !others.contains(address)).toList();
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

    /// Looks at the refs of all repositories of one name, while nothing of them changes. One that cannot be
    /// read is a finding like others.
    ///
    /// @throws IOException if nobody wants to know any more
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
        var looked = situation.pool().announced().stream()
                .filter(Announced::hasRepository)
                .map(entry -> new RepositoryAddress(entry.author(), identifier))
                .toList();
        return new Findings(looked, compareAll(situation, looked));
    }

    /// Objects of a state are looked for in several repositories, so one that is broken must be left out.
    private List<Divergence> compareAll(Situation situation, List<RepositoryAddress> looked) throws IOException {
        try {
            return compareAll(situation, looked, Set.of());
        } catch (InterruptedIOException | ClosedByInterruptException e) {
            throw e;
        } catch (IOException _) {
            return compareWithoutBroken(situation, looked);
        }
    }

    private List<Divergence> compareWithoutBroken(Situation situation, List<RepositoryAddress> looked)
            throws IOException {
        try {
            return compareAll(situation, looked, broken(looked));
        } catch (InterruptedIOException | ClosedByInterruptException e) {
            throw e;
        } catch (IOException e) { // something that belongs to none of them: nobody knows what they should be
            return looked.stream()
                    .<Divergence>map(address -> Divergence.Unreadable.of(address, Divergence.Kind.REFS, e))
                    .toList();
        }
    }

    private Set<RepositoryAddress> broken(List<RepositoryAddress> addresses) throws IOException {
        var broken = new HashSet<RepositoryAddress>();
        for (var address : addresses) {
            if (!lookAtTips(address).isEmpty()) {
                broken.add(address);
            }
        }
        return broken;
    }

    /// @throws IOException if it cannot be said what they should be
    private List<Divergence> compareAll(
            Situation situation, List<RepositoryAddress> looked, Set<RepositoryAddress> leftOut) throws IOException {
        var found = new ArrayList<Divergence>();
        try (var examination = examination(situation, leftOut)) {
            var plan = Plan.of(situation, examination);
            for (var address : looked) {
                try {
                    found.addAll(compare(address, findGoal(plan, address), examination));
                } catch (InterruptedIOException | ClosedByInterruptException e) {
                    throw e;
                } catch (IOException e) {
                    found.add(Divergence.Unreadable.of(address, Divergence.Kind.REFS, e));
                }
            }
        }
        return found;
    }

    private ObjectExamination examination(Situation situation, Set<RepositoryAddress> leftOut) {
        return new ObjectExamination(
                situation.pool(),
                (sources, received) -> objects.open(
                        sources.stream()
                                .filter(source -> !isOf(source, leftOut))
                                .toList(),
                        received),
                staged.of(situation.pool().identifier()),
                Optional.empty(),
                Set.of());
    }

    private static boolean isOf(Source source, Set<RepositoryAddress> repositories) {
        return switch (source) {
            case Source.Related(var repository) -> repositories.contains(repository);
            case Source.Unrelated(var repository) -> repositories.contains(repository);
            case Source.Named(var repository, var _) -> repositories.contains(repository);
            case Source.Area _, Source.Hunted _ -> false;
        };
    }

    private static Optional<Plan.Goal> findGoal(Plan plan, RepositoryAddress address) {
        return plan.goals().stream()
                .filter(goal -> goal.owner().equals(address.owner()))
                .findFirst();
    }

    private List<Divergence> compare(
            RepositoryAddress address, Optional<Plan.Goal> goal, Readiness.Examination examination) throws IOException {
        try (var lease = repositories.find(address).orElse(null)) {
            if (lease == null) {
                return List.of(new Divergence.Absent(address));
            }
            var refs = lease.refs().current();
            var found = new ArrayList<Divergence>();
            if (goal.isPresent()) { // one that was withdrawn is frozen
                found.addAll(branchesAndTags(address, refs, goal.get(), examination));
            }
            found.addAll(store.read(view -> proposals(address, refs, view)));
            return found;
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
                .flatMap(id -> findProposal(id, address.identifier(), view));
        if (proposal.isEmpty()) {
            return Optional.of(new Divergence.Unexplained(address, name, target));
        }
        var proposed = proposal.get().commit();
        return proposed.equals(target.toString())
                ? Optional.empty()
                : Optional.of(new Divergence.Mistaken(address, name, target, proposed));
    }

    /// Also among what left service with a repository and may come back with it.
    private static Optional<Proposal> findProposal(EventId id, Identifier identifier, StoreView view) {
        return view.find(id)
                .map(StoredEvent::read)
                .or(() -> view.findHeld(id).map(Held::event))
                .or(() -> view.findRow(Table.TRASHED_EVENTS, RowKeys.state(identifier, id))
                        .map(row -> ((TrashedEvent) row).event()))
                .filter(event -> event.kind() == Kinds.PULL_REQUEST || event.kind() == Kinds.PULL_REQUEST_UPDATE)
                .flatMap(event -> Targets.read(event).find());
    }

    /// Opens the object that each branch, tag and ref of a proposal names, while the repository is used.
    ///
    /// @throws IOException if nobody wants to know any more
    public List<Divergence> lookAtTips(RepositoryAddress address) throws IOException {
        return lookTwice(address, this::findUnreadable);
    }

    /// Looks at everything that the refs of a repository reach, while it is used.
    ///
    /// @throws IOException if nobody wants to know any more
    public List<Divergence> lookAtObjects(RepositoryAddress address, Closure.Rest rest) throws IOException {
        return lookTwice(address, lease -> findIncomplete(lease, rest));
    }

    /// One look at the objects of a repository.
    private interface Look {
        List<Divergence> at(RepositoryLease lease) throws IOException;
    }

    /// What seems to be missing is looked for a second time: files are packed anew meanwhile.
    private List<Divergence> lookTwice(RepositoryAddress address, Look look) throws IOException {
        return lookOnce(address, look).isEmpty() ? List.of() : lookOnce(address, look);
    }

    private List<Divergence> lookOnce(RepositoryAddress address, Look look) throws IOException {
        try (var lease = repositories.find(address).orElse(null)) {
            return lease == null ? List.of() : look.at(lease);
        } catch (InterruptedIOException | ClosedByInterruptException e) {
            throw e;
        } catch (IOException e) {
            return List.of(Divergence.Unreadable.of(address, Divergence.Kind.OBJECTS, e));
        }
    }

    private List<Divergence> findUnreadable(RepositoryLease lease) throws IOException {
        var targets = new TreeMap<RefName, Oid>();
        lease.refs().current().values().forEach((name, value) -> {
            if (Alignment.isManaged(name) || name.text().startsWith(RefName.PROPOSALS)) {
                targets.put(name, value.target());
            }
        });
        var unreadable = TipCheck.findUnreadable(lease.directory(), targets.values());
        var elsewhere = findElsewhere(unreadable, lease.address());
        return targets.entrySet().stream()
                .filter(ref -> unreadable.contains(ref.getValue()))
                .<Divergence>map(ref -> Divergence.Incomplete.at(
                        lease.address(), ref.getKey(), ref.getValue(), elsewhere.contains(ref.getValue())))
                .toList();
    }

    /// Those of some objects that others of the same name have, complete.
    private Set<Oid> findElsewhere(Collection<Oid> missing, RepositoryAddress address) throws IOException {
        var found = new HashSet<Oid>();
        if (!missing.isEmpty()) {
            var situation = store.read(view -> Situation.read(address.identifier(), view, pools));
            try (var examination = examination(situation, Set.of(address))) {
                for (var id : Set.copyOf(missing)) {
                    if (examination.find(id, address.owner()).isPresent()) {
                        found.add(id);
                    }
                }
            }
        }
        return found;
    }

    private List<Divergence> findIncomplete(RepositoryLease lease, Closure.Rest rest) throws IOException {
        var found = new ArrayList<>(findUnreadable(lease));
        var told = found.stream().map(Divergence::ref).collect(Collectors.toSet());
        try (var closure = Closure.begin(repositories, lease, rest)) {
            for (var ref : lease.refs().current().values().entrySet()) {
                if (!told.contains(ref.getKey().text())) {
                    var problem = closure.findProblem(ref.getValue().target());
                    if (problem.isPresent()) {
                        var missing = closure.missing().map(Set::of).orElse(Set.of());
                        boolean isElsewhere =
                                !findElsewhere(missing, lease.address()).isEmpty();
                        found.add(new Divergence.Incomplete(lease.address(), ref.getKey(), problem.get(), isElsewhere));
                    }
                }
            }
        }
        return found;
    }

    /// Takes repositories for incomplete from now on, so that whoever looks for something there looks twice, and
    /// enters them in the repair ledger: runs bring what is missing.
    ///
    /// @throws IOException if that could not be written down
    public void noteLacking(Collection<RepositoryAddress> broken) throws IOException {
        for (var address : broken) {
            try {
                locks.holding(List.of(address.identifier()), () -> noteLackingHolding(address));
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
        }
        queue(broken);
    }

    private boolean noteLackingHolding(RepositoryAddress address) {
        try (var lease = repositories.find(address).orElse(null)) {
            if (lease != null) {
                lease.markLacking();
                repositories.reopen(address); // files that are gone must not be remembered as being there
            }
            return lease != null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
