package dev.grapnel.git.maintenance;

import dev.grapnel.git.Disk;
import dev.grapnel.git.GitIds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import org.eclipse.jgit.lib.ObjectReader;

/// Makes one pack of several. Compressed bytes are copied as they are, checked against their checksums;
/// only what stands before them is written anew, as deltas have to find their base in another place.
///
/// An object several packs have is taken from the first. Its base is then in the result, too: either from
/// the same pack or from an earlier one, and as that can only go on towards the first pack, there are no
/// circles. Chains may become longer by it, hence the limit at which an object is written whole.
public final class PackMerge {
    /// Deltas to follow at most. Stock git makes chains of 50; twice that is still quick to read.
    static final int DEPTH_MAX = 100;

    private static final int SIGNATURE = 0x5041434b;
    private static final int PACK_VERSION = 2;
    private static final long FAR = 1L << 31;

    private final Disk disk;
    private final Pace pace;
    private final ByteBuffer buffer = ByteBuffer.allocate(1 << 16);

    public PackMerge(Disk disk, Pace pace) {
        this.disk = disk;
        this.pace = pace;
    }

    /// Writes the merged pack beside the others, under a name of its own. Those are left alone.
    ///
    /// @param names of packs, without extension, each complete in itself; the order decides whose copy is
    ///     taken
    /// @param objects reads any object of these packs
    /// @return what can now be moved in
    public NewPack merge(PackDirectory directory, List<String> names, ObjectReader objects) throws IOException {
        var scratch = directory.scratch();
        var sources = new ArrayList<PackSource>();
        try (var room = new Table.Room(disk, directory.path(), scratch + "_table")) {
            for (var name : names) {
                sources.add(PackSource.open(directory.path(), name, room));
            }
            var tables = new MergeTables(sources, room);
            return write(directory.path(), scratch, sources, tables, objects);
        } finally {
            for (var source : sources) {
                source.close();
            }
        }
    }

    private NewPack write(
            Path directory, String scratch, List<PackSource> sources, MergeTables tables, ObjectReader objects)
            throws IOException {
        var pack = directory.resolve(scratch + "_pack");
        var index = directory.resolve(scratch + "_idx");
        disk.write(pack, out -> new Run(sources, tables, objects, new PackOutput(out, pace)).writePack());
        var trailer = NewPack.trailerOf(pack);
        disk.write(index, out -> writeIndex(new PackOutput(out, pace), tables, trailer));
        return new NewPack(NewPack.nameOf(trailer), tables.count(), Files.size(pack), pack, index);
    }

    /// One merge while it goes on.
    private final class Run {
        private final List<PackSource> sources;
        private final MergeTables tables;
        private final ObjectReader objects;
        private final PackOutput out;

        Run(List<PackSource> sources, MergeTables tables, ObjectReader objects, PackOutput out) {
            this.sources = sources;
            this.tables = tables;
            this.objects = objects;
            this.out = out;
        }

        void writePack() throws IOException {
            out.writeInt(SIGNATURE);
            out.writeInt(PACK_VERSION);
            out.writeInt(tables.count());
            for (int source = 0; source < sources.size(); source++) {
                int count = sources.get(source).index().count();
                for (long rank = 0; rank < count; rank++) {
                    int number = tables.number(source, sources.get(source).position(rank));
                    if (tables.source(number) == source) {
                        writeWithBases(number);
                    }
                }
            }
            out.finish();
        }

        /// What a delta rests on comes before it. Almost always it is written already.
        private void writeWithBases(int number) throws IOException {
            var open = new ArrayList<Integer>(List.of(number));
            while (!open.isEmpty()) {
                int last = open.getLast();
                int base = tables.place(last) != 0 ? -1 : base(last);
                if (base >= 0 && tables.place(base) == 0) {
                    if (open.size() > tables.count()) {
                        throw new BrokenPack(source(last).file(), "has deltas that rest on each other");
                    }
                    open.add(base);
                } else {
                    open.removeLast();
                    if (tables.place(last) == 0) {
                        writeOne(last, base);
                    }
                }
            }
        }

        private PackSource source(int number) {
            return sources.get(tables.source(number));
        }

        private long rank(int number) throws IOException {
            var source = source(number);
            return source.rankAt(source.index().place(tables.position(number)));
        }

        /// The number of what an object rests on as a delta; negative if it is none.
        private int base(int number) throws IOException {
            var head = source(number).head(rank(number));
            return head.isDelta() ? tables.number(tables.source(number), head.base()) : -1;
        }

        private void writeOne(int number, int base) throws IOException {
            long place = out.position();
            int depth = base < 0 ? 0 : tables.depth(base) + 1;
            out.beginEntry();
            if (depth > DEPTH_MAX) {
                writeWhole(number);
                depth = 0;
            } else {
                long distance = base < 0 ? 0 : place - tables.place(base);
                copy(source(number), rank(number), tables.position(number), distance);
            }
            tables.written(number, place, out.entryChecksum(), depth);
        }

        private void copy(PackSource source, long rank, int position, long distance) throws IOException {
            var head = source.head(rank);
            if (head.isDelta()) {
                EntryHead.writeDelta(out, head.size(), distance);
            } else {
                EntryHead.write(out, head.type(), head.size());
            }
            var sum = new CRC32();
            long end = source.end(rank);
            long skip = head.length();
            for (long at = source.place(rank); at < end; at += buffer.position()) {
                buffer.clear().limit((int) Math.min(buffer.capacity(), end - at));
                source.read(buffer, at);
                sum.update(buffer.array(), 0, buffer.position());
                out.write(buffer.array(), (int) skip, buffer.position() - (int) skip);
                skip = 0;
            }
            if ((int) sum.getValue() != source.index().checksum(position)) {
                throw new BrokenPack(source.file(), "is damaged at " + source.place(rank));
            }
        }

        private void writeWhole(int number) throws IOException {
            var loader = objects.open(GitIds.of(tables.id(number)));
            EntryHead.write(out, loader.getType(), loader.getSize());
            var deflater = new Deflater();
            try (var in = loader.openStream()) {
                var deflated = new DeflaterOutputStream(out, deflater);
                in.transferTo(deflated);
                deflated.finish();
            } finally {
                deflater.end();
            }
        }
    }

    private static void writeIndex(PackOutput out, MergeTables tables, byte[] trailer) throws IOException {
        out.writeInt(IndexFile.MAGIC);
        out.writeInt(IndexFile.VERSION);
        int count = tables.count();
        int upTo = 0;
        for (int first = 0; first < 256; first++) {
            while (upTo < count && tables.id(upTo).a() >>> 56 == first) {
                upTo++;
            }
            out.writeInt(upTo);
        }
        for (int number = 0; number < count; number++) {
            var id = tables.id(number);
            out.writeLong(id.a());
            out.writeLong(id.b());
            out.writeInt(id.c());
        }
        for (int number = 0; number < count; number++) {
            out.writeInt(tables.checksum(number));
        }
        writePlaces(out, tables);
        out.write(trailer, 0, trailer.length);
        out.finish();
    }

    private static void writePlaces(PackOutput out, MergeTables tables) throws IOException {
        int far = 0;
        for (int number = 0; number < tables.count(); number++) {
            long place = tables.place(number);
            out.writeInt(place < FAR ? (int) place : (int) (FAR | far++));
        }
        for (int number = 0; number < tables.count(); number++) {
            if (tables.place(number) >= FAR) {
                out.writeLong(tables.place(number));
            }
        }
    }
}
