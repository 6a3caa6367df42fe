package dev.grapnel.purgatory.hunt;

import dev.grapnel.nostr.repository.Identifier;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// Where something was seen for an identifier: asked first when it is hunted for (P-613). Of bounded size; one lock.
final class Preferred {
    private static final int MOST = 1000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Identifier, String> urls = new Recent<>(MOST, (_, _) -> {});

    void put(Identifier identifier, HuntUrl url) {
        lock.lock();
        try {
            urls.put(identifier, url.text());
        } finally {
            lock.unlock();
        }
    }

    Optional<String> find(Identifier identifier) {
        lock.lock();
        try {
            return Optional.ofNullable(urls.get(identifier));
        } finally {
            lock.unlock();
        }
    }
}
