package dev.grapnel.sync.index;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntConsumer;

/// Which repository names which relay: one row for each pair, found from both sides. From a repository by its
/// short list; from a relay by a list that is put in order when somebody reads it, because keeping it in order
/// would move 100,000 entries for each announcement that changes.
final class Pairs {
    private static final int WIDTH = 2;
    private static final int RELAY = 0;
    private static final int REPO = 1;
    private static final int NOBODY = -1;
    private static final int DEAD_MAX = 32;

    private final Cells rows;
    private final IntLists ofRepo;
    /// Of those that have pairs, or had some lately: ordinals are not used again, so a table would only grow.
    private final Map<Integer, OfRelay> ofRelay = new HashMap<>();

    private int[] free = new int[16];
    private int freeCount;
    private int rowCount;
    private int count;
    private int relayCount;
    private long version;

    /// The pairs of a relay, ended ones among them until it is tidied. Rows of those are not used again before.
    private static final class OfRelay {
        private int[] pairs = new int[4];
        private int size;
        private int dead;
        private int full;
        private boolean isSorted = true;

        int live() {
            return size - dead;
        }
    }

    Pairs(IndexTables tables) {
        rows = new Cells(tables, "pairs");
        ofRepo = new IntLists(tables, "pairs-of-repo");
    }

    /// How many there are.
    int count() {
        return count;
    }

    /// How many relays have one.
    int relayCount() {
        return relayCount;
    }

    /// Another one after each change.
    long version() {
        return version;
    }

    int relay(int pair) {
        return rows.get(cell(pair, RELAY));
    }

    int repo(int pair) {
        return rows.get(cell(pair, REPO));
    }

    int count(int relay) {
        var list = ofRelay.get(relay);
        return list == null ? 0 : list.live();
    }

    int fullCount(int relay) {
        var list = ofRelay.get(relay);
        return list == null ? 0 : list.full;
    }

    /// -1 if there is none.
    int find(int relay, int repo) {
        int size = sizeOf(repo);
        for (int place = 0; place < size; place++) {
            int pair = ofRepo.get(repo, place);
            if (relay(pair) == relay) {
                return pair;
            }
        }
        return -1;
    }

    /// How many relays a repository names.
    int sizeOf(int repo) {
        return repo < ofRepo.count() ? ofRepo.size(repo) : 0;
    }

    /// A pair of a repository, by its place, which changes when one is removed.
    int ofRepo(int repo, int place) {
        return ofRepo.get(repo, place);
    }

    /// Visits the pairs of a relay, ascending by repository. The visitor changes nothing.
    void forEachOf(int relay, IntConsumer visitor) {
        var list = ofRelay.get(relay);
        if (list != null) {
            tidy(list);
            for (int i = 0; i < list.size; i++) {
                visitor.accept(list.pairs[i]);
            }
        }
    }

    /// Adds one that was not found.
    int add(int relay, int repo, boolean isFull) {
        while (ofRepo.count() <= repo) {
            ofRepo.add();
        }
        int pair = freeCount > 0 ? free[--freeCount] : rowCount++;
        rows.set(cell(pair, REPO), repo);
        rows.set(cell(pair, RELAY), relay);
        ofRepo.append(repo, pair);
        append(ofRelay.computeIfAbsent(relay, _ -> new OfRelay()), pair);
        count++;
        countFull(relay, isFull ? 1 : 0);
        return pair;
    }

    private OfRelay list(int relay) {
        return Objects.requireNonNull(ofRelay.get(relay), "a relay that has a pair has a list");
    }

    private void append(OfRelay list, int pair) {
        if (list.live() == 0) {
            relayCount++;
        }
        if (list.size == list.pairs.length) {
            list.pairs = Arrays.copyOf(list.pairs, list.size * 2);
        }
        list.isSorted &= list.size == 0 || repo(list.pairs[list.size - 1]) < repo(pair);
        list.pairs[list.size] = pair;
        list.size++;
    }

    void remove(int pair, boolean isFull) {
        int relay = relay(pair);
        int repo = repo(pair);
        countFull(relay, isFull ? -1 : 0);
        ofRepo.removeSwapping(repo, ofRepo.indexOf(repo, pair));
        rows.set(cell(pair, RELAY), NOBODY);
        var list = list(relay);
        list.dead++;
        count--;
        if (list.live() == 0) {
            relayCount--;
        }
        if (list.dead > DEAD_MAX && list.dead > list.live()) {
            bury(list);
        }
    }

    /// Lets go of what a relay without pairs takes up.
    void forget(int relay) {
        var list = ofRelay.get(relay);
        if (list != null && list.live() == 0) {
            bury(list);
            ofRelay.remove(relay);
        }
    }

    /// Counts pairs of a relay whose repositories became wanted in full, or no longer are.
    void countFull(int relay, int change) {
        list(relay).full += change;
        version++;
    }

    private void tidy(OfRelay list) {
        if (list.dead > 0) {
            bury(list);
        }
        if (!list.isSorted) {
            sort(list);
        }
    }

    private void bury(OfRelay list) {
        int kept = 0;
        for (int i = 0; i < list.size; i++) {
            int pair = list.pairs[i];
            if (relay(pair) == NOBODY) {
                release(pair);
            } else {
                list.pairs[kept] = pair;
                kept++;
            }
        }
        list.size = kept;
        list.dead = 0;
    }

    private void release(int pair) {
        if (freeCount == free.length) {
            free = Arrays.copyOf(free, freeCount * 2);
        }
        free[freeCount] = pair;
        freeCount++;
    }

    private void sort(OfRelay list) {
        var keyed = new long[list.size];
        for (int i = 0; i < list.size; i++) {
            keyed[i] = (long) repo(list.pairs[i]) << Integer.SIZE | list.pairs[i];
        }
        Arrays.sort(keyed);
        for (int i = 0; i < list.size; i++) {
            list.pairs[i] = (int) keyed[i];
        }
        list.isSorted = true;
    }

    private static long cell(int pair, int column) {
        return (long) pair * WIDTH + column;
    }

    long bytes() {
        return rows.bytes() + ofRepo.bytes() + (long) rowCount * Integer.BYTES;
    }
}
