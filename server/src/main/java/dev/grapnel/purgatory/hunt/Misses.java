package dev.grapnel.purgatory.hunt;

import dev.grapnel.nostr.repository.Oid;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/// Ids that a server did not have although it was asked (P-662): worth nothing once its refs have changed. One lock.
final class Misses {
    /// Most ids of one URL; more would be asked for again, two a visit.
    private static final int IDS_MAX = 256;

    private final ReentrantLock lock = new ReentrantLock();
    private Map<String, Known> urls;
    private HuntConfig.Guesses limits;

    /// @param fingerprint of the advertisement they were missing with
    /// @param ids with the moment each was asked for
    private record Known(String fingerprint, LinkedHashMap<Oid, Long> ids) {}

    Misses(HuntConfig.Guesses limits) {
        this.limits = limits;
        this.urls = new Recent<>(limits.missUrls(), (_, _) -> {});
    }

    /// Other limits; what is known is kept as far as it has room.
    void change(HuntConfig.Guesses other) {
        lock.lock();
        try {
            var kept = new Recent<String, Known>(other.missUrls(), (_, _) -> {});
            kept.putAll(urls);
            urls = kept;
            limits = other;
        } finally {
            lock.unlock();
        }
    }

    void add(String url, String fingerprint, Collection<Oid> ids, long now) {
        lock.lock();
        try {
            var known = urls.get(url);
            if (known == null || !known.fingerprint().equals(fingerprint)) {
                known = new Known(fingerprint, new LinkedHashMap<>());
                urls.put(url, known);
            }
            for (var id : ids) {
                known.ids().remove(id);
                known.ids().put(id, now);
            }
            while (known.ids().size() > IDS_MAX) {
                var _ = known.ids().pollFirstEntry();
            }
        } finally {
            lock.unlock();
        }
    }

    /// What need not be asked for again; nothing is known once the refs there are others.
    Set<Oid> of(String url, String fingerprint, long now) {
        lock.lock();
        try {
            var known = urls.get(url);
            if (known == null || !known.fingerprint().equals(fingerprint)) {
                return Set.of();
            }
            known.ids().values().removeIf(at -> now - at >= limits.missTime().toMillis());
            return new HashSet<>(known.ids().keySet());
        } finally {
            lock.unlock();
        }
    }

    int urls() {
        lock.lock();
        try {
            return urls.size();
        } finally {
            lock.unlock();
        }
    }
}
