package dev.grapnel.bench;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.RepositoryAddress;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/// Finds [Landmarks] by looking at events, for those that no [Community] of ours has written.
public final class Survey {
    private static final Set<Integer> ROOTS = Set.of(Kinds.PATCH, Kinds.PULL_REQUEST, Kinds.ISSUE);

    private final Map<PublicKey, Integer> authors = new HashMap<>();
    private final Map<RepositoryAddress, Integer> repositories = new HashMap<>();
    private final Map<EventId, Integer> roots = new HashMap<>();
    private final Ring<EventId> recentRoots = new Ring<>(Landmarks.MAX);
    private final Ring<EventId> recentEvents = new Ring<>(Landmarks.MAX);

    /// Looks at an event; those it names come before it.
    public void add(Event event) {
        authors.merge(event.author(), 1, Integer::sum);
        if (event.kind() != Kinds.DELETION) {
            recentEvents.add(event.id());
        }
        if (event.kind() == Kinds.ANNOUNCEMENT) {
            event.findAddress()
                    .flatMap(address ->
                            RepositoryAddress.parse(address.toString()).find())
                    .ifPresent(address -> repositories.putIfAbsent(address, 0));
        }
        if (ROOTS.contains(event.kind())) {
            recentRoots.add(event.id());
            roots.putIfAbsent(event.id(), 0);
        }
        named(event, "a", value -> RepositoryAddress.parse(value).find().stream())
                .forEach(address -> repositories.computeIfPresent(address, (_, count) -> count + 1));
        Stream.concat(
                        named(event, "e", value -> EventId.parse(value).find().stream()),
                        named(event, "E", value -> EventId.parse(value).find().stream()))
                .distinct()
                .forEach(id -> roots.computeIfPresent(id, (_, count) -> count + 1));
    }

    private static <T> Stream<T> named(Event event, String tag, Function<String, Stream<T>> parse) {
        return event.tags().values(tag).stream().flatMap(parse).distinct();
    }

    /// What is worth asking for.
    public Landmarks landmarks() {
        return new Landmarks(
                ranking(authors), ranking(repositories), ranking(roots), recentRoots.toList(), recentEvents.toList());
    }

    private static <T extends Comparable<? super T>> List<T> ranking(Map<T, Integer> counts) {
        return counts.entrySet().stream()
                .sorted(Comparator.comparingInt((Map.Entry<T, Integer> entry) -> -entry.getValue())
                        .thenComparing(Map.Entry::getKey))
                .map(Map.Entry::getKey)
                .toList();
    }
}
