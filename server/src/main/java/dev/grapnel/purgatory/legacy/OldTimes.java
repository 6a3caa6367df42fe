package dev.grapnel.purgatory.legacy;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/// What the times in the file mean now.
///
/// Deadlines are seconds after the file was saved, so downtime counts against them. A clock that was set back
/// since then makes the downtime zero (purgatory P-722).
///
/// @param savedAt when the file was saved, never later than now
/// @param expiry the most that anything may still have: the old server gives nothing more, a damaged file might
record OldTimes(Instant savedAt, Instant now, Duration expiry) {
    /// More than any entry has, little enough to be added to any time.
    private static final long OFFSET_MAX = Duration.ofDays(36_500).toSeconds();

    static OldTimes of(OldTime savedAt, Instant now, Duration expiry) {
        // Rows keep milliseconds: what was saved in the same one must not seem to come later.
        return new OldTimes(savedAt.atMost(now).truncatedTo(ChronoUnit.MILLIS), now, expiry);
    }

    Duration downtime() {
        return Duration.between(savedAt, now);
    }

    /// When an entry entered purgatory. The old server writes what is past as zero, so this is the latest it can
    /// have been.
    Instant heldSince(long offset) {
        return earlier(after(offset), now);
    }

    /// When an entry leaves.
    Instant deadline(long offset) {
        return earlier(after(offset), now.plus(expiry));
    }

    /// When an event had expired; the file cannot know of later ones.
    Instant expired(OldTime time) {
        return time.atMost(savedAt);
    }

    private Instant after(long offset) {
        return savedAt.plusSeconds(Math.min(offset, OFFSET_MAX));
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }
}
