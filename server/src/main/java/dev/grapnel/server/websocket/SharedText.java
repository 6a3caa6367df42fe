package dev.grapnel.server.websocket;

import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The part of a message that is the same for everybody who receives it: an event. It is compressed once at
/// most, however many connections want it compressed.
public final class SharedText {
    private final ByteBuffer text;
    private final boolean isCommon;
    private final ReentrantLock lock = new ReentrantLock();
    private byte @Nullable [] compressed;

    /// @param text not to be changed any more
    /// @param isCommon whether several connections keep this very text, so that it costs none of them memory
    public SharedText(ByteBuffer text, boolean isCommon) {
        this.text = text.asReadOnlyBuffer();
        this.isCommon = isCommon;
    }

    boolean isCommon() {
        return isCommon;
    }

    /// Bytes it has.
    public int length() {
        return text.remaining();
    }

    /// Only for absolute reads: others read it as well.
    ByteBuffer text() {
        return text;
    }

    /// Its deflated blocks; empty if they would not be shorter.
    byte[] compressed(Deflation deflation) {
        lock.lock();
        try {
            var blocks = compressed;
            if (blocks == null) {
                blocks = deflation.blocks(text);
                compressed = blocks;
            }
            return blocks;
        } finally {
            lock.unlock();
        }
    }
}
