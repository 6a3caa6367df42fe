package dev.grapnel.server.hunt;

import dev.grapnel.config.Configuration;
import dev.grapnel.config.PurgatorySettings;
import dev.grapnel.outbound.LineLimits;
import dev.grapnel.outbound.websocket.SocketLimits;
import java.time.Duration;

/// How long servers of strangers may keep us waiting (P-665).
///
/// @param advertisement while they say what they have
/// @param pack while they pack and send
/// @param relay while a relay looks for events
public record HuntLines(LineLimits advertisement, LineLimits pack, SocketLimits relay) {
    /// The largest message of a relay (sync R4.24).
    private static final int MESSAGE_MAX = 5 << 20;

    /// From one word of a relay to the next, and from the first byte of a message to its last (sync R4.17).
    private static final Duration ANSWER = Duration.ofSeconds(30);

    /// One question and its answer.
    private static final Duration QUESTION = Duration.ofSeconds(60);

    private static final int UNSENT_MAX = 64 << 10;

    public static HuntLines of(Configuration settings) {
        var connect = settings.require(PurgatorySettings.HUNT_CONNECT_TIMEOUT_SECS);
        var advertisement = new LineLimits(
                connect,
                connect,
                settings.require(PurgatorySettings.HUNT_FIRST_BYTE_TIMEOUT_SECS),
                settings.require(PurgatorySettings.HUNT_STALL_TIMEOUT_SECS),
                LineLimits.DEFAULTS.rateMin(),
                LineLimits.DEFAULTS.rateOver(),
                settings.require(PurgatorySettings.HUNT_FETCH_TIMEOUT_SECS));
        return new HuntLines(
                advertisement,
                advertisement.withFirstByte(settings.require(PurgatorySettings.HUNT_PACK_FIRST_BYTE_TIMEOUT_SECS)),
                relay(connect));
    }

    private static SocketLimits relay(Duration connect) {
        var line = new LineLimits(connect, connect, connect, ANSWER, 0, QUESTION, QUESTION);
        return new SocketLimits(line, MESSAGE_MAX, ANSWER, UNSENT_MAX);
    }
}
