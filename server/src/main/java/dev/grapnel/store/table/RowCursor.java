package dev.grapnel.store.table;

/// Walks through the rows of a table in ascending order of their keys, bytes compared as unsigned.
public interface RowCursor {
    /// Goes to the next row; false when there is none. The first call goes to the first row.
    boolean next();

    /// Key of the current row.
    byte[] key();

    /// Value of the current row.
    byte[] value();
}
