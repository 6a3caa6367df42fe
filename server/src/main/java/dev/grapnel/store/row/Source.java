package dev.grapnel.store.row;

/// Where an event came from.
public enum Source implements Coded {
    /// A client's message.
    DIRECT(1),
    /// Another relay.
    SYNC(2);

    private final int code;

    Source(int code) {
        this.code = code;
    }

    @Override
    public int code() {
        return code;
    }
}
