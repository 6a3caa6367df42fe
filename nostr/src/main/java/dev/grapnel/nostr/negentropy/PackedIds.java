package dev.grapnel.nostr.negentropy;

import dev.grapnel.nostr.event.EventId;
import java.util.AbstractList;
import java.util.RandomAccess;

/// An unmodifiable list of ids that keeps 32 bytes for each and makes objects only when asked.
final class PackedIds extends AbstractList<EventId> implements RandomAccess {
    private static final int WIDTH = 4;

    private final long[] rows;

    /// Takes the array over.
    PackedIds(long[] rows) {
        this.rows = rows;
    }

    @Override
    public EventId get(int index) {
        int at = index * WIDTH;
        return new EventId(rows[at], rows[at + 1], rows[at + 2], rows[at + 3]);
    }

    @Override
    public int size() {
        return rows.length / WIDTH;
    }
}
