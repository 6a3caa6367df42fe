package dev.grapnel.store;

import dev.grapnel.nostr.Refusal;

/// A transaction was not carried out: nothing has changed. What to tell the peer is in [#refusal], what the
/// operator should know in the message.
public final class StoreRefusal extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Refusal refusal;

    public StoreRefusal(Refusal refusal, String message) {
        super(message);
        this.refusal = refusal;
    }

    public StoreRefusal(Refusal refusal, String message, Throwable cause) {
        super(message, cause);
        this.refusal = refusal;
    }

    /// Fit for a peer: no internals.
    public Refusal refusal() {
        return refusal;
    }
}
