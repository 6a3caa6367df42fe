package dev.grapnel.purgatory.hunt;

import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;

/// Why a visit ended (purgatory 6.7), by structured causes and never by a text that a stranger wrote (P-670).
public sealed interface Failure {
    /// The name does not exist, or the certificate is no good: the domain is left alone for long.
    record Broken(NaughtyCause cause) implements Failure {}

    /// Section 8 forbids the URL itself: never again in this process.
    ///
    /// @param rule what forbids it, a short word for metrics
    record Forbidden(String rule) implements Failure {}

    /// It redirects to where section 8 forbids to go, or in a way that is not followed. That may change, so it is like
    /// not being there.
    ///
    /// @param rule what forbids it, a short word for metrics
    record LedAway(String rule) implements Failure {}

    /// 429 or 503.
    ///
    /// @param retryAfter what the server asked for
    record SlowDown(Optional<Duration> retryAfter) implements Failure {}

    /// 401, 403, 404, 410, or no smart HTTP.
    record NotThere() implements Failure {}

    /// Timeouts, refused and reset connections, other 5xx, broken packs, failures of the resolver, a redirect without
    /// a permit.
    record Passing() implements Failure {}

    /// Limits exceeded, a wrong hash, an object that fsck refuses: the URL is left alone for long.
    record Hostile() implements Failure {}

    /// The server answered a request for objects with the protocol's error, and named none of them.
    record Complained() implements Failure {}

    /// There is no room here for what would come: the server has done nothing wrong.
    record Full(Room room) implements Failure {}

    /// [Visit#cancel] was called, or what came could not be kept: the server has done nothing wrong.
    record Cancelled() implements Failure {}

    /// [Permits#connect] refused: no request was made.
    record BusyAddress(InetAddress address) implements Failure {}

    /// As metrics and the log call it.
    default String label() {
        return switch (this) {
            case Broken(var cause) -> cause.label();
            case Forbidden _ -> "refused";
            case SlowDown _ -> "slow_down";
            case NotThere _, LedAway _ -> "not_there";
            case Passing _, Complained _ -> "transient";
            case Hostile _ -> "hostile";
            case Full(var room) -> room.label();
            case Cancelled _ -> "cancelled";
            case BusyAddress _ -> "busy_address";
        };
    }
}
