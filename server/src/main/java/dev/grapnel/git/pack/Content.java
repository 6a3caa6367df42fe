package dev.grapnel.git.pack;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/// An object's content: on the heap while it is small, else in scratch memory that grows as it is written.
final class Content implements AutoCloseable {
    /// Most bytes on the heap.
    static final int HEAP_MAX = 8 << 20;

    private static final int SPILLED_AT_FIRST = 1 << 20;
    private static final byte[] NOTHING = new byte[0];

    private final long size;
    private final byte[] heap;
    private final Scratch.@Nullable Region spilled;
    private boolean isClosed;

    private Content(long size, byte[] heap, Scratch.@Nullable Region spilled) {
        this.size = size;
        this.heap = heap;
        this.spilled = spilled;
    }

    /// Bytes that are here already.
    ///
    /// @param heap may be longer
    static Content of(byte[] heap, int size) {
        return new Content(size, heap, null);
    }

    /// Room for content that will be written from its beginning to its end.
    static Content room(long size, Scratch scratch) throws IOException {
        return size <= HEAP_MAX
                ? of(new byte[(int) size], (int) size)
                : new Content(size, NOTHING, scratch.used(SPILLED_AT_FIRST));
    }

    long size() {
        return size;
    }

    boolean isOnHeap() {
        return spilled == null;
    }

    /// The array, possibly with more after the content, if it is on the heap.
    byte[] heap() {
        return heap;
    }

    void write(long at, byte[] from, int offset, int length) throws IOException {
        if (spilled == null) {
            System.arraycopy(from, offset, heap, (int) at, length);
        } else {
            MemorySegment.copy(from, offset, roomFor(spilled, at + length), ValueLayout.JAVA_BYTE, at, length);
        }
    }

    void read(long at, byte[] into, int offset, int length) {
        if (spilled == null) {
            System.arraycopy(heap, (int) at, into, offset, length);
        } else {
            MemorySegment.copy(spilled.memory(), ValueLayout.JAVA_BYTE, at, into, offset, length);
        }
    }

    void copy(long from, Content into, long at, int length) throws IOException {
        if (spilled == null) {
            into.write(at, heap, (int) from, length);
        } else if (into.spilled == null) {
            read(from, into.heap, (int) at, length);
        } else {
            MemorySegment.copy(spilled.memory(), from, into.roomFor(into.spilled, at + length), at, length);
        }
    }

    private MemorySegment roomFor(Scratch.Region region, long end) throws IOException {
        var memory = region.memory();
        return end <= memory.byteSize() ? memory : region.grow(Math.max(end, Math.min(size, 2 * memory.byteSize())));
    }

    @Override
    public void close() {
        if (spilled != null && !isClosed) {
            isClosed = true;
            spilled.giveBack();
        }
    }
}
