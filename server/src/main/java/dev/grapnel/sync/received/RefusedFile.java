package dev.grapnel.sync.received;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.repository.RepositoryAddress;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/// The forms in which refusals are written down (R7.19): one small file that says by which rules they were made and up
/// to which commit they are true, and one for each chunk of the index.
final class RefusedFile {
    private static final int MAGIC = 0x47524631; // GRF1
    private static final int HEAD = 8;
    private static final int ENTRY_ESTIMATE = 96;

    private RefusedFile() {}

    /// The small file.
    ///
    /// @param seed of the hashes
    /// @param max slots of the index
    /// @param next number of the next entry
    /// @param covered the last commit whose events have woken what waited for them
    record Head(String fingerprint, long seed, int max, long next, long covered) {}

    /// A chunk.
    record Chunk(long seed, int number, long next, List<Item> items) {
        Chunk {
            items = List.copyOf(items);
        }
    }

    /// An entry in its slot.
    ///
    /// @param repositories those whose announcements keep it out
    record Item(int slot, RefusedEntry entry, List<Long> keys, List<RepositoryAddress> repositories) {
        Item {
            keys = List.copyOf(keys);
            repositories = List.copyOf(repositories);
        }
    }

    private interface Writing {
        void to(DataOutputStream out) throws IOException;
    }

    private interface Reading<T> {
        T from(DataInputStream in) throws IOException;
    }

    static byte[] write(Head head) {
        return sealed(64, out -> {
            out.writeUTF(head.fingerprint());
            out.writeLong(head.seed());
            out.writeInt(head.max());
            out.writeLong(head.next());
            out.writeLong(head.covered());
        });
    }

    /// The small file; empty if it is damaged.
    static Optional<Head> readHead(byte[] file) {
        return opened(file, in -> new Head(in.readUTF(), in.readLong(), in.readInt(), in.readLong(), in.readLong()));
    }

    static byte[] write(Chunk chunk) {
        return sealed(chunk.items().size() * ENTRY_ESTIMATE, out -> {
            out.writeLong(chunk.seed());
            out.writeInt(chunk.number());
            out.writeLong(chunk.next());
            out.writeInt(chunk.items().size());
            for (var item : chunk.items()) {
                write(item, out);
            }
        });
    }

    private static void write(Item item, DataOutputStream out) throws IOException {
        var entry = item.entry();
        out.writeInt(item.slot());
        out.write(entry.id().toBytes());
        out.writeShort(entry.kind());
        out.writeInt((int) entry.createdAt());
        out.writeByte(entry.reason().code());
        out.writeUTF(entry.relay());
        out.writeInt((int) entry.refusedAt().getEpochSecond());
        out.writeInt((int) entry.until().getEpochSecond());
        out.writeByte(entry.attempts());
        out.writeInt(entry.group());
        out.writeShort(item.keys().size());
        for (long key : item.keys()) {
            out.writeLong(key);
        }
        out.writeByte(item.repositories().size());
        for (var repository : item.repositories()) {
            out.writeUTF(repository.toString());
        }
    }

    /// A chunk; empty if it is damaged.
    static Optional<Chunk> readChunk(byte[] file) {
        return opened(file, in -> {
            long seed = in.readLong();
            int number = in.readInt();
            long next = in.readLong();
            int count = in.readInt();
            var items = new ArrayList<Item>();
            for (int i = 0; i < count; i++) {
                items.add(readItem(in));
            }
            return new Chunk(seed, number, next, items);
        });
    }

    private static Item readItem(DataInputStream in) throws IOException {
        int slot = in.readInt();
        var entry = new RefusedEntry(
                EventId.of(in.readNBytes(EventId.BYTES), 0),
                in.readUnsignedShort(),
                Integer.toUnsignedLong(in.readInt()),
                RefusedIndex.reasonOf(in.readByte()),
                in.readUTF(),
                Instant.ofEpochSecond(Integer.toUnsignedLong(in.readInt())),
                Instant.ofEpochSecond(Integer.toUnsignedLong(in.readInt())),
                in.readByte(),
                true,
                in.readInt());
        var keys = new ArrayList<Long>();
        for (int left = in.readUnsignedShort(); left > 0; left--) {
            keys.add(in.readLong());
        }
        var repositories = new ArrayList<RepositoryAddress>();
        for (int left = in.readUnsignedByte(); left > 0; left--) {
            repositories.add(RepositoryAddress.parse(in.readUTF()).require());
        }
        return new Item(slot, entry, keys, repositories);
    }

    private static byte[] sealed(int estimate, Writing writing) {
        var bytes = new ByteArrayOutputStream(estimate + HEAD);
        try (var out = new DataOutputStream(bytes)) {
            out.writeLong(0);
            writing.to(out);
        } catch (IOException e) {
            throw new IllegalStateException("memory cannot be written", e);
        }
        var file = bytes.toByteArray();
        ByteBuffer.wrap(file).putInt(MAGIC).putInt(checksum(file));
        return file;
    }

    private static <T> Optional<T> opened(byte[] file, Reading<T> reading) {
        if (file.length < HEAD) {
            return Optional.empty();
        }
        var head = ByteBuffer.wrap(file);
        if (head.getInt() != MAGIC || head.getInt() != checksum(file)) {
            return Optional.empty();
        }
        try (var in = new DataInputStream(new ByteArrayInputStream(file, HEAD, file.length - HEAD))) {
            return Optional.of(reading.from(in));
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty(); // written by another version: the checksum is right
        }
    }

    private static int checksum(byte[] file) {
        var checksum = new CRC32C();
        checksum.update(file, HEAD, file.length - HEAD);
        return (int) checksum.getValue();
    }
}
