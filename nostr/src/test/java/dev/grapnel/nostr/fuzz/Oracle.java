package dev.grapnel.nostr.fuzz;

import dev.grapnel.nostr.event.Event;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The slow and obviously right second opinion: JSON as Jackson reads it, canonical text and id as relay 1.3 has them.
final class Oracle {
    private static final Set<String> FIELDS = Set.of("id", "pubkey", "created_at", "kind", "tags", "content", "sig");

    private static final Pattern SURROGATE = Pattern.compile("\\\\u[dD][89a-fA-F]");

    /// Strict JSON of any size: limits are not what the two readers are compared by.
    private static final JsonMapper JACKSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(Integer.MAX_VALUE)
                            .maxNumberLength(Integer.MAX_VALUE)
                            .maxStringLength(Integer.MAX_VALUE)
                            .maxNameLength(Integer.MAX_VALUE)
                            .build())
                    .build())
            .build();

    private static final JsonMapper WITHOUT_REPEATS = JACKSON.rebuild()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private Oracle() {}

    /// The whole text as a tree in which no name is given twice.
    static JsonNode tree(byte[] json) {
        requireUtf8(json);
        return WITHOUT_REPEATS.readTree(json);
    }

    /// Insists that Jackson takes the whole text for JSON too. Numbers are not computed, only scanned. Halves of
    /// surrogate
    /// pairs, which the grammar allows and Jackson does not, are made harmless first.
    static void requireJson(byte[] json) {
        requireUtf8(json);
        var text = SURROGATE.matcher(new String(json, StandardCharsets.UTF_8)).replaceAll("\\\\u00");
        try (var parser = JACKSON.createParser(text.getBytes(StandardCharsets.UTF_8))) {
            int values = 0;
            for (var token = parser.nextToken(); token != null; token = parser.nextToken()) {
                token = token.isStructStart() ? parser.skipChildren().currentToken() : token;
                parser.getString();
                values++;
            }
            require(values == 1, "not one JSON value but " + values);
        }
    }

    /// The seven fields of an event object; others are skipped. No name may stand in it twice.
    static Map<String, JsonNode> eventFields(byte[] json) {
        requireJson(json);
        var fields = new HashMap<String, JsonNode>();
        var names = new ArrayList<String>();
        try (var parser = JACKSON.createParser(json)) {
            require(parser.nextToken() == JsonToken.START_OBJECT, "not an object");
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                var name = parser.currentName();
                names.add(name);
                parser.nextToken();
                if (FIELDS.contains(name)) {
                    fields.put(name, parser.readValueAsTree());
                } else {
                    parser.skipChildren();
                }
            }
        }
        require(Set.copyOf(names).size() == names.size(), "a name is given twice");
        require(fields.keySet().equals(FIELDS), "a field is missing");
        return fields;
    }

    /// The text of the tags as relay 1.3 writes them.
    static String canonicalTags(List<List<String>> tags) {
        var texts = new ArrayList<String>();
        for (var tag : tags) {
            texts.add("[" + String.join(",", tag.stream().map(Oracle::canonical).toList()) + "]");
        }
        return "[" + String.join(",", texts) + "]";
    }

    /// A string with its quotes as relay 1.3 writes it.
    static String canonical(String text) {
        var out = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '\b' -> out.append("\\b");
                case '\t' -> out.append("\\t");
                case '\n' -> out.append("\\n");
                case '\f' -> out.append("\\f");
                case '\r' -> out.append("\\r");
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                default -> out.append(c < ' ' ? String.format("\\u%04x", (int) c) : String.valueOf(c));
            }
        }
        return out.append('"').toString();
    }

    /// The id such an event has.
    static String hash(String pubkey, long createdAt, int kind, List<List<String>> tags, String content) {
        var text = "[0,\"" + pubkey + "\"," + createdAt + "," + kind + "," + canonicalTags(tags) + ","
                + canonical(content) + "]";
        try {
            var digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Insists that an event read from this text is what the text says.
    static void requireSame(Event event, byte[] json) {
        var fields = eventFields(json);
        var tags = new ArrayList<List<String>>();
        for (var tag : required(fields, "tags")) {
            tags.add(tag.valueStream().map(JsonNode::stringValue).toList());
        }
        var id = required(fields, "id").stringValue();
        var pubkey = required(fields, "pubkey").stringValue();
        long createdAt = required(fields, "created_at").longValue();
        int kind = required(fields, "kind").intValue();
        var content = required(fields, "content").stringValue();
        var sig = required(fields, "sig").stringValue();
        require(event.id().toHex().equals(id), "id");
        require(event.author().toHex().equals(pubkey), "pubkey");
        require(event.createdAt() == createdAt, "created_at");
        require(event.kind() == kind, "kind");
        require(event.content().equals(content), "content");
        require(event.signature().toString().equals(sig), "sig");
        requireSameTags(event, tags);
        require(id.equals(hash(pubkey, createdAt, kind, tags, content)), "id is not the hash");
        var normalised = "{\"id\":\"" + id + "\",\"pubkey\":\"" + pubkey + "\",\"created_at\":" + createdAt
                + ",\"kind\":" + kind + ",\"tags\":" + canonicalTags(tags) + ",\"content\":" + canonical(content)
                + ",\"sig\":\"" + sig + "\"}";
        require(
                Arrays.equals(event.json().toArray(), normalised.getBytes(StandardCharsets.UTF_8)),
                "not the normalised form");
    }

    private static void requireSameTags(Event event, List<List<String>> tags) {
        var read = new ArrayList<List<String>>();
        event.tags().forEach(tag -> read.add(tag.elements()));
        require(read.equals(tags), "tags");
        for (char letter = 'A'; letter <= 'z'; letter++) {
            requireSameNamed(event, tags, String.valueOf(letter));
        }
        tags.forEach(tag -> requireSameNamed(event, tags, tag.getFirst()));
    }

    private static void requireSameNamed(Event event, List<List<String>> tags, String name) {
        var values = new ArrayList<String>();
        boolean named = false;
        for (var tag : tags) {
            if (tag.getFirst().equals(name)) {
                named = true;
                values.addAll(tag.subList(1, Math.min(tag.size(), 2)));
            }
        }
        if (name.length() == 1) {
            char c = name.charAt(0);
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            require(event.tags().hasLetter(c) == (letter && !values.isEmpty()), "letter " + name);
        }
        if (named) {
            require(event.tags().has(name), "has " + name);
            require(event.tags().values(name).equals(values), "values of " + name);
        }
    }

    private static JsonNode required(Map<String, JsonNode> fields, String name) {
        var field = fields.get(name);
        if (field == null) {
            throw new AssertionError("field " + name + " is missing");
        }
        return field;
    }

    private static void requireUtf8(byte[] text) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text));
        } catch (CharacterCodingException e) {
            throw new AssertionError("not UTF-8", e);
        }
    }

    /// What must hold, and a word for it.
    static void require(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }
}
