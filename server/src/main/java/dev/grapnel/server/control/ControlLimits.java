package dev.grapnel.server.control;

import java.time.Duration;

/// How much one who asks may cost.
///
/// @param connectionsMax answered at once; one more is told to come back
/// @param requestBytesMax bytes of a request
/// @param requestWait how long a request may take to arrive
/// @param stallMax how long an answer may wait to be read
public record ControlLimits(int connectionsMax, int requestBytesMax, Duration requestWait, Duration stallMax) {
    /// What a server keeps. Whoever reads an answer page by page is given time.
    public static final ControlLimits DEFAULTS =
            new ControlLimits(8, 64 << 10, Duration.ofSeconds(30), Duration.ofMinutes(10));
}
