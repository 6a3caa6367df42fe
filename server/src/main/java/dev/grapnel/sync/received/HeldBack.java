package dev.grapnel.sync.received;

import dev.grapnel.nostr.repository.RepositoryAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/// The repositories whose announcements wait and have kept older versions out: keys `unheld` can only be told when the
/// repositories are known, and of refused events only hashes are kept. There are no more of them than announcements
/// wait, but for what has not been noticed yet.
final class HeldBack {
    private static final int MAX = 50_000;

    private final KeyHash hashes;
    private final Map<String, TreeSet<RepositoryAddress>> byIdentifier = new TreeMap<>();
    private final Map<Long, RepositoryAddress> byKey = new HashMap<>();

    HeldBack(KeyHash hashes) {
        this.hashes = hashes;
    }

    /// Notes a repository; false if there are too many, and what waits for it must not be kept.
    boolean add(RepositoryAddress repository) {
        long key = key(repository);
        if (byKey.size() >= MAX && !byKey.containsKey(key)) {
            return false;
        }
        byKey.put(key, repository);
        byIdentifier
                .computeIfAbsent(repository.identifier().text(), _ -> new TreeSet<>())
                .add(repository);
        return true;
    }

    void remove(RepositoryAddress repository) {
        byKey.remove(key(repository));
        var identifier = repository.identifier().text();
        var namesakes = byIdentifier.get(identifier);
        if (namesakes != null && namesakes.remove(repository) && namesakes.isEmpty()) {
            byIdentifier.remove(identifier);
        }
    }

    /// The repositories of an identifier, ascending.
    List<RepositoryAddress> of(String identifier) {
        var namesakes = byIdentifier.get(identifier);
        return namesakes == null ? List.of() : List.copyOf(namesakes);
    }

    /// The identifiers of all of them, ascending.
    List<String> identifiers() {
        return List.copyOf(byIdentifier.keySet());
    }

    Optional<RepositoryAddress> find(long key) {
        return Optional.ofNullable(byKey.get(key));
    }

    long key(RepositoryAddress repository) {
        return hashes.of(new Dependency.Unheld(repository));
    }
}
