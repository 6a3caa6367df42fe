package dev.grapnel.server.sync;

import java.util.concurrent.Semaphore;

/// What one connection may have sent without anybody having decided about it (R4.26). Who takes waits; that is how a
/// relay that is faster than we are is slowed down.
final class Flow {
    /// How much that is.
    ///
    /// @param messages at most
    /// @param bytes of them together; a longer message is let through when it is the only one
    record Limits(int messages, int bytes) {
        static final Limits DEFAULTS = new Limits(1_000, 1 << 20);
    }

    private final InboundBudget all;
    private final Semaphore messages;
    private final Semaphore units;
    private final int unitsMax;

    Flow(Limits limits, InboundBudget all) {
        this.all = all;
        this.messages = new Semaphore(limits.messages());
        this.unitsMax = InboundBudget.units(limits.bytes());
        this.units = new Semaphore(unitsMax);
    }

    /// Waits for room for a message. Who is interrupted has taken nothing of what others need, and the connection
    /// is of no use any more.
    Undecided take(int bytes) throws InterruptedException {
        int needed = Math.max(1, InboundBudget.units(bytes));
        int own = Math.min(needed, unitsMax);
        messages.acquire();
        units.acquire(own);
        return new Undecided(own, all.take(needed));
    }

    /// The room of a message, until it is run. On the loop.
    final class Undecided implements Runnable {
        private final int own;
        private final int shared;
        private boolean isDecided;

        private Undecided(int own, int shared) {
            this.own = own;
            this.shared = shared;
        }

        @Override
        public void run() {
            if (!isDecided) {
                isDecided = true;
                all.giveBack(shared);
                units.release(own);
                messages.release();
            }
        }
    }
}
