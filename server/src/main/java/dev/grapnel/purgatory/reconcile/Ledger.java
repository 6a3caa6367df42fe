package dev.grapnel.purgatory.reconcile;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.purgatory.ReleasePath;
import dev.grapnel.purgatory.Targets;
import dev.grapnel.purgatory.pool.Pool;
import dev.grapnel.purgatory.pool.Pools;
import dev.grapnel.purgatory.pool.WaitingProposal;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.row.Placeholder;
import dev.grapnel.store.row.Repair;
import dev.grapnel.store.table.Table;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// Repositories that may not be what they should (P-541), looked at again until they are.
public final class Ledger {
    private final EventStore store;
    private final Pools pools;
    private final Attention attention;

    public Ledger(EventStore store, Pools pools, Attention attention) {
        this.store = store;
        this.pools = pools;
        this.attention = attention;
    }

    /// Asks for a run for everything whose time has come. Rows of repositories that are nobody's any more go: no
    /// run would look at them.
    public void look() {
        var now = pools.time().wall();
        var due = due(repair -> !repair.nextAttempt().isAfter(now));
        due.stream()
                .filter(repair -> isAbandoned(repair, pools.of(nameOf(repair))))
                .forEach(this::forget);
        namesOf(due).forEach(identifier -> attention.trigger(identifier, ReleasePath.REPAIR));
    }

    private static boolean isAbandoned(Repair repair, Pool pool) {
        return pool.findAnnounced(repair.repository().owner()).isEmpty();
    }

    private void forget(Repair repair) {
        var _ = store.write(Urgency.WAITING, 0, transaction -> {
            boolean isAbandoned = isAbandoned(repair, pools.known(transaction, nameOf(repair)));
            if (isAbandoned) {
                transaction.remove(repair.table(), repair.key());
            }
            return isAbandoned;
        });
    }

    private static Identifier nameOf(Repair repair) {
        return repair.repository().identifier();
    }

    private static NavigableSet<Identifier> namesOf(Collection<Repair> repairs) {
        return repairs.stream().map(Ledger::nameOf).collect(Collectors.toCollection(TreeSet::new));
    }

    private List<Repair> due(Predicate<Repair> isDue) {
        return store.read(view -> {
            var found = new ArrayList<Repair>();
            if (view.count(Table.REPAIRS) > 0) {
                view.forEachRow(Table.REPAIRS, Bytes.EMPTY, row -> {
                    if (row instanceof Repair repair && isDue.test(repair)) {
                        found.add(repair);
                    }
                });
            }
            return found;
        });
    }

    /// Does what the last process left to do: for all that waits, was uploaded, or needs repair (purgatory
    /// 7.5). It returns when the runs are done, too, that those ask for: a pull request is served after what
    /// shows its commit, and whoever lets go of what has waited long enough comes next.
    public void catchUp() {
        waiting().forEach(identifier -> attention.trigger(identifier, ReleasePath.STARTUP));
        try {
            attention.awaitQuiet();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // then nobody wants this start any more
        }
    }

    /// The names under which something waits, was uploaded, or needs repair.
    public Set<Identifier> waiting() {
        var identifiers = namesOf(due(_ -> true));
        pools.all().stream().filter(Ledger::isWaiting).map(Pool::identifier).forEach(identifiers::add);
        pools.namelessProposals().forEach(proposal -> identifiers.addAll(targetsOf(proposal)));
        identifiers.addAll(uploaded());
        return identifiers;
    }

    private Set<Identifier> targetsOf(WaitingProposal nameless) {
        return store.read(view -> view.findHeld(nameless.id()).stream()
                .flatMap(row -> Targets.of(row.event(), view).stream())
                .map(RepositoryAddress::identifier)
                .collect(Collectors.toSet()));
    }

    /// What there is under one name.
    ///
    /// @param held events that wait
    /// @param repairs repositories that may not be what they should
    /// @param isKnown whether anything is: announced, waiting, uploaded or to be repaired
    public record Stock(long held, long repairs, boolean isKnown) {}

    /// What there is under one name.
    public Stock stock(Identifier identifier) {
        var pool = pools.of(identifier);
        long nameless = pools.namelessProposals().stream()
                .filter(proposal -> targetsOf(proposal).contains(identifier))
                .count();
        long announcements = pool.announced().stream()
                .filter(entry -> entry.held().isPresent())
                .count();
        long held = announcements + pool.states().size() + pool.proposals().size() + nameless;
        long repairs = due(repair -> nameOf(repair).equals(identifier)).size();
        boolean isKnown = held > 0
                || repairs > 0
                || !pool.announced().isEmpty()
                || uploaded().contains(identifier);
        return new Stock(held, repairs, isKnown);
    }

    private static boolean isWaiting(Pool pool) {
        return !pool.states().isEmpty()
                || !pool.proposals().isEmpty()
                || pool.announced().stream().anyMatch(entry -> entry.held().isPresent());
    }

    private Set<Identifier> uploaded() {
        return store.read(view -> {
            var found = new TreeSet<Identifier>();
            if (view.count(Table.PLACEHOLDERS) > 0) {
                view.forEachRow(Table.PLACEHOLDERS, Bytes.EMPTY, row -> {
                    if (row instanceof Placeholder placeholder) {
                        placeholder
                                .pushedTo()
                                .forEach(upload -> found.add(upload.repository().identifier()));
                    }
                });
            }
            return found;
        });
    }
}
