package dev.grapnel.git.pack;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.io.IOException;
import java.util.NoSuchElementException;
import org.eclipse.jgit.lib.AnyObjectId;
import org.eclipse.jgit.lib.ObjectId;

/// Ids in the order in which they were added, each with a number that means what the caller wants. Takes
/// back what came last, so that it can be a stack, too.
public final class IdSequence {
    /// An id and a number.
    private static final int BYTES = 24;

    static final int BYTES_AT_FIRST = 128 * BYTES;

    private final Scratch.Region region;
    private final int[] words = new int[5];
    private long size;

    IdSequence(Scratch.Region region) {
        this.region = region;
    }

    /// How many there are.
    public long size() {
        return size;
    }

    /// Adds one at the end.
    public void add(AnyObjectId id, int number) throws IOException {
        long at = size * BYTES;
        var memory = region.memory();
        if (at + BYTES > memory.byteSize()) {
            memory = region.grow(memory.byteSize() * 2);
        }
        id.copyRawTo(words, 0);
        memory.set(JAVA_LONG_UNALIGNED, at, pair(words[0], words[1]));
        memory.set(JAVA_LONG_UNALIGNED, at + 8, pair(words[2], words[3]));
        memory.set(JAVA_INT_UNALIGNED, at + 16, words[4]);
        memory.set(JAVA_INT_UNALIGNED, at + 20, number);
        size++;
    }

    /// The id at a position.
    public ObjectId id(long position) {
        long at = offset(position);
        long a = region.memory().get(JAVA_LONG_UNALIGNED, at);
        long b = region.memory().get(JAVA_LONG_UNALIGNED, at + 8);
        int c = region.memory().get(JAVA_INT_UNALIGNED, at + 16);
        return new ObjectId((int) (a >>> 32), (int) a, (int) (b >>> 32), (int) b, c);
    }

    /// The number at a position.
    public int number(long position) {
        return region.memory().get(JAVA_INT_UNALIGNED, offset(position) + 20);
    }

    /// Takes away the last one.
    public void removeLast() {
        offset(size - 1);
        size--;
    }

    /// Takes away all.
    public void clear() {
        size = 0;
    }

    private long offset(long position) {
        if (position < 0 || position >= size) {
            throw new NoSuchElementException("position " + position + " of " + size);
        }
        return position * BYTES;
    }

    static long pair(int high, int low) {
        return ((long) high << 32) | (low & 0xffffffffL);
    }
}
