package dev.grapnel.websocket;

import dev.grapnel.nostr.Bytes;

/// What a peer's bytes turned out to be.
public sealed interface Incoming {
    /// The rest has not come yet.
    record Incomplete() implements Incoming {}

    /// A whole text message.
    final class Text implements Incoming {
        private final byte[] bytes;
        private final int length;

        public Text(byte[] bytes, int length) {
            this.bytes = bytes;
            this.length = length;
        }

        /// Not to be changed; the text ends at [#length].
        public byte[] bytes() {
            return bytes;
        }

        public int length() {
            return length;
        }
    }

    /// A whole binary message.
    record Binary() implements Incoming {}

    record Ping(Bytes payload) implements Incoming {}

    record Pong() implements Incoming {}

    record Close(int code) implements Incoming {}

    /// The peer broke a rule: the connection is closed for it.
    record Fault(int code, String reason) implements Incoming {}

    Incomplete INCOMPLETE = new Incomplete();
    Binary BINARY = new Binary();
    Pong PONG = new Pong();
}
