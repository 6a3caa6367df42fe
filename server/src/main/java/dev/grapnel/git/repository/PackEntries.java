package dev.grapnel.git.repository;

import dev.grapnel.git.ObjectType;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.eclipse.jgit.internal.storage.file.PackIndex;
import org.eclipse.jgit.lib.ObjectId;

/// Tells types of objects from the heads of their entries in a pack, without inflating anything.
final class PackEntries implements AutoCloseable {
    /// Ten bytes of size at most, and then ten of a distance or twenty of an id.
    private static final int HEAD_BYTES_MAX = 32;

    private static final int OFFSET_DELTA = 6;
    private static final int ID_DELTA = 7;

    private final FileChannel channel;
    private final PackIndex index;
    private final ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES_MAX);

    private PackEntries(FileChannel channel, PackIndex index) {
        this.channel = channel;
        this.index = index;
    }

    static PackEntries open(Path pack, PackIndex index) throws IOException {
        return new PackEntries(FileChannel.open(pack, StandardOpenOption.READ), index);
    }

    /// A delta is of its base's type.
    ObjectType type(long offset) throws IOException {
        long at = offset;
        while (true) {
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
                return ObjectType.find(number).orElseThrow(() -> new IOException("the pack has an unknown type in it"));
            }
            if (base < 0) {
                throw new IOException("a delta in the pack has no base");
            }
            at = base;
        }
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
