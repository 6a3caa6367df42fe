package dev.grapnel.store.engine;

import dev.grapnel.nostr.Word256;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.store.Removal;
import dev.grapnel.store.table.StoreDamage;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.table.WriteTables;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// Rows about events that left service, by commit number.
final class RemovalRows {
    private static final int FIXED = 2 * Word256.BYTES + Integer.BYTES + Long.BYTES + 1;

    private RemovalRows() {}

    static byte[] key(long number, int ordinal) {
        return ByteBuffer.allocate(Long.BYTES + Integer.BYTES)
                .putLong(number)
                .putInt(ordinal)
                .array();
    }

    static void write(WriteTables tables, long number, int ordinal, Removal removal) {
        var identifier = removal.identifier().getBytes(StandardCharsets.UTF_8);
        var value = ByteBuffer.allocate(FIXED + identifier.length)
                .put(removal.id().toBytes())
                .put(removal.author().toBytes())
                .putInt(removal.kind())
                .putLong(removal.createdAt())
                .put((byte) removal.reason().code())
                .put(identifier);
        SealedRows.put(tables, Table.REMOVALS, key(number, ordinal), value.array());
    }

    static Removal decode(byte[] key, byte[] stored) {
        var value = SealedRows.open(Table.REMOVALS, key, stored);
        if (value.length < FIXED || Removal.Reason.find(value[FIXED - 1]).isEmpty()) {
            throw new StoreDamage("a row of table removals cannot be read");
        }
        var in = ByteBuffer.wrap(value);
        in.position(2 * Word256.BYTES);
        return new Removal(
                EventId.of(value, 0),
                PublicKey.of(value, Word256.BYTES),
                in.getInt(),
                in.getLong(),
                new String(value, FIXED, value.length - FIXED, StandardCharsets.UTF_8),
                Removal.Reason.find(in.get()).orElseThrow());
    }
}
