package dev.grapnel.sync.health;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Parsed;
import dev.grapnel.store.row.RelayHealth;
import dev.grapnel.store.row.Row;
import dev.grapnel.store.row.Rows;
import dev.grapnel.store.table.Table;
import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/// Rows one behind the other, each with its key, under one checksum (R4.36): all of it is as it was written, or none
/// of it counts.
final class HealthFile {
    private static final int FORMAT = 0x67686501;
    private static final int CHECKSUM_BYTES = Integer.BYTES;

    private HealthFile() {}

    static byte[] encode(List<RelayHealth> rows) {
        var out = new ByteArrayOutputStream();
        putInt(out, FORMAT);
        putInt(out, rows.size());
        for (var row : rows) {
            put(out, row.key());
            put(out, Rows.encode(row));
        }
        putInt(out, checksum(out.toByteArray()));
        return out.toByteArray();
    }

    /// The rows that were written.
    ///
    /// @return `invalid` with a phrase if these are not bytes that were written here
    static Parsed<List<RelayHealth>> decode(byte[] bytes) {
        if (bytes.length < CHECKSUM_BYTES) {
            return Parsed.invalid("it is cut off");
        }
        int end = bytes.length - CHECKSUM_BYTES;
        if (ByteBuffer.wrap(bytes).getInt(end) != checksum(Arrays.copyOf(bytes, end))) {
            return Parsed.invalid("the checksum is wrong");
        }
        try {
            return read(ByteBuffer.wrap(bytes, 0, end));
        } catch (BufferUnderflowException _) {
            return Parsed.invalid("it ends too early");
        }
    }

    private static Parsed<List<RelayHealth>> read(ByteBuffer in) {
        if (in.getInt() != FORMAT) {
            return Parsed.invalid("the format is unknown");
        }
        int count = in.getInt();
        var rows = new ArrayList<RelayHealth>();
        for (int i = 0; i < count; i++) {
            switch (Rows.decode(Table.RELAY_HEALTH, take(in), take(in))) {
                case Parsed.Invalid<Row>(var reason) -> {
                    return Parsed.invalid(reason);
                }
                case Parsed.Valid<Row>(var row) -> rows.add((RelayHealth) row);
            }
        }
        return Parsed.valid(rows);
    }

    private static Bytes take(ByteBuffer in) {
        int length = in.getInt();
        if (length < 0 || length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        var bytes = new byte[length];
        in.get(bytes);
        return Bytes.wrap(bytes);
    }

    private static void put(ByteArrayOutputStream out, Bytes bytes) {
        var array = bytes.toArray();
        putInt(out, array.length);
        out.writeBytes(array);
    }

    private static void putInt(ByteArrayOutputStream out, int number) {
        out.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(number).array());
    }

    private static int checksum(byte[] bytes) {
        var crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }
}
