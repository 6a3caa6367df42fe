package dev.grapnel.store.engine;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.store.StoredEvent;
import dev.grapnel.store.table.RowCursor;
import dev.grapnel.store.table.SnapshotEnded;
import dev.grapnel.store.table.StoreDamage;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.table.TableEngine;
import dev.grapnel.store.table.TableSnapshot;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Every served event in commit order, read straight from its table and without any index: for tools, which
/// want as much as can be had of a damaged store. Unlike [TableTail] it shows no removals, so it can always
/// begin at the beginning. Used by one thread.
public final class EventLog implements AutoCloseable {
    private final TableEngine engine;
    private final InstantSource clock;
    private final Consumer<String> damages;
    private TableSnapshot snapshot;
    private @Nullable RowCursor rows;
    private long last;
    private long number;
    private String told = "";

    /// Shows what is served.
    ///
    /// @param damages hears of what cannot be read and is left out; once of a page, whatever was on it
    public EventLog(TableEngine engine, InstantSource clock, Consumer<String> damages) {
        this.engine = engine;
        this.clock = clock;
        this.damages = damages;
        this.snapshot = engine.pin();
        this.last = Meta.NUMBER.read(snapshot);
    }

    /// The next event that has not expired; nothing after the last one.
    public Optional<StoredEvent> next() {
        while (number < last) {
            try {
                var cursor = open();
                if (advance(cursor)) {
                    var record = EventRecord.read(number, cursor.value());
                    if (!record.isOver(clock.instant())) {
                        return Optional.of(record.event());
                    }
                }
            } catch (StoreDamage damage) {
                tell(damage);
            } catch (SnapshotEnded _) {
                close();
                snapshot = engine.pin(); // goes on behind the last number
                last = Meta.NUMBER.read(snapshot);
            }
        }
        return Optional.empty();
    }

    private RowCursor open() {
        var cursor = rows;
        if (cursor == null) {
            cursor = snapshot.rows(Table.EVENTS, Keys.number(number + 1));
            rows = cursor;
        }
        return cursor;
    }

    /// Goes to the next row. Where there is no way on, the next number is tried from the root, and so on until
    /// one is found behind the damage.
    private boolean advance(RowCursor cursor) {
        try {
            if (!cursor.next()) {
                number = last;
                return false;
            }
            number = number(cursor.key());
            return true;
        } catch (StoreDamage damage) {
            tell(damage);
            number++;
            rows = null;
            return false;
        }
    }

    private long number(byte[] key) {
        long found = key.length == Long.BYTES ? Keys.number(key) : -1;
        if (found <= number || found > last) {
            throw new StoreDamage("table events has a key that cannot be, " + Bytes.copyOf(key));
        }
        return found;
    }

    private void tell(StoreDamage damage) {
        var text = String.valueOf(damage.getMessage());
        if (!text.equals(told)) {
            told = text;
            damages.accept(text);
        }
    }

    @Override
    public void close() {
        snapshot.close();
        rows = null;
    }
}
