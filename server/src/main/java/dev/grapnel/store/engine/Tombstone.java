package dev.grapnel.store.engine;

import dev.grapnel.nostr.Word256;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.store.table.ReadTables;
import dev.grapnel.store.table.StoreDamage;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.table.WriteTables;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/// What stays of a deletion: who may not come back, up to which date (addresses only), and by whose request.
/// Several requests may name one target. The newest decides up to which date, and the last to come lives
/// longest of those that were never of use, so the tombstone ends with neither of the two alone.
///
/// @param until date of the newest request that names the target
/// @param request id of that request
/// @param used whether it ever removed or refused something here: then it stays for good (service 4.9.3)
/// @param last id of the request that came last
record Tombstone(long until, EventId request, boolean used, EventId last) {
    private static final int BYTES = Long.BYTES + Word256.BYTES + 1;

    /// Of one request alone.
    Tombstone(long until, EventId request, boolean used) {
        this(until, request, used, request);
    }

    static Optional<Tombstone> find(ReadTables tables, byte[] key) {
        return Optional.ofNullable(tables.find(Table.TOMBSTONES, key)).map(stored -> decode(key, stored));
    }

    static Tombstone decode(byte[] key, byte[] stored) {
        var value = SealedRows.open(Table.TOMBSTONES, key, stored);
        boolean isOfTwo = value.length == BYTES + Word256.BYTES;
        if ((value.length != BYTES && !isOfTwo) || value[BYTES - 1] < 0 || value[BYTES - 1] > 1) {
            throw new StoreDamage("a row of table tombstones cannot be read");
        }
        var request = EventId.of(value, Long.BYTES);
        var last = isOfTwo ? EventId.of(value, BYTES) : request;
        return new Tombstone(Keys.number(value), request, value[BYTES - 1] == 1, last);
    }

    void write(WriteTables tables, byte[] key) {
        boolean isOfTwo = !last.equals(request);
        var value = ByteBuffer.allocate(isOfTwo ? BYTES + Word256.BYTES : BYTES)
                .putLong(until)
                .put(request.toBytes())
                .put((byte) (used ? 1 : 0));
        if (isOfTwo) {
            value.put(last.toBytes());
        }
        SealedRows.put(tables, Table.TOMBSTONES, key, value.array());
    }

    /// What this and a later comer say: the newer request counts, and a use stays a use.
    Tombstone mergedWith(Tombstone comer) {
        var newer = comer.until > until ? comer : this;
        return new Tombstone(newer.until, newer.request, used || comer.used, comer.request);
    }

    /// The requests it stands for.
    List<EventId> requests() {
        return last.equals(request) ? List.of(request) : List.of(request, last);
    }

    Tombstone asUsed() {
        return new Tombstone(until, request, true, last);
    }
}
