package dev.grapnel.store.engine;

import dev.grapnel.store.table.ReadTables;
import dev.grapnel.store.table.StoreDamage;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.table.WriteTables;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32C;

/// Small values that nothing else in the store could vouch for: behind each stands a CRC-32C over table, key
/// and value, so that a flipped bit is noticed, and a value under a key that is not its own.
final class SealedRows {
    private static final int SEAL_BYTES = Integer.BYTES;

    private SealedRows() {}

    static void put(WriteTables tables, Table table, byte[] key, byte[] value) {
        var stored = ByteBuffer.allocate(value.length + SEAL_BYTES);
        tables.put(table, key, stored.put(value).putInt(seal(table, key, value)).array());
    }

    /// @throws StoreDamage if it is not what was written there
    static Optional<byte[]> find(ReadTables tables, Table table, byte[] key) {
        return Optional.ofNullable(tables.find(table, key)).map(stored -> open(table, key, stored));
    }

    /// The value of a row that was found.
    ///
    /// @throws StoreDamage if it is not what was written there
    static byte[] open(Table table, byte[] key, byte[] stored) {
        int length = stored.length - SEAL_BYTES;
        if (length >= 0) {
            var value = Arrays.copyOf(stored, length);
            if (ByteBuffer.wrap(stored).getInt(length) == seal(table, key, value)) {
                return value;
            }
        }
        throw new StoreDamage("a row of table " + table.storedName() + " does not fit its checksum");
    }

    private static int seal(Table table, byte[] key, byte[] value) {
        var checksum = new CRC32C();
        checksum.update(table.storedName().getBytes(StandardCharsets.US_ASCII));
        checksum.update(0);
        checksum.update(key);
        checksum.update(value);
        return (int) checksum.getValue();
    }
}
