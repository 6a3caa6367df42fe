package dev.grapnel.store.row;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Parsed;
import dev.grapnel.store.table.Table;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import java.util.zip.CRC32C;

/// Turns rows into bytes and back.
///
/// A value is one byte for the format, the fields, and a CRC-32C over all of that, the table and the key.
/// So a flipped bit is noticed, and a row that stands where it does not belong. A field that a later
/// Grapnel added is ignored, one that an earlier did not know has a default; everything else must be
/// exactly as [#encode] writes it (P-710).
public final class Rows {
    private static final byte FORMAT = 1;
    private static final int CHECKSUM_BYTES = Integer.BYTES;

    private Rows() {}

    /// The value to put into [Row#table] under [Row#key].
    public static Bytes encode(Row row) {
        var fields = new FieldWriter();
        write(row, fields);
        return seal(row.table(), row.key(), fields.toArray());
    }

    /// The row that was stored under a key of a table. An event in it has the id, kind and key it is stored
    /// under (P-712); its signature is not looked at.
    ///
    /// @return `invalid` with a phrase if the bytes are not what was written there
    /// @throws IllegalArgumentException if the table is none of those that hold a [Row]
    public static Parsed<Row> decode(Table table, Bytes key, Bytes value) {
        var reader = readerFor(table);
        try {
            var row = reader.apply(Fields.read(unseal(table, key, value)));
            return row.key().equals(key) ? Parsed.valid(row) : Parsed.invalid("the row belongs under another key");
        } catch (IllegalArgumentException e) {
            return Parsed.invalid(String.valueOf(e.getMessage()));
        }
    }

    /// Fields as they are stored, behind the format and in front of the checksum.
    static Bytes seal(Table table, Bytes key, byte[] fields) {
        var sealed = ByteBuffer.allocate(1 + fields.length + CHECKSUM_BYTES);
        sealed.put(FORMAT).put(fields);
        sealed.putInt(checksum(table, key, sealed.duplicate().flip()));
        return Bytes.wrap(sealed.array());
    }

    private static ByteBuffer unseal(Table table, Bytes key, Bytes value) {
        var sealed = ByteBuffer.wrap(value.toArray());
        int end = sealed.limit() - CHECKSUM_BYTES;
        if (end < 1) {
            throw new IllegalArgumentException("the row is cut off");
        }
        if (sealed.get(0) != FORMAT) {
            throw new IllegalArgumentException("unknown format " + sealed.get(0));
        }
        if (sealed.getInt(end) != checksum(table, key, sealed.slice(0, end))) {
            throw new IllegalArgumentException("the checksum is wrong");
        }
        return sealed.slice(1, end - 1);
    }

    private static int checksum(Table table, Bytes key, ByteBuffer formatAndFields) {
        var checksum = new CRC32C();
        checksum.update(table.storedName().getBytes(StandardCharsets.US_ASCII));
        checksum.update(0);
        checksum.update(key.toArray());
        checksum.update(formatAndFields);
        return (int) checksum.getValue();
    }

    private static void write(Row row, FieldWriter out) {
        switch (row) {
            case HeldAnnouncement announcement -> HeldRows.write(announcement, out);
            case HeldState state -> HeldRows.write(state, out);
            case HeldProposal proposal -> HeldRows.write(proposal, out);
            case Placeholder placeholder -> HeldRows.write(placeholder, out);
            case ExpiredEvent expired -> ExpiredRows.write(expired, out);
            case Repair repair -> LedgerRows.write(repair, out);
            case TrashRecord trash -> LedgerRows.write(trash, out);
            case Standing standing -> RepositoryRows.write(standing, out);
            case TrashedEvent trashed -> RepositoryRows.write(trashed, out);
            case Adoption adoption -> LedgerRows.write(adoption, out);
            case Gate gate -> LedgerRows.write(gate, out);
            case RetiredRequest retired -> LedgerRows.write(retired, out);
            case RefusedEvent refused -> SyncRows.write(refused, out);
            case RelayHealth health -> SyncRows.write(health, out);
            case ImportPosition position -> LedgerRows.write(position, out);
        }
    }

    private static Function<Fields, Row> readerFor(Table table) {
        return switch (table) {
            case HELD_ANNOUNCEMENTS -> HeldRows::readAnnouncement;
            case HELD_STATES -> HeldRows::readState;
            case HELD_PROPOSALS -> HeldRows::readProposal;
            case PLACEHOLDERS -> HeldRows::readPlaceholder;
            case EXPIRED_EVENTS -> ExpiredRows::read;
            case REPAIRS -> LedgerRows::readRepair;
            case TRASH -> LedgerRows::readTrash;
            case REPOSITORIES -> RepositoryRows::readStanding;
            case TRASHED_EVENTS -> RepositoryRows::readTrashed;
            case ADOPTIONS -> LedgerRows::readAdoption;
            case GATES -> LedgerRows::readGate;
            case RETIRED_REQUESTS -> LedgerRows::readRetired;
            case REFUSED_EVENTS -> SyncRows::readRefused;
            case RELAY_HEALTH -> SyncRows::readHealth;
            case IMPORTS -> LedgerRows::readImport;
            case META,
                    EVENTS,
                    NUMBERS,
                    TOMBSTONES,
                    REQUESTS,
                    VANISHED,
                    BANS,
                    GATE_TARGETS,
                    GATE_AGES,
                    RETIRED_AUTHORS,
                    REMOVALS,
                    HELD_IDS,
                    HELD_AUTHORS,
                    HELD_TERMS,
                    IDS,
                    TIMES,
                    AUTHORS,
                    KINDS,
                    AUTHOR_KINDS,
                    TAGS,
                    KIND_TAGS,
                    ADDRESSES,
                    EXPIRIES ->
                throw new IllegalArgumentException("no rows of this sort are kept in " + table.storedName());
        };
    }
}
