package dev.grapnel.store.engine;

import dev.grapnel.nostr.Word256;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.store.table.ReadTables;
import dev.grapnel.store.table.StoreDamage;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.table.WriteTables;
import java.nio.ByteBuffer;
import java.util.Optional;

/// What stays of a deletion: who may not come back, up to which date (addresses only), and by whose request.
///
/// @param until date of the newest request that names the target
/// @param request id of that request
/// @param used whether it ever removed or refused something here: then it stays for good (service 4.9.3)
record Tombstone(long until, EventId request, boolean used) {
    private static final int BYTES = Long.BYTES + Word256.BYTES + 1;

    static Optional<Tombstone> find(ReadTables tables, byte[] key) {
        return Optional.ofNullable(tables.find(Table.TOMBSTONES, key)).map(stored -> decode(key, stored));
    }

    static Tombstone decode(byte[] key, byte[] stored) {
        var value = SealedRows.open(Table.TOMBSTONES, key, stored);
        if (value.length != BYTES || value[BYTES - 1] < 0 || value[BYTES - 1] > 1) {
            throw new StoreDamage("a row of table tombstones cannot be read");
        }
        return new Tombstone(Keys.number(value), EventId.of(value, Long.BYTES), value[BYTES - 1] == 1);
    }

    void write(WriteTables tables, byte[] key) {
        var value =
                ByteBuffer.allocate(BYTES).putLong(until).put(request.toBytes()).put((byte) (used ? 1 : 0));
        SealedRows.put(tables, Table.TOMBSTONES, key, value.array());
    }

    /// What both say: the newer request counts, and a use stays a use.
    Tombstone mergedWith(Tombstone other) {
        var newer = other.until > until ? other : this;
        return new Tombstone(newer.until, newer.request, used || other.used);
    }

    Tombstone asUsed() {
        return new Tombstone(until, request, true);
    }
}
