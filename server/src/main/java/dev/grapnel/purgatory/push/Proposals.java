package dev.grapnel.purgatory.push;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.repository.Oid;

/// What is known about events that refs of proposals are named after.
///
/// Whoever cannot find out throws: "unknown" is never assumed (purgatory P-242).
@FunctionalInterface
public interface Proposals {
    Finding find(EventId id);

    /// What is known about one.
    sealed interface Finding {
        /// A pull request or an update of one, served or held.
        ///
        /// @param commit its `c` as written, which need not be an id this server can have
        record Proposed(String commit) implements Finding {}

        /// Another kind of event, served or held.
        record OtherKind() implements Finding {}

        /// It was served or held here and is gone because its author asked for that. A request that names an
        /// event nobody here has seen is not enough: anybody may have signed it.
        record Deleted() implements Finding {}

        /// Never seen, but its commit was pushed before. One that is still being received is not one.
        record Placeholder(Oid commit) implements Finding {}

        /// Never heard of.
        record Unknown() implements Finding {}
    }
}
