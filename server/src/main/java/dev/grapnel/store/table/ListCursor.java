package dev.grapnel.store.table;

/// Walks through the posting lists of a table in ascending order of their keys.
public interface ListCursor {
    /// Goes to the next list; false when there is none. The first call goes to the first list.
    boolean next();

    /// Key of the current list.
    byte[] key();

    /// The current list, from its beginning.
    Postings postings();
}
