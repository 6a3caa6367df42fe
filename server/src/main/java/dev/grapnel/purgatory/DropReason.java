package dev.grapnel.purgatory;

import java.util.Locale;

/// Why something left purgatory without being served (purgatory 10.1).
public enum DropReason {
    EXPIRED,
    SUPERSEDED,
    DELETED,
    VANISHED,
    BANNED,
    SERVICE_CHANGE,
    ORPHANED,
    MISMATCH,
    /// The operator asked for it.
    OPERATOR;

    /// As it is written in logs and metrics.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
