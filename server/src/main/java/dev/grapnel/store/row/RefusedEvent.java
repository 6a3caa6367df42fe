package dev.grapnel.store.row;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.store.table.Table;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// A synced event that was refused, without the event: the cold tier of the rejected index (sync R7.15).
///
/// @param createdAt the event's own date, Unix seconds
/// @param identifier its `d`, or a hash of it, if it has one
/// @param relay where it came from
/// @param until when it may be asked for again: seven days later, or when its date is no longer ahead
/// @param attempts how often it was judged (sync R7.23)
/// @param waitsFor keys of sync R7.20 that may change the verdict, as sync writes them
public record RefusedEvent(
        EventId id,
        int kind,
        PublicKey author,
        long createdAt,
        Optional<String> identifier,
        Reason reason,
        String relay,
        Instant refusedAt,
        Instant until,
        int attempts,
        List<Bytes> waitsFor)
        implements Row {
    /// Why, as far as sync cares (R7.16).
    public enum Reason implements Coded {
        DOES_NOT_LIST_SERVICE(1),
        MAINTAINER_NOT_YET_VALID(2),
        STATE_NOT_AUTHORISED(3),
        ORPHAN(4),
        SUPERSEDED(5),
        OTHER(6);

        private final int code;

        Reason(int code) {
            this.code = code;
        }

        @Override
        public int code() {
            return code;
        }
    }

    /// @throws IllegalArgumentException if a number is out of its range, or a text none
    public RefusedEvent {
        if (kind < 0 || kind > Kinds.MAX) {
            throw new IllegalArgumentException("the kind is outside 0 to " + Kinds.MAX);
        }
        Checks.notNegative("created_at", createdAt);
        Checks.notNegative("the number of attempts", attempts);
        identifier.ifPresent(text -> Checks.text("the identifier", text));
        Checks.text("the relay", relay);
        refusedAt = Millis.of(refusedAt);
        until = Millis.of(until);
        waitsFor = List.copyOf(waitsFor);
    }

    @Override
    public Table table() {
        return Table.REFUSED_EVENTS;
    }

    @Override
    public Bytes key() {
        return RowKeys.event(id);
    }
}
