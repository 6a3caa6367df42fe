package dev.grapnel.bench.load;

import dev.grapnel.nostr.Hex;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/// Signed events as lines of JSON, mapped: a file of a million costs 28 MB of heap, and an event goes straight
/// into the buffer it is sent from.
final class EventFile {
    private static final byte[] ID = "\"id\"".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] AUTHOR = "\"pubkey\"".getBytes(StandardCharsets.US_ASCII);
    private static final int LINE_MAX = 16 << 20;

    private final MemorySegment file;
    private long[] starts = new long[1024];
    private int[] lengths = new int[1024];
    private long[] ids = new long[1024];
    private long[] authors = new long[1024];
    private int count;

    private EventFile(MemorySegment file) {
        this.file = file;
    }

    /// Maps a file until the process ends.
    static EventFile open(Path path) throws IOException {
        try (var channel = FileChannel.open(path)) {
            var events = new EventFile(channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), Arena.global()));
            events.readLines(path);
            return events;
        }
    }

    int count() {
        return count;
    }

    int length(int number) {
        return lengths[number];
    }

    /// The first 64 bits of an event's id.
    long id(int number) {
        return ids[number];
    }

    /// The first 64 bits of its author's key.
    long author(int number) {
        return authors[number];
    }

    void copyTo(int number, byte[] target, int at) {
        MemorySegment.copy(file, ValueLayout.JAVA_BYTE, starts[number], target, at, lengths[number]);
    }

    byte[] json(int number) {
        var json = new byte[lengths[number]];
        copyTo(number, json, 0);
        return json;
    }

    private void readLines(Path path) throws IOException {
        var line = new byte[64 << 10];
        long start = 0;
        for (long at = 0; at <= file.byteSize(); at++) {
            if (at < file.byteSize() && file.get(ValueLayout.JAVA_BYTE, at) != '\n') {
                continue;
            }
            if (at - start > LINE_MAX) {
                throw new IOException(path + ": line " + (count + 1) + " is too long");
            }
            int length = (int) (at - start);
            if (length > 0) {
                if (length > line.length) {
                    line = new byte[2 * length];
                }
                MemorySegment.copy(file, ValueLayout.JAVA_BYTE, start, line, 0, length);
                add(path, start, length, line);
            }
            start = at + 1;
        }
    }

    private void add(Path path, long start, int length, byte[] line) throws IOException {
        if (count == starts.length) {
            starts = Arrays.copyOf(starts, 2 * count);
            lengths = Arrays.copyOf(lengths, 2 * count);
            ids = Arrays.copyOf(ids, 2 * count);
            authors = Arrays.copyOf(authors, 2 * count);
        }
        starts[count] = start;
        lengths[count] = length;
        ids[count] = word(path, line, length, ID);
        authors[count] = word(path, line, length, AUTHOR);
        count++;
    }

    private long word(Path path, byte[] line, int length, byte[] key) throws IOException {
        for (int at = 0; at <= length - key.length; at++) {
            if (Arrays.equals(line, at, at + key.length, key, 0, key.length)) {
                int value = at + key.length;
                while (value < length && (line[value] == ':' || line[value] <= ' ' || line[value] == '"')) {
                    value++;
                }
                if (value + 16 <= length && Hex.isHex(line, value, value + 16)) {
                    return Hex.word(line, value);
                }
            }
        }
        throw new IOException(path + ": line " + (count + 1) + " is no event");
    }
}
