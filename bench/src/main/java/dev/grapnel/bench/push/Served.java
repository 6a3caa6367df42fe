package dev.grapnel.bench.push;

/// A push at a GRASP server, with the state that allows it; in nanoseconds.
///
/// @param publishing from sending the state until it was known to be held
/// @param delivered when a subscriber had the state, as of [System#nanoTime]
record Served(long publishing, TimedPush push, long delivered) {
    /// When the state was delivered and the ref visible, as of [System#nanoTime].
    long end() {
        return Math.max(delivered, push.visible());
    }

    /// From the begin of the push until the client had read `ok`.
    long untilOk() {
        return push.ok() - push.begun();
    }

    /// From the begin of the push until everything was served.
    long untilServed() {
        return end() - push.begun();
    }
}
