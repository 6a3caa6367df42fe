package dev.grapnel.store.row;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.store.table.Table;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// An announcement whose repository has no content yet (purgatory 1.2). At most one for each repository.
///
/// @param expiresAt for a reference always [#NEVER]: it leaves with the announcements it depends on (P-214)
public record HeldAnnouncement(Event event, Instant heldSince, Instant expiresAt, Source source, Phase phase)
        implements Held {
    /// What there is besides the event.
    public enum Phase implements Coded {
        /// A bare repository.
        ACTIVE(1),
        /// Nothing: the repository was deleted, only the event is retained.
        SOFT_EXPIRED(2),
        /// Nothing, and never was: it is kept so that invitations can be accepted.
        REFERENCE(3);

        private final int code;

        Phase(int code) {
            this.code = code;
        }

        @Override
        public int code() {
            return code;
        }
    }

    /// @throws IllegalArgumentException if the event does not announce a repository
    public HeldAnnouncement {
        Checks.kind(event, Kinds.ANNOUNCEMENT);
        Checks.identifierOf(event);
        heldSince = Millis.of(heldSince);
        expiresAt = phase == Phase.REFERENCE ? NEVER : Millis.of(expiresAt);
    }

    /// The repository it announces.
    public RepositoryAddress repository() {
        return new RepositoryAddress(event.author(), Checks.identifierOf(event));
    }

    @Override
    public List<Identifier> identifiers() {
        return List.of(Checks.identifierOf(event));
    }

    @Override
    public HeldAnnouncement withExpiry(Instant time) {
        return new HeldAnnouncement(event, heldSince, time, source, phase);
    }

    @Override
    public HeldAnnouncement withSource(Source other) {
        return new HeldAnnouncement(event, heldSince, expiresAt, other, phase);
    }

    /// The same in another phase, which has its own deadline.
    public HeldAnnouncement withPhase(Phase other, Instant deadline) {
        return new HeldAnnouncement(event, heldSince, deadline, source, other);
    }

    @Override
    public Terms terms() {
        return new Terms(expiresAt, source, Optional.of(phase));
    }

    @Override
    public HeldAnnouncement withTerms(Terms terms) {
        return new HeldAnnouncement(
                event,
                heldSince,
                terms.expiresAt(),
                terms.source(),
                terms.phase().orElse(phase));
    }

    @Override
    public Table table() {
        return Table.HELD_ANNOUNCEMENTS;
    }

    @Override
    public Bytes key() {
        return RowKeys.repository(repository());
    }
}
