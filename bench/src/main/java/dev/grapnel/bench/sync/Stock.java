package dev.grapnel.bench.sync;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.negentropy.NegentropyItems;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;

/// What all relays of a measurement have together, found by id and by tag. Used by one thread.
final class Stock {
    private static final int ITEMS_MAX = 1_000_000;

    private final List<Entry> entries = new ArrayList<>();
    private final Map<EventId, Integer> byId = new HashMap<>();
    private final Map<String, int[]> byTag = new HashMap<>();
    private final Map<String, Integer> counts = new HashMap<>();

    /// An event.
    ///
    /// @param repo the repository that it is about
    record Entry(Event event, int repo) {
        /// As it is sent.
        byte[] json() {
            return event.json().toArray();
        }

        /// Letters and values by which filters find it.
        List<String> keys() {
            var keys = new ArrayList<String>();
            event.tags().stream()
                    .filter(tag -> tag.name().length() == 1 && "aAeEq".contains(tag.name()))
                    .forEach(tag -> keys.add(tag.name() + tag.element(1)));
            return keys;
        }
    }

    /// Adds one.
    ///
    /// @return its number
    int add(Entry entry) {
        int number = entries.size();
        entries.add(entry);
        byId.put(entry.event().id(), number);
        entry.keys().forEach(key -> append(key, number));
        return number;
    }

    private void append(String key, int number) {
        int count = counts.merge(key, 1, Integer::sum);
        var list = byTag.getOrDefault(key, new int[2]);
        if (count > list.length) {
            list = Arrays.copyOf(list, list.length * 2);
        }
        list[count - 1] = number;
        byTag.put(key, list);
    }

    int size() {
        return entries.size();
    }

    Entry get(int number) {
        return entries.get(number);
    }

    /// The newest that match, as many as the filter wants.
    ///
    /// @param isHere whether a relay has it
    List<Entry> find(Filter filter, IntPredicate isHere) {
        var found = new ArrayList<Entry>();
        candidates(filter).forEach(number -> {
            if (isHere.test(number) && filter.matches(entries.get(number).event())) {
                found.add(entries.get(number));
            }
        });
        found.sort((left, right) ->
                Long.compare(right.event().createdAt(), left.event().createdAt()));
        int most = (int) Math.min(found.size(), filter.limit().orElse(Integer.MAX_VALUE));
        return found.subList(0, most);
    }

    /// All that match, for a comparison.
    NegentropyItems items(Filter filter, IntPredicate isHere) {
        var found = find(filter, isHere);
        var items = NegentropyItems.builder(found.size(), ITEMS_MAX);
        found.forEach(
                entry -> items.add(entry.event().createdAt(), entry.event().id()));
        return items.seal();
    }

    private Set<Integer> candidates(Filter filter) {
        var numbers = new TreeSet<Integer>();
        filter.ids()
                .ifPresent(ids -> ids.forEach(id -> {
                    var number = byId.get(id);
                    if (number != null) {
                        numbers.add(number);
                    }
                }));
        for (var tag : filter.tags()) {
            for (var value : tag.values().toList()) {
                var key = tag.letter() + value;
                int count = counts.getOrDefault(key, 0);
                for (int i = 0; i < count; i++) {
                    numbers.add(Objects.requireNonNull(byTag.get(key))[i]);
                }
            }
        }
        return numbers;
    }
}
