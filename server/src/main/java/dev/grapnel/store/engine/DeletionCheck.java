package dev.grapnel.store.engine;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Word256;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.store.StoreDecision;
import dev.grapnel.store.StoreRules;
import dev.grapnel.store.row.Gate;
import dev.grapnel.store.row.RetiredRequest;
import dev.grapnel.store.table.ReadTables;
import dev.grapnel.store.table.StoreDamage;
import dev.grapnel.store.table.Table;
import java.time.Instant;
import java.util.function.Consumer;

/// Looks whether tombstones, requests and gates can be read and agree with each other.
final class DeletionCheck {
    private final ReadTables tables;
    private final Consumer<String> problems;
    private final TableView view;
    private long targets;
    private long bytes;

    DeletionCheck(ReadTables tables, Consumer<String> problems) {
        this.tables = tables;
        this.problems = problems;
        this.view = new TableView(tables, new StoreDecision(StoreRules.DEFAULTS), Instant.EPOCH);
    }

    void run() {
        forEach(Table.TOMBSTONES, (key, value) -> Tombstone.decode(key, value));
        forEach(Table.REQUESTS, (key, _) -> RequestTimes.find(tables, EventId.of(key, 0)));
        RowTables.forEach(tables, Table.GATES, Bytes.EMPTY, row -> checkGate((Gate) row), _ -> {});
        forEach(Table.VANISHED, (key, value) -> SealedRows.open(Table.VANISHED, key, value));
        forEach(Table.BANS, (key, value) -> SealedRows.open(Table.BANS, key, value));
        forEach(Table.GATE_TARGETS, (key, value) -> {
            SealedRows.open(Table.GATE_TARGETS, key, value);
            requireGate(EventId.of(key, key.length - Word256.BYTES));
        });
        forEach(Table.GATE_AGES, (key, value) -> {
            SealedRows.open(Table.GATE_AGES, key, value);
            requireGate(Keys.idIn(key, Long.BYTES));
        });
        forEach(Table.RETIRED_AUTHORS, (key, _) -> requireRetired(Keys.idIn(key, Word256.BYTES)));
        RowTables.forEach(
                tables, Table.RETIRED_REQUESTS, Bytes.EMPTY, row -> checkRetired((RetiredRequest) row), _ -> {});
        requireEqual(
                "rows of table retired_authors",
                tables.count(Table.RETIRED_AUTHORS),
                tables.count(Table.RETIRED_REQUESTS));
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
                check(rows.key(), rows.value(), visitor);
            }
        }
    }

    /// Each damaged row is one problem, not the end of the table.
    private void check(byte[] key, byte[] value, RowVisitor visitor) {
        try {
            visitor.at(key, value);
        } catch (StoreDamage damage) {
            problems.accept(String.valueOf(damage.getMessage()));
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

    private void requireRetired(EventId id) {
        if (tables.find(Table.RETIRED_REQUESTS, id.toBytes()) == null) {
            problems.accept("a row names retired request " + id + ", which is not there");
        }
    }

    private void checkRetired(RetiredRequest row) {
        var id = row.event().id();
        if (tables.find(Table.RETIRED_AUTHORS, RetiredTables.authorKey(row.event())) == null) {
            problems.accept("retired request " + id + " is not found by its author");
        }
        if (tables.find(Table.REQUESTS, id.toBytes()) == null) {
            problems.accept("nothing says when retired request " + id + " was seen");
        }
        if (view.findRecord(id).isPresent()) {
            problems.accept("request " + id + " is served and retired");
        }
    }

    private void requireEqual(String what, long stored, long counted) {
        if (stored != counted) {
            problems.accept("the store says it has " + stored + " " + what + ", but " + counted + " were counted");
        }
    }
}
