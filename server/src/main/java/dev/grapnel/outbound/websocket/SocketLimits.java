package dev.grapnel.outbound.websocket;

import dev.grapnel.outbound.LineLimits;
import java.time.Duration;

/// What a peer may cost.
///
/// @param line how long it may keep us waiting; its silence counts while we receive, so whoever stays connected sends
///     a ping now and then
/// @param messageMax bytes of a message, as sent and inflated
/// @param messageTime from the first byte of a message to its last: a peer that drips is hung up on
/// @param unsentMax bytes that may wait to be sent
public record SocketLimits(LineLimits line, int messageMax, Duration messageTime, int unsentMax) {
    /// @throws IllegalArgumentException naming the limit that cannot be
    public SocketLimits {
        if (messageMax < 1 || unsentMax < 1 || !messageTime.isPositive()) {
            throw new IllegalArgumentException("the limits of a WebSocket must be positive");
        }
    }
}
