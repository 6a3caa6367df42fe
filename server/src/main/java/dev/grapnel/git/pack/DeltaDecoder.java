package dev.grapnel.git.pack;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Makes an object out of its base and a delta, which is read piece by piece and never whole.
final class DeltaDecoder {
    private static final int PIECE = 1 << 14;

    /// Bytes of the longest instruction: the insertion of 127 bytes.
    private static final int INSTRUCTION_MAX = 128;

    /// Made before it is asked again whether anybody wants it.
    private static final long LOOK = 1 << 19;

    private final Scratch scratch;
    private final long objectBytesMax;
    private final byte[] piece = new byte[PIECE];
    private byte[] reusable = new byte[1 << 12];
    private final long bytesMax;
    private long bytesLeft;

    private @Nullable EntryReader delta;
    private int at;
    private int end;
    private boolean isDrained;

    /// @param bytesMax everything it may make
    DeltaDecoder(Scratch scratch, long objectBytesMax, long bytesMax) {
        this.scratch = scratch;
        this.objectBytesMax = objectBytesMax;
        this.bytesMax = bytesMax;
        this.bytesLeft = bytesMax;
    }

    /// Counts bytes that were made or fetched for deltas in another way.
    void spend(long bytes) throws PackRefused {
        bytesLeft -= bytes;
        if (bytesLeft < 0) {
            throw new PackRefused("the deltas of the pack make more than " + bytesMax
                    + " bytes, too much out of little: push in several steps");
        }
    }

    /// @param kept whether the result is needed after the next call
    Content apply(EntryReader source, Content base, boolean kept) throws IOException, PackRefused {
        delta = source;
        at = 0;
        end = 0;
        isDrained = false;
        if (readSize() != base.size()) {
            throw PackRefused.broken("a delta is made for a base of another size");
        }
        long size = readSize();
        if (size < 0 || size > objectBytesMax) {
            throw new PackRefused("an object is larger than " + objectBytesMax + " bytes");
        }
        spend(size);
        var result = kept ? Content.room(size, scratch) : reusableRoom(size);
        try {
            run(base, result);
            return result;
        } catch (IOException | PackRefused | RuntimeException e) {
            result.close();
            throw e;
        }
    }

    private Content reusableRoom(long size) throws IOException {
        if (size > Content.HEAP_MAX) {
            return Content.room(size, scratch);
        }
        if (reusable.length < size) {
            reusable = new byte[(int) Math.min(Content.HEAP_MAX, Math.max(size, 2L * reusable.length))];
        }
        return Content.of(reusable, (int) size);
    }

    private void run(Content base, Content result) throws IOException, PackRefused {
        long made = 0;
        long looked = 0;
        while (true) {
            if (made - looked > LOOK) {
                Halt.ifInterrupted("a delta was resolved");
                looked = made;
            }
            if (end - at < INSTRUCTION_MAX) {
                load();
                if (at == end) {
                    break;
                }
            }
            int instruction = piece[at++];
            made = instruction < 0 ? copy(instruction, base, result, made) : insert(instruction, result, made);
        }
        if (made != result.size()) {
            throw wrongSize();
        }
    }

    private long insert(int length, Content result, long made) throws IOException, PackRefused {
        if (length == 0) {
            throw PackRefused.broken("a delta has an instruction that means nothing");
        }
        need(length);
        if (length > result.size() - made) {
            throw wrongSize();
        }
        result.write(made, piece, at, length);
        at += length;
        return made + length;
    }

    private long copy(int instruction, Content base, Content result, long made) throws IOException, PackRefused {
        need(Integer.bitCount(instruction & 0x7f));
        long from = 0;
        int length = 0;
        for (int i = 0; i < 4; i++) {
            if ((instruction & 1 << i) != 0) {
                from |= (piece[at++] & 0xffL) << (8 * i);
            }
        }
        for (int i = 0; i < 3; i++) {
            if ((instruction & 0x10 << i) != 0) {
                length |= (piece[at++] & 0xff) << (8 * i);
            }
        }
        if (length == 0) {
            length = 0x10000;
        }
        if (from + length > base.size()) {
            throw PackRefused.broken("a delta copies from outside its base");
        }
        if (length > result.size() - made) {
            throw wrongSize();
        }
        base.copy(from, result, made, length);
        return made + length;
    }

    private long readSize() throws IOException, PackRefused {
        long size = 0;
        for (int shift = 0; ; shift += 7) {
            need(1);
            int b = piece[at++];
            if (shift > 56) {
                throw PackRefused.broken("a size in a delta has too many digits");
            }
            size |= (long) (b & 0x7f) << shift;
            if (b >= 0) {
                return size;
            }
        }
    }

    private void need(int bytes) throws IOException, PackRefused {
        if (end - at < bytes) {
            load();
            if (end - at < bytes) {
                throw PackRefused.broken("a delta ends within an instruction");
            }
        }
    }

    private void load() throws IOException {
        var source = delta;
        if (source != null && !isDrained) {
            System.arraycopy(piece, at, piece, 0, end - at);
            end -= at;
            at = 0;
            int count = source.read(piece, end, piece.length - end);
            isDrained = count < piece.length - end;
            end += count;
        }
    }

    private static PackRefused wrongSize() {
        return PackRefused.broken("a delta does not make an object of the size it announces");
    }
}
