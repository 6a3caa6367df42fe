package dev.grapnel.sync.received;

import java.time.Duration;

/// How much is kept of what was refused (sync R7.15), and other bounds.
///
/// @param hotTime how long whole events are kept; zero: none are
/// @param coldTime how long it is known that an event was refused; zero: not at all
/// @param fingerprint of everything that decides about acceptance (R7.19)
/// @param hotEventsMax most whole events
/// @param hotBytesMax most bytes of them
/// @param coldMax most refusals
/// @param waitsMax most things that refused events wait for together
/// @param seenMax most ids in the seen cache
/// @param gateMax most events in the gate at once
/// @param newPerHour announcements that one relay may put into purgatory, and GRASP lists of strangers that it may have
/// stored (R7.14a)
public record IntakeConfig(
        Duration hotTime,
        Duration coldTime,
        String fingerprint,
        int hotEventsMax,
        long hotBytesMax,
        int coldMax,
        int waitsMax,
        int seenMax,
        int gateMax,
        int newPerHour) {
    /// With the bounds of the specification.
    public static IntakeConfig of(Duration hotTime, Duration coldTime, String fingerprint) {
        return new IntakeConfig(
                hotTime, coldTime, fingerprint, 20_000, 64L << 20, 2_000_000, 4_000_000, 1_000_000, 256, 600);
    }

    /// @throws IllegalArgumentException if a number cannot be
    public IntakeConfig {
        if (hotTime.isNegative() || coldTime.isNegative()) {
            throw new IllegalArgumentException("the times of refused events must not be negative");
        }
        if (waitsMax <= Dependency.REFERENCES_MAX) {
            throw new IllegalArgumentException("there must be room for everything that one event waits for");
        }
        if (Math.min(hotEventsMax, Math.min(coldMax, seenMax)) < 1
                || Math.min(hotBytesMax, Math.min(gateMax, newPerHour)) < 1) {
            throw new IllegalArgumentException("every bound must be positive");
        }
    }
}
