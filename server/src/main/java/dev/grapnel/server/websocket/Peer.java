package dev.grapnel.server.websocket;

import org.jspecify.annotations.Nullable;

/// The other end of a connection, as a [Conversation] sees it. May be used from any thread; nothing waits for
/// the network.
public interface Peer {
    /// Queues a message.
    ///
    /// @param owner with whom it can be taken back, or none
    void send(@Nullable FrameOwner owner, byte[] text);

    /// Queues a message that ends with a shared text and a bracket.
    void send(FrameOwner owner, byte[] prefix, SharedText shared);

    /// Takes back what is not being written yet and whose owner is over.
    void takeBack();

    /// Bytes that are queued or being written.
    long unsent();

    /// Memory that what is queued takes for this connection alone.
    long unsentMemory();

    /// Whether what is queued for all connections takes more memory than it should.
    boolean isMemoryShort();

    /// Writes what is queued, as far as the network takes it.
    void flush();

    /// The same on another thread, for those who have no time.
    void flushSoon();

    /// Asks for [Conversation#drained] when no more than so many bytes are unsent. False if that is so already;
    /// then nothing is called.
    boolean awaitDrained(long bytes);

    /// Goes on reading, after [Conversation#isSaturated] stopped it.
    void resumeReading();

    /// Reads no more.
    void stopReading();

    /// Closes the connection behind what is queued.
    ///
    /// @param reason ASCII
    void close(int code, String reason);

    /// Closes the connection without waiting for anybody, and forgets what is queued.
    ///
    /// @param reason ASCII
    void cut(int code, String reason);
}
