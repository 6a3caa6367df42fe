package dev.grapnel.server.ops;

import dev.grapnel.nostr.url.Host;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/// Names for domains in metrics: strangers invent host names, so only few have one, and all others share one. A
/// domain gets its name when it has been asked often enough to matter. Safe for threads.
final class DomainLabels {
    static final String OTHER = "other";

    private static final int NAMES_MAX = 50;
    private static final int OFTEN = 3;
    private static final int SEEN_MAX = 1_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Host, Integer> seen = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Host, Integer> eldest) {
            return size() > SEEN_MAX;
        }
    };
    private final Map<Host, String> names = new LinkedHashMap<>();

    /// The name of a domain that was asked just now.
    String count(Host domain) {
        lock.lock();
        try {
            var name = names.get(domain);
            if (name == null && names.size() < NAMES_MAX && seen.merge(domain, 1, Integer::sum) >= OFTEN) {
                name = domain.toString();
                names.put(domain, name);
                seen.remove(domain);
            }
            return name == null ? OTHER : name;
        } finally {
            lock.unlock();
        }
    }

    /// The name of a domain.
    String find(Host domain) {
        lock.lock();
        try {
            return names.getOrDefault(domain, OTHER);
        } finally {
            lock.unlock();
        }
    }
}
