package dev.grapnel.server.ops;

import dev.grapnel.nostr.Refusal;
import dev.grapnel.nostr.event.Kinds;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Counts events by kind. Kinds are chosen by strangers, so only the first 200 have series of their own and the
/// rest is counted as `other`. Kinds that a git relay lives on have their places kept: nobody can crowd them
/// out.
final class KindCounters {
    /// Kinds with series of their own.
    static final int KINDS_MAX = 200;

    private static final Set<Integer> RESERVED = Set.of(
            Kinds.PROFILE,
            Kinds.DELETION,
            Kinds.VANISH,
            Kinds.COMMENT,
            Kinds.PATCH,
            Kinds.PULL_REQUEST,
            Kinds.PULL_REQUEST_UPDATE,
            Kinds.ISSUE,
            Kinds.STATUS_OPEN,
            Kinds.STATUS_APPLIED,
            Kinds.STATUS_CLOSED,
            Kinds.STATUS_DRAFT,
            Kinds.RELAY_LIST,
            Kinds.GRASP_LIST,
            Kinds.ANNOUNCEMENT,
            Kinds.STATE);

    private final MeterRegistry registry;
    private final AtomicReferenceArray<@Nullable Series> series = new AtomicReferenceArray<>(Kinds.MAX + 1);
    private final Series other;
    private final ReentrantLock lock = new ReentrantLock();
    private int free = KINDS_MAX - RESERVED.size();

    KindCounters(MeterRegistry registry) {
        this.registry = registry;
        other = new Series("other");
    }

    void offered(int kind) {
        of(kind).offered.increment();
    }

    void stored(int kind) {
        of(kind).stored.increment();
    }

    void refused(int kind, Refusal.Prefix reason) {
        of(kind).refused(reason).increment();
    }

    private Series of(int kind) {
        if (kind < 0 || kind > Kinds.MAX) {
            return other;
        }
        var known = series.get(kind);
        return known == null ? add(kind) : known;
    }

    private Series add(int kind) {
        lock.lock();
        try {
            var known = series.get(kind);
            if (known == null) {
                known = takePlace(kind) ? new Series(Integer.toString(kind)) : other;
                series.set(kind, known);
            }
            return known;
        } finally {
            lock.unlock();
        }
    }

    private boolean takePlace(int kind) {
        return RESERVED.contains(kind) || free-- > 0;
    }

    /// The counters of one kind. Those of refusals come into being with the first of their reason.
    private final class Series {
        private final String kind;
        private final Counter offered;
        private final Counter stored;
        private final Map<Refusal.Prefix, Counter> refused = new ConcurrentHashMap<>();

        Series(String kind) {
            this.kind = kind;
            offered = Counter.builder("ngit_events_received_total")
                    .description("Events offered")
                    .tag("kind", kind)
                    .register(registry);
            stored = Counter.builder("ngit_events_stored_total")
                    .description("Events stored")
                    .tag("kind", kind)
                    .register(registry);
        }

        Counter refused(Refusal.Prefix reason) {
            var known = refused.get(reason);
            return known == null ? refused.computeIfAbsent(reason, this::refusedBy) : known;
        }

        private Counter refusedBy(Refusal.Prefix reason) {
            return Counter.builder("ngit_events_rejected_total")
                    .description("Events refused")
                    .tag("kind", kind)
                    .tag("reason", reason.word())
                    .register(registry);
        }
    }
}
