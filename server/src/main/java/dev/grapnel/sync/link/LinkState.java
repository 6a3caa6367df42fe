package dev.grapnel.sync.link;

/// The states of a link (sync 4.1).
public enum LinkState {
    DISCONNECTED(0, "disconnected"),
    CONNECTING(1, "connecting"),
    /// The full sync of the epoch, or the catch-up of this connection, is not done.
    SYNCING(2, "syncing"),
    CONNECTED(3, "connected"),
    /// As connected, but something failed or is in doubt.
    WITH_FAILURES(4, "connected with failures"),
    DISCONNECTING(5, "disconnecting");

    private final int gauge;
    private final String text;

    LinkState(int gauge, String text) {
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

    /// Whether there is a connection that work may be given to.
    public boolean isUp() {
        return this == SYNCING || this == CONNECTED || this == WITH_FAILURES;
    }
}
