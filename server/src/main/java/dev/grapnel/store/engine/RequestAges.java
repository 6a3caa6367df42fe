package dev.grapnel.store.engine;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.store.Removal.Reason;
import dev.grapnel.store.RequestRetention.Phase;
import dev.grapnel.store.StoreRules;
import dev.grapnel.store.table.ReadTables;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.table.WriteTables;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Ends what requests and tombstones have had their time for (service 4.9.3), in one transaction.
///
/// A tombstone is judged by the requests it stands for, so a pass looks at all tombstones before any request
/// is forgotten: what belongs to a request that was of use is marked to stay, what belongs to none is gone.
/// That needs no list of what a request names, which is not there any more if it expired by its own date.
final class RequestAges {
    /// Bytes of requests that one transaction moves, about: a large one has thousands of index entries.
    private static final int BYTES_MAX = 32 << 10;

    private final TableView view;
    private final WriteTables tables;
    private final EventTables events;
    private final RetiredTables retired;

    RequestAges(TableView view, WriteTables tables, EventTables events, RetiredTables retired) {
        this.view = view;
        this.tables = tables;
        this.events = events;
        this.retired = retired;
    }

    /// What was done.
    ///
    /// @param count how many of the keys were looked at: the rest is for another transaction
    record Settled(int count, RequestTally tally) {}

    /// What is to become of a tombstone.
    enum Fate {
        STAY,
        /// A request it stands for was of use: it stays for good.
        STAY_FOR_GOOD,
        FORGET
    }

    static Fate fateOf(Tombstone tombstone, ReadTables tables, StoreRules rules, Instant asOf) {
        if (tombstone.used()) {
            return Fate.STAY;
        }
        var requests = tombstone.requests().stream()
                .flatMap(id -> RequestTimes.find(tables, id).stream())
                .toList();
        if (requests.stream().anyMatch(RequestTimes::isUsed)) {
            return Fate.STAY_FOR_GOOD;
        }
        boolean isOver = requests.stream().allMatch(times -> times.phase(rules.retention(), asOf) == Phase.OVER);
        return isOver ? Fate.FORGET : Fate.STAY;
    }

    /// Whether something is to be done about a row of a table.
    static boolean isDue(Table table, byte[] key, byte[] value, TableView view, ReadTables tables, Instant asOf) {
        if (table == Table.TOMBSTONES) {
            return fateOf(Tombstone.decode(key, value), tables, view.rules(), asOf) != Fate.STAY;
        }
        return switch (RequestTimes.decode(key, value).phase(view.rules().retention(), asOf)) {
            case SERVED -> false;
            case BLOCKING -> view.findRecord(Keys.idIn(key, 0)).isPresent();
            case OVER -> true;
        };
    }

    /// Looks at rows once more and does what is to be done about them.
    ///
    /// @param table tombstones or requests
    Settled settle(Table table, List<byte[]> keys, Instant asOf) {
        var tally = RequestTally.NOTHING;
        long bytesBefore = events.removedBytes();
        int count = 0;
        while (count < keys.size() && events.removedBytes() - bytesBefore < BYTES_MAX) {
            var key = keys.get(count++);
            tally = tally.plus(
                    table == Table.TOMBSTONES ? settleTombstone(key, asOf) : settleRequest(Keys.idIn(key, 0), asOf));
        }
        return new Settled(count, tally);
    }

    private RequestTally settleTombstone(byte[] key, Instant asOf) {
        var tombstone = Tombstone.find(tables, key);
        return switch (tombstone
                .map(found -> fateOf(found, tables, view.rules(), asOf))
                .orElse(Fate.STAY)) {
            case STAY -> RequestTally.SKIPPED;
            case STAY_FOR_GOOD -> {
                tombstone.orElseThrow().asUsed().write(tables, key);
                yield RequestTally.NOTHING;
            }
            case FORGET -> {
                tables.remove(Table.TOMBSTONES, key);
                yield RequestTally.TOMBSTONE;
            }
        };
    }

    private RequestTally settleRequest(EventId id, Instant asOf) {
        var phase = RequestTimes.find(tables, id)
                .map(times -> times.phase(view.rules().retention(), asOf));
        return switch (phase.orElse(Phase.SERVED)) {
            case SERVED -> RequestTally.SKIPPED;
            case BLOCKING -> {
                var record = leaveService(id);
                record.ifPresent(found -> retired.put(found.event().read(), view.now()));
                yield record.isPresent() ? RequestTally.RETIRED : RequestTally.SKIPPED;
            }
            case OVER -> {
                var record = leaveService(id);
                retired.remove(id);
                tables.remove(Table.REQUESTS, id.toBytes());
                yield record.isPresent() ? RequestTally.RETIRED.plus(RequestTally.FORGOTTEN) : RequestTally.FORGOTTEN;
            }
        };
    }

    private Optional<EventRecord> leaveService(EventId id) {
        var record = view.findRecord(id);
        record.ifPresent(found -> {
            events.takeNumber();
            events.remove(found.number(), Reason.EXPIRED);
        });
        return record;
    }
}
