package dev.grapnel.git.pack;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.grapnel.git.ObjectType;
import dev.grapnel.nostr.repository.Oid;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.Consumer;

/// Ids that outlive the intake: on the heap while they are few, else in a mapped file without a name, which
/// goes when nobody refers to the list any more.
final class IdList {
    /// An id and a number.
    static final int BYTES = 24;

    private final MemorySegment memory;
    private final long capacity;
    private long size;

    /// @param memory room for all that will be added
    IdList(MemorySegment memory) {
        this.memory = memory;
        this.capacity = memory.byteSize() / BYTES;
    }

    long size() {
        return size;
    }

    void add(long a, long b, int c, int type) {
        if (size == capacity) {
            throw new IllegalStateException("more ids than there is room for");
        }
        long at = size++ * BYTES;
        memory.set(JAVA_LONG_UNALIGNED, at, a);
        memory.set(JAVA_LONG_UNALIGNED, at + 8, b);
        memory.set(JAVA_INT_UNALIGNED, at + 16, c);
        memory.set(JAVA_INT_UNALIGNED, at + 20, type);
    }

    void forEach(Consumer<Oid> action) {
        for (long i = 0; i < size; i++) {
            action.accept(id(i));
        }
    }

    /// What the id is; only when they were added in their order.
    Optional<ObjectType> findType(Oid id) {
        long low = 0;
        long high = size - 1;
        while (low <= high) {
            long middle = (low + high) >>> 1;
            int order = id(middle).compareTo(id);
            if (order == 0) {
                return ObjectType.find(memory.get(JAVA_INT_UNALIGNED, middle * BYTES + 20));
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return Optional.empty();
    }

    private Oid id(long position) {
        long at = position * BYTES;
        return new Oid(
                memory.get(JAVA_LONG_UNALIGNED, at),
                memory.get(JAVA_LONG_UNALIGNED, at + 8),
                memory.get(JAVA_INT_UNALIGNED, at + 16));
    }
}
