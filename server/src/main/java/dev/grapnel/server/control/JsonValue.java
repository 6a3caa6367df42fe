package dev.grapnel.server.control;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.json.JsonScanner;
import dev.grapnel.nostr.json.JsonToken;
import dev.grapnel.nostr.json.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/// A line of the control socket, as a tree: lines are short and few, and both ends look for fields by name.
public sealed interface JsonValue {
    /// Levels of brackets that are read.
    int DEPTH_MAX = 32;

    /// A string.
    record Text(String text) implements JsonValue {}

    /// A number, as it was written.
    record Digits(String digits) implements JsonValue {}

    /// `true` or `false`.
    record Truth(boolean value) implements JsonValue {}

    /// `null`.
    record Nothing() implements JsonValue {}

    /// An array.
    record Items(List<JsonValue> items) implements JsonValue {
        public Items {
            items = List.copyOf(items);
        }

        @Override
        public String toString() {
            return json();
        }
    }

    /// An object, its fields in the order in which they were written.
    record Fields(Map<String, JsonValue> fields) implements JsonValue {
        public Fields {
            fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
        }

        /// A string.
        public Optional<String> findText(String name) {
            return fields.get(name) instanceof Text(var text) ? Optional.of(text) : Optional.empty();
        }

        /// A whole number.
        public OptionalLong findNumber(String name) {
            if (fields.get(name) instanceof Digits(var digits)) {
                try {
                    return OptionalLong.of(Long.parseLong(digits));
                } catch (NumberFormatException _) {
                    return OptionalLong.empty(); // a fraction, or more than fits
                }
            }
            return OptionalLong.empty();
        }

        /// Whether a field is `true`.
        public boolean isTrue(String name) {
            return fields.get(name) instanceof Truth(var value) && value;
        }

        /// An object in it.
        public Optional<Fields> findFields(String name) {
            return fields.get(name) instanceof Fields inner ? Optional.of(inner) : Optional.empty();
        }

        /// What an array in it holds; nothing if there is none.
        public List<JsonValue> items(String name) {
            return fields.get(name) instanceof Items(var items) ? items : List.of();
        }

        @Override
        public String toString() {
            return json();
        }
    }

    /// Reads one value and nothing else.
    static Parsed<JsonValue> parse(byte[] json) {
        var scanner = new JsonScanner(json, 0, json.length, DEPTH_MAX);
        try {
            var value = read(scanner, scanner.next(), json);
            return scanner.next() == JsonToken.END ? Parsed.valid(value) : Parsed.invalid(scanner.failure());
        } catch (IllegalArgumentException e) {
            return Parsed.invalid(String.valueOf(e.getMessage()));
        }
    }

    /// As deep as the scanner allows.
    private static JsonValue read(JsonScanner in, JsonToken first, byte[] json) {
        return switch (first) {
            case STRING -> new Text(text(in));
            case NUMBER ->
                new Digits(new String(json, in.textFrom(), in.textTo() - in.textFrom(), StandardCharsets.US_ASCII));
            case TRUE -> new Truth(true);
            case FALSE -> new Truth(false);
            case NULL -> new Nothing();
            case BEGIN_ARRAY -> readItems(in, json);
            case BEGIN_OBJECT -> readFields(in, json);
            case NAME, END_OBJECT, END_ARRAY, END, FAILURE -> throw new IllegalArgumentException(in.failure());
        };
    }

    private static JsonValue readItems(JsonScanner in, byte[] json) {
        var items = new ArrayList<JsonValue>();
        for (var token = in.next(); token != JsonToken.END_ARRAY; token = in.next()) {
            items.add(read(in, token, json));
        }
        return new Items(items);
    }

    private static JsonValue readFields(JsonScanner in, byte[] json) {
        var fields = new LinkedHashMap<String, JsonValue>();
        for (var token = in.next(); token != JsonToken.END_OBJECT; token = in.next()) {
            if (token != JsonToken.NAME) {
                throw new IllegalArgumentException(in.failure());
            }
            var name = text(in);
            if (fields.put(name, read(in, in.next(), json)) != null) {
                throw new IllegalArgumentException("the field " + name + " is given twice");
            }
        }
        return new Fields(fields);
    }

    private static String text(JsonScanner in) {
        if (in.hasLoneSurrogate()) {
            throw new IllegalArgumentException("half of a surrogate pair");
        }
        return in.text();
    }

    /// Writes it, without white space.
    default void write(JsonWriter out) {
        switch (this) {
            case Text(var text) -> out.string(text);
            case Digits(var digits) -> out.raw(digits);
            case Truth(var value) -> out.raw(Boolean.toString(value));
            case Nothing() -> out.raw("null");
            case Items(var items) -> {
                var before = "[";
                for (var item : items) {
                    item.write(out.raw(before));
                    before = ",";
                }
                out.raw(items.isEmpty() ? "[]" : "]");
            }
            case Fields(var fields) -> {
                var before = "{";
                for (var field : fields.entrySet()) {
                    field.getValue()
                            .write(out.raw(before).string(field.getKey()).raw(":"));
                    before = ",";
                }
                out.raw(fields.isEmpty() ? "{}" : "}");
            }
        }
    }

    /// The JSON as text.
    default String json() {
        var out = new JsonWriter(256);
        write(out);
        return harmless(out.toString());
    }

    /// A terminal may be the reader: what it would obey, or not show, is escaped, which JSON allows in
    /// strings, and nowhere else does it occur.
    private static String harmless(String json) {
        if (json.codePoints().noneMatch(JsonValue::isHarmful)) {
            return json;
        }
        var out = new StringBuilder(json.length() + 64);
        json.codePoints().forEach(c -> {
            if (isHarmful(c)) {
                for (char half : Character.toChars(c)) { // beyond the first plane there are invisible ones, too
                    out.append("\\u%04x".formatted((int) half));
                }
            } else {
                out.appendCodePoint(c);
            }
        });
        return out.toString();
    }

    private static boolean isHarmful(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }
}
