package dev.grapnel.purgatory.legacy;

import dev.grapnel.nostr.event.EventLimits;
import java.time.Duration;

/// What this server allows to wait (purgatory P-140).
///
/// @param expiry how long anything waits at most
/// @param expiredMemory how long an expired event is remembered
/// @param events how large an event may be
/// @param expiredMax how many are remembered
/// @param bytesMax how much all events of one import may have together: until it is committed, the store keeps
///     what a transaction changes in memory
public record ImportRules(
        Duration expiry,
        Duration expiredMemory,
        EventLimits events,
        long announcementsMax,
        long statesMax,
        long proposalsMax,
        long placeholdersMax,
        long expiredMax,
        long bytesMax) {
    /// What the settings say unless told otherwise.
    public static final ImportRules DEFAULTS = new ImportRules(
            Duration.ofMinutes(30),
            Duration.ofDays(7),
            EventLimits.DEFAULTS,
            10_000,
            50_000,
            50_000,
            10_000,
            100_000,
            256 << 20);

    long most(OldStore store) {
        return switch (store) {
            case ANNOUNCEMENT -> announcementsMax;
            case STATE -> statesMax;
            case PROPOSAL -> proposalsMax;
            case PLACEHOLDER -> placeholdersMax;
            case EXPIRED -> expiredMax;
        };
    }
}
