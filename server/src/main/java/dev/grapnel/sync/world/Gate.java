package dev.grapnel.sync.world;

import dev.grapnel.nostr.Refusal;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.store.row.RefusedEvent;
import java.time.Instant;
import java.util.function.Consumer;

/// The one gate every event passes (R1.3), as sync calls it: signature first, then policy.
@FunctionalInterface
public interface Gate {
    /// Decides about an event that another relay had. Off the loop, answered on it, exactly once. Nothing that was
    /// answered before is missed.
    void admit(Event event, RemoteUrl relay, Consumer<Ruling> answer);

    /// What became of it (sync 7.1).
    sealed interface Ruling {
        /// Served now.
        record Stored() implements Ruling {}

        /// Here already, and served.
        record Duplicate() implements Ruling {}

        /// Its author took it back.
        record Deleted() implements Ruling {}

        /// Older than the served version of its address.
        record Superseded() implements Ruling {}

        /// Older than a version that waits; nothing newer is served.
        record SupersededByHeld() implements Ruling {}

        /// It waits for its git data.
        record Held() implements Ruling {}

        /// It waits already.
        record KnownHeld() implements Ruling {}

        /// It had its time in purgatory (R7.13).
        record Expired() implements Ruling {}

        /// A deletion request of an author who has nothing here.
        record Gated() implements Ruling {}

        /// The policy refuses it.
        ///
        /// @param isFinal whether nothing that may come can change that
        /// @param prefix what the reply to a client would begin with
        record Refused(RefusedEvent.Reason reason, boolean isFinal, Refusal.Prefix prefix) implements Ruling {}

        /// Dated too far ahead (service 4.1.6).
        ///
        /// @param until when it is near enough
        record Ahead(Instant until) implements Ruling {}

        /// Its signature is wrong.
        record Forged() implements Ruling {}

        /// Something of ours failed or is full; later it may be taken.
        record Failed(String reason) implements Ruling {}
    }
}
