package dev.grapnel.store.engine;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/// What a transaction was for (purgatory P-701). One may do several of these at once; it is called by the
/// first of them here.
public enum TransactionKind {
    BAN,
    VANISH,
    DELETION,
    RELEASE,
    HOLD,
    GATE,
    REVIVE,
    SOFTEN,
    TRASH,
    PLACEHOLDER,
    DROP;

    /// As it is written in metrics.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// What a transaction that did all these is called.
    static Optional<TransactionKind> of(Collection<TransactionKind> done) {
        return done.stream().min(TransactionKind::compareTo);
    }
}
