package dev.grapnel.store.engine;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Word256;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.store.row.Gate;
import dev.grapnel.store.table.ReadTables;
import dev.grapnel.store.table.Table;
import java.util.function.Consumer;

/// Looks whether tombstones, requests and gates can be read and agree with each other.
final class DeletionCheck {
    private final ReadTables tables;
    private final Consumer<String> problems;
    private long targets;
    private long bytes;

    DeletionCheck(ReadTables tables, Consumer<String> problems) {
        this.tables = tables;
        this.problems = problems;
    }

    void run() {
        forEach(Table.TOMBSTONES, (_, value) -> Tombstone.decode(value));
        forEach(Table.REQUESTS, (key, _) -> RequestTimes.find(tables, EventId.of(key, 0)));
        RowTables.forEach(tables, Table.GATES, Bytes.EMPTY, row -> checkGate((Gate) row), _ -> {});
        forEach(Table.GATE_TARGETS, (key, _) -> requireGate(EventId.of(key, key.length - Word256.BYTES)));
        forEach(Table.GATE_AGES, (key, _) -> requireGate(EventId.of(key, Long.BYTES)));
        requireEqual("targets of gates", Meta.GATE_TARGETS.read(tables), targets);
        requireEqual("bytes of gates", Meta.GATE_BYTES.read(tables), bytes);
        requireEqual("rows of table gate_targets", tables.count(Table.GATE_TARGETS), targets);
        requireEqual("rows of table gate_ages", tables.count(Table.GATE_AGES), tables.count(Table.GATES));
    }

    private interface RowVisitor {
        void at(byte[] key, byte[] value);
    }

    private void forEach(Table table, RowVisitor visitor) {
        var rows = tables.rows(table, new byte[0]);
        while (rows.next()) {
            if (rows.key().length < Word256.BYTES) {
                problems.accept("table " + table.storedName() + " has a key of " + rows.key().length + " bytes");
            } else {
                visitor.at(rows.key(), rows.value());
            }
        }
    }

    private void checkGate(Gate gate) {
        for (var target : GateTables.targetsOf(GateTables.requestOf(gate))) {
            targets++;
            if (tables.find(
                            Table.GATE_TARGETS,
                            GateTables.targetKey(target, gate.event().id()))
                    == null) {
                problems.accept("a target of gate " + gate.event().id() + " is not found by what it covers");
            }
        }
        if (tables.find(Table.GATE_AGES, GateTables.ageKey(gate)) == null) {
            problems.accept("gate " + gate.event().id() + " is not found by its age");
        }
        bytes += gate.event().json().length();
    }

    private void requireGate(EventId id) {
        if (tables.find(Table.GATES, id.toBytes()) == null) {
            problems.accept("a row names gate " + id + ", which is not there");
        }
    }

    private void requireEqual(String what, long stored, long counted) {
        if (stored != counted) {
            problems.accept("the store says it has " + stored + " " + what + ", but " + counted + " were counted");
        }
    }
}
