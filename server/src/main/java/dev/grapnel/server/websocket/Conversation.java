package dev.grapnel.server.websocket;

/// What is said over one connection.
public interface Conversation {
    /// A text message has come. Messages come one after the other, in order.
    ///
    /// @param message the caller's, up to `length`; may be kept
    void text(byte[] message, int length);

    /// A binary message has come.
    void binary();

    /// Whether no more messages shall come for now. [Peer#resumeReading] says when they shall again.
    boolean isSaturated();

    /// Little is unsent again.
    void drained();

    /// Whether nothing is open, so that silence means that nobody is there.
    boolean isIdle();

    /// Looks at what depends on time.
    void look(long nanoTime);

    /// The connection has ended. Called once.
    void ended();
}
