package dev.grapnel.store.engine;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Word256;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.rule.DeletionRequest;
import dev.grapnel.store.StoreRules;
import dev.grapnel.store.row.Gate;
import dev.grapnel.store.table.ReadTables;
import dev.grapnel.store.table.StoreDamage;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.table.WriteTables;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// Deletion requests of authors who have nothing here (relay 4.5, purgatory P-266): kept unserved, found by
/// what they cover, bounded in number, bytes and time, the oldest making room.
final class GateTables {
    private final WriteTables tables;
    private final StoreRules rules;
    private int put;
    private int used;
    private int expired;
    private int evicted;

    GateTables(WriteTables tables, StoreRules rules) {
        this.tables = tables;
        this.rules = rules;
    }

    /// What became of gates since the transaction began.
    GateTally tally() {
        return new GateTally(put, used, expired, evicted);
    }

    /// The requests that cover a target, dated at or after `createdAt`.
    ///
    /// @param target key of the deletion
    static List<EventId> covering(ReadTables tables, byte[] target, long createdAt) {
        if (tables.count(Table.GATE_TARGETS) == 0) {
            return List.of();
        }
        // Targets whose text goes on longer begin with the same bytes.
        int length = target.length + Word256.BYTES;
        var requests = new ArrayList<EventId>();
        var rows = tables.rows(Table.GATE_TARGETS, target);
        while (rows.next() && Keys.startsWith(rows.key(), target)) {
            if (rows.key().length == length
                    && Keys.number(SealedRows.open(Table.GATE_TARGETS, rows.key(), rows.value())) >= createdAt) {
                requests.add(EventId.of(rows.key(), target.length));
            }
        }
        return requests;
    }

    /// Whether a gate is younger than this; older ones refuse nothing any more, swept or not.
    static boolean isOpen(ReadTables tables, EventId request, Instant oldest) {
        return RowTables.find(tables, Table.GATES, Bytes.wrap(request.toBytes()))
                .filter(row -> ((Gate) row).firstSeen().isAfter(oldest))
                .isPresent();
    }

    /// Keeps a request, unless it names more than may be kept.
    void put(Event event, DeletionRequest request, Instant now) {
        var targets = targetsOf(request);
        int bytes = event.json().length();
        if (targets.size() > Math.min(rules.gateTargetsPerAuthor(), rules.gateTargetsMax())
                || bytes > rules.gateBytesMax()) {
            return;
        }
        makeRoomOf(request.author(), targets.size());
        makeRoom(targets.size(), bytes);
        var gate = new Gate(event, now);
        RowTables.put(tables, gate);
        for (var target : targets) {
            SealedRows.put(tables, Table.GATE_TARGETS, targetKey(target, event.id()), Keys.number(event.createdAt()));
        }
        var size = ByteBuffer.allocate(2 * Integer.BYTES).putInt(targets.size()).putInt(bytes);
        SealedRows.put(tables, Table.GATE_AGES, ageKey(gate), size.array());
        count(targets.size(), bytes);
        put++;
    }

    /// Removes a gate that becomes an ordinary request, and returns it.
    Optional<Gate> take(EventId id) {
        var gate = remove(id);
        used += gate.isPresent() ? 1 : 0;
        return gate;
    }

    /// Removes a gate and returns it.
    Optional<Gate> remove(EventId id) {
        var found =
                RowTables.find(tables, Table.GATES, Bytes.wrap(id.toBytes())).map(row -> (Gate) row);
        found.ifPresent(gate -> {
            var request = requestOf(gate);
            var targets = targetsOf(request);
            targets.forEach(target -> tables.remove(Table.GATE_TARGETS, targetKey(target, id)));
            tables.remove(Table.GATE_AGES, ageKey(gate));
            tables.remove(Table.GATES, id.toBytes());
            count(-targets.size(), -gate.event().json().length());
        });
        return found;
    }

    /// The gates of an author, oldest first.
    List<Gate> of(PublicKey author) {
        if (tables.count(Table.GATE_TARGETS) == 0) {
            return List.of();
        }
        var ids = new TreeMap<EventId, Gate>();
        var prefix = author.toBytes();
        var rows = tables.rows(Table.GATE_TARGETS, prefix);
        while (rows.next() && Keys.startsWith(rows.key(), prefix)) {
            var id = EventId.of(rows.key(), rows.key().length - Word256.BYTES);
            if (!ids.containsKey(id)) {
                ids.put(id, requireGate(id));
            }
        }
        return ids.values().stream()
                .sorted(Comparator.comparing(Gate::firstSeen))
                .toList();
    }

    /// Removes up to so many gates whose time is over, and says how many.
    int removeOld(Instant now, int most) {
        long last = now.minus(rules.gateTime()).toEpochMilli();
        var old = new ArrayList<EventId>();
        var rows = tables.rows(Table.GATE_AGES, new byte[0]);
        while (old.size() < most && rows.next() && Keys.number(rows.key()) <= last) {
            old.add(Keys.idIn(rows.key(), Long.BYTES));
        }
        old.forEach(this::remove);
        expired += old.size();
        return old.size();
    }

    /// The gates of an author whose time is not over, oldest first; the others are removed.
    List<Gate> openOf(PublicKey author, Instant now) {
        var oldest = now.minus(rules.gateTime());
        var open = new ArrayList<Gate>();
        for (var gate : of(author)) {
            if (gate.firstSeen().isAfter(oldest)) {
                open.add(gate);
            } else {
                remove(gate.event().id());
                expired++;
            }
        }
        return open;
    }

    static DeletionRequest requestOf(Gate gate) {
        return DeletionRequest.parse(gate.event(), Integer.MAX_VALUE).require();
    }

    private Gate requireGate(EventId id) {
        return RowTables.find(tables, Table.GATES, Bytes.wrap(id.toBytes()))
                .map(row -> (Gate) row)
                .orElseThrow(() -> new StoreDamage("a target names gate " + id + ", which is not there"));
    }

    private void makeRoomOf(PublicKey author, int targets) {
        var gates = of(author);
        int used = gates.stream()
                .mapToInt(gate -> targetsOf(requestOf(gate)).size())
                .sum();
        for (int i = 0; used + targets > rules.gateTargetsPerAuthor() && i < gates.size(); i++) {
            used -= targetsOf(requestOf(gates.get(i))).size();
            remove(gates.get(i).event().id());
            evicted++;
        }
    }

    private void makeRoom(int targets, int bytes) {
        while (Meta.GATE_TARGETS.read(tables) + targets > rules.gateTargetsMax()
                || Meta.GATE_BYTES.read(tables) + bytes > rules.gateBytesMax()) {
            var oldest = tables.rows(Table.GATE_AGES, new byte[0]);
            if (!oldest.next()) {
                return;
            }
            remove(Keys.idIn(oldest.key(), Long.BYTES));
            evicted++;
        }
    }

    private void count(int targets, int bytes) {
        Meta.GATE_TARGETS.write(tables, Meta.GATE_TARGETS.read(tables) + targets);
        Meta.GATE_BYTES.write(tables, Meta.GATE_BYTES.read(tables) + bytes);
    }

    /// What a request covers, never nothing: its author's gates are found by these.
    static List<byte[]> targetsOf(DeletionRequest request) {
        var targets = new ArrayList<byte[]>();
        if (request.ids().isEmpty() && request.addresses().isEmpty()) {
            targets.add(Keys.noDeletion(request.author()));
        }
        request.ids().forEach(id -> targets.add(Keys.deletion(request.author(), id)));
        request.addresses().forEach(address -> targets.add(Keys.deletion(address)));
        return targets;
    }

    static byte[] targetKey(byte[] target, EventId request) {
        return Keys.join(target, request.toBytes());
    }

    /// Bytes of a gate, as a row of its age says.
    static int bytesOf(byte[] key, byte[] stored) {
        return ByteBuffer.wrap(SealedRows.open(Table.GATE_AGES, key, stored)).getInt(Integer.BYTES);
    }

    static byte[] ageKey(Gate gate) {
        return Keys.join(
                Keys.number(gate.firstSeen().toEpochMilli()), gate.event().id().toBytes());
    }
}
