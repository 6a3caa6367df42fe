package dev.grapnel.sync.index;

import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

/// Whose answers have to be looked for in the store, because they may have come before it was followed. Every ordinal
/// has its turn once; those that found a shorter way to their root, or came back, have another.
final class Searches {
    private static final int AGAIN_MAX = 100_000;

    private final IntQueue again = new IntQueue();
    private int next;

    /// @param isWorth whether one can have answers that are followed
    /// @param count ordinals there are
    /// @return whether there was one
    boolean poll(int count, IntPredicate isWorth, IntConsumer found) {
        while (next < count) {
            int ordinal = next;
            next++;
            if (isWorth.test(ordinal)) {
                found.accept(ordinal);
                return true;
            }
        }
        while (!again.isEmpty()) {
            int ordinal = again.poll();
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
