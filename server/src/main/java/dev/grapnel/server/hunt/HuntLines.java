package dev.grapnel.server.hunt;

import dev.grapnel.config.Configuration;
import dev.grapnel.config.PurgatorySettings;
import dev.grapnel.outbound.LineLimits;

/// How long servers of strangers may keep us waiting (P-665).
///
/// @param advertisement while they say what they have
/// @param pack while they pack and send
public record HuntLines(LineLimits advertisement, LineLimits pack) {
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
                advertisement.withFirstByte(settings.require(PurgatorySettings.HUNT_PACK_FIRST_BYTE_TIMEOUT_SECS)));
    }
}
