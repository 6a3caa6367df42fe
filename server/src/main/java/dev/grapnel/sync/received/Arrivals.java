package dev.grapnel.sync.received;

import dev.grapnel.nostr.Refusal;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import java.util.function.Consumer;

/// Where links bring events and ask about ids. On the loop.
public interface Arrivals {
    /// Decides about an event that matches what was asked for. The outcome comes on the loop, exactly once, perhaps
    /// before this returns.
    ///
    /// @param relay ordinal of where it came from
    void receive(Event event, int relay, Path path, Consumer<Outcome> outcome);

    /// What is known of an id, so that it need not be fetched (R5.6).
    Knowledge knowledge(EventId id);

    /// On which way an event came; labels of metrics.
    enum Path {
        HISTORIC,
        LIVE,
        CATCHUP,
        DAILY,
        SWEEP,
        REFETCH,
        REPROCESS
    }

    /// What became of it.
    enum Outcome {
        /// Newly served.
        STORED,
        /// On record already: served, deleted, superseded.
        KNOWN,
        /// Newly in purgatory, or kept as a gate.
        HELD,
        /// In purgatory already, or its time there is over.
        KNOWN_HELD,
        /// Refused before, or now with a prefix that has no name of its own here.
        REFUSED,
        /// Refused now, as invalid.
        REFUSED_INVALID,
        /// Refused now, as blocked.
        REFUSED_BLOCKED,
        /// Refused now, as restricted.
        REFUSED_RESTRICTED,
        /// Refused now, for want of work.
        REFUSED_POW,
        /// Of a kind that is never kept.
        IGNORED,
        /// Its signature is wrong: junk, and no id of anything.
        FORGED,
        /// Something of ours failed, or is full: it must be asked for again.
        FAILED,
        /// The relay has brought as many new announcements, or GRASP lists, as it may in an hour (R7.14a).
        OVER_QUOTA;

        /// Of an event that the policy refuses now, with that prefix.
        static Outcome refused(Refusal.Prefix prefix) {
            return switch (prefix) {
                case INVALID -> REFUSED_INVALID;
                case BLOCKED -> REFUSED_BLOCKED;
                case RESTRICTED -> REFUSED_RESTRICTED;
                case POW -> REFUSED_POW;
                case DUPLICATE, RATE_LIMITED, MUTE, ERROR, AUTH_REQUIRED, UNSUPPORTED, CLOSED, PURGATORY -> REFUSED;
            };
        }
    }

    /// What is known of an id.
    enum Knowledge {
        UNKNOWN,
        /// On its way through the gate just now.
        UNDER_WAY,
        STORED,
        DELETED,
        SUPERSEDED,
        HELD,
        EXPIRED,
        GATED,
        REFUSED
    }
}
