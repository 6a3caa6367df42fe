package dev.grapnel.store.row;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.store.table.Table;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// A state whose objects are not all here (purgatory 1.3). Its refs are read when git data arrives (P-113),
/// so a row asks for no more than an identifier.
///
/// @param relay where it came from, if it was synced
public record HeldState(Event event, Instant heldSince, Instant expiresAt, Source source, Optional<String> relay)
        implements Held {
    /// @throws IllegalArgumentException if the event is no state of a repository
    public HeldState {
        Checks.kind(event, Kinds.STATE);
        Checks.identifierOf(event);
        heldSince = Millis.of(heldSince);
        expiresAt = Millis.of(expiresAt);
        relay.ifPresent(url -> Checks.text("the relay", url));
    }

    /// From no relay that is remembered.
    public HeldState(Event event, Instant heldSince, Instant expiresAt, Source source) {
        this(event, heldSince, expiresAt, source, Optional.empty());
    }

    /// Which repositories it speaks of.
    public Identifier identifier() {
        return Checks.identifierOf(event);
    }

    @Override
    public List<Identifier> identifiers() {
        return List.of(identifier());
    }

    @Override
    public HeldState withExpiry(Instant time) {
        return new HeldState(event, heldSince, time, source, relay);
    }

    @Override
    public HeldState withSource(Source other) {
        return new HeldState(event, heldSince, expiresAt, other, relay);
    }

    @Override
    public Table table() {
        return Table.HELD_STATES;
    }

    @Override
    public Bytes key() {
        return RowKeys.state(identifier(), event.id());
    }
}
