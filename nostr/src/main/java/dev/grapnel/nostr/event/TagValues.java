package dev.grapnel.nostr.event;

import dev.grapnel.nostr.json.JsonText;
import dev.grapnel.nostr.json.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;

/// A set of tag values to match events against: the alternatives of one `#x` condition.
///
/// Values are kept as the canonical JSON bytes an event holds them in, all in one array, so that testing an
/// event's tag hashes and compares a slice of the event and decodes nothing. The hash is seeded per process:
/// strangers choose both the values and the events, and must not be able to choose collisions. The seed never
/// shows, because values are kept and handed out in ascending order of their bytes.
public final class TagValues {
    private final byte[] bytes;
    private final int[] ends;
    private final int[] table;

    private TagValues(byte[] bytes, int[] ends) {
        this.bytes = bytes;
        this.ends = ends;
        this.table = new int[Integer.highestOneBit(Math.max(ends.length, 1)) * 4];
        for (int value = 0; value < ends.length; value++) {
            int slot = slot(bytes, start(value), ends[value]);
            while (table[slot] != 0) {
                slot = (slot + 1) & (table.length - 1);
            }
            table[slot] = value + 1;
        }
    }

    /// The set of these values.
    public static TagValues of(Collection<String> values) {
        return ofCanonical(values.stream().map(TagValues::canonical).toList());
    }

    /// The set of these values, each as its canonical JSON bytes without quotes.
    public static TagValues ofCanonical(Collection<byte[]> values) {
        var sorted = values.toArray(byte[][]::new);
        Arrays.sort(sorted, Arrays::compareUnsigned);
        int length = 0;
        int count = 0;
        for (int i = 0; i < sorted.length; i++) {
            if (i == 0 || !Arrays.equals(sorted[i], sorted[i - 1])) {
                sorted[count++] = sorted[i];
                length += sorted[i].length;
            }
        }
        var bytes = new byte[length];
        var ends = new int[count];
        int end = 0;
        for (int i = 0; i < count; i++) {
            System.arraycopy(sorted[i], 0, bytes, end, sorted[i].length);
            end += sorted[i].length;
            ends[i] = end;
        }
        return new TagValues(bytes, ends);
    }

    /// How many there are.
    public int size() {
        return ends.length;
    }

    /// The values, decoded.
    public List<String> toList() {
        return IntStream.range(0, size())
                .mapToObj(value -> JsonText.decode(bytes, start(value), ends[value], true))
                .toList();
    }

    /// Writes the values as an array of JSON.
    public void write(JsonWriter out) {
        out.raw("[");
        for (int value = 0; value < size(); value++) {
            out.raw(value == 0 ? "" : ",").escaped(bytes, start(value), ends[value]);
        }
        out.raw("]");
    }

    /// The values as canonical JSON bytes without quotes, ascending; arrays of the caller's own.
    public List<byte[]> toCanonical() {
        return IntStream.range(0, size())
                .mapToObj(value -> Arrays.copyOfRange(bytes, start(value), ends[value]))
                .toList();
    }

    /// A hash of each value, by which [Tags#forEachLetteredHash] finds it again in this process.
    public long[] hashes() {
        return IntStream.range(0, size())
                .mapToLong(value -> SeededHash.of(bytes, start(value), ends[value]))
                .toArray();
    }

    /// Whether some tag of this name has one of the values as its second element.
    public boolean matchAny(Tags tags, char letter) {
        if (!tags.hasLetter(letter)) {
            return false;
        }
        for (int tag : tags.lettered()) {
            if (tags.isNamed(tag, letter) && tags.valueIsIn(tag, this)) {
                return true;
            }
        }
        return false;
    }

    boolean contains(byte[] json, int from, int to) {
        int slot = slot(json, from, to);
        while (table[slot] != 0) {
            int value = table[slot] - 1;
            if (Arrays.equals(bytes, start(value), ends[value], json, from, to)) {
                return true;
            }
            slot = (slot + 1) & (table.length - 1);
        }
        return false;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TagValues that && Arrays.equals(bytes, that.bytes) && Arrays.equals(ends, that.ends);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes) * 31 + Arrays.hashCode(ends);
    }

    @Override
    public String toString() {
        return toList().toString();
    }

    private int start(int value) {
        return value == 0 ? 0 : ends[value - 1];
    }

    private int slot(byte[] in, int from, int to) {
        return (int) (SeededHash.of(in, from, to) >>> 32) & (table.length - 1);
    }

    /// A value as it stands between its quotes in the one form that is hashed.
    public static byte[] canonical(String value) {
        if (JsonText.isPlain(value)) {
            return value.getBytes(StandardCharsets.ISO_8859_1);
        }
        var quoted = new JsonWriter(value.length() + 2).string(value).toArray();
        return Arrays.copyOfRange(quoted, 1, quoted.length - 1);
    }
}
