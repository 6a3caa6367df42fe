package dev.grapnel.command;

import dev.grapnel.log.SafeText;
import dev.grapnel.server.control.JsonValue;
import dev.grapnel.server.control.JsonValue.Fields;
import dev.grapnel.server.ops.RelayWords;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Relays that are followed, as people read about them.
final class SyncText {
    private SyncText() {}

    /// A row each, and how many there are.
    static List<String> table(List<Fields> rows) {
        var lines = new ArrayList<String>();
        if (!rows.isEmpty()) {
            lines.add(format("RELAY", "STATE", "HEALTH", "REPOS", "LAG", "LIVE", "WAITING", "TROUBLE"));
        }
        rows.forEach(row -> lines.add(format(
                text(row, "relay"),
                text(row, "state"),
                text(row, "status"),
                Figures.number(number(row, "full")),
                lag(row),
                Figures.number(number(row, "liveFilters")),
                Figures.number(number(row, "batches")),
                trouble(row))));
        long unwell = rows.stream().filter(row -> !row.isTrue("well")).count();
        lines.add(Figures.count(rows.size(), "relay") + " followed"
                + (unwell == 0 ? "" : ", " + Figures.number(unwell) + " to look at"));
        return lines;
    }

    private static String format(String... cells) {
        return String.format(Locale.ROOT, "%-36s %-23s %-14s %6s %10s %5s %7s  %s", (Object[]) cells)
                .stripTrailing();
    }

    private static String lag(Fields row) {
        var lag = row.findNumber("lagSeconds");
        return lag.isPresent() ? RelayWords.span(Duration.ofSeconds(lag.getAsLong())) : "never";
    }

    private static String trouble(Fields row) {
        return row.items("troubles").stream()
                .findFirst()
                .map(item -> text((Fields) item, "words"))
                .or(() -> row.findText("earlier").map(SafeText::of))
                .orElse("");
    }

    /// All that is known of one.
    static List<String> whole(Fields row) {
        var lines = new ArrayList<String>();
        lines.add(text(row, "relay") + ": " + text(row, "state") + ", " + text(row, "status") + role(row));
        line(
                lines,
                "repositories",
                Figures.number(number(row, "full")) + " in full, "
                        + Figures.number(number(row, "repositories") - number(row, "full")) + " that still wait");
        line(lines, "complete until", row.findNumber("lagSeconds").isPresent() ? lag(row) + " ago" : "never yet");
        row.findText("nextTry").ifPresent(words -> line(lines, "next try", SafeText.of(words)));
        line(
                lines,
                "failures",
                Figures.number(number(row, "failures")) + " in a row, "
                        + Figures.count(number(row, "connections"), "connection") + " since the start");
        row.findText("reason").ifPresent(words -> line(lines, "left because", SafeText.of(words)));
        line(lines, "awaited", awaited(row));
        line(
                lines,
                "streamed",
                Figures.count(number(row, "liveFilters"), "filter") + " of up to "
                        + Figures.count(number(row, "filterWidth"), "value"));
        line(lines, "not streamed", text(row, "givenUpWords") + swept(row));
        line(lines, "subscriptions", slots(row.findFields("slots").orElse(new Fields(Map.of()))));
        line(lines, "requests", rate(row) + cooling(row));
        for (var item : row.items("limits")) {
            var limit = (Fields) item;
            line(lines, "found out", text(limit, "words") + ", until " + text(limit, "until"));
        }
        for (var item : row.items("troubles")) {
            line(lines, "trouble", text((Fields) item, "words"));
        }
        row.findText("earlier").ifPresent(words -> line(lines, "trouble", SafeText.of(words)));
        return lines;
    }

    private static String role(Fields row) {
        if (row.isTrue("bootstrap")) {
            return " (bootstrap)";
        }
        return row.isTrue("configured") ? " (configured)" : "";
    }

    private static String awaited(Fields row) {
        long parked = number(row, "parked");
        var oldest = row.findNumber("oldestBatchSeconds");
        return batches(number(row, "batches") - parked) + ", "
                + Figures.number(parked) + " to be tried again"
                + (oldest.isPresent()
                        ? ", the oldest for " + RelayWords.span(Duration.ofSeconds(oldest.getAsLong()))
                        : "")
                + "; " + Figures.count(number(row, "undecided"), "event") + " to be judged";
    }

    private static String batches(long count) {
        return Figures.number(count) + (count == 1 ? " batch" : " batches");
    }

    private static String swept(Fields row) {
        var pass = row.findNumber("oldestPassSeconds");
        return (number(row, "sweptItems") > 0 ? " (" + Figures.count(number(row, "sweptItems"), "value") + ")" : "")
                + (pass.isPresent()
                        ? ", last looked for " + RelayWords.span(Duration.ofSeconds(pass.getAsLong())) + " ago"
                        : "");
    }

    private static String slots(Fields slots) {
        return number(slots, "live") + " live, " + number(slots, "historic") + " for what is stored, "
                + number(slots, "negentropy") + " comparing; at most " + number(slots, "limit");
    }

    private static String rate(Fields row) {
        return row.fields().get("requestsPerSecond") instanceof JsonValue.Digits(var digits) && !digits.equals("0")
                ? "up to " + digits + " a second"
                : "none since the start";
    }

    private static String cooling(Fields row) {
        long seconds = number(row, "coolingSeconds");
        return seconds > 0 ? ", none for " + RelayWords.span(Duration.ofSeconds(seconds)) + " more" : "";
    }

    private static void line(List<String> lines, String name, String value) {
        lines.add(String.format(Locale.ROOT, "  %-15s%s", name, value));
    }

    private static String text(Fields row, String name) {
        return SafeText.of(row.findText(name).orElse("?"));
    }

    private static long number(Fields row, String name) {
        return row.findNumber(name).orElse(0);
    }
}
