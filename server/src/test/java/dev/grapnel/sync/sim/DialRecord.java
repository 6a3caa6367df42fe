package dev.grapnel.sync.sim;

import dev.grapnel.outbound.RemoteUrl;

/// A dial that has come to something.
///
/// @param node who dialled
/// @param begun by the clock of the world
/// @param ended by the clock of the world
/// @param status of an HTTP answer; else 0
record DialRecord(String node, RemoteUrl relay, long begun, long ended, Result result, int status) {
    /// What it came to.
    enum Result {
        OPENED,
        STATUS,
        NO_SUCH_NAME,
        TLS,
        FAILED,
        CANCELLED
    }
}
