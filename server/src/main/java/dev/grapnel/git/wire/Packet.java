package dev.grapnel.git.wire;

import dev.grapnel.nostr.Bytes;
import java.nio.charset.StandardCharsets;

/// One packet.
public sealed interface Packet {
    /// A line; may be empty.
    record Line(Bytes payload) implements Packet {
        /// As text without the line feed that may end it. Every byte is a character, so nothing is lost or
        /// refused here.
        public String latin() {
            var bytes = payload.toArray();
            int length = bytes.length;
            if (length > 0 && bytes[length - 1] == '\n') {
                length--;
            }
            return new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
        }
    }

    /// `0000`: the end of a list.
    record Flush() implements Packet {}

    /// `0001`: parts of a request in protocol version 2.
    record Delimiter() implements Packet {}

    /// `0002`: the end of an answer in protocol version 2.
    record ResponseEnd() implements Packet {}

    /// The stream ended before another packet.
    record End() implements Packet {}
}
