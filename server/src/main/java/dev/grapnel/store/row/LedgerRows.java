package dev.grapnel.store.row;

import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.nostr.repository.RepositoryAddress;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// How repairs, adoptions, trash records, gates, retired requests and positions of imports are written. What
/// speaks of a repository names it by the same two fields.
final class LedgerRows {
    private static final Field OWNER = new Field(1, "owner");
    private static final Field IDENTIFIER = new Field(2, "identifier");

    private static final Field SINCE = new Field(3, "beginning");
    private static final Field ATTEMPTS = new Field(4, "number of attempts");
    private static final Field NEXT_ATTEMPT = new Field(5, "next attempt");
    private static final Field REASON = new Field(6, "reason");
    private static final Field GONE = new Field(7, "proposal taken back");

    private static final Field STEP = new Field(3, "step");
    private static final Field CHANGED_AT = new Field(4, "time of the step");
    private static final Field NOTE = new Field(5, "note");

    private static final Field STATE_ID = new Field(3, "id of the state");
    private static final Field REF = new Field(4, "ref");
    private static final Field HEAD = new Field(5, "HEAD");
    private static final Field ALSO_KEPT = new Field(6, "kept object");
    private static final Field REMOVED_AT = new Field(7, "removal");
    private static final Field UNTIL = new Field(8, "end");

    private static final Field EVENT = new Field(1, "event");
    private static final Field FIRST_SEEN = new Field(2, "first sight");
    private static final Field RETIRED_AT = new Field(2, "end of service");

    private static final Field NUMBER = new Field(1, "number");
    private static final Field BEGIN_BYTES = new Field(2, "length of the beginning");
    private static final Field BEGIN_HASH = new Field(3, "hash of the beginning");
    private static final Field BYTES = new Field(4, "length");
    private static final Field HASH = new Field(5, "hash");
    private static final Field REFUSED = new Field(6, "number of refused lines");
    private static final Field FAULTS = new Field(7, "number of faults");
    private static final Field REACHED_AT = new Field(8, "time of the position");

    private LedgerRows() {}

    static void write(Repair row, FieldWriter out) {
        write(row.repository(), out);
        out.put(SINCE, row.since())
                .put(ATTEMPTS, row.attempts())
                .put(NEXT_ATTEMPT, row.nextAttempt())
                .put(REASON, row.reason());
        row.gone().forEach(id -> out.put(GONE, id));
    }

    static Repair readRepair(Fields in) {
        var since = in.require(SINCE, Value::time);
        return new Repair(
                readRepository(in),
                since,
                in.find(ATTEMPTS, Value::count).orElse(0),
                in.find(NEXT_ATTEMPT, Value::time).orElse(since),
                in.find(REASON, Value::text).orElse(""),
                new TreeSet<>(in.all(GONE, Value::id)));
    }

    static void write(Adoption row, FieldWriter out) {
        write(row.repository(), out);
        out.put(STEP, row.step()).put(CHANGED_AT, row.changedAt()).put(NOTE, row.note());
    }

    static Adoption readAdoption(Fields in) {
        return new Adoption(
                readRepository(in),
                in.require(STEP, value -> value.oneOf(List.of(Adoption.Step.values()))),
                in.require(CHANGED_AT, Value::time),
                in.find(NOTE, Value::text).orElse(""));
    }

    static void write(TrashRecord row, FieldWriter out) {
        write(row.repository(), out);
        out.put(STATE_ID, row.stateId());
        row.refs().forEach((ref, oid) -> out.put(REF, ref, oid));
        row.head().ifPresent(head -> out.put(HEAD, head.text()));
        row.alsoKept().forEach(oid -> out.put(ALSO_KEPT, oid));
        out.put(REMOVED_AT, row.removedAt()).put(UNTIL, row.until());
    }

    static TrashRecord readTrash(Fields in) {
        return new TrashRecord(
                readRepository(in),
                in.require(STATE_ID, Value::id),
                readRefs(in),
                in.find(HEAD, Value::ref),
                new TreeSet<>(in.all(ALSO_KEPT, Value::oid)),
                in.require(REMOVED_AT, Value::time),
                in.require(UNTIL, Value::time));
    }

    static void write(Gate row, FieldWriter out) {
        out.put(EVENT, row.event()).put(FIRST_SEEN, row.firstSeen());
    }

    static Gate readGate(Fields in) {
        return new Gate(in.require(EVENT, Value::event), in.require(FIRST_SEEN, Value::time));
    }

    static void write(RetiredRequest row, FieldWriter out) {
        out.put(EVENT, row.event()).put(RETIRED_AT, row.since());
    }

    static RetiredRequest readRetired(Fields in) {
        return new RetiredRequest(in.require(EVENT, Value::event), in.require(RETIRED_AT, Value::time));
    }

    static void write(ImportPosition row, FieldWriter out) {
        var place = row.place();
        out.put(NUMBER, row.number())
                .put(BEGIN_BYTES, place.beginBytes())
                .put(BEGIN_HASH, place.beginHash())
                .put(BYTES, place.bytes())
                .put(HASH, place.hash())
                .put(REFUSED, row.refused())
                .put(FAULTS, row.faults())
                .put(REACHED_AT, row.reachedAt());
    }

    static ImportPosition readImport(Fields in) {
        return new ImportPosition(
                in.require(NUMBER, Value::number),
                new InputPlace(
                        in.require(BEGIN_BYTES, Value::count),
                        in.require(BEGIN_HASH, Value::bytes),
                        in.require(BYTES, Value::number),
                        in.require(HASH, Value::bytes)),
                in.find(REFUSED, Value::number).orElse(0L),
                in.find(FAULTS, Value::number).orElse(0L),
                in.require(REACHED_AT, Value::time));
    }

    private static SortedMap<RefName, Oid> readRefs(Fields in) {
        var refs = new TreeMap<RefName, Oid>();
        for (var ref : in.all(REF, Value::refWithValue)) {
            if (refs.put(ref.getKey(), ref.getValue()) != null) {
                throw new IllegalArgumentException(ref.getKey() + " is given twice");
            }
        }
        return refs;
    }

    private static void write(RepositoryAddress repository, FieldWriter out) {
        out.put(OWNER, repository.owner())
                .put(IDENTIFIER, repository.identifier().text());
    }

    private static RepositoryAddress readRepository(Fields in) {
        return new RepositoryAddress(in.require(OWNER, Value::key), in.require(IDENTIFIER, Value::identifier));
    }
}
