package dev.grapnel.store.engine;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.store.Removal.Reason;
import dev.grapnel.store.SaveOutcome;
import dev.grapnel.store.ServedFeed.Fresh;
import dev.grapnel.store.StoreDecision;
import dev.grapnel.store.StoreDecision.Decision;
import dev.grapnel.store.StoreDecision.Purpose;
import dev.grapnel.store.StoreFollower;
import dev.grapnel.store.StoreTransaction;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.HeldAnnouncement.Phase;
import dev.grapnel.store.row.Repair;
import dev.grapnel.store.row.Row;
import dev.grapnel.store.row.Terms;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.table.WriteTables;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What a transaction can do, on tables. One serves all transactions of a batch, one after the other.
final class TableTransaction extends TableView implements StoreTransaction {
    /// Rows that are put and removed with what finds them.
    private static final Set<Table> OWN = EnumSet.of(Table.GATES, Table.RETIRED_REQUESTS);

    private final WriteTables tables;
    private final StoreFollower follower;
    private final EventTables events;
    private final HeldTables held;
    private final GateTables gates;
    private final RetiredTables retired;
    private final RequestEffects effects;
    private final List<Fresh> fresh = new ArrayList<>();
    private final Set<TransactionKind> done = EnumSet.noneOf(TransactionKind.class);

    TableTransaction(WriteTables tables, StoreDecision decision, StoreFollower follower, Instant now) {
        super(tables, decision, now);
        this.tables = tables;
        this.follower = follower;
        this.events = new EventTables(tables, follower);
        this.held = new HeldTables(tables, this, follower);
        this.gates = new GateTables(tables, decision.rules());
        this.retired = new RetiredTables(tables);
        this.effects = new RequestEffects(this, tables, events, held, gates, retired);
    }

    @Override
    public long commitNumber() {
        return events.number();
    }

    /// What has become visible, in order.
    List<Fresh> fresh() {
        return List.copyOf(fresh);
    }

    @Override
    public SaveOutcome save(Event event) {
        return carryOut(event, judge(event, Purpose.SERVE));
    }

    @Override
    public SaveOutcome restore(Event event) {
        var decision = judge(event, Purpose.RESTORE);
        if (decision instanceof Decision.Take) {
            gates.take(event.id());
        }
        var outcome = carryOut(event, decision);
        if (outcome instanceof SaveOutcome.Served && event.kind() == Kinds.ANNOUNCEMENT) {
            noteBrought(event);
        }
        return outcome;
    }

    /// Its repository may be missing, and is to be looked at: unlike announcements that clients sent and that were
    /// kept without one.
    private void noteBrought(Event announcement) {
        Identifier.parse(announcement.tags().findValue("d").orElse(""))
                .find()
                .map(identifier -> new RepositoryAddress(announcement.author(), identifier))
                .ifPresent(address -> put(Repair.due(address, now())));
    }

    @Override
    public SaveOutcome release(EventId id) {
        var row = findHeld(id).orElseThrow(() -> new IllegalStateException(id + " is not held"));
        var decision = judge(row.event(), Purpose.RELEASE);
        held.remove(row);
        if (decision instanceof Decision.Take) {
            held.forget(id);
        }
        done.add(decision instanceof Decision.Take ? TransactionKind.RELEASE : TransactionKind.DROP);
        return carryOut(row.event(), decision);
    }

    @Override
    public SaveOutcome hold(Held row) {
        return switch (judge(row.event(), Purpose.HOLD)) {
            case Decision.Take() -> {
                var replaced = held.put(row);
                done.add(TransactionKind.HOLD);
                openGates(row.event().author());
                yield new SaveOutcome.Waiting(replaced);
            }
            case Decision.Gate _ -> throw new IllegalStateException("deletion requests are never held");
            case Decision.Known(var isHeld) -> new SaveOutcome.Known(isHeld);
            case Decision.Refuse refuse -> refuse(refuse);
        };
    }

    private Decision judge(Event event, Purpose purpose) {
        return decision().judge(event, purpose, this, now());
    }

    private SaveOutcome carryOut(Event event, Decision decision) {
        return switch (decision) {
            case Decision.Take() -> {
                if (event.kind() == Kinds.DELETION || event.kind() == Kinds.VANISH) {
                    done.add(event.kind() == Kinds.VANISH ? TransactionKind.VANISH : TransactionKind.DELETION);
                }
                yield serve(event, List.of());
            }
            case Decision.Gate(var request) -> {
                // One that is repeated after its time counts from now.
                boolean isKept = gates.openOf(event.author(), now()).stream()
                        .anyMatch(gate -> gate.event().id().equals(event.id()));
                if (rules().respectsDeletion() && !isKept) {
                    gates.put(event, request, now());
                    done.add(TransactionKind.GATE);
                }
                yield new SaveOutcome.Gated();
            }
            case Decision.Known(var isHeld) -> new SaveOutcome.Known(isHeld);
            case Decision.Refuse refuse -> refuse(refuse);
        };
    }

    private SaveOutcome refuse(Decision.Refuse refuse) {
        for (var block : refuse.used()) {
            if (block.gate()) {
                open(block.request());
            }
            effects.markUsed(block).forEach(this::serveAgain);
        }
        return new SaveOutcome.Refused(refuse.refusal(), refuse.why());
    }

    /// Returns a request to service, whose effects are here already.
    private void serveAgain(Event request) {
        fresh.add(new Fresh(events.takeNumber(), request));
        events.insert(request);
        openGates(request.author());
    }

    private SaveOutcome serve(Event event, List<Held> droppedBefore) {
        long removedBefore = events.removals();
        long number = events.takeNumber();
        var dropped = new ArrayList<>(droppedBefore);
        event.findAddress().ifPresent(address -> removeVersions(Keys.address(address)));
        events.insert(event);
        fresh.add(new Fresh(number, event));
        if (tables.count(Table.EXPIRED_EVENTS) > 0) {
            tables.remove(Table.EXPIRED_EVENTS, event.id().toBytes());
        }
        dropped.addAll(effects.apply(event));
        if (event.kind() == Kinds.VANISH && rules().respectsDeletion()) {
            VanishedTrash.end(event, this, now());
        }
        long removed = events.removals() - removedBefore;
        if (!rules().respectsDeletion()) {
            Meta.DISRESPECTED.write(tables, 1);
        }
        openGates(event.author());
        return new SaveOutcome.Served(number, removed, dropped);
    }

    private void removeVersions(byte[] address) {
        events.numbersUntil(Table.ADDRESSES, address, Long.MAX_VALUE)
                .forEach(number -> events.remove(number, Reason.REPLACED));
    }

    /// Once an author has something here, its earlier requests are ordinary ones; else what is served in
    /// the end would depend on what came first.
    private void openGates(PublicKey author) {
        gates.openOf(author, now()).forEach(gate -> open(gate.event().id()));
    }

    private void open(EventId gate) {
        gates.take(gate).ifPresent(found -> {
            done.add(TransactionKind.GATE);
            serve(found.event(), List.of());
        });
    }

    @Override
    public Optional<Held> drop(EventId id) {
        var row = findHeld(id);
        row.ifPresent(found -> {
            held.remove(found);
            done.add(TransactionKind.DROP);
        });
        return row;
    }

    @Override
    public void put(Row row) {
        if (row instanceof Held changed) {
            held.change(changed);
        } else if (OWN.contains(row.table())) {
            throw new IllegalArgumentException("rows of " + row.table() + " come from deletion requests only");
        } else {
            RowTables.put(tables, row);
            noteRow(row.table());
            follower.put(row);
        }
    }

    private void noteRow(Table table) {
        if (table == Table.TRASH) {
            done.add(TransactionKind.TRASH);
        } else if (table == Table.PLACEHOLDERS) {
            done.add(TransactionKind.PLACEHOLDER);
        }
    }

    @Override
    public boolean amend(EventId id, Terms terms) {
        terms.phase().ifPresent(phase -> noteChange(phaseOf(id), phase));
        return held.amend(id, terms);
    }

    /// Deadlines move often, and an event may be large: it is read only if they have never moved.
    private Optional<Phase> phaseOf(EventId id) {
        return HeldTerms.find(tables, id)
                .or(() -> findHeld(id).map(Held::terms))
                .flatMap(Terms::phase);
    }

    private void noteChange(Optional<Phase> before, Phase after) {
        if (after == Phase.SOFT_EXPIRED && before.equals(Optional.of(Phase.ACTIVE))) {
            done.add(TransactionKind.SOFTEN);
        } else if (after == Phase.ACTIVE && before.equals(Optional.of(Phase.SOFT_EXPIRED))) {
            done.add(TransactionKind.REVIVE);
        }
    }

    @Override
    public boolean remove(Table table, Bytes key) {
        boolean free = RowTables.ALL.contains(table) && !OWN.contains(table) && !HeldTables.ALL.contains(table);
        if (!free) {
            throw new IllegalArgumentException("rows of " + table + " are not removed one by one");
        }
        boolean removed = tables.remove(table, key.toArray());
        if (removed) {
            noteRow(table);
            follower.removed(table, key);
        }
        return removed;
    }

    @Override
    public boolean withdraw(EventId id) {
        return remove(id, Reason.WITHDRAWN);
    }

    private boolean remove(EventId id, Reason reason) {
        var record = findRecord(id);
        record.ifPresent(found -> {
            events.takeNumber();
            events.remove(found.number(), reason);
        });
        return record.isPresent();
    }

    @Override
    public List<Held> ban(PublicKey author, String reason) {
        done.add(TransactionKind.BAN);
        SealedRows.put(tables, Table.BANS, Keys.ban(author), reason.getBytes(StandardCharsets.UTF_8));
        for (var number : events.numbersUntil(Table.AUTHORS, author.toBytes(), Long.MAX_VALUE)) {
            events.takeNumber();
            events.remove(number, Reason.BANNED);
        }
        var dropped = held.of(author);
        dropped.forEach(held::remove);
        gates.of(author).forEach(gate -> gates.remove(gate.event().id()));
        retired.of(author).forEach(row -> retired.remove(row.event().id()));
        effects.forgetDormant(author);
        return dropped;
    }

    @Override
    public List<Held> ban(EventId event, String reason) {
        done.add(TransactionKind.BAN);
        SealedRows.put(tables, Table.BANS, Keys.ban(event), reason.getBytes(StandardCharsets.UTF_8));
        remove(event, Reason.BANNED);
        var dropped = drop(event).stream().toList();
        gates.remove(event);
        retired.remove(event);
        return dropped;
    }

    @Override
    public boolean unban(PublicKey author) {
        return tables.remove(Table.BANS, Keys.ban(author));
    }

    @Override
    public boolean unban(EventId event) {
        return tables.remove(Table.BANS, Keys.ban(event));
    }

    /// Takes out rows that cannot be read.
    int setAside(List<RowTables.Damaged> damaged) {
        DamagedRows.remove(tables, damaged);
        return damaged.size();
    }

    /// Removes up to so many events whose time is over, and says how many.
    int removeExpired(int most) {
        var over = new ArrayList<Long>();
        var lists = tables.lists(Table.EXPIRIES, new byte[0]);
        while (over.size() < most && lists.next() && Keys.number(lists.key()) <= now().getEpochSecond()) {
            var postings = lists.postings();
            for (; over.size() < most && !postings.isDone(); postings.next()) {
                over.add(Posting.number(postings.low()));
            }
        }
        for (var number : over) {
            events.takeNumber();
            events.remove(number, Reason.EXPIRED);
        }
        return over.size();
    }

    /// For a pass over deletion requests.
    RequestAges ages() {
        return new RequestAges(this, tables, events, retired);
    }

    /// What became of gates.
    GateTally gateTally() {
        return gates.tally();
    }

    int removeOldGates(int most) {
        int removed = gates.removeOld(now(), most);
        if (removed > 0) {
            done.add(TransactionKind.GATE);
        }
        return removed;
    }

    /// What the work since the last such call was for, if it concerned what waits or was taken back.
    Optional<TransactionKind> takeKind() {
        var kind = TransactionKind.of(done);
        done.clear();
        return kind;
    }

    /// Forgets the oldest removals, so that no more than so many are kept.
    int forgetRemovals(long keep, int most) {
        long surplus = Math.min(tables.count(Table.REMOVALS) - keep, most);
        var old = new ArrayList<byte[]>();
        var rows = tables.rows(Table.REMOVALS, new byte[0]);
        while (old.size() < surplus && rows.next()) {
            old.add(rows.key());
        }
        old.forEach(key -> tables.remove(Table.REMOVALS, key));
        if (!old.isEmpty()) {
            Meta.TAIL_FLOOR.write(tables, Keys.number(old.getLast()));
        }
        return old.size();
    }

    /// Leaves the mark of a process.
    ///
    /// @return the one that was there
    long succeed(long mark) {
        long former = Meta.LINEAGE.read(tables);
        Meta.LINEAGE.write(tables, mark);
        return former;
    }

    /// Whether what somebody asked to be forgotten must leave the file now.
    boolean isCompactionDue() {
        long due = Meta.COMPACTION_DUE.read(tables);
        return due != 0 && due <= now().toEpochMilli();
    }

    boolean noteCompaction() {
        Meta.COMPACTION_DUE.write(tables, 0);
        return true;
    }

    /// Writes what belongs to every commit.
    void finish() {
        events.finish();
        Meta.CLOCK.write(tables, now().toEpochMilli());
    }
}
