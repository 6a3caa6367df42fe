package dev.grapnel.sync.sim;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.EventDefect;
import dev.grapnel.nostr.message.MessageLimits;
import dev.grapnel.nostr.message.ParsedRelayMessage;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.nostr.message.RelayMessageReader;
import dev.grapnel.sync.world.Heard;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/// Takes messages of relays apart, as a transport does.
final class Hearing {
    /// R4.24.
    static final int MESSAGE_MAX = 5 << 20;

    private static final RelayMessageReader READER = new RelayMessageReader(MessageLimits.DEFAULTS);

    private Hearing() {}

    static Heard of(Bytes text, Runnable decided) {
        if (text.length() > MESSAGE_MAX) {
            return new Heard.Junk("size", text.length());
        }
        return switch (READER.read(text.toArray())) {
            case ParsedRelayMessage.Read(RelayMessage.Delivery(var id, var event)) ->
                new Heard.Delivered(id, event, text.length(), decided);
            case ParsedRelayMessage.Read(var message) -> new Heard.Said(message, text.length());
            case ParsedRelayMessage.Unknown() -> new Heard.Unknown("unknown", text.length());
            case ParsedRelayMessage.BadEvent(var _, var _, var defect) ->
                new Heard.Junk(defect.kind() == EventDefect.Kind.WRONG_ID ? "hash" : "event", text.length());
            case ParsedRelayMessage.Malformed _ -> new Heard.Junk(isUtf8(text) ? "json" : "utf8", text.length());
        };
    }

    private static boolean isUtf8(Bytes text) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text.toArray()));
            return true;
        } catch (CharacterCodingException _) {
            return false; // which is the answer
        }
    }
}
