package dev.grapnel.purgatory;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Maintainers;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.purgatory.pool.Announced;
import dev.grapnel.purgatory.pool.PoolChange;
import dev.grapnel.purgatory.pool.Pools;
import dev.grapnel.purgatory.pool.Voice;
import dev.grapnel.store.Lookup;
import dev.grapnel.store.StoreTransaction;
import dev.grapnel.store.row.RowKeys;
import dev.grapnel.store.row.Standing;
import dev.grapnel.store.row.TrashedEvent;
import dev.grapnel.store.table.Table;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// States and proposals leave service with the last repository that carried them, and come back with one
/// (service 4.9.6).
final class Carriage {
    private final Pools pools;
    private final PoolChange change;
    private final StoreTransaction transaction;

    Carriage(Pools pools, PoolChange change, StoreTransaction transaction) {
        this.pools = pools;
        this.change = change;
        this.transaction = transaction;
    }

    /// Takes out what only this owner's repository carried.
    void takeOut(PublicKey owner) {
        boolean isForGood = standingOf(owner) == Standing.Phase.DOOMED;
        var leaving = new LinkedHashMap<EventId, Event>();
        addStates(owner, leaving);
        addProposals(owner, leaving);
        leaving.values().forEach(event -> takeOut(event, isForGood));
    }

    private Standing.Phase standingOf(PublicKey owner) {
        return pools.seenBy(transaction, change.after().identifier())
                .findAnnounced(owner)
                .flatMap(Announced::standing)
                .orElse(Standing.Phase.TRASHED);
    }

    private void takeOut(Event event, boolean isForGood) {
        transaction.withdraw(event.id());
        if (!isForGood) {
            var now = pools.time().wall();
            identifiersOf(event).forEach(identifier -> transaction.put(new TrashedEvent(identifier, event, now)));
        }
    }

    private List<Identifier> identifiersOf(Event event) {
        var own = event.kind() == Kinds.STATE
                ? List.<Identifier>of()
                : Targets.of(event, transaction).stream()
                        .map(RepositoryAddress::identifier)
                        .distinct()
                        .toList();
        return own.isEmpty() ? List.of(change.after().identifier()) : own;
    }

    private void addStates(PublicKey owner, Map<EventId, Event> leaving) {
        var identifier = change.after().identifier();
        boolean isLast = change.after().announced().stream().noneMatch(Announced::carries);
        var maintainers = maintainersBefore(owner);
        for (var state : find(new Lookup.TaggedOfKind(Kinds.STATE, 'd', identifier.text()))) {
            boolean isOurs = state.tags()
                    .findValue("d")
                    .filter(identifier.text()::equals)
                    .isPresent();
            boolean leaves = isLast
                    || (maintainers.contains(state.author()) && !change.after().carriesStatesOf(state.author()));
            if (isOurs && leaves) {
                leaving.put(state.id(), state);
            }
        }
    }

    /// Whose states its repository carried. Authors who are on the event blacklist since the start spoke
    /// when their events were taken.
    private Maintainers maintainersBefore(PublicKey owner) {
        var pool = change.before();
        for (var entry : pool.announced()) {
            if (entry.isMuted()) {
                pool = pool.with(entry.heard());
            }
        }
        return pool.maintainers(owner);
    }

    private void addProposals(PublicKey owner, Map<EventId, Event> leaving) {
        var people = new TreeSet<>(maintainersBefore(owner).members());
        people.add(owner);
        for (var person : people) {
            var coordinate = new RepositoryAddress(person, change.after().identifier()).toString();
            for (int kind : List.of(Kinds.PULL_REQUEST, Kinds.PULL_REQUEST_UPDATE)) {
                for (var proposal : find(new Lookup.TaggedOfKind(kind, 'a', coordinate))) {
                    addProposal(proposal, leaving);
                }
            }
        }
    }

    /// A proposal takes those updates along that name no repository themselves, and theirs.
    private void addProposal(Event proposal, Map<EventId, Event> leaving) {
        if (leaving.containsKey(proposal.id()) || isCarried(proposal)) {
            return;
        }
        var updated = new ArrayDeque<>(List.of(proposal));
        while (!updated.isEmpty()) {
            var next = updated.remove();
            if (leaving.putIfAbsent(next.id(), next) == null) {
                updatesOf(next)
                        .filter(update -> Targets.named(update).isEmpty())
                        .forEach(updated::add);
            }
        }
    }

    private Stream<Event> updatesOf(Event proposal) {
        var id = proposal.id().toHex();
        return Stream.of('E', 'e')
                .flatMap(letter -> find(new Lookup.TaggedOfKind(Kinds.PULL_REQUEST_UPDATE, letter, id)).stream());
    }

    private boolean isCarried(Event proposal) {
        return Targets.of(proposal, transaction).stream()
                .anyMatch(
                        target -> pools.seenBy(transaction, target.identifier()).carriesProposalsFor(target.owner()));
    }

    private List<Event> find(Lookup lookup) {
        var found = new ArrayList<Event>();
        transaction.forEachServed(lookup, event -> found.add(event.read()));
        return found;
    }

    /// Brings back what this owner's repository carries, if it was in the trash; says whether it was. If an
    /// announcement that waited is served instead, another repository begins there: events of the old one
    /// would lack their objects, so they are given up.
    boolean bringBack(PublicKey owner) {
        var was = change.was(owner);
        boolean wasTrashed =
                was.standing().filter(phase -> phase == Standing.Phase.TRASHED).isPresent();
        boolean isAnother = was.held()
                .map(held -> held.voice().version())
                .equals(change.is(owner).served().map(Voice::version));
        if (wasTrashed) {
            endTrash(owner, isAnother ? _ -> {} : transaction::save);
        }
        return wasTrashed && !isAnother;
    }

    private void endTrash(PublicKey owner, Consumer<Event> then) {
        var identifier = change.after().identifier();
        var trashed = new ArrayList<TrashedEvent>();
        transaction.forEachRow(
                Table.TRASHED_EVENTS, RowKeys.statesOf(identifier), row -> trashed.add((TrashedEvent) row));
        trashed.removeIf(row -> pools.isMuted(row.event().author()));
        // an update that names no repository itself finds it by what it updates, which must be back first
        while (trashed.removeIf(row -> endTrash(owner, row.event(), then))) {}
    }

    private boolean endTrash(PublicKey owner, Event event, Consumer<Event> then) {
        boolean isCarried = isCarriedBy(owner, event);
        if (isCarried) {
            identifiersOf(event)
                    .forEach(each -> transaction.remove(Table.TRASHED_EVENTS, RowKeys.state(each, event.id())));
            then.accept(event);
        }
        return isCarried;
    }

    private boolean isCarriedBy(PublicKey owner, Event event) {
        return event.kind() == Kinds.STATE
                ? change.after().isMember(event.author(), owner)
                : Targets.of(event, transaction).stream()
                        .filter(target ->
                                target.identifier().equals(change.after().identifier()))
                        .anyMatch(target ->
                                target.owner().equals(owner) || change.after().isMember(target.owner(), owner));
    }
}
