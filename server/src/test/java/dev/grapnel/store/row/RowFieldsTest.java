package dev.grapnel.store.row;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.store.table.Table;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// Fields of other versions: what is new is ignored, what is missing has a default, what is wrong is refused.
final class RowFieldsTest {
    /// Fields without which a row says nothing.
    private static final Map<Table, Set<Integer>> REQUIRED = Map.ofEntries(
            Map.entry(Table.HELD_ANNOUNCEMENTS, Set.of(1, 2, 3)),
            Map.entry(Table.HELD_STATES, Set.of(1, 2, 3)),
            Map.entry(Table.HELD_PROPOSALS, Set.of(1, 2, 3)),
            Map.entry(Table.PLACEHOLDERS, Set.of(1, 2, 3, 6, 7)),
            Map.entry(Table.EXPIRED_EVENTS, Set.of(1, 2, 3)),
            Map.entry(Table.REPAIRS, Set.of(1, 2, 3)),
            Map.entry(Table.TRASH, Set.of(1, 2, 3, 7, 8)),
            Map.entry(Table.REPOSITORIES, Set.of(1, 2, 3, 4)),
            Map.entry(Table.TRASHED_EVENTS, Set.of(2, 4, 6)),
            Map.entry(Table.ADOPTIONS, Set.of(1, 2, 3, 4)),
            Map.entry(Table.GATES, Set.of(1, 2)),
            Map.entry(Table.RETIRED_REQUESTS, Set.of(1, 2)),
            Map.entry(Table.REFUSED_EVENTS, Set.of(1, 2, 3, 4, 7, 8, 9)),
            Map.entry(Table.RELAY_HEALTH, Set.of(1, 2)),
            Map.entry(Table.IMPORTS, Set.of(1, 2, 3, 4, 5, 8)));

    @Test
    void rowsWithRequiredFieldsOnlyHaveDefaults() {
        var announcement = RowSamples.announcement();
        assertStripped(
                new HeldAnnouncement(
                        announcement.event(),
                        RowSamples.SINCE,
                        RowSamples.UNTIL,
                        Source.DIRECT,
                        HeldAnnouncement.Phase.ACTIVE),
                announcement);
        assertStripped(RowSamples.state().withSource(Source.DIRECT), RowSamples.state());
        assertStripped(RowSamples.proposal().withSource(Source.DIRECT).withPushedTo(List.of()), RowSamples.proposal());
        assertStripped(RowSamples.placeholder(), RowSamples.placeholder());
        assertStripped(
                new ExpiredEvent(
                        RowSamples.ID, Kinds.STATE, RowSamples.LATER, RowSamples.LATER, 0, false, Optional.empty()),
                RowSamples.expired());
        assertStripped(Repair.due(RowSamples.REPOSITORY, RowSamples.SINCE), RowSamples.repair());
        assertStripped(
                new TrashRecord(
                        RowSamples.REPOSITORY,
                        RowSamples.ID,
                        new TreeMap<>(),
                        Optional.empty(),
                        new TreeSet<>(),
                        RowSamples.SINCE,
                        RowSamples.LATER),
                RowSamples.trash());
        assertStripped(
                new Adoption(RowSamples.REPOSITORY, Adoption.Step.VERIFIED, RowSamples.SINCE, ""),
                RowSamples.adoption());
        assertStripped(
                new Standing(
                        RowSamples.REPOSITORY,
                        Standing.Phase.TRASHED,
                        RowSamples.SINCE,
                        Standing.Cause.NONE,
                        Optional.empty(),
                        Optional.empty()),
                RowSamples.standing());
        assertStripped(RowSamples.trashedEvent(), RowSamples.trashedEvent());
        assertStripped(RowSamples.gate(), RowSamples.gate());
        assertStripped(RowSamples.retired(), RowSamples.retired());
        var refused = RowSamples.refused();
        assertStripped(
                new RefusedEvent(
                        refused.id(),
                        refused.kind(),
                        refused.author(),
                        refused.createdAt(),
                        Optional.empty(),
                        RefusedEvent.Reason.OTHER,
                        refused.relay(),
                        refused.refusedAt(),
                        refused.until(),
                        0,
                        List.of()),
                refused);
        var health = RowSamples.health();
        assertStripped(
                new RelayHealth(
                        health.remote(),
                        0,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        List.of()),
                health);
        var position = RowSamples.importPosition();
        assertStripped(new ImportPosition(position.number(), position.place(), 0, 0, position.reachedAt()), position);
    }

    @Test
    void missingRequiredFieldIsNoticed() {
        for (var row : RowSamples.all()) {
            for (int number : REQUIRED.getOrDefault(row.table(), Set.of())) {
                assertInvalid(StoredFields.of(row).without(number), row.table() + " without " + number);
            }
        }
    }

    @Test
    void everyOptionalFieldMayBeMissingAlone() {
        for (var row : RowSamples.all()) {
            for (int number : StoredFields.of(row).numbers()) {
                if (!REQUIRED.getOrDefault(row.table(), Set.of()).contains(number)) {
                    var fields = StoredFields.of(row).without(number);
                    assertInstanceOf(Parsed.Valid.class, decode(fields), row.table() + " without " + number);
                }
            }
        }
    }

    @Test
    void unknownFieldsAreIgnored() {
        for (var row : RowSamples.all()) {
            var fields = StoredFields.of(row)
                    .with(99, Bytes.wrap(new byte[300]))
                    .with(Integer.MAX_VALUE, Bytes.EMPTY)
                    .with(99, Bytes.EMPTY);
            assertEquals(Parsed.valid(row), decode(fields));
        }
    }

    @Test
    void unknownFieldsInsideFieldsAreIgnored() {
        var more = new FieldWriter().put(new Field(99, "new"), "something").toArray();
        var upload = join(StoredFields.of(RowSamples.proposal()).first(6).toArray(), more);
        var row = RowSamples.proposal().withPushedTo(List.of(RowSamples.COMPLETE));
        assertEquals(Parsed.valid(row), decode(StoredFields.of(row).without(6).with(6, upload)));
    }

    @Test
    void missingPartsOfAnUploadHaveDefaults() {
        var writer = new FieldWriter()
                .put(new Field(1, "owner"), RowSamples.REPOSITORY.owner())
                .put(new Field(2, "identifier"), RowSamples.IDENTIFIER.text())
                .put(new Field(4, "area"), "area-1");
        var row = RowSamples.proposal()
                .withPushedTo(List.of(new Upload(
                        RowSamples.REPOSITORY, Upload.Endpoint.REPOSITORY, new AreaName("area-1"), false, "")));
        assertEquals(Parsed.valid(row), decode(StoredFields.of(row).without(6).with(6, Bytes.wrap(writer.toArray()))));
    }

    @Test
    void fieldThatMayStandOnceIsRefusedTwice() {
        for (var row : RowSamples.all()) {
            for (int number : REQUIRED.getOrDefault(row.table(), Set.of())) {
                boolean list = row.table() == Table.PLACEHOLDERS && number == 6;
                var fields = StoredFields.of(row);
                if (!list) {
                    assertInvalid(fields.with(number, fields.first(number)), row.table() + " twice " + number);
                }
            }
        }
    }

    @Test
    void valuesThatCannotBeAreRefused() {
        var state = StoredFields.of(RowSamples.state());
        assertReason("arrival: ends inside a number", state.without(2).with(2, Bytes.EMPTY));
        assertReason("arrival: ends inside a number", state.without(2).with(2, bytes(0x80)));
        assertReason("arrival: more than a number", state.without(2).with(2, bytes(1, 1)));
        assertReason(
                "arrival: a number is too large or not in its shortest form",
                state.without(2).with(2, bytes(0x80, 0)));
        assertReason(
                "arrival: a number is too large or not in its shortest form",
                state.without(2).with(2, bytes(0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 2)));
        assertReason(
                "arrival: a number has more than 64 bits",
                state.without(2).with(2, bytes(0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1)));
        assertReason("source: unknown code 3", state.without(4).with(4, bytes(3)));
        var placeholder = StoredFields.of(RowSamples.placeholder());
        assertReason("event id: not 32 bytes", placeholder.without(1).with(1, Bytes.wrap(new byte[31])));
        assertReason("commit: not 20 bytes", placeholder.without(7).with(7, Bytes.wrap(new byte[32])));
        assertReason("upload: the owner is missing", placeholder.with(6, Bytes.EMPTY));
        assertReason("the staging area area-1 is named twice", placeholder.with(6, uploadOf(placeholder)));
        var expired = StoredFields.of(RowSamples.expired());
        assertReason("lifted flag: neither 0 nor 1", expired.without(6).with(6, bytes(2)));
        assertReason("kind 1 is never held", expired.without(2).with(2, bytes(1)));
        assertReason("kind: too large", expired.without(2).with(2, bytes(0xff, 0xff, 0xff, 0xff, 0x7f)));
        var repair = StoredFields.of(RowSamples.repair());
        assertReason("reason: not UTF-8", repair.without(6).with(6, bytes(0xc3)));
        assertReason("reason: not UTF-8", repair.without(6).with(6, bytes(0xed, 0xa0, 0x80)));
        assertReason(
                "identifier: the identifier has a slash, a backslash or a control character",
                repair.without(2).with(2, bytes('a', '/', 'b')));
        var trash = StoredFields.of(RowSamples.trash());
        assertReason("ref: ends inside an object id", trash.with(4, bytes(1)));
        assertReason("refs/heads/main is given twice", trash.with(4, trash.first(4)));
    }

    @Test
    void damagedFieldsAreRefused() {
        var row = RowSamples.repair();
        assertRaw("a field has a number that is none", row, 0, 0);
        assertRaw("ends inside a field", row, 1, 2, 0);
        assertRaw("ends inside a number", row, 1);
        assertRaw("ends inside a field", row, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1);
        assertRaw("a field has a number that is none", row, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 0);
    }

    private static Bytes uploadOf(StoredFields placeholder) {
        return placeholder.parts().stream()
                .filter(part -> part.number() == 6)
                .toList()
                .getLast()
                .value();
    }

    private static void assertStripped(Row expected, Row full) {
        var fields = StoredFields.of(full);
        for (int number : fields.numbers()) {
            if (!REQUIRED.getOrDefault(full.table(), Set.of()).contains(number)) {
                fields = fields.without(number);
            }
        }
        assertEquals(Parsed.valid(expected), decode(fields));
    }

    private static void assertInvalid(StoredFields fields, String what) {
        assertInstanceOf(Parsed.Invalid.class, decode(fields), what);
    }

    private static void assertReason(String reason, StoredFields fields) {
        assertEquals(Parsed.invalid(reason), decode(fields));
    }

    private static void assertRaw(String reason, Row row, int... fields) {
        var value = Rows.seal(row.table(), row.key(), bytes(fields).toArray());
        assertEquals(Parsed.invalid(reason), Rows.decode(row.table(), row.key(), value));
    }

    private static Parsed<Row> decode(StoredFields fields) {
        return Rows.decode(fields.row().table(), fields.row().key(), fields.sealed());
    }

    private static Bytes bytes(int... values) {
        var bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return Bytes.wrap(bytes);
    }

    private static Bytes join(byte[] first, byte[] second) {
        var joined = new byte[first.length + second.length];
        System.arraycopy(first, 0, joined, 0, first.length);
        System.arraycopy(second, 0, joined, first.length, second.length);
        return Bytes.wrap(joined);
    }
}
