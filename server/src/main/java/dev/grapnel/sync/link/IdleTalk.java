package dev.grapnel.sync.link;

import java.time.Duration;

/// How much a relay says that answers nothing. A message costs little, so people are told first; too many in a minute,
/// or too much of them, and nobody listens any more.
final class IdleTalk {
    private static final Duration TIME = Duration.ofMinutes(1);
    private static final int MESSAGES_NAMED = 1_000;
    private static final int MESSAGES_MAX = 10_000;
    private static final long BYTES_NAMED = 8 << 20;
    private static final long BYTES_MAX = 64 << 20;

    private long since = Long.MIN_VALUE;
    private int messages;
    private long bytes;
    private boolean isNamed;

    /// What is to be done about it.
    enum Verdict {
        BORNE,
        /// People are told, once in that time.
        NAMED,
        TOO_MUCH
    }

    /// More of it came.
    Verdict hear(int count, int length, long nanos) {
        if (since == Long.MIN_VALUE || nanos - since > TIME.toNanos()) {
            forget();
            since = nanos;
        }
        messages += count;
        bytes += length;
        if (messages > MESSAGES_MAX || bytes > BYTES_MAX) {
            forget();
            return Verdict.TOO_MUCH;
        }
        if (!isNamed && (messages >= MESSAGES_NAMED || bytes >= BYTES_NAMED)) {
            isNamed = true;
            return Verdict.NAMED;
        }
        return Verdict.BORNE;
    }

    void forget() {
        since = Long.MIN_VALUE;
        messages = 0;
        bytes = 0;
        isNamed = false;
    }
}
