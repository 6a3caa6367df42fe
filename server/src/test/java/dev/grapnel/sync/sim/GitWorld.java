package dev.grapnel.sync.sim;

import dev.grapnel.nostr.repository.Oid;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// Which git host has which objects. Pretended: an object is a name, and what it reaches comes with it.
final class GitWorld {
    private final Map<String, Set<Oid>> hosts = new LinkedHashMap<>();
    private final Set<String> away = new TreeSet<>();

    /// A host has something from now on.
    void put(String host, Collection<Oid> objects) {
        hosts.computeIfAbsent(host, _ -> new TreeSet<>()).addAll(objects);
    }

    boolean has(String host, Oid object) {
        var objects = hosts.get(host);
        return objects != null && objects.contains(object);
    }

    /// Whether a host answers.
    void setAway(String host, boolean isAway) {
        if (isAway) {
            away.add(host);
        } else {
            away.remove(host);
        }
    }

    /// Whether one of some hosts has it and answers.
    boolean isAtOneOf(Collection<String> some, Oid object) {
        return some.stream().anyMatch(host -> !away.contains(host) && has(host, object));
    }

    /// Whether anybody has it.
    boolean isAnywhere(Oid object) {
        return hosts.values().stream().anyMatch(objects -> objects.contains(object));
    }
}
