package dev.grapnel.sync.received;

import org.jspecify.annotations.Nullable;

/// Ends a following once, even if it is to end before it is known how.
final class Ending {
    private @Nullable Runnable following;
    private boolean isOver;

    void set(Runnable end) {
        following = end;
        if (isOver) {
            end.run();
        }
    }

    void run() {
        if (!isOver && following != null) {
            following.run();
        }
        isOver = true;
    }
}
