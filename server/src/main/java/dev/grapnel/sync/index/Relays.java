package dev.grapnel.sync.index;

import dev.grapnel.outbound.RemoteUrl;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/// The relays that somebody names or uses. An ordinal is for the life of the process, because links, health and marks
/// rest on it: when a relay is forgotten its name and its place are given back, its ordinal is not. If it is met again,
/// it has another one.
final class Relays {
    private final Map<Integer, RemoteUrl> urls = new TreeMap<>();
    /// By text, which is comparable: strangers choose these names, and hashes alone would not hold.
    private final Map<String, Integer> ordinals = new HashMap<>();

    private int next;

    int count() {
        return urls.size();
    }

    /// Those that are known now, ascending.
    List<Integer> all() {
        return List.copyOf(urls.keySet());
    }

    boolean isKnown(int relay) {
        return urls.containsKey(relay);
    }

    RemoteUrl url(int relay) {
        return Objects.requireNonNull(urls.get(relay), "whoever uses a relay keeps its name from being forgotten");
    }

    /// -1 if it is not known.
    int find(RemoteUrl url) {
        return ordinals.getOrDefault(url.text(), -1);
    }

    int intern(RemoteUrl url) {
        int known = find(url);
        return known >= 0 ? known : add(url);
    }

    /// Adds one that was not found.
    int add(RemoteUrl url) {
        int relay = next;
        next = Math.incrementExact(next);
        ordinals.put(url.text(), relay);
        urls.put(relay, url);
        return relay;
    }

    void forget(int relay) {
        ordinals.remove(url(relay).text());
        urls.remove(relay);
    }
}
