package dev.grapnel.command;

import dev.grapnel.log.SafeText;
import dev.grapnel.server.control.JsonValue;
import dev.grapnel.server.control.JsonValue.Fields;
import dev.grapnel.server.control.JsonValue.Text;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/// What waits in purgatory, as people read it. All of it may come from strangers.
final class HeldText {
    private static final int PIECE = 4_096;
    private static final int ID_DIGITS = 12;
    private static final int NPUB_LETTERS = 12;
    private static final int SECOND_LETTERS = "2026-01-02T03:04:05".length();

    /// Fields of an entry that have other names for people.
    private static final Map<String, String> NAMES = Map.ofEntries(
            Map.entry("heldSince", "held since"),
            Map.entry("expiresAt", "expires at"),
            Map.entry("waitsFor", "waits for"),
            Map.entry("eventKind", "event kind"),
            Map.entry("firstExpiredAt", "first expired"),
            Map.entry("createdAt", "created at"),
            Map.entry("cloneUrls", "clone urls"));

    private HeldText() {}

    static String heading() {
        return row("KIND", "ID", "AUTHOR", "SOURCE", "SINCE", "LEFT", "IDENTIFIER", "WAITS FOR");
    }

    /// One line.
    static String line(Fields entry) {
        var since = text(entry, "heldSince", "-");
        return row(
                text(entry, "kind", "?"),
                cut(text(entry, "id", "?"), ID_DIGITS),
                cut(text(entry, "author", "-"), NPUB_LETTERS),
                text(entry, "source", "-"),
                cut(since, SECOND_LETTERS),
                left(entry),
                identifiers(entry),
                text(entry, "waitsFor", ""));
    }

    private static String row(
            String kind,
            String id,
            String author,
            String source,
            String since,
            String left,
            String identifier,
            String wait) {
        return String.format(
                Locale.ROOT,
                "%-12s %-12s %-12s %-6s %-19s %12s  %-20s %s",
                kind,
                id,
                author,
                source,
                since,
                left,
                identifier,
                wait);
    }

    private static String left(Fields entry) {
        var seconds = entry.findNumber("secondsLeft");
        return seconds.isPresent() ? Figures.clock(Duration.ofSeconds(seconds.getAsLong())) : "-";
    }

    private static String identifiers(Fields entry) {
        var names = entry.items("identifiers");
        return names.isEmpty() ? "-" : words(names);
    }

    private static String words(List<JsonValue> items) {
        return items.stream().map(HeldText::word).collect(Collectors.joining(", "));
    }

    private static String word(JsonValue value) {
        return safe(value instanceof Text(var text) ? text : value.json());
    }

    /// An event is shown as a whole, though it may be longer than a line of the log.
    private static String safe(String text) {
        var out = new StringBuilder(text.length() + 16);
        for (int from = 0; from < text.length(); ) {
            int to = Math.min(text.length(), from + PIECE);
            to -= to < text.length() && Character.isHighSurrogate(text.charAt(to - 1)) ? 1 : 0;
            out.append(SafeText.of(text.substring(from, to)));
            from = to;
        }
        return out.toString();
    }

    private static String text(Fields entry, String name, String otherwise) {
        return SafeText.of(entry.findText(name).orElse(otherwise));
    }

    private static String cut(String text, int length) {
        return text.substring(0, Math.min(length, text.length()));
    }

    /// All of an entry, a line for each thing.
    static String all(Fields entry) {
        return entry.fields().entrySet().stream()
                .map(field -> field.getKey().equals("secondsLeft")
                        ? pair("time left", left(entry))
                        : pair(NAMES.getOrDefault(field.getKey(), field.getKey()), value(field.getValue())))
                .collect(Collectors.joining("\n"));
    }

    /// Texts of any number stand in one line, objects in a line each.
    private static String value(JsonValue value) {
        return switch (value) {
            case JsonValue.Items(var items) when items.isEmpty() -> "none";
            case JsonValue.Items(var items) when items.stream().allMatch(Text.class::isInstance) -> words(items);
            case JsonValue.Items(var items) ->
                items.stream().map(HeldText::word).collect(Collectors.joining("\n" + " ".repeat(15)));
            case Text _, JsonValue.Digits _, JsonValue.Truth _, JsonValue.Nothing _, Fields _ -> word(value);
        };
    }

    private static String pair(String name, String value) {
        return String.format(Locale.ROOT, "%-15s%s", name, value);
    }
}
