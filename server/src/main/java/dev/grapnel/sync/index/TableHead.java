package dev.grapnel.sync.index;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/// What says whether tables can be used, and the part of the index that is in none.
final class TableHead {
    /// Another one whenever tables, or what is put into them, change their meaning.
    private static final int FORMAT = 3;

    private static final long MAGIC = 0x6772_6170_7461_626cL;
    private static final int COUNT_MAX = 1 << 20;

    private final long lineage;
    private final long commit;
    private final long sum;
    private final List<Integer> limits;
    private final Map<String, Integer> chunks;
    private final DataInputStream rest;

    private TableHead(DataInputStream in) throws IOException {
        lineage = in.readLong();
        commit = in.readLong();
        sum = in.readLong();
        var found = new ArrayList<Integer>();
        for (int count = in.readInt(); count > 0; count--) {
            found.add(in.readInt());
        }
        limits = List.copyOf(found);
        var tables = new TreeMap<String, Integer>();
        for (int count = in.readInt(); count > 0; count--) {
            tables.put(in.readUTF(), in.readInt());
        }
        chunks = Collections.unmodifiableMap(tables);
        rest = in;
    }

    /// Empty if it is damaged or of another format.
    static Optional<TableHead> parse(byte[] file) {
        int length = file.length - Integer.BYTES;
        if (length < 0 || ByteBuffer.wrap(file).getInt(length) != sumOf(file, length)) {
            return Optional.empty();
        }
        var in = new DataInputStream(new ByteArrayInputStream(file, 0, length));
        try {
            return in.readLong() == MAGIC && in.readInt() == FORMAT ? Optional.of(new TableHead(in)) : Optional.empty();
        } catch (IOException _) {
            return Optional.empty(); // too short, whoever wrote it
        }
    }

    private static int sumOf(byte[] bytes, int length) {
        var crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }

    /// The mark of the process that wrote it.
    long lineage() {
        return lineage;
    }

    /// The last commit of the store that is in the tables.
    long commit() {
        return commit;
    }

    /// Of all tables.
    long sum() {
        return sum;
    }

    /// Limits that decided what is in them.
    List<Integer> limits() {
        return limits;
    }

    /// How long each table is.
    Map<String, Integer> chunks() {
        return chunks;
    }

    /// Gives back what is in no table; once.
    Kept reading() {
        return new Reading(rest);
    }

    private record Reading(DataInputStream in) implements Kept {
        @Override
        public int number(int value) {
            try {
                return in.readInt();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public long number(long value) {
            try {
                return in.readLong();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public int[] numbers(int[] values) {
            var found = new int[Math.clamp(number(0), 0, COUNT_MAX)];
            for (int place = 0; place < found.length; place++) {
                found[place] = number(0);
            }
            return found;
        }

        @Override
        public void table(Cells cells) {
            // found already
        }

        @Override
        public boolean isReturning() {
            return true;
        }
    }

    /// A head that is written.
    static final class Writing implements Kept {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final DataOutputStream out = new DataOutputStream(bytes);

        Writing(long lineage, long commit, long sum, List<Integer> limits, Map<String, Integer> chunks) {
            number(MAGIC);
            number(FORMAT);
            number(lineage);
            number(commit);
            number(sum);
            number(limits.size());
            for (int limit : limits) {
                number(limit);
            }
            number(chunks.size());
            for (var table : chunks.entrySet()) {
                write(table.getKey());
                number(table.getValue().intValue());
            }
        }

        private void write(String text) {
            try {
                out.writeUTF(text);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public int number(int value) {
            try {
                out.writeInt(value);
                return value;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public long number(long value) {
            try {
                out.writeLong(value);
                return value;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public int[] numbers(int[] values) {
            number(values.length);
            for (int value : values) {
                number(value);
            }
            return values;
        }

        @Override
        public void table(Cells cells) {
            // lies where it is
        }

        @Override
        public boolean isReturning() {
            return false;
        }

        /// Everything, with its sum.
        byte[] toBytes() {
            var content = bytes.toByteArray();
            return ByteBuffer.allocate(content.length + Integer.BYTES)
                    .put(content)
                    .putInt(sumOf(content, content.length))
                    .array();
        }
    }
}
