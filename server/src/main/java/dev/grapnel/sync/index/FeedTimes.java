package dev.grapnel.sync.index;

import java.time.Duration;

/// When the self feed does what.
///
/// @param window from the first mutation of a batch until it is applied (R1.12)
/// @param purgatory between two comparisons with purgatory (R1.17)
/// @param audit between two comparisons with the store (R2.8)
public record FeedTimes(Duration window, Duration purgatory, Duration audit) {
    public static final FeedTimes DEFAULTS =
            new FeedTimes(Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofDays(1));

    public FeedTimes {
        if (!window.isPositive() || !purgatory.isPositive() || !audit.isPositive()) {
            throw new IllegalArgumentException("the times of the self feed must be positive");
        }
    }
}
