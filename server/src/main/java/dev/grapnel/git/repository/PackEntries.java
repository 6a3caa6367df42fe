package dev.grapnel.git.repository;

import dev.grapnel.git.ObjectType;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.eclipse.jgit.internal.storage.file.PackIndex;
import org.eclipse.jgit.lib.AnyObjectId;
import org.eclipse.jgit.lib.ObjectId;
import org.jspecify.annotations.Nullable;

/// Tells types of objects from the heads of their entries in a pack, without inflating anything.
final class PackEntries implements AutoCloseable {
    /// Ten bytes of size at most, and then ten of a distance or twenty of an id.
    private static final int HEAD_BYTES_MAX = 32;

    /// Chains of strangers can be thousands of deltas long, and their objects be asked for in any order.
    private static final int NOTED_EVERY = 64;

    private static final int NOTES_MAX = 64;
    private static final int REMEMBERED_BITS = 12;
    private static final long SCATTER = 0x9E3779B97F4A7C15L;

    private static final int OFFSET_DELTA = 6;
    private static final int ID_DELTA = 7;

    private final FileChannel channel;
    private final PackIndex index;
    private final long[] offsets = new long[1 << REMEMBERED_BITS]; // no object begins at 0
    private final @Nullable ObjectType[] types = new ObjectType[1 << REMEMBERED_BITS];
    private final long[] notes = new long[NOTES_MAX];
    private int noted;
    private final ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES_MAX);

    private PackEntries(FileChannel channel, PackIndex index) {
        this.channel = channel;
        this.index = index;
    }

    static PackEntries open(Path pack, PackIndex index) throws IOException {
        return new PackEntries(FileChannel.open(pack, StandardOpenOption.READ), index);
    }

    /// @throws IOException also if it is not in the pack
    ObjectType type(AnyObjectId id) throws IOException {
        long offset = index.findOffset(id);
        if (offset < 0) {
            throw new IOException("the pack lacks object " + id.name());
        }
        return type(offset);
    }

    /// A delta is of its base's type.
    ObjectType type(long offset) throws IOException {
        long at = offset;
        for (long steps = 0; ; steps++) {
            var known = remembered(at);
            if (known != null) {
                return steps == 0 ? known : remember(known);
            }
            note(at, steps);
            read(at);
            int first = next();
            int number = (first >> 4) & 7;
            for (int c = first; (c & 0x80) != 0; ) {
                c = next();
            }
            long base = switch (number) {
                case OFFSET_DELTA -> at - distance();
                case ID_DELTA -> index.findOffset(id());
                default -> {
                    yield at;
                }
            };
            if (base == at) {
                return remember(ObjectType.find(number)
                        .orElseThrow(() -> new IOException("the pack has an unknown type in it")));
            }
            if (base < 0 || steps > index.getObjectCount()) {
                throw new IOException("a delta in the pack has no base");
            }
            at = base;
        }
    }

    /// Keeps in mind where the way led along: at the base, where others may come by soon, and here and there.
    private void note(long at, long steps) {
        if (steps == 0) {
            noted = 0;
        } else if ((steps == 1 || steps % NOTED_EVERY == 0) && noted < notes.length) {
            notes[noted++] = at;
        }
    }

    private ObjectType remember(ObjectType type) {
        for (int i = 0; i < noted; i++) {
            int slot = slot(notes[i]);
            offsets[slot] = notes[i];
            types[slot] = type;
        }
        return type;
    }

    private @Nullable ObjectType remembered(long at) {
        int slot = slot(at);
        return offsets[slot] == at ? types[slot] : null;
    }

    private static int slot(long offset) {
        return (int) ((offset * SCATTER) >>> (Long.SIZE - REMEMBERED_BITS));
    }

    private void read(long at) throws IOException {
        head.clear();
        while (head.hasRemaining() && channel.read(head, at + head.position()) > 0) {
            // until the head is whole, or the file ends
        }
        head.flip();
    }

    private int next() throws EOFException {
        if (!head.hasRemaining()) {
            throw new EOFException("the pack ends within an object");
        }
        return head.get() & 0xff;
    }

    private long distance() throws EOFException {
        int c = next();
        long distance = c & 0x7f;
        while ((c & 0x80) != 0) {
            c = next();
            distance = ((distance + 1) << 7) | (c & 0x7f);
        }
        return distance;
    }

    private ObjectId id() throws EOFException {
        var raw = new byte[20];
        for (int i = 0; i < raw.length; i++) {
            raw[i] = (byte) next();
        }
        return ObjectId.fromRaw(raw);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
