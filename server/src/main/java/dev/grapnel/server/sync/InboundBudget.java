package dev.grapnel.server.sync;

import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;

/// Memory for what all relays together have sent and nobody has decided about yet (R4.26): a part for messages that are
/// still coming, the rest for whole ones.
///
/// When it is full, receiving threads wait, so nothing more is read from sockets and nothing is lost. Only who drips
/// its
/// messages is not waited for: [ComingMemory].
public final class InboundBudget {
    static final int UNIT = 1_024;

    private final int wholeMax;
    private final Semaphore whole;
    private final ComingMemory coming;

    /// @param bytes for everything; a quarter is for messages that are still coming, or half where that is little
    /// @param messageMax bytes of a message; one link may hold twice as much, as it came and inflated
    public InboundBudget(long bytes, int messageMax, LongSupplier nanoTime) {
        long shareMax = 2L * messageMax;
        this.coming = new ComingMemory(Math.max(bytes / 4, Math.min(bytes / 2, 3 * shareMax)), shareMax, nanoTime);
        this.wholeMax = units(bytes - bytes / 4);
        this.whole = new Semaphore(wholeMax, true);
    }

    /// So many units hold so many bytes.
    static int units(long bytes) {
        return (int) Math.min(Integer.MAX_VALUE, (bytes + UNIT - 1) / UNIT);
    }

    /// How many wait to go on with a message.
    int waiting() {
        return coming.waiting();
    }

    /// Waits for room for a whole message.
    ///
    /// @return what to give back
    int take(int units) throws InterruptedException {
        int taken = Math.min(units, wholeMax);
        whole.acquire(taken);
        return taken;
    }

    void giveBack(int units) {
        whole.release(units);
    }

    /// Bytes that are taken.
    public long used() {
        return (long) UNIT * (wholeMax - whole.availablePermits()) + coming.used();
    }

    /// Memory for what one link is sending.
    ///
    /// @param end ends the link, because it keeps others waiting; must not wait
    ComingMemory.Share open(Runnable end) {
        return coming.open(end);
    }
}
