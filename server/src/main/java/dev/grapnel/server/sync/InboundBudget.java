package dev.grapnel.server.sync;

import dev.grapnel.websocket.FrameMemory;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Memory for what all relays together have sent and nobody has decided about yet (R4.26): a part for messages that are
/// still coming, the rest for whole ones.
///
/// When it is full, receiving threads wait, so nothing more is read from sockets and nothing is lost. Only a message in
/// the middle of its coming gives up after a while: relays that drip their messages could keep all others waiting.
public final class InboundBudget implements FrameMemory {
    static final int UNIT = 1_024;

    private static final Duration ROOM_WAIT_MAX = Duration.ofSeconds(10);

    private final int wholeMax;
    private final Semaphore whole;
    /// In bytes, because what is given back at once was taken piece by piece.
    private final Semaphore coming;

    private final int comingMax;

    /// @param bytes for everything; a quarter is for messages that are still coming
    public InboundBudget(long bytes) {
        this.comingMax = (int) Math.min(Integer.MAX_VALUE, bytes / 4);
        this.wholeMax = units(bytes - bytes / 4);
        this.whole = new Semaphore(wholeMax, true);
        this.coming = new Semaphore(comingMax, true);
    }

    /// So many units hold so many bytes.
    static int units(long bytes) {
        return (int) Math.min(Integer.MAX_VALUE, (bytes + UNIT - 1) / UNIT);
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
        return (long) UNIT * (wholeMax - whole.availablePermits()) + comingMax - coming.availablePermits();
    }

    @Override
    public boolean reserve(long bytes) {
        try {
            return coming.tryAcquire(Math.toIntExact(bytes), ROOM_WAIT_MAX.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void release(long bytes) {
        coming.release(Math.toIntExact(bytes));
    }
}
