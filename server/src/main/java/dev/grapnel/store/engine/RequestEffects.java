package dev.grapnel.store.engine;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Address;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.rule.DeletionRequest;
import dev.grapnel.store.Removal.Reason;
import dev.grapnel.store.StoreDecision.Block;
import dev.grapnel.store.StoreDecision.Target;
import dev.grapnel.store.row.ExpiredEvent;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.table.WriteTables;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// What requests to delete (relay 4.5) and to vanish (relay 4.7) do to everything else, in the transaction that
/// serves them.
final class RequestEffects {
    /// A use within this time of the last one is not written down again: strangers decide how often they try.
    private static final Duration USE_GRAIN = Duration.ofHours(1);

    /// Removed bytes may lie in free pages until the file is compacted, which must happen within a day.
    private static final Duration COMPACTION = Duration.ofHours(23);

    private final TableView view;
    private final WriteTables tables;
    private final EventTables events;
    private final HeldTables held;
    private final GateTables gates;
    private final RetiredTables retired;

    RequestEffects(
            TableView view,
            WriteTables tables,
            EventTables events,
            HeldTables held,
            GateTables gates,
            RetiredTables retired) {
        this.view = view;
        this.tables = tables;
        this.events = events;
        this.held = held;
        this.gates = gates;
        this.retired = retired;
    }

    /// Applies what an event that was just inserted asks for; returns the held rows it removed.
    List<Held> apply(Event event) {
        return switch (event.kind()) {
            case Kinds.DELETION ->
                delete(DeletionRequest.parse(event, Integer.MAX_VALUE).require());
            case Kinds.VANISH -> vanish(event);
            default -> List.of();
        };
    }

    private List<Held> delete(DeletionRequest request) {
        var dropped = new ArrayList<Held>();
        boolean used = false;
        for (var id : request.ids()) {
            used |= deleteId(request, id, dropped);
        }
        var own = request.addresses().isEmpty() ? List.<Held>of() : held.of(request.author());
        for (var address : request.addresses()) {
            used |= deleteAddress(request, address, own, dropped);
        }
        noteSight(request.id(), used);
        return dropped;
    }

    /// A request that was here before keeps its times: sending it again is no use.
    private void noteSight(EventId request, boolean used) {
        long now = view.now().toEpochMilli();
        var before = RequestTimes.find(tables, request).orElse(new RequestTimes(now, 0));
        new RequestTimes(before.firstSeen(), used ? now : before.lastUsed()).write(tables, request);
        retired.remove(request);
    }

    private boolean deleteId(DeletionRequest request, EventId id, List<Held> dropped) {
        boolean used = false;
        var row = view.findHeld(id).filter(found -> request.covers(found.event()));
        if (row.isPresent()) {
            held.remove(row.get());
            dropped.add(row.get());
            used = true;
        }
        var served = view.findRecord(id)
                .filter(record -> request.covers(record.event().read()));
        if (served.isPresent() && view.rules().respectsDeletion()) {
            events.remove(served.get().number(), Reason.DELETED);
            used = true;
        }
        forgetDormant(id, request.author());
        bury(Keys.deletion(request.author(), id), new Tombstone(request.createdAt(), request.id(), used));
        return used;
    }

    private boolean deleteAddress(DeletionRequest request, Address address, List<Held> own, List<Held> dropped) {
        boolean used = false;
        for (var row : own) {
            boolean covered = row.event().findAddress().filter(address::equals).isPresent()
                    && row.event().createdAt() <= request.createdAt();
            if (covered && view.isHeld(row.event().id())) {
                held.remove(row);
                dropped.add(row);
                used = true;
            }
        }
        if (view.rules().respectsDeletion()) {
            for (var number : events.numbersUntil(Table.ADDRESSES, Keys.address(address), request.createdAt())) {
                events.remove(number, Reason.DELETED);
                used = true;
            }
        }
        bury(Keys.deletion(address), new Tombstone(request.createdAt(), request.id(), used));
        return used;
    }

    private void bury(byte[] key, Tombstone tombstone) {
        var merged = Tombstone.find(tables, key)
                .map(before -> before.mergedWith(tombstone))
                .orElse(tombstone);
        merged.write(tables, key);
    }

    /// Notes that a deletion refused something. Returns the requests that nobody was served any more and that
    /// return to service therefore (service 4.9.3).
    List<Event> markUsed(Block block) {
        var requests = switch (block.target()) {
            case Target.ById(var id) -> markTombstone(Keys.deletion(block.deleter(), id));
            case Target.ByAddress(var address) -> findFirstKnown(markTombstone(Keys.deletion(address)));
            case Target.Everything() -> List.of(block.request());
        };
        var returning = new ArrayList<Event>();
        for (var request : requests) {
            var found = retired.remove(request);
            found.ifPresent(row -> returning.add(row.event()));
            noteUse(request, found.isPresent() ? Duration.ZERO : USE_GRAIN);
        }
        return returning;
    }

    /// Returns the requests that the tombstone stands for.
    private List<EventId> markTombstone(byte[] key) {
        var tombstone = Tombstone.find(tables, key);
        tombstone
                .filter(found -> !found.used())
                .ifPresent(found -> found.asUsed().write(tables, key));
        return tombstone.map(Tombstone::requests).orElse(List.of());
    }

    /// The newest request certainly covers a version of an address that was refused; another one is asked for
    /// only when that one is forgotten.
    private List<EventId> findFirstKnown(List<EventId> requests) {
        return requests.stream()
                .filter(request -> RequestTimes.find(tables, request).isPresent())
                .limit(1)
                .toList();
    }

    private void noteUse(EventId request, Duration grain) {
        long now = view.now().toEpochMilli();
        RequestTimes.find(tables, request)
                .filter(times -> now - times.lastUsed() >= grain.toMillis())
                .ifPresent(times -> new RequestTimes(times.firstSeen(), now).write(tables, request));
    }

    private List<Held> vanish(Event request) {
        var author = request.author();
        long until = request.createdAt();
        long removedBefore = events.removals();
        var dropped = held.of(author).stream()
                .filter(row -> row.event().createdAt() <= until)
                .toList();
        dropped.forEach(held::remove);
        if (view.rules().respectsDeletion()) {
            removeServed(request);
            removeRetired(request);
            dropTombstones(author, until);
            SealedRows.put(
                    tables,
                    Table.VANISHED,
                    author.toBytes(),
                    Keys.join(Keys.number(until), request.id().toBytes()));
            dueCompaction();
        }
        gates.of(author).stream()
                .filter(gate -> gate.event().createdAt() <= until)
                .forEach(gate -> gates.remove(gate.event().id()));
        forgetDormant(author);
        noteSight(request.id(), !dropped.isEmpty() || events.removals() > removedBefore);
        return dropped;
    }

    private void removeServed(Event request) {
        var recipient = Keys.tag('p', request.author().toHex().getBytes(StandardCharsets.US_ASCII));
        var giftWraps = Keys.kindTag(Kinds.GIFT_WRAP, recipient);
        removeUntil(Table.AUTHORS, request.author().toBytes(), request);
        removeUntil(Table.KIND_TAGS, giftWraps, request);
    }

    private void removeRetired(Event request) {
        for (var row : retired.of(request.author())) {
            var event = row.event();
            if (event.createdAt() <= request.createdAt() && !event.id().equals(request.id())) {
                retired.remove(event.id());
                tables.remove(Table.REQUESTS, event.id().toBytes());
            }
        }
    }

    private void removeUntil(Table table, byte[] key, Event request) {
        for (var number : events.numbersUntil(table, key, request.createdAt())) {
            var event = view.requireRecord(number).event();
            if (!event.id().equals(request.id())) {
                tables.remove(Table.REQUESTS, event.id().toBytes());
                events.remove(number, Reason.VANISHED);
            }
        }
    }

    private void dropTombstones(PublicKey author, long until) {
        var prefix = author.toBytes();
        var covered = new ArrayList<byte[]>();
        var rows = tables.rows(Table.TOMBSTONES, prefix);
        while (rows.next() && Keys.startsWith(rows.key(), prefix)) {
            if (Tombstone.decode(rows.key(), rows.value()).until() <= until) {
                covered.add(rows.key());
            }
        }
        covered.forEach(key -> tables.remove(Table.TOMBSTONES, key));
    }

    private void dueCompaction() {
        if (Meta.COMPACTION_DUE.read(tables) == 0) {
            Meta.COMPACTION_DUE.write(tables, view.now().plus(COMPACTION).toEpochMilli());
        }
    }

    private void forgetDormant(EventId id, PublicKey author) {
        RowTables.find(tables, Table.EXPIRED_EVENTS, Bytes.wrap(id.toBytes()))
                .map(row -> (ExpiredEvent) row)
                .filter(row -> isDormantOf(row, author))
                .ifPresent(row -> RowTables.put(tables, row.withoutDormant()));
    }

    /// Late data is not looked for any more for what this author had here.
    void forgetDormant(PublicKey author) {
        var rows = new ArrayList<ExpiredEvent>();
        RowTables.forEach(
                tables,
                Table.EXPIRED_EVENTS,
                Bytes.EMPTY,
                row -> {
                    if (row instanceof ExpiredEvent expired && isDormantOf(expired, author)) {
                        rows.add(expired);
                    }
                },
                _ -> {});
        rows.forEach(row -> RowTables.put(tables, row.withoutDormant()));
    }

    private static boolean isDormantOf(ExpiredEvent row, PublicKey author) {
        return row.dormant().filter(dormant -> dormant.author().equals(author)).isPresent();
    }
}
