package dev.grapnel.store.engine;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Refusal;
import dev.grapnel.nostr.Word256;
import dev.grapnel.nostr.event.Address;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.event.TagValues;
import dev.grapnel.nostr.event.Version;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.nostr.rule.DeletionRequest;
import dev.grapnel.nostr.rule.Expiration;
import dev.grapnel.store.Lookup;
import dev.grapnel.store.StoreDecision;
import dev.grapnel.store.StoreDecision.Block;
import dev.grapnel.store.StoreDecision.Target;
import dev.grapnel.store.StoreRules;
import dev.grapnel.store.StoreView;
import dev.grapnel.store.StoredEvent;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.HeldAnnouncement;
import dev.grapnel.store.row.Row;
import dev.grapnel.store.row.RowKeys;
import dev.grapnel.store.table.ReadTables;
import dev.grapnel.store.table.StoreDamage;
import dev.grapnel.store.table.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// Reads one state of the tables: for those who ask the store, and for its own decisions.
class TableView implements StoreView, StoreDecision.Sight {
    private final ReadTables tables;
    private final StoreDecision decision;
    private final Instant now;

    TableView(ReadTables tables, StoreDecision decision, Instant now) {
        this.tables = tables;
        this.decision = decision;
        this.now = now;
    }

    final Instant now() {
        return now;
    }

    final StoreDecision decision() {
        return decision;
    }

    final StoreRules rules() {
        return decision.rules();
    }

    @Override
    public long commitNumber() {
        return Meta.NUMBER.read(tables);
    }

    @Override
    public Optional<Instant> clock() {
        long millis = Meta.CLOCK.read(tables);
        return millis == 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis));
    }

    @Override
    public Optional<StoredEvent> find(EventId id) {
        return findRecord(id).filter(record -> !record.isOver(now)).map(EventRecord::event);
    }

    /// The record of a served event, expired or not.
    final Optional<EventRecord> findRecord(EventId id) {
        var postings = tables.postings(Table.IDS, Keys.id(id));
        for (; !postings.isDone(); postings.next()) {
            var record = requireRecord(Posting.number(postings.low()));
            if (record.event().id().equals(id)) {
                return Optional.of(record);
            }
        }
        return Optional.empty();
    }

    final EventRecord requireRecord(long number) {
        var bytes = tables.find(Table.EVENTS, number);
        if (bytes == null) {
            throw new StoreDamage("an index names event number " + number + ", which is not there");
        }
        return EventRecord.read(number, bytes);
    }

    @Override
    public Optional<StoredEvent> findCurrent(Address address) {
        return findCurrentRecord(address).filter(record -> !record.isOver(now)).map(EventRecord::event);
    }

    /// The record of the served version of an address, expired or not.
    final Optional<EventRecord> findCurrentRecord(Address address) {
        var postings = tables.postings(Table.ADDRESSES, Keys.address(address));
        return postings.isDone() ? Optional.empty() : Optional.of(requireRecord(Posting.number(postings.low())));
    }

    @Override
    public boolean hasAnything(PublicKey author) {
        return !tables.postings(Table.AUTHORS, author.toBytes()).isDone() || hasPrefix(Table.HELD_AUTHORS, author);
    }

    final boolean hasPrefix(Table table, PublicKey author) {
        if (tables.count(table) == 0) {
            return false;
        }
        var prefix = author.toBytes();
        var rows = tables.rows(table, prefix);
        return rows.next() && Keys.startsWith(rows.key(), prefix);
    }

    @Override
    public Optional<Refusal> findObstacle(Event event) {
        return decision.judgeObstacle(event, this).map(refuse -> refuse.refusal());
    }

    @Override
    public boolean isDeleted(EventId id) {
        var used = new ArrayList<PublicKey>();
        forEachServed(new Lookup.TaggedOfKind(Kinds.DELETION, 'e', id.toHex()), request -> {
            Tombstone.find(tables, Keys.deletion(request.author(), id))
                    .filter(Tombstone::used)
                    .ifPresent(_ -> used.add(request.author()));
            return used.isEmpty();
        });
        return !used.isEmpty();
    }

    @Override
    public boolean isDeleted(Address address, long createdAt) {
        return !deletions(address, createdAt).isEmpty();
    }

    @Override
    public Optional<Held> findHeld(EventId id) {
        return findHeldPlace(id).map(place -> (Held) requireRow(place.table(), place.key()));
    }

    final Optional<HeldPlace> findHeldPlace(EventId id) {
        return tables.count(Table.HELD_IDS) == 0
                ? Optional.empty()
                : Optional.ofNullable(tables.find(Table.HELD_IDS, id.toBytes())).map(HeldPlace::decode);
    }

    private Row requireRow(Table table, Bytes key) {
        return findRow(table, key)
                .orElseThrow(() -> new StoreDamage("a held event's row is not in table " + table.storedName()));
    }

    @Override
    public Optional<Row> findRow(Table table, Bytes key) {
        return RowTables.find(tables, table, key);
    }

    @Override
    public void forEachRow(Table table, Bytes prefix, Consumer<Row> action) {
        RowTables.forEach(tables, table, prefix, action, _ -> {});
    }

    @Override
    public List<Row> rowsAfter(Table table, Bytes key, int rowsMax) {
        return RowTables.after(tables, table, key, rowsMax);
    }

    @Override
    public long count(Table table) {
        return tables.count(table);
    }

    @Override
    public int countRows(Table table, Bytes prefix, int most) {
        var from = prefix.toArray();
        var rows = tables.rows(table, from);
        int count = 0;
        while (count < most && rows.next() && Keys.startsWith(rows.key(), from)) {
            count++;
        }
        return count;
    }

    @Override
    public void forEachServed(Lookup lookup, Predicate<StoredEvent> visitor) {
        var postings = switch (lookup) {
            case Lookup.OfKind(var kind) -> tables.postings(Table.KINDS, Keys.kind(kind));
            case Lookup.Tagged(var letter, var value) ->
                tables.postings(Table.TAGS, Keys.tag(letter, TagValues.canonical(value)));
            case Lookup.TaggedOfKind(var kind, var letter, var value) ->
                tables.postings(Table.KIND_TAGS, Keys.kindTag(kind, Keys.tag(letter, TagValues.canonical(value))));
        };
        for (; !postings.isDone(); postings.next()) {
            var record = requireRecord(Posting.number(postings.low()));
            if (!record.isOver(now) && !visitor.test(record.event())) {
                return;
            }
        }
    }

    @Override
    public boolean isServed(EventId id) {
        return find(id).isPresent();
    }

    @Override
    public boolean isHeld(EventId id) {
        return findHeldPlace(id).isPresent();
    }

    @Override
    public boolean isGated(EventId id) {
        return tables.count(Table.GATES) > 0 && tables.find(Table.GATES, id.toBytes()) != null;
    }

    @Override
    public boolean isRetired(EventId request) {
        return rules().respectsDeletion() && RetiredTables.has(tables, request);
    }

    @Override
    public boolean isBanned(Event event) {
        return tables.count(Table.BANS) > 0
                && (tables.find(Table.BANS, Keys.ban(event.author())) != null
                        || tables.find(Table.BANS, Keys.ban(event.id())) != null);
    }

    @Override
    public Optional<Version> findVanish(PublicKey author) {
        if (tables.count(Table.VANISHED) == 0) {
            return Optional.empty();
        }
        return SealedRows.find(tables, Table.VANISHED, author.toBytes()).map(TableView::decodeVanish);
    }

    private static Version decodeVanish(byte[] value) {
        if (value.length != Long.BYTES + Word256.BYTES) {
            throw new StoreDamage("a row of table vanished cannot be read");
        }
        return new Version(Keys.number(value), EventId.of(value, Long.BYTES));
    }

    @Override
    public List<Block> deletions(PublicKey deleter, EventId id) {
        return deletions(deleter, new Target.ById(id), Keys.deletion(deleter, id), Long.MIN_VALUE);
    }

    @Override
    public List<Block> deletions(Address address, long createdAt) {
        return deletions(address.author(), new Target.ByAddress(address), Keys.deletion(address), createdAt);
    }

    private List<Block> deletions(PublicKey deleter, Target target, byte[] key, long createdAt) {
        var blocks = new ArrayList<Block>();
        if (tables.count(Table.TOMBSTONES) > 0) {
            Tombstone.find(tables, key)
                    .filter(found -> found.until() >= createdAt)
                    .ifPresent(found -> blocks.add(new Block(found.request(), deleter, target, false)));
        }
        GateTables.covering(tables, key, createdAt).stream()
                .filter(request -> GateTables.isOpen(tables, request, now.minus(rules().gateTime())))
                .forEach(request -> blocks.add(new Block(request, deleter, target, true)));
        return blocks;
    }

    @Override
    public Optional<Version> findCurrentVersion(Address address) {
        return findCurrent(address).map(TableView::versionOf);
    }

    private static Version versionOf(StoredEvent event) {
        return new Version(event.createdAt(), event.id());
    }

    @Override
    public Optional<Version> findHeldVersion(Address address) {
        if (tables.count(Table.HELD_ANNOUNCEMENTS) == 0) {
            return Optional.empty();
        }
        return RepositoryAddress.parse(address.toString())
                .find()
                .flatMap(repository -> findRow(Table.HELD_ANNOUNCEMENTS, RowKeys.repository(repository)))
                .map(row -> ((HeldAnnouncement) row).event())
                .filter(event ->
                        !Expiration.of(event).find().orElse(Expiration.NEVER).isOver(now))
                .map(Event::version);
    }

    @Override
    public boolean isKnown(DeletionRequest request) {
        return hasAnything(request.author()) || targetsGiftWrap(request);
    }

    private boolean targetsGiftWrap(DeletionRequest request) {
        return !tables.postings(Table.KINDS, Keys.kind(Kinds.GIFT_WRAP)).isDone()
                && request.ids().stream()
                        .flatMap(id -> findRecord(id).stream())
                        .anyMatch(record -> request.covers(record.event().read()));
    }
}
