package dev.grapnel.sync.index;

import java.util.Arrays;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

/// Whose answers have to be looked for in the store, because they may have come before it was followed. Every
/// ordinal has its turn once; those that found a shorter way to their root, or came back, have another.
///
/// A turn counts only when what was found is in the index; whoever had one since somebody last said so gets another
/// from the next process.
final class Searches {
    private static final int AGAIN_MAX = 100_000;
    /// So many in a row may be not worth it until the loop gets a turn.
    private static final int LOOKS_MAX = 50_000;

    private static final int KEPT_MAX = 10_000;
    private static final int[] NONE = {};

    private final IntQueue again = new IntQueue();
    /// Those that had another turn that does not count yet.
    private final IntQueue unsettled = new IntQueue();

    private int next;
    private int settled;

    /// Finds the next one.
    ///
    /// @param isWorth whether one can have answers that are followed
    /// @param count ordinals there are
    /// @return whether there was one among the next ones; if not, there may be one among those after them
    boolean poll(int count, IntPredicate isWorth, IntConsumer found) {
        for (int looks = 0; looks < LOOKS_MAX && isPending(count); looks++) {
            int ordinal = poll(count);
            if (isWorth.test(ordinal)) {
                found.accept(ordinal);
                return true;
            }
        }
        return false;
    }

    private int poll(int count) {
        if (next < count) {
            return next++;
        }
        int ordinal = again.poll();
        if (ordinal < settled) {
            unsettled.add(ordinal);
        }
        if (unsettled.size() > AGAIN_MAX) { // too many to know them all: the next process looks for everybody's
            unsettled.clear();
            settled = 0;
        }
        return ordinal;
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
        unsettled.clear();
        next = 0;
        settled = 0;
    }

    boolean isSettled() {
        return settled == next && unsettled.isEmpty();
    }

    /// All turns up to now count.
    void settle() {
        settled = next;
        unsettled.clear();
    }

    void keep(Kept kept) {
        boolean isShort = again.size() + unsettled.size() <= KEPT_MAX;
        int keptNext = kept.number(isShort ? settled : 0);
        var keptAgain = kept.numbers(isShort ? unfinished() : NONE);
        if (kept.isReturning()) {
            next = keptNext;
            settled = keptNext;
            for (int ordinal : keptAgain) {
                again.add(ordinal);
            }
        }
    }

    private int[] unfinished() {
        var ordinals = Arrays.copyOf(unsettled.toArray(), unsettled.size() + again.size());
        System.arraycopy(again.toArray(), 0, ordinals, unsettled.size(), again.size());
        return ordinals;
    }
}
