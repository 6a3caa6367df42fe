package dev.grapnel.sync.health;

import dev.grapnel.outbound.RemoteUrl;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;

/// Something about health that somebody should hear of, for the log (sync 9.2). Told on the loop.
public sealed interface HealthNote {
    /// A relay is left alone for hours. WARN the first time, DEBUG after.
    record Naughty(RemoteUrl relay, RelayFault fault, Instant until, boolean isFirst) implements HealthNote {}

    /// That time is over; it is tried again. INFO.
    record NaughtyOver(RemoteUrl relay) implements HealthNote {}

    /// A relay has been failing for a day. WARN.
    record Died(RemoteUrl relay) implements HealthNote {}

    /// A relay wants us to slow down. INFO.
    record CoolingDown(RemoteUrl relay, Duration length) implements HealthNote {}

    /// A relay does not let us in. INFO.
    ///
    /// @param status of its answer
    record TurnedAway(RemoteUrl relay, int status) implements HealthNote {}

    /// A relay is wanted and not followed, because as many are as may be (R1.16). Told once; only their number is
    /// worth a line, for anybody can name relays.
    record KeptWaiting(RemoteUrl relay) implements HealthNote {}

    /// No relay can be reached, so it is rather us (R6.6). WARN.
    record CutOff() implements HealthNote {}

    /// That is over. INFO.
    record BackOnline() implements HealthNote {}

    /// What was known of relays could not be read; nothing is known now. WARN.
    record Forgotten(String reason) implements HealthNote {}

    /// What is known of relays could not be written; it is tried again. WARN.
    record NotWritten(IOException cause) implements HealthNote {}
}
