package dev.grapnel.bench;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.RepositoryAddress;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// What a [Community] leaves behind to ask for, so that the shapes of relay 7.2 can be filled with values
/// that occur. Each list holds as many as asked for, at most [#MAX], and fewer if there are fewer.
public final class Landmarks {
    /// Most values of one sort that are kept.
    public static final int MAX = 2000;

    private final Map<Popularity, List<PublicKey>> authors;
    private final Map<Popularity, List<RepositoryAddress>> repositories;
    private final Map<Popularity, List<EventId>> roots;
    private final List<EventId> recentRoots;
    private final List<EventId> recentEvents;

    /// All but the recent are rankings, the most popular first.
    Landmarks(
            List<PublicKey> authors,
            List<RepositoryAddress> repositories,
            List<EventId> roots,
            List<EventId> recentRoots,
            List<EventId> recentEvents) {
        this.authors = parts(authors);
        this.repositories = parts(repositories);
        this.roots = parts(roots);
        this.recentRoots = List.copyOf(recentRoots);
        this.recentEvents = List.copyOf(recentEvents);
    }

    /// Authors who write much or little.
    public List<PublicKey> authors(Popularity popularity, int count) {
        return first(authors, popularity, count);
    }

    /// Repositories about which much or little is written.
    public List<RepositoryAddress> repositories(Popularity popularity, int count) {
        return first(repositories, popularity, count);
    }

    /// Values of `a` tags: coordinates of repositories.
    public List<String> coordinates(Popularity popularity, int count) {
        return repositories(popularity, count).stream()
                .map(RepositoryAddress::toString)
                .toList();
    }

    /// Values of `d` tags; some belong to several repositories.
    public List<String> identifiers(Popularity popularity, int count) {
        return repositories(popularity, MAX).stream()
                .map(repository -> repository.identifier().text())
                .distinct()
                .limit(count)
                .toList();
    }

    /// Issues, patches and pull requests with many or few answers.
    public List<EventId> roots(Popularity popularity, int count) {
        return first(roots, popularity, count);
    }

    /// Issues, patches and pull requests, newest first.
    public List<EventId> recentRoots(int count) {
        return recentRoots.stream().limit(count).toList();
    }

    /// Events of any kind but deletions, newest first.
    public List<EventId> recentEvents(int count) {
        return recentEvents.stream().limit(count).toList();
    }

    private static <T> Map<Popularity, List<T>> parts(List<T> ranking) {
        var parts = new EnumMap<Popularity, List<T>>(Popularity.class);
        Stream.of(Popularity.values()).forEach(popularity -> parts.put(popularity, popularity.of(ranking, MAX)));
        return parts;
    }

    private static <T> List<T> first(Map<Popularity, List<T>> parts, Popularity popularity, int count) {
        return popularity.of(parts.getOrDefault(popularity, List.of()), count);
    }
}
