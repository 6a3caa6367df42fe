package dev.grapnel.nostr.negentropy;

import dev.grapnel.nostr.event.EventId;
import java.util.Arrays;
import java.util.List;

/// A growing list of ids, 32 bytes each; sorted on request, and only then searchable.
final class IdBuffer {
    private static final int WIDTH = 4;

    private long[] rows = new long[0];
    private int size;

    int size() {
        return size;
    }

    void clear() {
        size = 0;
    }

    void add(EventId id) {
        reserve(size + 1);
        int at = size++ * WIDTH;
        rows[at] = id.a();
        rows[at + 1] = id.b();
        rows[at + 2] = id.c();
        rows[at + 3] = id.d();
    }

    EventId id(int index) {
        int at = index * WIDTH;
        return new EventId(rows[at], rows[at + 1], rows[at + 2], rows[at + 3]);
    }

    void sortAndDropRepeats() {
        Rows.sort(rows, WIDTH, 0, size);
        size = Rows.distinct(rows, WIDTH, 0, size);
    }

    /// The index of an id among sorted ones, or a negative number.
    int find(EventId id) {
        int low = 0;
        int high = size - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = id(middle).compareTo(id);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1;
    }

    /// Keeps only ids the other, sorted buffer lacks.
    void removeAll(IdBuffer sorted) {
        int kept = 0;
        for (int i = 0; i < size; i++) {
            if (sorted.find(id(i)) < 0) {
                System.arraycopy(rows, i * WIDTH, rows, kept++ * WIDTH, WIDTH);
            }
        }
        size = kept;
    }

    /// Merges another sorted buffer into this sorted one, from the end, so that no second array is needed.
    void merge(IdBuffer sorted) {
        int mine = size - 1;
        int theirs = sorted.size - 1;
        reserve(size + sorted.size);
        size += sorted.size;
        for (int to = size - 1; theirs >= 0; to--) {
            boolean takeMine = mine >= 0 && Rows.compare(rows, WIDTH, mine, sorted.rows, theirs) > 0;
            long[] source = takeMine ? rows : sorted.rows;
            int from = takeMine ? mine-- : theirs--;
            System.arraycopy(source, from * WIDTH, rows, to * WIDTH, WIDTH);
        }
    }

    List<EventId> toList() {
        return size == 0 ? List.of() : new PackedIds(Arrays.copyOf(rows, size * WIDTH));
    }

    private void reserve(int ids) {
        if (ids * WIDTH > rows.length) {
            rows = Arrays.copyOf(rows, Math.max(ids, size + (size >> 1) + 16) * WIDTH);
        }
    }
}
