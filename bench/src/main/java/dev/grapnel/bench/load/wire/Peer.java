package dev.grapnel.bench.load.wire;

/// What is done with a connection, all of it on the thread of its loop.
public interface Peer {
    /// Messages may be sent from now on.
    void opened(Connection connection);

    /// A whole text message came. The array is only lent.
    ///
    /// @param now when it was taken from the socket, as of [System#nanoTime]
    void received(Connection connection, byte[] in, int from, int to, long now);

    /// What a relay says of itself (NIP-11), in ASCII.
    default String document() {
        return "{}";
    }

    /// The connection ended without our wish; nothing comes any more.
    void closed(Connection connection, String reason);
}
