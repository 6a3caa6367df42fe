package dev.grapnel.store.engine;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.table.StoreDamage;
import dev.grapnel.store.table.Table;

/// Where a held event's row is.
record HeldPlace(Table table, Bytes key) {
    static HeldPlace of(Held row) {
        return new HeldPlace(row.table(), row.key());
    }

    static HeldPlace decode(byte[] value) {
        if (value.length < 2 || value[0] < 0 || value[0] >= HeldTables.ALL.size()) {
            throw new StoreDamage("a row of table held_ids cannot be read");
        }
        return new HeldPlace(HeldTables.ALL.get(value[0]), Bytes.copyOf(value, 1, value.length));
    }

    byte[] encode() {
        return Keys.join(new byte[] {(byte) HeldTables.ALL.indexOf(table)}, key.toArray());
    }
}
