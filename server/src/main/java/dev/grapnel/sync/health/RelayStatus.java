package dev.grapnel.sync.health;

/// How a relay fares, in one word (sync 6.1).
public enum RelayStatus {
    /// Connected, and it has been for a while.
    HEALTHY(1, "healthy"),
    /// Not connected, for no bad reason.
    DISCONNECTED(2, "disconnected"),
    /// Failing, or connected again but not yet for long.
    DEGRADED(3, "degraded"),
    /// Failing for a day.
    DEAD(4, "dead"),
    /// It wants us to slow down, and we do.
    RATE_LIMITED(5, "rate limited"),
    /// It does not want us, or nothing of what we want.
    POLICY_LIMITED(6, "policy limited");

    private final int gauge;
    private final String text;

    RelayStatus(int gauge, String text) {
        this.gauge = gauge;
        this.text = text;
    }

    /// As metrics show it.
    public int gauge() {
        return gauge;
    }

    /// As people read it.
    public String text() {
        return text;
    }
}
