package dev.grapnel.server.ops;

import dev.grapnel.nostr.url.Host;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// Names for domains in metrics: strangers invent host names, so only the busiest have one, and all others share one. A
/// domain gets its name when it has been asked often enough to matter, and takes another's place when it is asked twice
/// as often: series that come and go with every request would tell nobody anything. Safe for threads.
final class DomainLabels {
    static final String OTHER = "other";

    private static final int NAMES_MAX = 50;
    private static final int OFTEN = 3;
    private static final int SEEN_MAX = 1_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Host, Long> seen = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Host, Long> eldest) {
            return size() > SEEN_MAX;
        }
    };
    private final Map<Host, Long> named = new HashMap<>();

    /// How a domain is called.
    ///
    /// @param displaced the name that was taken away for it
    record Counted(String name, Optional<String> displaced) {}

    /// The name of a domain that was asked just now.
    Counted count(Host domain) {
        lock.lock();
        try {
            if (named.computeIfPresent(domain, (_, count) -> count + 1) != null) {
                return new Counted(domain.toString(), Optional.empty());
            }
            long count = seen.merge(domain, 1L, Long::sum);
            if (count < OFTEN) {
                return new Counted(OTHER, Optional.empty());
            }
            return named.size() < NAMES_MAX ? name(domain, count) : nameInsteadOfAnother(domain, count);
        } finally {
            lock.unlock();
        }
    }

    private Counted name(Host domain, long count) {
        seen.remove(domain);
        named.put(domain, count);
        return new Counted(domain.toString(), Optional.empty());
    }

    private Counted nameInsteadOfAnother(Host domain, long count) {
        var least = named.entrySet().stream().min(Map.Entry.comparingByValue()).orElseThrow();
        if (count <= 2 * least.getValue()) {
            return new Counted(OTHER, Optional.empty());
        }
        var displaced = least.getKey();
        seen.put(displaced, least.getValue());
        named.remove(displaced);
        return new Counted(name(domain, count).name(), Optional.of(displaced.toString()));
    }

    /// The name of a domain.
    String find(Host domain) {
        lock.lock();
        try {
            return named.containsKey(domain) ? domain.toString() : OTHER;
        } finally {
            lock.unlock();
        }
    }
}
