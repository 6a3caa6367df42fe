package dev.grapnel.purgatory;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.nostr.rule.Expiration;
import dev.grapnel.purgatory.pool.Announced;
import dev.grapnel.purgatory.pool.HeldVoice;
import dev.grapnel.purgatory.pool.PoolChange;
import dev.grapnel.purgatory.pool.PoolFollower;
import dev.grapnel.purgatory.pool.Pools;
import dev.grapnel.purgatory.pool.Voice;
import dev.grapnel.store.Removal;
import dev.grapnel.store.SaveOutcome;
import dev.grapnel.store.StoreTransaction;
import dev.grapnel.store.row.ExpiredEvent;
import dev.grapnel.store.row.HeldAnnouncement;
import dev.grapnel.store.row.Repair;
import dev.grapnel.store.row.Standing;
import dev.grapnel.store.table.Table;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// What follows in the same transaction when announcements come, change or go: repositories go offline with
/// the events only they carried and come back with them (service 4.9.6), states nobody authorises any more
/// are dropped (P-230), held references follow those that name them (P-214), no held announcement ends
/// before a state that it authorises (P-215).
///
/// Used by the writer alone; what must be done on disk is told when the transaction is durable.
final class Aftermath implements PoolFollower.Consequences {
    private final Pools pools;
    private final Happenings happenings;
    private final Consumer<RepositoryAddress> tend;
    private final Consumer<List<Identifier>> changed;
    private final TreeSet<RepositoryAddress> untended = new TreeSet<>();

    /// @param tend told which repositories may have come or gone
    /// @param changed told which identifiers have other announcements, states or proposals
    Aftermath(
            Pools pools, Happenings happenings, Consumer<RepositoryAddress> tend, Consumer<List<Identifier>> changed) {
        this.pools = pools;
        this.happenings = happenings;
        this.tend = tend;
        this.changed = changed;
    }

    @Override
    public void follow(List<PoolChange> changes, Map<EventId, Removal.Reason> departed, StoreTransaction transaction) {
        for (var change : changes) {
            var authors = change.authors();
            if (!authors.isEmpty()) {
                new Turn(change, authors, departed, transaction).run();
                repairAll(change.after().identifier(), transaction);
            }
            if (!authors.isEmpty() || change.hasOtherStates()) {
                prolong(change.after().identifier(), transaction);
            }
        }
    }

    /// Whatever gave a state more time, or an announcement another state: the announcement does not end
    /// first.
    private void prolong(Identifier identifier, StoreTransaction transaction) {
        for (var held : pools.seenBy(transaction, identifier).endingTooSoon()) {
            transaction.amend(held.voice().version().id(), held.terms(held.deadline(), pools.time()));
        }
    }

    @Override
    public void left(Event event, Removal.Reason reason, StoreTransaction transaction) {
        switch (reason) {
            case REPLACED -> {
                // whoever served the newer one looks after the refs
            }
            case DELETED, VANISHED, EXPIRED, BANNED, WITHDRAWN -> {
                if (event.kind() == Kinds.STATE) {
                    stateLeft(event, transaction);
                } else if (reason != Removal.Reason.WITHDRAWN) { // what left with its repository may come back
                    proposalLeft(event, transaction);
                }
            }
        }
    }

    /// Its ref goes in every repository (service 4.9.5), whether it still concerns it or not.
    private void proposalLeft(Event proposal, StoreTransaction transaction) {
        Targets.of(proposal, transaction).stream()
                .map(RepositoryAddress::identifier)
                .distinct()
                .forEach(identifier -> removeRef(identifier, proposal.id(), transaction));
    }

    @Override
    public void trashEnded(Identifier identifier, EventId id, StoreTransaction transaction) {
        if (!transaction.isServed(id) && !transaction.isHeld(id)) {
            removeRef(identifier, id, transaction);
        }
    }

    /// In repositories in the trash as well, which may come back.
    private void removeRef(Identifier identifier, EventId proposal, StoreTransaction transaction) {
        var now = pools.time().wall();
        pools.seenBy(transaction, identifier).announced().stream()
                .filter(entry -> entry.hasRepository() || entry.isInTrash())
                .map(entry -> new RepositoryAddress(entry.author(), identifier))
                .forEach(address ->
                        transaction.put(ledgerRow(address, transaction).without(proposal, now)));
    }

    private Repair ledgerRow(RepositoryAddress repository, StoreTransaction transaction) {
        var due = Repair.due(repository, pools.time().wall());
        return transaction
                .findRow(Table.REPAIRS, due.key())
                .map(found -> (Repair) found)
                .orElse(due);
    }

    private void stateLeft(Event state, StoreTransaction transaction) {
        Identifier.parse(state.tags().findValue("d").orElse(""))
                .find()
                .map(identifier -> pools.seenBy(transaction, identifier))
                .ifPresent(pool -> pool.authorising(state.author()).stream()
                        .filter(Announced::isServedHosted)
                        .map(entry -> new RepositoryAddress(entry.author(), pool.identifier()))
                        .forEach(address -> repair(address, transaction)));
    }

    /// Whoever announces, changes or leaves may change which state governs any repository of that name (P-541).
    private void repairAll(Identifier identifier, StoreTransaction transaction) {
        pools.seenBy(transaction, identifier).announced().stream()
                .filter(Announced::isServedHosted)
                .forEach(entry -> repair(new RepositoryAddress(entry.author(), identifier), transaction));
    }

    private void repair(RepositoryAddress repository, StoreTransaction transaction) {
        transaction.put(ledgerRow(repository, transaction).dueAt(pools.time().wall()));
    }

    @Override
    public void workDone() {
        happenings.endWork();
    }

    @Override
    public void published(List<Identifier> identifiers) {
        var arrived = happenings.arrived();
        happenings.publish();
        var addresses = List.copyOf(untended);
        untended.clear();
        addresses.forEach(tend);
        changed.accept(identifiers.stream()
                .filter(identifier -> !arrived.contains(identifier))
                .toList());
    }

    @Override
    public void abandoned() {
        happenings.forget();
        untended.clear();
    }

    /// What follows from one identifier's change.
    private final class Turn {
        private final PoolChange change;
        private final List<PublicKey> authors;
        private final Map<EventId, Removal.Reason> departed;
        private final StoreTransaction transaction;

        Turn(
                PoolChange change,
                List<PublicKey> authors,
                Map<EventId, Removal.Reason> departed,
                StoreTransaction transaction) {
            this.change = change;
            this.authors = authors;
            this.departed = departed;
            this.transaction = transaction;
        }

        void run() {
            authors.forEach(this::noteRepository);
            authors.forEach(this::takeOffline);
            var carriage = new Carriage(pools, change, transaction);
            authors.stream()
                    .filter(author ->
                            change.was(author).carries() && !change.is(author).carries())
                    .forEach(carriage::takeOut);
            authors.stream()
                    .filter(author ->
                            !change.was(author).carries() && change.is(author).carries())
                    .forEach(author -> {
                        if (carriage.bringBack(author)) {
                            happenings.note(new Happening.Restored(addressOf(author)));
                        }
                    });
            authors.stream()
                    .filter(author -> change.was(author).isHosted()
                            && !change.is(author).isHosted()
                            && !change.is(author).carries())
                    .forEach(this::dropOrphans);
            settleReferences();
        }

        private RepositoryAddress addressOf(PublicKey author) {
            return new RepositoryAddress(author, change.after().identifier());
        }

        private void noteRepository(PublicKey author) {
            boolean isDoomed = change.is(author)
                    .standing()
                    .filter(phase -> phase == Standing.Phase.DOOMED)
                    .isPresent();
            if (isDoomed
                    || change.was(author).hasRepository() != change.is(author).hasRepository()) {
                untended.add(addressOf(author));
            }
        }

        /// A repository whose announcement is served no more is not read any more either.
        private void takeOffline(PublicKey author) {
            var is = change.is(author);
            boolean isBereft = is.served().isEmpty()
                    && is.standing().filter(Standing.Phase::isOnline).isPresent();
            if (isBereft) {
                var was = change.was(author);
                var standing = was.served()
                        .map(voice -> Standing.offline(
                                addressOf(author), causeOf(was), pools.time().wall(), voice.version()))
                        .orElseGet(() -> Standing.offline(
                                addressOf(author),
                                Standing.Cause.NONE,
                                pools.time().wall(),
                                Optional.empty()));
                transaction.put(standing);
                untended.add(addressOf(author));
                happenings.note(new Happening.Offline(standing));
            }
        }

        private Standing.Cause causeOf(Announced was) {
            var reason = was.served().map(voice -> departed.get(voice.version().id()));
            return reason.map(found -> switch (found) {
                        case DELETED -> Standing.Cause.DELETED;
                        case VANISHED -> Standing.Cause.VANISHED;
                        case EXPIRED -> Standing.Cause.EXPIRED;
                        case BANNED -> Standing.Cause.BANNED;
                        case REPLACED, WITHDRAWN -> Standing.Cause.NONE;
                    })
                    .orElse(Standing.Cause.NONE);
        }

        /// States that this owner's announcement authorised, and nobody's does now. One that was only
        /// withdrawn is still here and may be hosted again: then they wait (S11).
        private void dropOrphans(PublicKey owner) {
            if (change.after().states().isEmpty()) {
                return;
            }
            change.after().states().stream()
                    .filter(state -> change.before().isMember(state.author(), owner)
                            && !change.after().authorises(state.author()))
                    .forEach(state -> drop(state.id(), DropReason.ORPHANED));
        }

        private void drop(EventId id, DropReason reason) {
            transaction.drop(id).ifPresent(row -> happenings.note(new Happening.Dropped(row, reason)));
        }

        private void settleReferences() {
            var references = change.after().announced().stream()
                    .filter(entry -> entry.held()
                            .filter(held -> held.phase() == HeldAnnouncement.Phase.REFERENCE)
                            .isPresent())
                    .toList();
            var concerned = references.isEmpty() ? Set.<PublicKey>of() : namedByTheChanged();
            var settling = references.stream()
                    .filter(entry -> concerned.contains(entry.author()))
                    .toList();
            if (!settling.isEmpty()) {
                settle(settling);
            }
        }

        /// Whom somebody else names, or named, whose announcements have changed.
        private Set<PublicKey> namedByTheChanged() {
            var named = new HashSet<PublicKey>();
            for (var author : authors) {
                Stream.of(change.was(author), change.is(author))
                        .flatMap(Announced::named)
                        .filter(person -> !person.equals(author))
                        .forEach(named::add);
            }
            return named;
        }

        /// What has expired and is still to be swept releases nothing, nor is it gone yet.
        private void settle(List<Announced> references) {
            var people = references.stream().map(Announced::author).toList();
            var heard = change.after().at(pools.time().wall().getEpochSecond());
            var released = heard.namedByServed(people.stream()
                    .filter(person ->
                            heard.findAnnounced(person).flatMap(Announced::held).isPresent())
                    .toList());
            var named = change.after().named(people);
            for (var reference : references) {
                if (released.contains(reference.author())) {
                    release(reference);
                } else if (!named.contains(reference.author())) {
                    dropReference(reference);
                }
            }
        }

        private void release(Announced reference) {
            var id = idOf(reference);
            var row = transaction.findHeld(id).orElseThrow();
            if (transaction.release(id) instanceof SaveOutcome.Served) {
                happenings.note(new Happening.Released(row, happenings.path()));
            } else {
                happenings.note(new Happening.Dropped(row, DropReason.SUPERSEDED));
            }
        }

        /// What it depended on is gone. If that waited in vain, so did this one (P-214); if its author had
        /// given it no longer time, nothing is to be remembered (A15).
        private void dropReference(Announced reference) {
            var id = idOf(reference);
            boolean isByTime = happenings.ofThisWork().stream()
                    .anyMatch(happening -> happening instanceof Happening.Dropped(var row, var reason)
                            && reason == DropReason.EXPIRED
                            && row instanceof HeldAnnouncement gone
                            && !isOver(gone.event())
                            && gone.repository()
                                    .identifier()
                                    .equals(change.after().identifier()));
            drop(id, isByTime ? DropReason.EXPIRED : DropReason.ORPHANED);
            if (isByTime) {
                var now = pools.time().wall();
                transaction.put(new ExpiredEvent(id, Kinds.ANNOUNCEMENT, now, now, 0, false, Optional.empty()));
            }
        }

        private boolean isOver(Event event) {
            return Expiration.of(event)
                    .find()
                    .filter(expiration -> expiration.isOver(pools.time().wall()))
                    .isPresent();
        }

        private static EventId idOf(Announced reference) {
            return reference
                    .held()
                    .map(HeldVoice::voice)
                    .map(Voice::version)
                    .orElseThrow()
                    .id();
        }
    }
}
