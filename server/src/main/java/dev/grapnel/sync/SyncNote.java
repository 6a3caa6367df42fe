package dev.grapnel.sync;

import dev.grapnel.outbound.Failure;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.sync.health.HealthNote;
import dev.grapnel.sync.link.LinkNote;
import dev.grapnel.sync.link.LinkState;
import java.time.Duration;

/// Something that sync did, for those who count and for the log (sync 9). Told on the loop; whoever listens must not
/// wait.
public sealed interface SyncNote {
    /// A relay is followed from now on.
    record Registered(RemoteUrl relay) implements SyncNote {}

    /// A relay is followed no more.
    ///
    /// @param isWaiting whether others have its place, and it waits for the next; otherwise nobody names it
    record Removed(RemoteUrl relay, boolean isWaiting) implements SyncNote {}

    /// An attempt to connect came to an end.
    record Attempted(RemoteUrl relay, boolean isSuccess) implements SyncNote {}

    /// No connection came of an attempt; told beside [Attempted].
    record Unreachable(RemoteUrl relay, Failure failure) implements SyncNote {}

    /// The server did not want to speak WebSocket with us; told beside [Attempted].
    record Declined(RemoteUrl relay, int status) implements SyncNote {}

    /// A connection is over.
    ///
    /// @param reason why we ended it, if it was because of what the relay did
    /// @param isPlanned whether it ended because we have no use for it now, which is nobody's fault
    record Disconnected(
            RemoteUrl relay, int generation, LinkState before, Failure failure, String reason, boolean isPlanned)
            implements SyncNote {}

    /// A relay is left alone, for a day at most: it does not want us, or is not for us (state 6 of sync 6.1).
    record Parked(RemoteUrl relay, String reason) implements SyncNote {}

    /// The relay wanted us to slow down; that is over.
    record Resumed(RemoteUrl relay) implements SyncNote {}

    /// What is wanted has changed, and relays were asked for it.
    ///
    /// @param relays that it concerns
    record Looked(int relays, Duration took) implements SyncNote {}

    /// Something at one relay.
    record AtRelay(RemoteUrl relay, LinkNote note) implements SyncNote {}

    /// Something about health.
    record Health(HealthNote note) implements SyncNote {}

    /// The bootstrap relay's announcements are complete (R1.19).
    record Bootstrapped(RemoteUrl relay, long accepted) implements SyncNote {}

    /// What the operator configured leads to ourselves.
    record BootstrapIsOwn(RemoteUrl relay) implements SyncNote {}

    /// The index was not what the store says, and is repaired (R2.8).
    record Drifted(int differences) implements SyncNote {}

    /// The clocks went apart (R4.8).
    record ClockSet(long seconds) implements SyncNote {}

    /// The index is complete; relays are asked for what is wanted.
    record Ready(int repositories, int roots, int relays) implements SyncNote {}
}
