package dev.grapnel.nostr.fuzz;

import static dev.grapnel.nostr.fuzz.Oracle.require;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventDraft;
import dev.grapnel.nostr.event.Tag;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.filter.FilterLimits;
import dev.grapnel.nostr.filter.FilterReader;
import dev.grapnel.nostr.filter.ParsedFilter;
import dev.grapnel.nostr.key.SecretKey;
import java.math.BigInteger;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// Reads filters, writes them again, and matches them against a few events as the JSON tree says they should.
public final class FilterFuzz {
    private static final FilterLimits LIMITS = new FilterLimits(200, 25_000, 8, true);
    private static final FilterLimits NARROW = new FilterLimits(1, 2, 1, false);
    private static final int DEPTH_MAX = 32;

    private static final String ID = "00".repeat(31) + "01";
    private static final List<Event> EVENTS = List.of(
            event(0, 1, List.of()),
            event(1_700_000_000, 1111, List.of(List.of("e", ID), List.of("E", ID, "x"), List.of("t", "a\"\n"))),
            event(
                    1_700_000_001,
                    30_617,
                    List.of(List.of("d", "grapnel"), List.of("d"), List.of("d", ""), List.of("dd", "a"))));

    private FilterFuzz() {}

    public static void fuzzerTestOneInput(byte[] data) {
        FilterReader.read(data, NARROW, 2);
        switch (FilterReader.read(data, LIMITS, DEPTH_MAX)) {
            case ParsedFilter.Valid(var filter) -> {
                requireStable(filter);
                var tree = Oracle.tree(data);
                EVENTS.forEach(event -> require(filter.matches(event) == matches(tree, event), "matches " + event));
                require(!filter.isNever() || EVENTS.stream().noneMatch(filter::matches), "never, but matches");
            }
            case ParsedFilter.Refused _ -> Oracle.requireJson(data);
            case ParsedFilter.Unreadable _ -> {}
        }
    }

    private static void requireStable(Filter filter) {
        var json = filter.json();
        require(
                FilterReader.read(json.toArray(), LIMITS, DEPTH_MAX) instanceof ParsedFilter.Valid(var again)
                        && again.equals(filter)
                        && again.json().equals(json)
                        && again.hashCode() == filter.hashCode(),
                "the filter changes when it is written and read");
        require(filter.toBuilder().build().equals(filter), "the filter changes when it is rebuilt");
    }

    private static boolean matches(JsonNode filter, Event event) {
        return filter.properties().stream().allMatch(field -> holds(field.getKey(), field.getValue(), event));
    }

    private static boolean holds(String name, JsonNode value, Event event) {
        return switch (name) {
            case "ids" -> holdsText(value, event.id().toHex());
            case "authors" -> holdsText(value, event.author().toHex());
            case "kinds" -> value.valueStream().anyMatch(kind -> kind.intValue() == event.kind());
            case "since" -> value.bigIntegerValue().compareTo(BigInteger.valueOf(event.createdAt())) <= 0;
            case "until" -> value.bigIntegerValue().compareTo(BigInteger.valueOf(event.createdAt())) >= 0;
            case "limit", "search" -> true;
            default ->
                event.tags().stream()
                        .map(Tag::elements)
                        .anyMatch(tag ->
                                tag.size() > 1 && ("#" + tag.getFirst()).equals(name) && holdsText(value, tag.get(1)));
        };
    }

    private static boolean holdsText(JsonNode array, String text) {
        return array.valueStream().anyMatch(value -> value.stringValue().equals(text));
    }

    private static Event event(long createdAt, int kind, List<List<String>> tags) {
        var key = SecretKey.parse("00".repeat(31) + "03").require();
        return new EventDraft(createdAt, kind, tags, "").sign(key, Bytes.wrap(new byte[32]));
    }
}
