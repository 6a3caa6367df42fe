package dev.grapnel.sync.index;

import dev.grapnel.outbound.RemoteUrl;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The relays that were ever met. An ordinal is for the life of the process: links, health and marks rest on
/// it.
final class Relays {
    private final List<RemoteUrl> urls = new ArrayList<>();
    /// By text, which is comparable: strangers choose these names, and hashes alone would not hold.
    private final Map<String, Integer> ordinals = new HashMap<>();

    int count() {
        return urls.size();
    }

    RemoteUrl url(int relay) {
        return urls.get(relay);
    }

    /// -1 if it was never met.
    int find(RemoteUrl url) {
        return ordinals.getOrDefault(url.text(), -1);
    }

    int intern(RemoteUrl url) {
        int known = find(url);
        if (known >= 0) {
            return known;
        }
        ordinals.put(url.text(), urls.size());
        urls.add(url);
        return urls.size() - 1;
    }
}
