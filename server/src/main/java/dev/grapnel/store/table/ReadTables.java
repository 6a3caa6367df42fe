package dev.grapnel.store.table;

import org.jspecify.annotations.Nullable;

/// One consistent state of all tables. Used by one thread at a time. Arrays handed out are the caller's own.
///
/// Every method throws [StoreDamage] when it meets bytes that cannot be right, and a snapshot [SnapshotEnded] when it
/// was held too long.
public interface ReadTables {
    /// The value of a row, or null. For tables of rows.
    byte @Nullable [] find(Table table, byte[] key);

    /// The value of a row whose key is this number in eight bytes, big-endian.
    byte @Nullable [] find(Table table, long key);

    /// The rows at and after a key. For tables of rows. Must not be used after the tables were changed.
    RowCursor rows(Table table, byte[] from);

    /// The list of a key, empty if there is none, at its first posting. For tables of postings. Must not be used after
    /// the tables were changed.
    Postings postings(Table table, byte[] key);

    /// All lists at and after a key. For tables of postings. Must not be used after the tables were changed.
    ListCursor lists(Table table, byte[] from);

    /// Number of rows, or of postings in all lists.
    long count(Table table);
}
