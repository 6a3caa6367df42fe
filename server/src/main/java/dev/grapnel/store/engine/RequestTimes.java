package dev.grapnel.store.engine;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.store.RequestRetention;
import dev.grapnel.store.RequestRetention.Phase;
import dev.grapnel.store.table.ReadTables;
import dev.grapnel.store.table.StoreDamage;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.table.WriteTables;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Optional;

/// When a request to delete or to vanish was first seen and last of use, in milliseconds: what its retention is
/// counted from (service 4.9.3).
///
/// @param lastUsed 0 if it was never of use
record RequestTimes(long firstSeen, long lastUsed) {
    static Optional<RequestTimes> find(ReadTables tables, EventId request) {
        return SealedRows.find(tables, Table.REQUESTS, request.toBytes()).map(RequestTimes::decode);
    }

    static RequestTimes decode(byte[] key, byte[] stored) {
        return decode(SealedRows.open(Table.REQUESTS, key, stored));
    }

    private static RequestTimes decode(byte[] value) {
        if (value.length != 2 * Long.BYTES) {
            throw new StoreDamage("a row of table requests cannot be read");
        }
        var in = ByteBuffer.wrap(value);
        return new RequestTimes(in.getLong(), in.getLong());
    }

    boolean isUsed() {
        return lastUsed != 0;
    }

    /// Where the request stands.
    Phase phase(RequestRetention retention, Instant now) {
        return isUsed()
                ? retention.used(Instant.ofEpochMilli(lastUsed), now)
                : retention.unused(Instant.ofEpochMilli(firstSeen), now);
    }

    void write(WriteTables tables, EventId request) {
        var value = ByteBuffer.allocate(2 * Long.BYTES).putLong(firstSeen).putLong(lastUsed);
        SealedRows.put(tables, Table.REQUESTS, request.toBytes(), value.array());
    }
}
