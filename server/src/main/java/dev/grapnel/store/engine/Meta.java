package dev.grapnel.store.engine;

import dev.grapnel.store.table.ReadTables;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.table.WriteTables;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Single numbers the store keeps about itself.
enum Meta {
    /// The last commit number given out.
    NUMBER,
    /// Wall time of the latest commit in milliseconds (purgatory P-722).
    CLOCK,
    /// Removals up to this number are forgotten.
    TAIL_FLOOR,
    /// Targets of all gates.
    GATE_TARGETS,
    /// Bytes of all gates.
    GATE_BYTES,
    /// When the file must be compacted at the latest, because somebody vanished; milliseconds, 0 for never.
    COMPACTION_DUE,
    /// 1 once the store ran in disrespector mode: then events may be served that their authors deleted.
    DISRESPECTED,
    /// Mark of the process that served the store last.
    LINEAGE;

    /// Whether one of these numbers is kept under a key.
    static boolean isOne(byte[] key) {
        return Arrays.stream(values()).anyMatch(meta -> Arrays.equals(meta.key(), key));
    }

    private byte[] key() {
        return name().getBytes(StandardCharsets.US_ASCII);
    }

    /// 0 if it was never set.
    long read(ReadTables tables) {
        return SealedRows.find(tables, Table.META, key()).map(Keys::number).orElse(0L);
    }

    void write(WriteTables tables, long value) {
        SealedRows.put(tables, Table.META, key(), Keys.number(value));
    }
}
