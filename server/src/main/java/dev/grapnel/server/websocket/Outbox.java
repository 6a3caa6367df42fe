package dev.grapnel.server.websocket;

import dev.grapnel.nostr.Bytes;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Frames that wait to be written to one connection, in order.
///
/// How long it may grow is for those to decide who add to it: [#unsent] says how long it is.
final class Outbox {
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Frame> frames = new ArrayDeque<>(4);
    /// How much of the first frame was taken already.
    private int taken;
    private @Nullable Bytes pong;
    private boolean closed;
    private volatile long unsent;
    private volatile long memoryBytes;
    private final MemoryBudget memory;

    /// @param memory of all connections; it may be overdrawn, and those who add should look at it before
    Outbox(MemoryBudget memory) {
        this.memory = memory;
    }

    /// Adds a frame; false if no more are taken, or its owner is over.
    boolean add(Frame frame) {
        var owner = frame.owner();
        lock.lock();
        try {
            if (closed || (owner != null && owner.isOver())) {
                return false;
            }
            frames.add(frame);
            count(frame.length());
            keep(frame.memoryBytes());
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// Answers a ping as soon as no frame is half written. Only the last ping of several is answered.
    void pong(Bytes payload) {
        lock.lock();
        try {
            if (!closed) {
                pong = payload;
            }
        } finally {
            lock.unlock();
        }
    }

    /// Adds the last frame.
    ///
    /// @param discards whether what waits is thrown away; a frame that is half written is finished all the same
    boolean end(Frame last, boolean discards) {
        lock.lock();
        try {
            if (discards) {
                remove(_ -> true);
            }
            if (closed) {
                return false;
            }
            frames.add(last);
            count(last.length());
            keep(last.memoryBytes());
            closed = true;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// Takes back the frames whose owner is over and that are not being written yet.
    void removeOver() {
        lock.lock();
        try {
            remove(frame -> {
                var owner = frame.owner();
                return owner != null && owner.isOver();
            });
        } finally {
            lock.unlock();
        }
    }

    private void remove(Predicate<Frame> unwanted) {
        if (frames.isEmpty()) {
            return;
        }
        var partial = taken > 0 ? frames.poll() : null;
        frames.removeIf(frame -> {
            boolean goes = unwanted.test(frame);
            if (goes) {
                count(-frame.length());
                keep(-frame.memoryBytes());
            }
            return goes;
        });
        if (partial != null) {
            frames.addFirst(partial);
        }
    }

    /// Moves what fits into a buffer. It stays unsent until [#sent].
    void fill(ByteBuffer target) {
        lock.lock();
        try {
            while (target.hasRemaining()) {
                if (taken == 0 && pong != null) {
                    var answer = Frame.pong(pong.toArray());
                    frames.addFirst(answer);
                    count(answer.length());
                    keep(answer.memoryBytes());
                    pong = null;
                }
                var first = frames.peek();
                if (first == null) {
                    return;
                }
                taken += first.copy(taken, target);
                if (taken == first.length()) {
                    keep(-first.memoryBytes());
                    frames.remove();
                    taken = 0;
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /// Forgets everything; the connection is over.
    void forget() {
        lock.lock();
        try {
            closed = true;
            frames.clear();
            taken = 0;
            pong = null;
            keep(-memoryBytes);
        } finally {
            lock.unlock();
        }
    }

    boolean isEmpty() {
        lock.lock();
        try {
            return frames.isEmpty() && pong == null;
        } finally {
            lock.unlock();
        }
    }

    /// Whether the last frame was added.
    boolean isEnded() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /// So many bytes were written.
    void sent(int bytes) {
        lock.lock();
        try {
            count(-bytes);
        } finally {
            lock.unlock();
        }
    }

    /// Bytes that are not written yet.
    long unsent() {
        return unsent;
    }

    /// Memory that what waits takes for this connection alone.
    long memoryBytes() {
        return memoryBytes;
    }

    private void keep(long bytes) {
        long now = memoryBytes + bytes;
        memoryBytes = now;
        memory.add(bytes);
    }

    /// The fields are volatile for readers; only the lock's owner changes them.
    private void count(long bytes) {
        long now = unsent + bytes;
        unsent = now;
    }
}
