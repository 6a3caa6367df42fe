package dev.grapnel.server.relay;

import dev.grapnel.nostr.Refusal;
import java.time.Duration;

/// Counts what the relay does. Called from any thread, for every message: must be quick and wait for nothing.
public interface RelayMeter {
    /// Of an event that cannot be read.
    int UNKNOWN_KIND = -1;

    /// Commands of clients.
    enum Incoming {
        EVENT,
        REQ,
        CLOSE,
        COUNT,
        AUTH,
        NEG_OPEN,
        NEG_MSG,
        NEG_CLOSE,
        /// Anything that is none of these, or cannot be read.
        OTHER
    }

    /// Answers of the relay.
    enum Outgoing {
        EVENT,
        OK,
        EOSE,
        CLOSED,
        NOTICE,
        COUNT,
        AUTH,
        NEG_MSG,
        NEG_ERR
    }

    /// A client has connected.
    void opened();

    /// A connection has ended.
    void closed(Duration lifetime);

    /// A message has come.
    void received(Incoming type);

    /// So many messages were queued for sending.
    void sent(Outgoing type, int count);

    /// An event was offered, whatever becomes of it.
    void offered(int kind);

    /// An event is stored.
    void stored(int kind);

    /// An event is refused.
    void refused(int kind, Refusal.Prefix reason);

    /// Something of ours failed that nobody foresaw.
    void failed();
}
