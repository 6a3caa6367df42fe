package dev.grapnel.outbound;

import java.io.IOException;

/// A conversation with another server that came to nothing. Streams of a [Line] throw no other.
public final class OutboundException extends IOException {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // nobody writes these down
    private final Failure failure;

    public OutboundException(Failure failure) {
        super(failure.text());
        this.failure = failure;
    }

    /// @param cause may hold text of the other side, so it is for debugging only (P-811)
    public OutboundException(Failure failure, Throwable cause) {
        super(failure.text(), cause);
        this.failure = failure;
    }

    /// By which it is decided what follows.
    public Failure failure() {
        return failure;
    }
}
