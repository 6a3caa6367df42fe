package dev.grapnel.git.pack;

import dev.grapnel.git.ObjectType;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.zip.Inflater;
import org.eclipse.jgit.lib.ObjectReader;
import org.jspecify.annotations.Nullable;

/// One pack on its way in. This is the order of things; the parts do the work.
final class Reception implements AutoCloseable {
    /// Where everything about the objects is entered.
    record Tables(Scratch scratch, ObjectTable objects, IdTable ids, Needs needs) {}

    /// How objects are read, from the pack and from here, and examined.
    record Reading(Here here, Examiner examiner, EntryReader entries, LargeResults large) {}

    /// A pack that is written, and its index.
    record Written(String checksum, int objects, long bytes, Borrowed borrowed, IdList sent) {}

    private static final int CHECKSUM = 20;
    private static final int FEW = 1000;

    private final PackLimits limits;
    private final long borrowedMax;
    private final Scratch scratch;
    private final Here here;
    private final ObjectHash hash;
    private final Inflater inflater = new Inflater();
    private @Nullable IdTable met;
    private boolean followsLinks;

    Reception(PackLimits limits, long borrowedMax, Path directory, ObjectReader reader, ObjectHash hash) {
        this.limits = limits;
        this.borrowedMax = borrowedMax;
        this.scratch = new Scratch(directory);
        this.here = new Here(reader, scratch);
        this.hash = hash;
    }

    /// Receives the pack into these files, which it makes; without objects there is no index.
    Written receive(InputStream in, Path packPath, Path indexPath) throws IOException, PackRefused {
        try (var file = FileChannel.open(
                packPath, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            var stream = new PackStream(in, file, limits, inflater);
            int count = stream.readHead();
            var tables = tables(count);
            var examiner =
                    new Examiner(tables.objects(), tables.ids(), tables.needs(), here, hash, limits.wholeBytes());
            for (int i = 0; i < count; i++) {
                if (i == FEW) {
                    here.expect(count);
                }
                readObject(stream, tables.objects(), examiner);
            }
            long endOfLast = stream.position();
            var checksum = stream.readChecksum();
            if (count == 0) {
                var name = HexFormat.of().formatHex(checksum);
                return new Written(name, 0, endOfLast, Borrowed.none(), scratch.keptIds(0));
            }
            try (var large = new LargeResults(tables.objects(), scratch, limits, endOfLast)) {
                var reading = new Reading(here, examiner, new EntryReader(file, inflater, endOfLast), large);
                return finish(tables, reading, file, endOfLast, checksum, indexPath);
            }
        }
    }

    /// Objects outside the pack that were looked for by now.
    Borrowed lookedFor() throws IOException {
        return met == null ? Borrowed.none() : Borrowed.of(met, followsLinks, scratch);
    }

    private Tables tables(int count) throws IOException {
        var ids = new IdTable(scratch);
        return new Tables(scratch, new ObjectTable(scratch), ids, new Needs(ids, borrowedMax + count));
    }

    private static void readObject(PackStream stream, ObjectTable table, Examiner examiner)
            throws IOException, PackRefused {
        long offset = stream.position();
        stream.beginObject();
        switch (stream.type()) {
            case ObjectTable.OFFSET_DELTA -> {
                int base = table.findByOffset(offset - stream.readDistance());
                if (base == ObjectTable.NONE) {
                    throw PackRefused.broken("the base of a delta is not where an object begins");
                }
                stream.inflate((_, _) -> {});
                table.add(offset, stream.endObject(), ObjectTable.OFFSET_DELTA, base);
            }
            case ObjectTable.ID_DELTA -> {
                var base = new byte[CHECKSUM];
                stream.readId(base);
                stream.inflate((_, _) -> {});
                int object = table.add(offset, stream.endObject(), ObjectTable.ID_DELTA, ObjectTable.NONE);
                table.setId(object, Raw.number(base, 0), Raw.number(base, 8), Raw.integer(base, 16));
            }
            default -> readWhole(stream, offset, table, examiner);
        }
    }

    private static void readWhole(PackStream stream, long offset, ObjectTable table, Examiner examiner)
            throws IOException, PackRefused {
        var type = ObjectType.find(stream.type())
                .orElseThrow(() -> PackRefused.broken("there is no object of the type " + stream.type()));
        int object = table.add(offset, 0, ObjectTable.WHOLE, ObjectTable.NONE);
        examiner.begin(object, type, stream.size());
        var last = new LastPiece();
        stream.inflate((bytes, length) -> {
            examiner.update(bytes, length);
            last.bytes = bytes;
            last.length = length;
        });
        table.place(object, offset, stream.endObject());
        examiner.end(object, type, stream.size(), last.bytes, last.length);
    }

    private static final class LastPiece {
        private byte[] bytes = new byte[0];
        private int length;
    }

    private Written finish(
            Tables tables, Reading reading, FileChannel file, long endOfLast, byte[] sentChecksum, Path indexPath)
            throws IOException, PackRefused {
        int sent = tables.objects().size();
        var deltas = new DeltaResolver(tables, reading, limits, endOfLast);
        met = tables.ids();
        deltas.resolve();
        compareLarge(tables, reading, deltas);
        followsLinks = true;
        var links = new LinkCheck(tables, here, deltas, borrowedMax);
        links.run();
        boolean isAnew = reading.large().settle(file, reading.entries());
        var checksum = complete(tables.objects(), sent, deltas, file, isAnew ? null : sentChecksum);
        FullWrites.put(file, file.size(), checksum, checksum.length);
        long bytes = file.size();
        file.force(true);
        var order = new IdOrder(tables.objects(), scratch);
        writeIndex(tables.objects(), order, indexPath, checksum);
        return new Written(
                HexFormat.of().formatHex(checksum),
                order.size(),
                bytes,
                lookedFor(),
                sentIds(tables.objects(), order, sent));
    }

    /// Objects that were too large to be compared with those here as they came by.
    private static void compareLarge(Tables tables, Reading reading, DeltaResolver deltas)
            throws IOException, PackRefused {
        for (int object : reading.examiner().unequalPerhaps()) {
            try (var content = deltas.make(object)) {
                var type = ObjectType.find(tables.objects().type(object)).orElseThrow();
                reading.examiner().compare(object, type, content);
            }
        }
    }

    /// Appends the bases that are not in the pack; the checksum after that.
    ///
    /// @param sentChecksum that of the file as it is, if it is known
    private byte[] complete(
            ObjectTable table, int sent, DeltaResolver deltas, FileChannel file, byte @Nullable [] sentChecksum)
            throws IOException, PackRefused {
        if (table.size() == sent && sentChecksum != null) {
            return sentChecksum;
        }
        int objects = sent;
        var completion = new Completion(file, limits.completeBytes());
        for (int base = sent; base < table.size(); base++) {
            if (!deltas.wasSent(base)) {
                try (var content = deltas.make(base)) {
                    completion.append(table, base, content);
                    objects++;
                }
            }
        }
        return objects == sent && sentChecksum != null ? sentChecksum : completion.finish(objects);
    }

    private static void writeIndex(ObjectTable table, IdOrder order, Path path, byte[] checksum) throws IOException {
        try (var file = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            new PackIndexWriter(table, order, file).write(checksum);
            file.force(true);
        }
    }

    private IdList sentIds(ObjectTable table, IdOrder order, int sent) throws IOException {
        var list = scratch.keptIds(sent);
        for (int i = 0; i < order.size(); i++) {
            int object = order.at(i);
            if (object < sent) {
                list.add(table.a(object), table.b(object), table.c(object), table.type(object));
            }
        }
        return list;
    }

    @Override
    public void close() {
        inflater.end();
        here.close();
        scratch.close();
    }
}
