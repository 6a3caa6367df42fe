package dev.grapnel.purgatory;

import dev.grapnel.nostr.repository.Identifier;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// One lock for each identifier: whoever changes repositories of that name, or decides about them and the
/// store together, holds it. Several are taken in ascending order. The store's writer takes none, so
/// whoever holds one may wait for the store, but for no network.
public final class IdentifierLocks {
    /// A lock and how many want it: it exists as long as somebody does.
    private static final class Shared {
        private final ReentrantLock lock = new ReentrantLock();
        private int users;
    }

    private final ReentrantLock guard = new ReentrantLock();
    private final TreeMap<Identifier, Shared> locks = new TreeMap<>();

    /// Does something while nobody else does for any of these.
    public <T> T holding(Collection<Identifier> identifiers, Supplier<T> work) {
        var sorted = List.copyOf(new TreeSet<>(identifiers));
        int taken = 0;
        try {
            for (var identifier : sorted) {
                take(identifier).lock.lock();
                taken++;
            }
            return work.get();
        } finally {
            sorted.subList(0, taken).reversed().forEach(this::release);
        }
    }

    private Shared take(Identifier identifier) {
        guard.lock();
        try {
            var shared = locks.computeIfAbsent(identifier, _ -> new Shared());
            shared.users++;
            return shared;
        } finally {
            guard.unlock();
        }
    }

    private void release(Identifier identifier) {
        guard.lock();
        try {
            var shared = locks.get(identifier);
            if (shared == null) {
                throw new IllegalStateException("released without being taken");
            }
            shared.lock.unlock();
            shared.users--;
            if (shared.users == 0) {
                locks.remove(identifier);
            }
        } finally {
            guard.unlock();
        }
    }

    /// How many have or want the lock of one.
    int wantedBy(Identifier identifier) {
        guard.lock();
        try {
            var shared = locks.get(identifier);
            return shared == null ? 0 : shared.users;
        } finally {
            guard.unlock();
        }
    }

    /// How many are taken or wanted.
    int size() {
        guard.lock();
        try {
            return locks.size();
        } finally {
            guard.unlock();
        }
    }
}
