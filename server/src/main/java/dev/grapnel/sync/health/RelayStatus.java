package dev.grapnel.sync.health;

/// How a relay fares, in one word (sync 6.1).
public enum RelayStatus {
    /// Connected, and it has been for a while.
    HEALTHY(1),
    /// Not connected, for no bad reason.
    DISCONNECTED(2),
    /// Failing, or connected again but not yet for long.
    DEGRADED(3),
    /// Failing for a day.
    DEAD(4),
    /// It wants us to slow down, and we do.
    RATE_LIMITED(5),
    /// It does not want us, or nothing of what we want.
    POLICY_LIMITED(6);

    private final int gauge;

    RelayStatus(int gauge) {
        this.gauge = gauge;
    }

    /// As metrics show it.
    public int gauge() {
        return gauge;
    }
}
