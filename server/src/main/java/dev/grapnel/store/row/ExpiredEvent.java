package dev.grapnel.store.row;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.store.table.Table;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/// An event that left purgatory because its time was over (P-120 to P-123), remembered so that it is not
/// fetched again and again.
///
/// @param firstExpiredAt from when its time in this memory is counted, whatever happens later
/// @param expiredAt when it expired the last time
/// @param revivals how often its data turned up late
/// @param lifted whether it refuses nothing any more: revived, and not expired again
/// @param dormant what is needed to notice late data
public record ExpiredEvent(
        EventId id,
        int kind,
        Instant firstExpiredAt,
        Instant expiredAt,
        int revivals,
        boolean lifted,
        Optional<Dormant> dormant)
        implements Row {
    private static final Set<Integer> KINDS =
            Set.of(Kinds.ANNOUNCEMENT, Kinds.STATE, Kinds.PULL_REQUEST, Kinds.PULL_REQUEST_UPDATE);

    /// @throws IllegalArgumentException if such an event is never held, or has a dormant record though it
    ///     needs no objects
    public ExpiredEvent {
        if (!KINDS.contains(kind)) {
            throw new IllegalArgumentException("kind " + kind + " is never held");
        }
        if (kind == Kinds.ANNOUNCEMENT && dormant.isPresent()) {
            throw new IllegalArgumentException("an announcement waits for no objects");
        }
        Checks.notNegative("the number of revivals", revivals);
        firstExpiredAt = Millis.of(firstExpiredAt);
        expiredAt = Millis.of(expiredAt);
    }

    /// The same once its data turned up: it may be held again.
    public ExpiredEvent revived() {
        return new ExpiredEvent(id, kind, firstExpiredAt, expiredAt, revivals + 1, true, dormant);
    }

    /// The same when it has expired once more.
    public ExpiredEvent expiredAgain(Instant time, Optional<Dormant> missing) {
        return new ExpiredEvent(id, kind, firstExpiredAt, time, revivals, false, missing);
    }

    /// The bare id.
    public ExpiredEvent withoutDormant() {
        return new ExpiredEvent(id, kind, firstExpiredAt, expiredAt, revivals, lifted, Optional.empty());
    }

    @Override
    public Table table() {
        return Table.EXPIRED_EVENTS;
    }

    @Override
    public Bytes key() {
        return RowKeys.event(id);
    }
}
