package dev.grapnel.sync.index;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.IntConsumer;

/// The roots that something happened to last, by the dates of the events: so many as filters for them are ever open
/// (R8.6).
final class Recent {
    private static final int ROOTS_MAX = 10_000;

    private final Map<Integer, Integer> dates = new HashMap<>();
    /// Date and root in one number.
    private final TreeSet<Long> order = new TreeSet<>();

    void note(int root, long createdAt) {
        int date = Math.clamp(createdAt, 0, Integer.MAX_VALUE);
        boolean isFull = dates.size() >= ROOTS_MAX;
        if (isFull && key(date, root) <= order.first()) {
            return;
        }
        var former = dates.get(root);
        if (former != null && former >= date) {
            return;
        }
        if (former != null) {
            order.remove(key(former, root));
        } else if (isFull) {
            dates.remove(order.pollFirst().intValue());
        }
        dates.put(root, date);
        order.add(key(date, root));
    }

    private static long key(int date, int root) {
        return (long) date << Integer.SIZE | root;
    }

    /// Visits them, the last one first.
    void forEach(IntConsumer visitor) {
        order.descendingSet().forEach(key -> visitor.accept(key.intValue()));
    }

    void keep(Kept kept) {
        var roots = kept.numbers(order.stream().mapToInt(Long::intValue).toArray());
        var noted = kept.numbers(
                order.stream().mapToInt(key -> (int) (key >>> Integer.SIZE)).toArray());
        if (kept.isReturning()) {
            for (int place = 0; place < roots.length; place++) {
                note(roots[place], noted[place]);
            }
        }
    }
}
