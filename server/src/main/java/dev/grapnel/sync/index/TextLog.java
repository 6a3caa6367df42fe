package dev.grapnel.sync.index;

import java.nio.charset.StandardCharsets;

/// Texts one after the other, each with a number; for those that a table cannot hold.
final class TextLog {
    private static final int HEAD = 2;

    private final Cells cells;
    private int end;

    /// One of them.
    ///
    /// @param next where the one behind it begins
    record Entry(int number, String text, int next) {}

    TextLog(IndexTables tables, String name) {
        cells = new Cells(tables, name);
    }

    /// Where the next one will be.
    int end() {
        return end;
    }

    void append(int number, String text) {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        cells.set(end, number);
        cells.set(end + 1, bytes.length);
        int at = end + HEAD;
        for (int from = 0; from < bytes.length; from += Integer.BYTES) {
            cells.set(at, pack(bytes, from));
            at++;
        }
        end = at;
    }

    private static int pack(byte[] bytes, int from) {
        int packed = 0;
        for (int at = from; at < Math.min(from + Integer.BYTES, bytes.length); at++) {
            packed |= (bytes[at] & 0xff) << (Byte.SIZE * (at - from));
        }
        return packed;
    }

    /// The one that begins somewhere.
    Entry read(int start) {
        int length = cells.get(start + 1);
        var bytes = new byte[length];
        for (int at = 0; at < length; at++) {
            bytes[at] = (byte) (cells.get(start + HEAD + at / Integer.BYTES) >>> (Byte.SIZE * (at % Integer.BYTES)));
        }
        int next = start + HEAD + (length + Integer.BYTES - 1) / Integer.BYTES;
        return new Entry(cells.get(start), new String(bytes, StandardCharsets.UTF_8), next);
    }

    void clear() {
        end = 0;
    }

    void keep(Kept kept) {
        end = kept.number(end);
        kept.table(cells);
    }
}
