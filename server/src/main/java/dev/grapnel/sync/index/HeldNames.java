package dev.grapnel.sync.index;

import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;

/// The repositories whose announcements wait and never were served, by ordinal. Strangers invent them at will, so these
/// names go when their announcements do.
final class HeldNames {
    private final Map<Integer, RepositoryAddress> addresses = new HashMap<>();
    /// By text, which is comparable: strangers choose these names, and hashes alone would not hold.
    private final Map<String, Integer> ordinals = new HashMap<>();

    private final Map<String, SortedSet<Integer>> namesakes = new HashMap<>();

    int count() {
        return addresses.size();
    }

    boolean has(int repo) {
        return addresses.containsKey(repo);
    }

    /// -1 if it is none of them.
    int find(RepositoryAddress address) {
        return ordinals.getOrDefault(address.toString(), -1);
    }

    RepositoryAddress address(int repo) {
        return Objects.requireNonNull(addresses.get(repo), "whoever uses a repository keeps its name");
    }

    /// Those with an identifier, ascending.
    SortedSet<Integer> of(Identifier identifier) {
        return namesakes.getOrDefault(identifier.text(), Collections.emptySortedSet());
    }

    /// Adds one that was not found.
    void add(int repo, RepositoryAddress address) {
        addresses.put(repo, address);
        ordinals.put(address.toString(), repo);
        namesakes
                .computeIfAbsent(address.identifier().text(), _ -> new TreeSet<>())
                .add(repo);
    }

    /// Takes one out.
    ///
    /// @return whether it was here
    boolean remove(int repo) {
        var address = addresses.remove(repo);
        if (address == null) {
            return false;
        }
        ordinals.remove(address.toString());
        namesakes.computeIfPresent(address.identifier().text(), (_, repos) -> {
            repos.remove(repo);
            return repos.isEmpty() ? null : repos;
        });
        return true;
    }
}
