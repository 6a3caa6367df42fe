package dev.grapnel.websocket;

/// Memory for messages that are still coming.
public interface FrameMemory {
    /// As much as is asked for, because each connection's message is limited and there are few.
    FrameMemory PLENTY = new FrameMemory() {
        @Override
        public boolean reserve(long bytes) {
            return true;
        }

        @Override
        public void release(long bytes) {
            // nobody counts
        }
    };

    /// Takes so many bytes; false if they are not to be had.
    boolean reserve(long bytes);

    /// Gives bytes back.
    void release(long bytes);
}
