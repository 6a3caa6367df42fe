package dev.grapnel.nostr.negentropy;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.EventId;
import java.util.List;

/// What an initiator learned from a responder's message and what comes next. All but [Continue] end the session.
///
/// `have` are own ids the peer lacks, `need` the peer's ids missing here. No id is reported twice in a session.
public sealed interface NegentropyStep {
    /// Send this message and wait for the answer.
    record Continue(Bytes message, List<EventId> have, List<EventId> need) implements NegentropyStep {
        public Continue {
            have = unmodifiable(have);
            need = unmodifiable(need);
        }
    }

    /// Every difference is known.
    record Complete(List<EventId> have, List<EventId> need) implements NegentropyStep {
        public Complete {
            have = unmodifiable(have);
            need = unmodifiable(need);
        }
    }

    /// The peer passed a limit; the ids of its last message still count, but others may be missing.
    record Exceeded(Limit limit, List<EventId> have, List<EventId> need) implements NegentropyStep {
        public Exceeded {
            have = unmodifiable(have);
            need = unmodifiable(need);
        }
    }

    /// The message was malformed; nothing was taken from it.
    record Invalid(String reason) implements NegentropyStep {}

    /// The peer speaks another version of the protocol, whose first byte this is.
    record UnsupportedVersion(int version) implements NegentropyStep {}

    /// Which of [NegentropyLimits] was passed.
    enum Limit {
        ROUNDS,
        NEED
    }

    private static List<EventId> unmodifiable(List<EventId> ids) {
        return ids instanceof PackedIds ? ids : List.copyOf(ids);
    }
}
