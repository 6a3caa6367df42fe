package dev.grapnel.sync.health;

import java.util.Comparator;

/// Why a relay is wanted, as far as it decides who is dialled first (R4.4, R1.16).
///
/// @param isBootstrap whether it is the relay the operator has us begin with: it waits for nobody
/// @param isConfigured whether the operator named it
/// @param fullCount how many repositories are wanted from it in full
/// @param isPurgatoryOnly whether only announcements that wait in purgatory name it
public record Standing(boolean isBootstrap, boolean isConfigured, int fullCount, boolean isPurgatoryOnly) {
    /// The more important one first; equals are equal.
    static final Comparator<Standing> FIRST = Comparator.comparing(Standing::isBootstrap)
            .thenComparing(Standing::isConfigured)
            .thenComparingInt(Standing::fullCount)
            .reversed();

    /// Whether anybody who can publish may have made us want it, so that its number is limited.
    boolean isDoubtful() {
        return isPurgatoryOnly && !isBootstrap && !isConfigured;
    }

    /// Whether this one goes first, not only by having come first.
    boolean outranks(Standing other) {
        return FIRST.compare(this, other) < 0;
    }
}
