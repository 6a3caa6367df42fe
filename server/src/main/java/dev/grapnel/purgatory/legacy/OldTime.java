package dev.grapnel.purgatory.legacy;

import java.time.Instant;

/// A wall time as the file writes it.
///
/// @param seconds since the epoch; what does not fit is `Long.MAX_VALUE`
/// @param nanos less than a second
record OldTime(long seconds, int nanos) {
    /// The time, or another one if that comes first: nothing in the file lies behind the time it is read at, and
    /// what claims to would overflow.
    Instant atMost(Instant latest) {
        if (seconds > latest.getEpochSecond()) {
            return latest;
        }
        var time = Instant.ofEpochSecond(seconds, nanos);
        return time.isBefore(latest) ? time : latest;
    }
}
