package dev.grapnel.sync.index;

import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

/// Whose answers have to be looked for in the store, because they may have come before it was followed. Every
/// ordinal has its turn once; those that found a shorter way to their root, or came back, have another.
final class Searches {
    private static final int AGAIN_MAX = 100_000;
    /// So many in a row may be not worth it until the loop gets a turn.
    private static final int LOOKS_MAX = 50_000;

    private final IntQueue again = new IntQueue();
    private int next;

    /// @param isWorth whether one can have answers that are followed
    /// @param count ordinals there are
    /// @return whether there was one among the next ones; if not, there may be one among those after them
    boolean poll(int count, IntPredicate isWorth, IntConsumer found) {
        for (int looks = 0; looks < LOOKS_MAX && isPending(count); looks++) {
            int ordinal = next < count ? next++ : again.poll();
            if (isWorth.test(ordinal)) {
                found.accept(ordinal);
                return true;
            }
        }
        return false;
    }

    boolean isPending(int count) {
        return next < count || !again.isEmpty();
    }

    /// One more turn for somebody. If too many want one, everybody gets one.
    void again(int ordinal) {
        if (ordinal >= next) {
            return;
        }
        if (again.size() == AGAIN_MAX) {
            restart();
        } else {
            again.add(ordinal);
        }
    }

    /// Everybody once more.
    void restart() {
        again.clear();
        next = 0;
    }
}
