package dev.grapnel.server.websocket;

import dev.grapnel.websocket.FrameMemory;
import java.util.concurrent.atomic.AtomicLong;

/// Memory that all connections together may keep for one purpose.
public final class MemoryBudget implements FrameMemory {
    private final long bytesMax;
    private final AtomicLong used = new AtomicLong();

    public MemoryBudget(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /// Takes so many bytes; false if they are not to be had.
    @Override
    public boolean reserve(long bytes) {
        if (used.addAndGet(bytes) <= bytesMax) {
            return true;
        }
        used.addAndGet(-bytes);
        return false;
    }

    /// Takes or gives back bytes, even if they are not to be had.
    void add(long bytes) {
        used.addAndGet(bytes);
    }

    /// Whether more is taken than there should be.
    public boolean isOverdrawn() {
        return used.get() > bytesMax;
    }

    /// Gives bytes back.
    @Override
    public void release(long bytes) {
        used.addAndGet(-bytes);
    }

    /// What is taken now.
    public long used() {
        return used.get();
    }
}
