package dev.grapnel.purgatory;

import dev.grapnel.purgatory.pool.Pools;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// How many repositories nobody may sign for, and why (service 11). Looking through all of them takes a
/// while, so it is done now and then.
public final class AuthorityFailures {
    private static final long AGE_MAX_MILLIS = 15_000;

    private final Pools pools;
    private final ReentrantLock lock = new ReentrantLock();
    private Map<Reason, Integer> counts = Map.of();
    private long countedAt = -AGE_MAX_MILLIS;

    /// Reasons of service 5.1.3 without the keys in them.
    public enum Reason {
        LEAD_CYCLE("lead cycle"),
        LEAD_PATH_TOO_LONG("lead path too long"),
        LEAD_UNKNOWN("has no announcement here"),
        SEVERAL_LEADS("several leads"),
        LEAD_UNDECLARED("does not declare itself lead"),
        OWNER_LEFT("owner has ended its own role");

        private final String phrase;

        Reason(String phrase) {
            this.phrase = phrase;
        }

        static Optional<Reason> of(String failure) {
            for (var reason : values()) {
                if (failure.contains(reason.phrase)) {
                    return Optional.of(reason);
                }
            }
            return Optional.empty();
        }
    }

    public AuthorityFailures(Pools pools) {
        this.pools = pools;
    }

    /// How many there are for this reason.
    public int count(Reason reason) {
        lock.lock();
        try {
            long now = pools.time().now();
            if (now - countedAt >= AGE_MAX_MILLIS) {
                counts = look();
                countedAt = now;
            }
            return counts.getOrDefault(reason, 0);
        } finally {
            lock.unlock();
        }
    }

    private Map<Reason, Integer> look() {
        var found = new EnumMap<Reason, Integer>(Reason.class);
        for (var pool : pools.all()) {
            pool.failures()
                    .flatMap(failure -> Reason.of(failure).stream())
                    .forEach(reason -> found.merge(reason, 1, Integer::sum));
        }
        return found;
    }
}
