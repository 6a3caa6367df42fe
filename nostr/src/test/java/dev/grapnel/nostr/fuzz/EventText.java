package dev.grapnel.nostr.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/// Spends fuzz data on one valid event in an unusual spelling: fields in any order, white space anywhere, each
/// character
/// raw or escaped in any of its ways, unknown fields in between. The id is right, so a reader has no reason to refuse
/// it.
final class EventText {
    private static final List<String> SPACES = List.of("", "", "", " ", "\n", "\r\n", "\t ", "  ");
    private static final List<String> UNKNOWN = List.of(
            "null",
            "true",
            "-0.5e+3",
            "\"\\u00e9\\n\"",
            "[[],{}]",
            "{\"id\":[1],\"id\":2}",
            "1e999999999",
            "[{\"tags\":\"\\\"}\"}]");

    private final byte[] data;
    private int at;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private EventText(byte[] data) {
        this.data = data;
    }

    /// The text the data stands for.
    static byte[] of(byte[] data) {
        return new EventText(data).build();
    }

    private byte[] build() {
        int order = next();
        var pubkey = hex(64);
        var sig = hex(128);
        long createdAt = (((long) next() << 8 | next()) << 16 | (next() << 8 | next())) << (next() % 22);
        int kind = next() << 8 | next();
        var tags = tags();
        var content = text(next() << 2);
        var id = Oracle.hash(pubkey, createdAt, kind, tags, content);

        var fields = new ArrayList<Runnable>();
        fields.add(() -> field("id", () -> string(id)));
        fields.add(() -> field("pubkey", () -> string(pubkey)));
        fields.add(() -> field("created_at", () -> raw(Long.toString(createdAt))));
        fields.add(() -> field("kind", () -> raw(Integer.toString(kind))));
        fields.add(() -> field("tags", () -> array(tags, tag -> array(tag, this::string))));
        fields.add(() -> field("content", () -> string(content)));
        fields.add(() -> field("sig", () -> string(sig)));
        for (int i = 0; i < order % 4; i++) {
            var name = "x" + i;
            fields.add(order % fields.size(), () -> field(name, () -> raw(UNKNOWN.get(next() % UNKNOWN.size()))));
        }
        raw("{");
        while (!fields.isEmpty()) {
            fields.remove(next() % fields.size()).run();
            raw(fields.isEmpty() ? "" : ",");
        }
        raw("}");
        return out.toByteArray();
    }

    private List<List<String>> tags() {
        var tags = new ArrayList<List<String>>();
        for (int count = next() % 8; count > 0; count--) {
            var tag = new ArrayList<String>();
            int shape = next();
            tag.add((shape & 1) == 0 ? String.valueOf((char) ('A' + shape % 58)) : text(shape % 8));
            for (int i = shape % 5; i > 0; i--) {
                tag.add(text(next() % 32));
            }
            tags.add(List.copyOf(tag));
        }
        return List.copyOf(tags);
    }

    /// So many characters; all of Unicode but surrogates, the troublesome ones often.
    private String text(int length) {
        var text = new StringBuilder();
        for (int i = 0; i < length && at < data.length; i++) {
            int b = next();
            if (b < 0x80) {
                text.append((char) b);
            } else {
                int plane = (b & 0x40) == 0 ? 0 : (b & 0x3f) % 17;
                int codePoint = (b & 0x20) == 0 ? next() + 0x80 : plane << 16 | next() << 8 | next();
                boolean fit = Character.isValidCodePoint(codePoint)
                        && (codePoint < Character.MIN_SURROGATE || codePoint > Character.MAX_SURROGATE);
                text.appendCodePoint(fit ? codePoint : 0x10ffff);
            }
        }
        return text.toString();
    }

    private String hex(int digits) {
        var bytes = new byte[digits / 2];
        for (int i = 0; i < 4; i++) {
            bytes[i * 8] = (byte) next();
        }
        return HexFormat.of().formatHex(bytes);
    }

    private void field(String name, Runnable value) {
        string(name);
        raw(":");
        value.run();
    }

    private interface Writer<T> {
        void write(T value);
    }

    private <T> void array(List<T> values, Writer<T> writer) {
        raw("[");
        for (int i = 0; i < values.size(); i++) {
            raw(i == 0 ? "" : ",");
            writer.write(values.get(i));
        }
        raw("]");
    }

    /// A string; a byte of data below a third decides that all of it stands as it may, others vary each character.
    private void string(String text) {
        int style = next();
        var spelled = new StringBuilder();
        text.codePoints().forEach(c -> spelled.append(spelling(c, style < 85 ? 0 : next())));
        raw("\"" + spelled + "\"");
    }

    private static String spelling(int codePoint, int style) {
        var plain = Character.toString(codePoint);
        boolean mustEscape = codePoint < ' ' || codePoint == '"' || codePoint == '\\';
        return switch (style % 6) {
            case 0, 1, 2 -> mustEscape ? escaped(plain, "%04x") : plain;
            case 3 -> codePoint == '/' ? "\\/" : Oracle.canonical(plain).replaceAll("^\"|\"$", "");
            case 4 -> escaped(plain, "%04X");
            default -> escaped(plain, "%04x");
        };
    }

    private static String escaped(String plain, String format) {
        var out = new StringBuilder();
        plain.chars().forEach(unit -> out.append("\\u").append(String.format(format, unit)));
        return out.toString();
    }

    private void raw(String json) {
        boolean inside = json.startsWith("\"");
        out.writeBytes((inside ? json : space() + json).getBytes(StandardCharsets.UTF_8));
        out.writeBytes(space().getBytes(StandardCharsets.UTF_8));
    }

    private String space() {
        return SPACES.get(next() % SPACES.size());
    }

    private int next() {
        return at < data.length ? data[at++] & 0xff : 0;
    }
}
