package dev.grapnel.store.tool;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Refusal;
import dev.grapnel.store.StoreRefusal;
import dev.grapnel.store.StoreTransaction;
import dev.grapnel.store.StoreView;
import dev.grapnel.store.row.ImportPosition;
import dev.grapnel.store.row.InputPlace;
import dev.grapnel.store.row.RowKeys;
import dev.grapnel.store.table.Table;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Remembers in the store how far an import has come until it ends. To repeat what was done already could give
/// another result than to do it once: a version that had been replaced would come back if its successor was
/// deleted later on.
///
/// Its methods are called by the works of one import, one after the other.
final class ImportJournal {
    /// How many imports are remembered.
    static final int POSITIONS_MAX = 16;

    private static final long NONE = 0;

    private final InstantSource clock;
    private final boolean isFromStart;
    private long number = NONE;

    /// @param isFromStart whether imports that began alike are to be forgotten
    ImportJournal(InstantSource clock, boolean isFromStart) {
        this.clock = clock;
        this.isFromStart = isFromStart;
    }

    /// Where imports are that have not ended.
    static List<ImportPosition> positions(StoreView view) {
        var positions = new ArrayList<ImportPosition>();
        view.forEachRow(Table.IMPORTS, Bytes.EMPTY, row -> positions.add((ImportPosition) row));
        return positions;
    }

    /// Goes on with an earlier import.
    void resume(ImportPosition earlier) {
        number = earlier.number();
    }

    /// Says, in the transaction that stores what is between two places, that the second is reached.
    ///
    /// @param from where this import was before; nothing if it has just begun
    /// @param lines what became of those between the places
    /// @throws StoreRefusal if that is not where it is: a part was not stored, so the next must not be either
    void advance(StoreTransaction transaction, Optional<InputPlace> from, InputPlace to, List<SettledLine> lines) {
        if (from.isEmpty()) {
            begin(transaction, to);
        }
        var before = position(transaction);
        if (!before.map(ImportPosition::place).equals(from)) {
            throw new StoreRefusal(
                    new Refusal(Refusal.Prefix.ERROR, "a part is missing"), "what comes before was not stored");
        }
        long refused = before.map(ImportPosition::refused).orElse(0L);
        long faults = before.map(ImportPosition::faults).orElse(0L);
        for (var line : lines) {
            if (line instanceof SettledLine.Refused(var why)) {
                refused++;
                faults += why.isFault() ? 1 : 0;
            }
        }
        transaction.put(new ImportPosition(number, to, refused, faults, clock.instant()));
    }

    private Optional<ImportPosition> position(StoreTransaction transaction) {
        return transaction.findRow(Table.IMPORTS, RowKeys.importOf(number)).map(ImportPosition.class::cast);
    }

    private void begin(StoreTransaction transaction, InputPlace first) {
        var others = positions(transaction);
        number = 1 + others.stream().mapToLong(ImportPosition::number).max().orElse(NONE);
        if (isFromStart) {
            others.stream()
                    .filter(other -> other.place().beginHash().equals(first.beginHash()))
                    .forEach(other -> transaction.remove(Table.IMPORTS, other.key()));
        }
        others.stream()
                .sorted(Comparator.comparing(ImportPosition::reachedAt).reversed())
                .skip(POSITIONS_MAX - 1)
                .forEach(oldest -> transaction.remove(Table.IMPORTS, oldest.key()));
    }

    /// Forgets this import: it has ended.
    void end(StoreTransaction transaction) {
        transaction.remove(Table.IMPORTS, RowKeys.importOf(number));
    }
}
