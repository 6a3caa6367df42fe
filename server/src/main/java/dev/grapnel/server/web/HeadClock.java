package dev.grapnel.server.web;

/// Tells when one connection is late with the head of a request: measured from the moment it was accepted, or
/// from the first byte behind the last answer. Bytes do not buy time, so sending one now and then does not
/// help.
///
/// Looked at by one thread; requests begin and end on others.
final class HeadClock {
    private final long opened;
    private int running;
    private boolean hasAnswered;
    private long bytesAnswered;
    private long quietSince;
    private boolean hasHeadBegun;
    private long headSince;

    /// @param opened time of accepting, in nanoseconds
    HeadClock(long opened) {
        this.opened = opened;
        quietSince = opened;
    }

    /// A head is complete.
    synchronized void begin() {
        running++;
    }

    /// A request is answered.
    ///
    /// @param bytes received on this connection so far
    synchronized void end(long now, long bytes) {
        running--;
        hasAnswered = true;
        bytesAnswered = bytes;
        quietSince = now;
        hasHeadBegun = false;
    }

    /// Whether a head is due longer than allowed.
    synchronized boolean isLate(long now, long bytes, long allowed) {
        if (running > 0) {
            return false;
        }
        if (!hasAnswered) {
            return now - opened >= allowed;
        }
        if (bytes == bytesAnswered) {
            return false; // waiting for a next request is allowed until the connection idles too long
        }
        if (!hasHeadBegun) {
            hasHeadBegun = true;
            headSince = now;
        }
        return now - headSince >= allowed;
    }

    /// Whether nothing was asked for so long.
    synchronized boolean isQuiet(long now, long allowed) {
        return running == 0 && now - quietSince >= allowed;
    }
}
