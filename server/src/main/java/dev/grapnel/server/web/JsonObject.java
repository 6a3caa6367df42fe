package dev.grapnel.server.web;

import dev.grapnel.nostr.json.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Writes an object field by field, commas where they belong.
final class JsonObject {
    private final JsonWriter out = new JsonWriter(2048).raw("{");
    private boolean isEmpty = true;

    JsonObject string(String name, String value) {
        field(name).string(wellFormed(value));
        return this;
    }

    JsonObject number(String name, long value) {
        field(name).number(value);
        return this;
    }

    JsonObject bool(String name, boolean value) {
        field(name).raw(Boolean.toString(value));
        return this;
    }

    JsonObject numbers(String name, List<Integer> values) {
        var list = field(name).raw("[");
        for (int i = 0; i < values.size(); i++) {
            list.raw(i == 0 ? "" : ",").number(values.get(i));
        }
        list.raw("]");
        return this;
    }

    JsonObject strings(String name, List<String> values) {
        writeStrings(field(name), values);
        return this;
    }

    /// Another object.
    JsonObject object(String name, JsonObject value) {
        field(name).raw(value.out.toBytes()).raw("}");
        return this;
    }

    /// A list of strings alone.
    static byte[] list(List<String> values) {
        var out = new JsonWriter(64);
        writeStrings(out, values);
        return out.toArray();
    }

    /// The finished object, to be asked for once.
    byte[] bytes() {
        return out.raw("}").toArray();
    }

    private JsonWriter field(String name) {
        out.raw(isEmpty ? "" : ",").string(name).raw(":");
        isEmpty = false;
        return out;
    }

    private static void writeStrings(JsonWriter out, List<String> values) {
        out.raw("[");
        for (int i = 0; i < values.size(); i++) {
            out.raw(i == 0 ? "" : ",").string(wellFormed(values.get(i)));
        }
        out.raw("]");
    }

    /// Half of a surrogate pair, which a setting may hold, becomes a question mark.
    private static String wellFormed(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }
}
