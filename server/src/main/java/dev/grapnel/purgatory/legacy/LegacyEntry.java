package dev.grapnel.purgatory.legacy;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.HeldAnnouncement;
import dev.grapnel.store.row.HeldAnnouncement.Phase;
import dev.grapnel.store.row.HeldProposal;
import dev.grapnel.store.row.HeldState;
import dev.grapnel.store.row.Source;
import dev.grapnel.store.row.Upload;
import java.time.Instant;
import java.util.List;

/// One entry of the file, read but not yet put into time: when the file was saved may stand at its end.
sealed interface LegacyEntry {
    /// What becomes of it.
    OldStore store();

    /// An event that waits; its form, kind and key are right, its signature has not been looked at.
    ///
    /// @param pushes of its commit
    /// @param pushesDropped pushes that have nothing to do with its commit
    record Waiting(
            OldStore store,
            Event event,
            Source source,
            long createdOffset,
            long expiresOffset,
            List<OldPush> pushes,
            int pushesDropped)
            implements LegacyEntry {
        public Waiting {
            pushes = List.copyOf(pushes);
        }

        /// The row it becomes. Announcements are always active: soft-expired ones are not written to the file.
        ///
        /// @throws IllegalArgumentException if kind, identifier or commit are not right for it
        Held row(Instant heldSince, Instant expiresAt, List<Upload> uploads) {
            return switch (store) {
                case ANNOUNCEMENT -> new HeldAnnouncement(event, heldSince, expiresAt, source, Phase.ACTIVE);
                case STATE -> new HeldState(event, heldSince, expiresAt, source);
                case PROPOSAL -> new HeldProposal(event, heldSince, expiresAt, source, uploads);
                case PLACEHOLDER, EXPIRED -> throw new IllegalStateException(store + " has no event");
            };
        }
    }

    /// Pushes that wait for their event.
    record Pushed(EventId id, Oid commit, long createdOffset, long expiresOffset, List<OldPush> pushes)
            implements LegacyEntry {
        public Pushed {
            pushes = List.copyOf(pushes);
        }

        @Override
        public OldStore store() {
            return OldStore.PLACEHOLDER;
        }
    }

    /// An event that expired.
    record Remembered(EventId id, OldTime expiredAt) implements LegacyEntry {
        @Override
        public OldStore store() {
            return OldStore.EXPIRED;
        }
    }

    /// Something that cannot be used; it says why.
    record Unfit(OldStore store, String reason) implements LegacyEntry {}
}
