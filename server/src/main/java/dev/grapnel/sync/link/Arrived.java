package dev.grapnel.sync.link;

import java.util.ArrayDeque;
import java.util.Deque;

/// What came over a connection in its order, so that an EOSE counts only after every event before it has an outcome
/// (R4.15).
final class Arrived {
    private final Deque<Entry> entries = new ArrayDeque<>();

    /// An event without an outcome, or something that waits for those before it.
    static final class Entry {
        private boolean isDone;
        private final Runnable action;

        private Entry(boolean isDone, Runnable action) {
            this.isDone = isDone;
            this.action = action;
        }
    }

    /// An event came.
    Entry event() {
        var entry = new Entry(false, () -> {});
        entries.add(entry);
        return entry;
    }

    /// An event has its outcome.
    void decided(Entry entry) {
        entry.isDone = true;
        drain();
    }

    /// Runs something when everything that came before is decided.
    void then(Runnable action) {
        entries.add(new Entry(true, action));
        drain();
    }

    private void drain() {
        while (!entries.isEmpty() && entries.getFirst().isDone) {
            var action = entries.removeFirst().action;
            boolean isRun = false;
            try {
                action.run();
                isRun = true;
            } finally {
                if (!isRun) {
                    drain(); // nobody comes back for those behind it
                }
            }
        }
    }

    int undecided() {
        return entries.size();
    }
}
