package dev.grapnel.store;

import dev.grapnel.nostr.Refusal;
import dev.grapnel.store.row.Held;
import java.util.List;

/// What became of an event. [#isAccepted] and [#message] are what OK says (service 4.2).
public sealed interface SaveOutcome {
    /// Stored and served.
    ///
    /// @param number its commit number
    /// @param removed how many served events it removed: replaced, deleted, vanished
    /// @param dropped the held rows it removed
    record Served(long number, long removed, List<Held> dropped) implements SaveOutcome {
        public Served {
            dropped = List.copyOf(dropped);
        }
    }

    /// Acknowledged and waiting.
    ///
    /// @param replaced the row it took the place of, if any
    record Waiting(List<Held> replaced) implements SaveOutcome {
        public Waiting {
            replaced = List.copyOf(replaced);
        }
    }

    /// A deletion request of somebody who has nothing here: kept unserved, only refuses what it covers (relay
    /// 4.5).
    record Gated() implements SaveOutcome {}

    /// It is here already.
    record Known(boolean held) implements SaveOutcome {}

    /// It is not taken.
    ///
    /// @param why for other parts of the server, which must not read texts
    record Refused(Refusal refusal, Why why) implements SaveOutcome {}

    /// Why something is not taken.
    enum Why {
        /// Its author took it back.
        DELETED,
        /// A newer version is served.
        SUPERSEDED,
        /// A newer version waits; none is served.
        SUPERSEDED_BY_HELD,
        /// Nothing that may come changes it.
        FINAL
    }

    /// The flag of OK.
    default boolean isAccepted() {
        return !(this instanceof Refused);
    }

    /// The message of OK.
    default String message() {
        return switch (this) {
            case Served _, Gated _ -> "";
            case Waiting _ -> "purgatory: won't be served until git data arrives";
            case Known(var held) -> held ? "duplicate: in purgatory" : "duplicate: already have this event";
            case Refused(var refusal, var _) -> refusal.toString();
        };
    }
}
