package dev.grapnel.purgatory.hunt;

import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Identifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// The visits that go on, each until what it brought has been looked at; one at a time for an identifier and a URL
/// (P-650). One lock.
final class Fetches {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();
    private final Map<Identifier, Map<String, Fetch>> running = new HashMap<>();
    private final Set<Fetch> looks = new HashSet<>();

    /// Begins one, unless the same goes on.
    ///
    /// @param authors for whose sake
    Optional<Fetch> begin(Identifier identifier, HuntUrl url, long now, Lease lease, Set<PublicKey> authors) {
        lock.lock();
        try {
            var fetch = new Fetch(identifier, url, now, lease, authors, false);
            var here = running.computeIfAbsent(identifier, _ -> new LinkedHashMap<>());
            return here.putIfAbsent(url.text(), fetch) == null ? Optional.of(fetch) : Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /// Begins a look at refs, which is no fetch of its identifier.
    Fetch beginLook(Identifier identifier, HuntUrl url, long now, Lease lease) {
        lock.lock();
        try {
            var fetch = new Fetch(identifier, url, now, lease, Set.of(), true);
            looks.add(fetch);
            return fetch;
        } finally {
            lock.unlock();
        }
    }

    void end(Fetch fetch) {
        lock.lock();
        try {
            looks.remove(fetch);
            running.computeIfPresent(fetch.identifier, (_, here) -> {
                here.remove(fetch.url.text(), fetch);
                return here.isEmpty() ? null : here;
            });
            ended.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Whether a fetch runs that began before a moment (P-667).
    boolean isFetching(Identifier identifier, long before) {
        lock.lock();
        try {
            return of(identifier).stream().anyMatch(fetch -> fetch.since < before);
        } finally {
            lock.unlock();
        }
    }

    boolean isRunning(Identifier identifier, HuntUrl url) {
        lock.lock();
        try {
            return running.getOrDefault(identifier, Map.of()).containsKey(url.text());
        } finally {
            lock.unlock();
        }
    }

    int count(Identifier identifier) {
        lock.lock();
        try {
            return of(identifier).size();
        } finally {
            lock.unlock();
        }
    }

    /// What goes on for an identifier.
    List<Fetch> all(Identifier identifier) {
        lock.lock();
        try {
            return List.copyOf(of(identifier));
        } finally {
            lock.unlock();
        }
    }

    /// All that goes on.
    List<Fetch> all() {
        lock.lock();
        try {
            var all = new ArrayList<>(looks);
            running.values().forEach(here -> all.addAll(here.values()));
            return all;
        } finally {
            lock.unlock();
        }
    }

    /// Waits until nothing goes on.
    ///
    /// @return whether that came in time
    boolean awaitNone(Duration time) throws InterruptedException {
        lock.lock();
        try {
            long left = time.toNanos();
            while ((!running.isEmpty() || !looks.isEmpty()) && left > 0) {
                left = ended.awaitNanos(left);
            }
            return running.isEmpty() && looks.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    private Collection<Fetch> of(Identifier identifier) {
        return running.getOrDefault(identifier, Map.of()).values();
    }
}
