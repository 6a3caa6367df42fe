package dev.grapnel.purgatory.pool;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.MaintainerModel;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.store.Lookup;
import dev.grapnel.store.StoreTransaction;
import dev.grapnel.store.StoreView;
import dev.grapnel.store.StoredEvent;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.HeldAnnouncement;
import dev.grapnel.store.row.HeldProposal;
import dev.grapnel.store.row.HeldState;
import dev.grapnel.store.row.RowKeys;
import dev.grapnel.store.row.Standing;
import dev.grapnel.store.row.Terms;
import dev.grapnel.store.table.Table;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/// The pools of all identifiers, as the last commit left them; and, for the writer, as its transaction sees
/// them.
///
/// Changed by the writer only. What it changes lies apart until the commit: then it is published, or
/// forgotten if the commit fails. Keys of the maps are chosen by strangers, but they are comparable, so
/// chosen hashes cost no more than a logarithm.
public final class Pools {
    private static final int BATCH = 4_096;

    private final MaintainerModel model;
    private final Predicate<PublicKey> isMuted;
    private final Timeline time;

    private final Map<Identifier, Pool> published = new ConcurrentHashMap<>();
    private final Map<EventId, WaitingProposal> proposals = new ConcurrentHashMap<>();
    private volatile Tally total = Tally.NOTHING;

    /// What the transactions since the last commit have changed.
    private final Map<Identifier, Pool> pending = new HashMap<>();

    private final Map<EventId, Optional<WaitingProposal>> pendingProposals = new HashMap<>();

    /// What the present work has changed, as it was before.
    private final Map<Identifier, Pool> before = new HashMap<>();

    /// @param isMuted authors to whose announcements the operator does not listen
    public Pools(MaintainerModel model, Predicate<PublicKey> isMuted, Timeline time) {
        this.model = model;
        this.isMuted = isMuted;
        this.time = time;
    }

    /// The time its deadlines are moments of.
    public Timeline time() {
        return time;
    }

    /// The pool of an identifier, as those see it who see this view. Only the writer has transactions.
    public Pool seenBy(StoreView view, Identifier identifier) {
        return known(view, identifier).at(time.wall().getEpochSecond());
    }

    /// The same with what has expired and is still to be removed.
    public Pool known(StoreView view, Identifier identifier) {
        return view instanceof StoreTransaction ? changing(identifier) : of(identifier);
    }

    /// The pool of an identifier as the transaction that runs sees it; for the writer alone.
    public Pool inTransaction(Identifier identifier) {
        return changing(identifier);
    }

    /// A proposal that waits, as those see it who see this view.
    public Optional<WaitingProposal> findProposal(EventId id, StoreView view) {
        return view instanceof StoreTransaction ? findChanging(id) : Optional.ofNullable(proposals.get(id));
    }

    /// Proposals that name no repository themselves, and so are in no pool.
    public List<WaitingProposal> namelessProposals() {
        return proposals.values().stream()
                .filter(proposal -> proposal.identifiers().isEmpty())
                .toList();
    }

    /// How many such proposals of one author wait, as those see it who see this view.
    public long countNameless(PublicKey author, StoreView view) {
        boolean isChanging = view instanceof StoreTransaction;
        var changed = isChanging ? pendingProposals : Map.<EventId, Optional<WaitingProposal>>of();
        return Stream.concat(
                        proposals.values().stream().filter(proposal -> !changed.containsKey(proposal.id())),
                        changed.values().stream().flatMap(Optional::stream))
                .filter(proposal ->
                        proposal.identifiers().isEmpty() && proposal.author().equals(author))
                .count();
    }

    /// Whether the operator does not listen to this author.
    public boolean isMuted(PublicKey author) {
        return isMuted.test(author);
    }

    /// The pool of an identifier after the last commit.
    public Pool of(Identifier identifier) {
        return published.getOrDefault(identifier, Pool.empty(identifier, model));
    }

    /// All pools after the last commit, in no order.
    public Collection<Pool> all() {
        return published.values();
    }

    /// How much there is of everything after the last commit.
    public Tally total() {
        return total;
    }

    /// Proposals that wait, each counted once.
    public int proposalCount() {
        return proposals.size();
    }

    // ---- by the writer alone

    /// Reads everything for somebody who only looks, while nobody changes the store.
    public void read(StoreView view) {
        load(view);
        publish();
    }

    /// Reads everything from a store that nobody has changed yet.
    void load(StoreView view) {
        var batch = new ArrayList<StoredEvent>(BATCH);
        view.forEachServed(new Lookup.OfKind(Kinds.ANNOUNCEMENT), event -> {
            batch.add(event);
            if (batch.size() == BATCH) {
                hear(batch);
            }
            return true;
        });
        hear(batch);
        for (var table : List.of(Table.HELD_ANNOUNCEMENTS, Table.HELD_STATES, Table.HELD_PROPOSALS)) {
            view.forEachRow(table, Bytes.EMPTY, row -> held((Held) row));
        }
        view.forEachRow(Table.REPOSITORIES, Bytes.EMPTY, row -> stand((Standing) row));
        before.clear();
    }

    /// Reads some announcements with all processors: a start waits for it.
    private void hear(List<StoredEvent> batch) {
        batch.parallelStream().map(Heard::of).toList().forEach(this::hear);
        batch.clear();
    }

    private void hear(Heard heard) {
        heard.voice().ifPresent(voice -> change(heard.address(), entry -> entry.withServed(Optional.of(voice))));
    }

    private record Heard(RepositoryAddress address, Optional<Voice> voice) {
        static Heard of(StoredEvent stored) {
            return of(stored.read());
        }

        static Heard of(Event announcement) {
            return new Heard(addressOf(announcement), Voice.of(announcement));
        }
    }

    void served(Event event) {
        if (event.kind() == Kinds.ANNOUNCEMENT) {
            hear(Heard.of(event));
        }
    }

    /// A state or a proposal has come into service, or left it.
    void touch(Event event) {
        var identifiers = event.kind() == Kinds.STATE
                ? Identifier.parse(event.tags().findValue("d").orElse("")).find().stream()
                : RepositoryAddress.namedBy(event).stream()
                        .map(RepositoryAddress::identifier)
                        .distinct();
        identifiers
                .filter(identifier -> !changing(identifier).isNothing())
                .forEach(identifier -> change(identifier, Pool::touched));
    }

    void left(Event event) {
        if (event.kind() == Kinds.ANNOUNCEMENT && Voice.of(event).isPresent()) {
            change(
                    addressOf(event),
                    entry -> isVersion(entry.served(), event) ? entry.withServed(Optional.empty()) : entry);
        }
    }

    /// A new version comes before the one it replaces has left.
    private static boolean isVersion(Optional<Voice> voice, Event event) {
        return voice.filter(found -> found.version().equals(event.version())).isPresent();
    }

    void held(Held row) {
        switch (row) {
            case HeldAnnouncement announcement ->
                change(
                        announcement.repository(),
                        entry -> entry.withHeld(Optional.of(HeldVoice.of(announcement, time))));
            case HeldState state -> change(state.identifier(), pool -> pool.with(WaitingState.of(state, time)));
            case HeldProposal proposal -> change(WaitingProposal.of(proposal, time));
        }
    }

    void amended(EventId id, Table table, Bytes key, Terms terms) {
        switch (table) {
            case HELD_ANNOUNCEMENTS ->
                change(
                        RowKeys.parseRepository(key),
                        entry -> entry.withHeld(entry.held().map(held -> held.on(terms, time))));
            case HELD_STATES ->
                change(
                        RowKeys.parseStateIdentifier(key),
                        pool -> pool.states().stream()
                                .filter(state -> state.id().equals(id))
                                .findFirst()
                                .map(state -> pool.with(state.on(terms, time)))
                                .orElse(pool));
            default -> findChanging(id).ifPresent(proposal -> change(proposal.on(terms, time)));
        }
    }

    void dropped(Held row) {
        switch (row) {
            case HeldAnnouncement announcement ->
                change(announcement.repository(), entry -> entry.withHeld(Optional.empty()));
            case HeldState state ->
                change(
                        state.identifier(),
                        pool -> pool.withoutState(state.event().id()));
            case HeldProposal proposal -> {
                var id = proposal.event().id();
                pendingProposals.put(id, Optional.empty());
                proposal.identifiers().forEach(identifier -> change(identifier, pool -> pool.withoutProposal(id)));
            }
        }
    }

    void stand(Standing standing) {
        change(standing.repository(), entry -> entry.withStanding(Optional.of(standing.phase())));
    }

    void standsNoMore(Bytes key) {
        change(RowKeys.parseRepository(key), entry -> entry.withStanding(Optional.empty()));
    }

    /// What the present work has changed.
    List<PoolChange> takeChanges() {
        var changes = before.values().stream()
                .map(pool -> new PoolChange(pool, changing(pool.identifier())))
                .toList();
        before.clear();
        return changes;
    }

    /// Publishes what has been changed, and says which identifiers that concerns.
    List<Identifier> publish() {
        var sum = total;
        for (var pool : pending.values()) {
            sum = sum.minus(of(pool.identifier()).tally()).plus(pool.tally());
            if (pool.isNothing()) {
                published.remove(pool.identifier());
            } else {
                published.put(pool.identifier(), pool);
            }
        }
        pendingProposals.forEach((id, proposal) ->
                proposal.ifPresentOrElse(found -> proposals.put(id, found), () -> proposals.remove(id)));
        total = sum;
        var changed = new ArrayList<>(pending.keySet());
        forget();
        return changed;
    }

    /// Forgets what has been changed.
    void forget() {
        pending.clear();
        pendingProposals.clear();
        before.clear();
    }

    private Pool changing(Identifier identifier) {
        var changed = pending.get(identifier);
        return changed != null ? changed : of(identifier);
    }

    private Optional<WaitingProposal> findChanging(EventId id) {
        var changed = pendingProposals.get(id);
        return changed != null ? changed : Optional.ofNullable(proposals.get(id));
    }

    private void change(WaitingProposal proposal) {
        pendingProposals.put(proposal.id(), Optional.of(proposal));
        proposal.identifiers().forEach(identifier -> change(identifier, pool -> pool.with(proposal)));
    }

    private void change(RepositoryAddress repository, UnaryOperator<Announced> how) {
        var owner = repository.owner();
        change(repository.identifier(), pool -> {
            var entry = pool.findAnnounced(owner).orElseGet(() -> Announced.nothing(owner, isMuted.test(owner)));
            return pool.with(how.apply(entry));
        });
    }

    private void change(Identifier identifier, UnaryOperator<Pool> how) {
        var pool = changing(identifier);
        before.putIfAbsent(identifier, pool);
        pending.put(identifier, how.apply(pool));
    }

    private static RepositoryAddress addressOf(Event announcement) {
        return new RepositoryAddress(
                announcement.author(),
                new Identifier(announcement.tags().findValue("d").orElse("")));
    }
}
