package dev.grapnel.outbound;

import java.time.Duration;

/// How long a peer may keep us waiting (P-665).
///
/// @param connect looking the name up, and connecting, each
/// @param tls the handshake
/// @param firstByte from the end of the request to the first byte of what was asked for
/// @param silence between two bytes after that, and while a request is sent
/// @param rateMin least bytes a second on average
/// @param rateOver over which that is measured
/// @param whole everything together
public record LineLimits(
        Duration connect,
        Duration tls,
        Duration firstByte,
        Duration silence,
        long rateMin,
        Duration rateOver,
        Duration whole) {
    /// What purgatory 9 says unless an operator says otherwise, with the first byte of an advertisement.
    public static final LineLimits DEFAULTS = new LineLimits(
            Duration.ofSeconds(10),
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofSeconds(120),
            1_024,
            Duration.ofSeconds(300),
            Duration.ofSeconds(3_600));

    public LineLimits {
        for (var limit : new Duration[] {connect, tls, firstByte, silence, rateOver}) {
            if (!limit.isPositive()) {
                throw new IllegalArgumentException("a limit of time must be positive, not " + limit);
            }
        }
        if (rateMin < 0) {
            throw new IllegalArgumentException("rateMin must not be negative, not " + rateMin);
        }
    }

    /// The same with another first byte: a pack takes longer to begin than an advertisement.
    public LineLimits withFirstByte(Duration limit) {
        return new LineLimits(connect, tls, limit, silence, rateMin, rateOver, whole);
    }

    /// The same with another time for everything; none left ends the conversation at once.
    public LineLimits withWhole(Duration limit) {
        return new LineLimits(connect, tls, firstByte, silence, rateMin, rateOver, limit);
    }
}
