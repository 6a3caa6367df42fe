package dev.grapnel.server;

import static dev.grapnel.server.Replies.quoted;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.store.StoreSamples;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Random questions about random events get what a plain reading of relay 3 says, stored and live.
final class RandomFilterTest {
    private static final int EVENTS = 200;
    private static final int QUESTIONS = Integer.getInteger("grapnel.filter.questions", 150);
    private static final int END = 9;
    private static final long TIME = 1_700_000_000;
    private static final List<String> LETTERS = List.of("t", "T", "e", "p", "d", "q", "K");
    private static final List<String> VALUES = List.of("x", "X", "", "ü\uD83D\uDE00", "a\0", "a", "v".repeat(500));

    /// A filter, read slowly.
    ///
    /// @param lists by key; only those that are present
    private record PlainFilter(
            Map<String, List<String>> lists, OptionalLong since, OptionalLong until, OptionalLong limit) {
        boolean matches(Event event) {
            return lists.entrySet().stream().allMatch(list -> meets(event, list.getKey(), list.getValue()))
                    && event.createdAt() >= since.orElse(0)
                    && event.createdAt() <= until.orElse(Long.MAX_VALUE);
        }

        private static boolean meets(Event event, String key, List<String> values) {
            return switch (key) {
                case "ids" -> values.contains(event.id().toString());
                case "authors" -> values.contains(event.author().toString());
                case "kinds" -> values.contains(Integer.toString(event.kind()));
                default ->
                    event.tags().stream()
                            .anyMatch(tag -> tag.elements().size() > 1
                                    && tag.elements().get(0).equals(key.substring(1))
                                    && values.contains(tag.elements().get(1)));
            };
        }

        List<Event> top(List<Event> newestFirst) {
            return newestFirst.stream()
                    .filter(this::matches)
                    .limit(limit.orElse(5_000))
                    .toList();
        }

        String json() {
            var fields = new LinkedHashMap<String, String>();
            lists.forEach((key, values) -> fields.put(
                    key,
                    values.stream()
                            .map(value -> key.equals("kinds") ? value : quoted(value))
                            .collect(Collectors.joining(",", "[", "]"))));
            since.ifPresent(value -> fields.put("since", Long.toString(value)));
            until.ifPresent(value -> fields.put("until", Long.toString(value)));
            limit.ifPresent(value -> fields.put("limit", Long.toString(value)));
            return fields.entrySet().stream()
                    .map(field -> quoted(field.getKey()) + ":" + field.getValue())
                    .collect(Collectors.joining(",", "{", "}"));
        }
    }

    /// Makes events and filters that meet often.
    private static final class Chance {
        private final Random random;
        private final List<Event> events = new ArrayList<>();

        Chance(long seed) {
            random = new Random(seed);
            while (events.size() < EVENTS) {
                events.add(event(events.size()));
            }
        }

        private Event event(int number) {
            var tags = new ArrayList<List<String>>();
            int kind = List.of(1, 7, 1000, 30_000).get(random.nextInt(4));
            if (kind == 30_000) {
                tags.add(List.of("d", "number " + number));
            }
            while (random.nextInt(3) > 0) {
                var letter = any(LETTERS);
                var tag = new ArrayList<>(List.of(letter));
                for (int i = random.nextInt(3); i > 0; i--) {
                    tag.add(value("#" + letter));
                }
                tags.add(tag);
            }
            return StoreSamples.event(random.nextInt(5), kind, TIME + random.nextInt(20), tags, "number " + number);
        }

        private <T> T any(List<T> list) {
            return list.get(random.nextInt(list.size()));
        }

        private String value(String key) {
            return switch (key) {
                case "ids" -> any(events).id().toString();
                case "authors" -> StoreSamples.author(random.nextInt(6)).toString();
                case "kinds" -> Integer.toString(any(List.of(1, 7, 1000, 30_000, 0)));
                case "#e", "#p" ->
                    events.isEmpty() || random.nextInt(3) == 0
                            ? StoreSamples.author(random.nextInt(3)).toString()
                            : events.get(random.nextInt(Math.min(5, events.size())))
                                    .id()
                                    .toString();
                default -> any(VALUES);
            };
        }

        PlainFilter filter() {
            var lists = new TreeMap<String, List<String>>();
            for (int i = random.nextInt(4); i > 0; i--) {
                var key = any(List.of("ids", "authors", "kinds", "#" + any(LETTERS), "#" + any(LETTERS)));
                int most = key.equals("ids") ? 40 : 4;
                lists.put(
                        key,
                        IntStream.range(0, random.nextInt(most + 1))
                                .mapToObj(_ -> value(key))
                                .toList());
            }
            return new PlainFilter(lists, second(), second(), maybe(3, random.nextInt(12)));
        }

        private OptionalLong second() {
            return maybe(4, TIME + random.nextInt(20));
        }

        private OptionalLong maybe(int odds, long value) {
            return random.nextInt(odds) == 0 ? OptionalLong.of(value) : OptionalLong.empty();
        }

        List<PlainFilter> filters() {
            return IntStream.range(0, 1 + random.nextInt(3))
                    .mapToObj(_ -> filter())
                    .toList();
        }
    }

    private static String[] json(List<PlainFilter> filters) {
        return filters.stream().map(PlainFilter::json).toArray(String[]::new);
    }

    @ParameterizedTest // row 83
    @ValueSource(longs = {1, 2})
    void equalsAPlainReading(long seed) throws Exception {
        var chance = new Chance(seed);
        var subscriptions = new LinkedHashMap<String, List<PlainFilter>>();
        for (int i = 0; i < QUESTIONS; i++) {
            subscriptions.put("s" + i, chance.filters());
        }
        try (var relay = RelayUnderTest.start();
                var publisher = relay.connect();
                var listener = relay.connect()) {
            for (var subscription : subscriptions.entrySet()) {
                assertEquals(List.of(), listener.subscribe(subscription.getKey(), json(subscription.getValue())));
            }
            listener.subscribe("end", "{\"kinds\":[" + END + "]}");
            for (var event : chance.events) {
                publisher.publishOk(event);
            }
            assertStored(subscriptions, chance.events, publisher, seed);
            publisher.publishOk(StoreSamples.event(9, END, TIME - 1, List.of(), "end"));
            assertLive(subscriptions, chance.events, listener, seed);
        }
    }

    private static void assertLive(
            Map<String, List<PlainFilter>> subscriptions, List<Event> events, RelayClient listener, long seed)
            throws Exception {
        var heard = new LinkedHashMap<String, List<Event>>();
        while (listener.message() instanceof RelayMessage.Delivery(var id, var event)) {
            if (id.text().equals("end")) {
                break;
            }
            heard.computeIfAbsent(id.text(), _ -> new ArrayList<>()).add(event);
        }
        heard.values().forEach(list -> list.removeIf(event -> event.kind() == END));
        subscriptions.forEach((id, filters) -> assertEquals(
                events.stream()
                        .filter(event -> filters.stream().anyMatch(filter -> filter.matches(event)))
                        .toList(),
                heard.getOrDefault(id, List.of()),
                () -> "live, seed " + seed + ": " + String.join(",", json(filters))));
    }

    private static void assertStored(
            Map<String, List<PlainFilter>> questions, List<Event> events, RelayClient client, long seed)
            throws Exception {
        var newestFirst = new ArrayList<>(events);
        newestFirst.sort(Comparator.comparingLong(Event::createdAt)
                .reversed()
                .thenComparing(event -> event.id().toString()));
        for (var filters : questions.values()) {
            Set<Event> tops = new HashSet<>();
            filters.forEach(filter -> tops.addAll(filter.top(newestFirst)));
            assertEquals(
                    newestFirst.stream().filter(tops::contains).toList(),
                    client.events(json(filters)),
                    () -> "stored, seed " + seed + ": " + String.join(",", json(filters)));
        }
    }
}
