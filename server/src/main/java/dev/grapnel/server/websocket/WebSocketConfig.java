package dev.grapnel.server.websocket;

import java.time.Duration;

/// How connections are kept (relay 6).
///
/// @param messageMax bytes of a message, as sent and inflated
/// @param pingInterval silence after which the peer is asked whether it is there
/// @param idleMax silence after which a connection with nothing open is closed
/// @param closeMax how long the peer's answer to a Close is waited for
/// @param stallMax how long nothing may be taken by the peer while something is to be sent
public record WebSocketConfig(
        int messageMax, Duration pingInterval, Duration idleMax, Duration closeMax, Duration stallMax) {
    /// What a Grapnel relay does unless told otherwise.
    public static final WebSocketConfig DEFAULTS = new WebSocketConfig(
            5 << 20, Duration.ofSeconds(55), Duration.ofMinutes(10), Duration.ofSeconds(2), Duration.ofMinutes(1));

    /// @throws IllegalArgumentException naming the setting that cannot be
    public WebSocketConfig {
        if (messageMax < 1) {
            throw new IllegalArgumentException("max-message-length must be at least 1");
        }
        if (!pingInterval.isPositive() || !idleMax.isPositive() || !closeMax.isPositive() || !stallMax.isPositive()) {
            throw new IllegalArgumentException("the times of a connection must be positive");
        }
    }

    /// How often connections are looked at: several times between two pings, and at least four times a second.
    public Duration lookInterval() {
        var longest = Duration.ofMillis(250);
        var quarter = pingInterval.dividedBy(4);
        return quarter.compareTo(longest) < 0 ? quarter : longest;
    }
}
