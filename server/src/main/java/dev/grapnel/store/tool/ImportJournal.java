package dev.grapnel.store.tool;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Refusal;
import dev.grapnel.store.StoreRefusal;
import dev.grapnel.store.StoreTransaction;
import dev.grapnel.store.StoreView;
import dev.grapnel.store.row.ImportPosition;
import dev.grapnel.store.row.InputPlace;
import dev.grapnel.store.row.Row;
import dev.grapnel.store.table.Table;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Remembers in the store how far imports have come that have not ended. To repeat what was done already could
/// give another result than to do it once: a version that had been replaced would come back if its successor
/// was deleted later on.
final class ImportJournal {
    /// How many imports are remembered.
    static final int POSITIONS_MAX = 16;

    private final InstantSource clock;

    ImportJournal(InstantSource clock) {
        this.clock = clock;
    }

    /// Where earlier imports ended.
    static List<InputPlace> places(StoreView view) {
        return positions(view).stream().map(ImportPosition::place).toList();
    }

    private static List<ImportPosition> positions(StoreView view) {
        var positions = new ArrayList<ImportPosition>();
        view.forEachRow(Table.IMPORTS, Bytes.EMPTY, row -> positions.add((ImportPosition) row));
        return positions;
    }

    /// Says, in the transaction that stores what is between two places, that the second is reached.
    ///
    /// @param from where this import was before; nothing if it has just begun
    /// @throws StoreRefusal if that is not where it is: a part was not stored, so the next must not be either
    void advance(StoreTransaction transaction, Optional<InputPlace> from, InputPlace to) {
        if (from.isEmpty()) {
            makeRoom(transaction);
        } else if (!transaction
                .findRow(Table.IMPORTS, to.beginHash())
                .map(ImportJournal::placeOf)
                .equals(from)) {
            throw new StoreRefusal(
                    new Refusal(Refusal.Prefix.ERROR, "a part is missing"), "what comes before was not stored");
        }
        transaction.put(new ImportPosition(to, clock.instant()));
    }

    private static InputPlace placeOf(Row row) {
        return ((ImportPosition) row).place();
    }

    private static void makeRoom(StoreTransaction transaction) {
        var oldest = positions(transaction).stream()
                .sorted(Comparator.comparing(ImportPosition::reachedAt).reversed())
                .skip(POSITIONS_MAX - 1)
                .toList();
        oldest.forEach(position -> transaction.remove(Table.IMPORTS, position.key()));
    }

    /// Forgets an import that has ended.
    static void end(StoreTransaction transaction, InputPlace last) {
        transaction.remove(Table.IMPORTS, last.beginHash());
    }
}
