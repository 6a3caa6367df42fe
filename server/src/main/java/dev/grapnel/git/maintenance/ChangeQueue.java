package dev.grapnel.git.maintenance;

import dev.grapnel.nostr.repository.RepositoryAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/// Repositories that changed and were not visited since. Times are those of a clock that never goes back.
///
/// Not safe for threads: its owner has the lock.
final class ChangeQueue {
    private static final int PATIENCE = 10;

    private final long quiet;
    private final int changesMax;
    private final int queueMax;

    /// In the order of the last change. Addresses can be compared, so no stranger can make this slow.
    private final Map<RepositoryAddress, Change> changes = new LinkedHashMap<>();

    private record Change(long first, long last, int count) {}

    ChangeQueue(MaintenanceConfig config) {
        this.quiet = config.quiet().toNanos();
        this.changesMax = config.changesMax();
        this.queueMax = config.queueMax();
    }

    /// Notes a change. If there is no room, the one that has been quiet for longest is forgotten: it has
    /// waited in vain already, and the next look at all repositories finds it.
    void note(RepositoryAddress repository, long now) {
        var before = changes.remove(repository);
        if (before == null && changes.size() >= queueMax) {
            changes.remove(changes.keySet().iterator().next());
        }
        changes.put(
                repository,
                before == null ? new Change(now, now, 1) : new Change(before.first(), now, before.count() + 1));
    }

    /// Takes one that is to be visited now.
    Optional<RepositoryAddress> poll(long now) {
        var due = changes.entrySet().stream()
                .filter(change -> waitFor(change.getValue(), now) <= 0)
                .map(Map.Entry::getKey)
                .findFirst();
        due.ifPresent(changes::remove);
        return due;
    }

    /// How long until one is to be visited, if any is.
    OptionalLong nextIn(long now) {
        return changes.values().stream()
                .mapToLong(change -> Math.max(0, waitFor(change, now)))
                .min();
    }

    int size() {
        return changes.size();
    }

    /// Those that never rest are not left alone for ever.
    private long waitFor(Change change, long now) {
        return change.count() >= changesMax
                ? 0
                : Math.min(change.last() + quiet, change.first() + PATIENCE * quiet) - now;
    }
}
