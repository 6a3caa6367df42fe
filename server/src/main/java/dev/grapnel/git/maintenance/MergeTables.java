package dev.grapnel.git.maintenance;

import dev.grapnel.nostr.repository.Oid;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;

/// All objects of some packs, each once, in the order of their ids, and what becomes of each in the merged
/// pack.
final class MergeTables {
    private static final int SOURCE_BITS = 24;

    private final List<PackSource> sources;
    private final List<Table> numbers;
    private final Table origins;
    private final Table places;
    private final Table sums;
    private int count;

    /// @param sources of an object that several have, the first one's is taken
    MergeTables(List<PackSource> sources, Table.Room room) throws IOException {
        this.sources = List.copyOf(sources);
        long most = 0;
        var made = new ArrayList<Table>();
        for (var source : sources) {
            most += source.index().count();
            made.add(room.table(source.index().count()));
        }
        if (most > Integer.MAX_VALUE || sources.size() >= 1 << SOURCE_BITS) {
            throw new IOException("there is more to merge than one pack can hold");
        }
        this.numbers = List.copyOf(made);
        this.origins = room.table(most);
        this.places = room.table(most);
        this.sums = room.table(most);
        number();
    }

    /// How far one index was read.
    private static final class Cursor implements Comparable<Cursor> {
        private final int source;
        private final IndexFile index;
        private int position;
        private Oid id;

        Cursor(int source, IndexFile index) {
            this.source = source;
            this.index = index;
            this.id = index.id(0);
        }

        boolean next() {
            position++;
            boolean isMore = position < index.count();
            if (isMore) {
                id = index.id(position);
            }
            return isMore;
        }

        /// The least id first; of equal ones that of the first source.
        @Override
        public int compareTo(Cursor other) {
            int order = id.compareTo(other.id);
            return order != 0 ? order : Integer.compare(source, other.source);
        }
    }

    /// Goes through all indexes at once, as they are sorted.
    private void number() {
        var cursors = new PriorityQueue<Cursor>();
        for (int source = 0; source < sources.size(); source++) {
            if (sources.get(source).index().count() > 0) {
                cursors.add(new Cursor(source, sources.get(source).index()));
            }
        }
        var last = Oid.ZERO;
        for (var cursor = cursors.poll(); cursor != null; cursor = cursors.poll()) {
            if (count == 0 || !cursor.id.equals(last)) {
                last = cursor.id;
                origins.set(count++, (long) cursor.position << SOURCE_BITS | cursor.source);
            }
            numbers.get(cursor.source).set(cursor.position, count - 1L);
            if (cursor.next()) {
                cursors.add(cursor);
            }
        }
    }

    /// How many different objects there are.
    int count() {
        return count;
    }

    /// The number of an object that a source has at this position.
    int number(int source, int position) {
        return (int) numbers.get(source).get(position);
    }

    Oid id(int number) {
        return sources.get(source(number)).index().id(position(number));
    }

    /// The source it is taken from.
    int source(int number) {
        return (int) (origins.get(number) & ((1L << SOURCE_BITS) - 1));
    }

    /// Its position there.
    int position(int number) {
        return (int) (origins.get(number) >>> SOURCE_BITS);
    }

    /// Where it begins in the merged pack; zero before it is written.
    long place(int number) {
        return places.get(number);
    }

    /// How many deltas have to be followed to read it.
    int depth(int number) {
        return (int) (sums.get(number) >>> Integer.SIZE);
    }

    int checksum(int number) {
        return (int) sums.get(number);
    }

    void written(int number, long place, int checksum, int depth) {
        places.set(number, place);
        sums.set(number, (long) depth << Integer.SIZE | Integer.toUnsignedLong(checksum));
    }
}
