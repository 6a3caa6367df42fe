package dev.grapnel.store.tool;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.row.Row;
import dev.grapnel.store.table.Table;
import java.util.List;

/// Goes through long tables in short readings: no reading keeps old pages of the store alive while somebody
/// looks at rows, and only a page of rows is in memory. What changes meanwhile may be seen or not.
public final class RowPages {
    /// Rows in a page: each may hold an event of two megabytes.
    private static final int ROWS = 32;

    private RowPages() {}

    /// Looks at one row.
    public interface Visit<E extends Exception> {
        /// Sees it outside of any reading of the store, so it may take its time.
        void see(Row row) throws E;
    }

    /// Shows all rows of a table, the damaged ones left out.
    public static <E extends Exception> void forEach(EventStore store, Table table, Visit<E> visit) throws E {
        var last = Bytes.EMPTY;
        List<Row> page;
        do {
            var behind = last;
            page = store.read(view -> view.rowsAfter(table, behind, ROWS));
            for (var row : page) {
                visit.see(row);
                last = row.key();
            }
        } while (page.size() == ROWS);
    }
}
