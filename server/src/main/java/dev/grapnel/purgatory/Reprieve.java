package dev.grapnel.purgatory;

import dev.grapnel.nostr.repository.Identifier;

/// Whether what has waited long enough may wait a little longer.
@FunctionalInterface
public interface Reprieve {
    /// Nothing may.
    Reprieve NONE = (_, _) -> false;

    /// Whether nothing of an identifier expires now: its git data is on its way (P-667), or here and something of
    /// ours fails (purgatory 5.5).
    ///
    /// @param deadline when the entry's time was over, a moment of the [dev.grapnel.purgatory.pool.Timeline]
    boolean keeps(Identifier identifier, long deadline);
}
