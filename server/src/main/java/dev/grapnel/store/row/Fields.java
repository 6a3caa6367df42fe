package dev.grapnel.store.row;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// The fields of a row, taken apart but not yet read. Fields nobody asks for are ignored: a later Grapnel
/// wrote them.
///
/// Every method refuses what cannot be right by an [IllegalArgumentException]; [Rows#decode] makes a result
/// of it.
final class Fields {
    private final Map<Integer, List<Value>> values = new HashMap<>();

    private Fields() {}

    /// Takes everything that remains in a buffer apart.
    static Fields read(ByteBuffer in) {
        var fields = new Fields();
        while (in.hasRemaining()) {
            long number = Varint.read(in);
            long length = Varint.read(in);
            if (number < 1 || number > Integer.MAX_VALUE) {
                throw new IllegalArgumentException("a field has a number that is none");
            }
            if (length < 0 || length > in.remaining()) {
                throw new IllegalArgumentException("ends inside a field");
            }
            var value = new Value(in.slice(in.position(), (int) length));
            in.position(in.position() + (int) length);
            fields.values.computeIfAbsent((int) number, _ -> new ArrayList<>()).add(value);
        }
        return fields;
    }

    /// The value of a field that may be missing.
    <T> Optional<T> find(Field field, Function<Value, T> reader) {
        var found = values.getOrDefault(field.number(), List.of());
        if (found.size() > 1) {
            throw new IllegalArgumentException("the " + field.name() + " is given twice");
        }
        return found.stream().findFirst().map(value -> read(field, value, reader));
    }

    /// The value of a field every such row has.
    <T> T require(Field field, Function<Value, T> reader) {
        return find(field, reader)
                .orElseThrow(() -> new IllegalArgumentException("the " + field.name() + " is missing"));
    }

    /// The values of a field that may be there any number of times, in order.
    <T> List<T> all(Field field, Function<Value, T> reader) {
        return values.getOrDefault(field.number(), List.of()).stream()
                .map(value -> read(field, value, reader))
                .toList();
    }

    /// Whether a flag is set.
    boolean flag(Field field) {
        return find(field, Value::flag).orElse(false);
    }

    private static <T> T read(Field field, Value value, Function<Value, T> reader) {
        try {
            return reader.apply(value);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(field.name() + ": " + e.getMessage(), e);
        }
    }
}
