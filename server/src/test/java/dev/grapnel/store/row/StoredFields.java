package dev.grapnel.store.row;

import dev.grapnel.nostr.Bytes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/// The fields of a stored row, to be left out, added and put together again with a checksum that fits.
record StoredFields(Row row, List<Part> parts) {
    record Part(int number, Bytes value) {}

    static StoredFields of(Row row) {
        var sealed = Rows.encode(row).toArray();
        var in = ByteBuffer.wrap(sealed, 1, sealed.length - 1 - Integer.BYTES);
        var parts = new ArrayList<Part>();
        while (in.hasRemaining()) {
            int number = (int) Varint.read(in);
            var value = new byte[(int) Varint.read(in)];
            in.get(value);
            parts.add(new Part(number, Bytes.wrap(value)));
        }
        return new StoredFields(row, parts);
    }

    TreeSet<Integer> numbers() {
        var numbers = new TreeSet<Integer>();
        parts.forEach(part -> numbers.add(part.number()));
        return numbers;
    }

    StoredFields without(int number) {
        return new StoredFields(
                row, parts.stream().filter(part -> part.number() != number).toList());
    }

    StoredFields with(int number, Bytes value) {
        var more = new ArrayList<>(parts);
        more.add(new Part(number, value));
        return new StoredFields(row, more);
    }

    Bytes first(int number) {
        return parts.stream()
                .filter(part -> part.number() == number)
                .findFirst()
                .orElseThrow()
                .value();
    }

    byte[] toArray() {
        var out = new FieldWriter();
        parts.forEach(part -> out.put(new Field(part.number(), "part"), part.value()));
        return out.toArray();
    }

    Bytes sealed() {
        return Rows.seal(row.table(), row.key(), toArray());
    }
}
