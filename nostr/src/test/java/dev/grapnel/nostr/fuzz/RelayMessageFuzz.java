package dev.grapnel.nostr.fuzz;

import static dev.grapnel.nostr.fuzz.Oracle.require;

import dev.grapnel.nostr.event.EventLimits;
import dev.grapnel.nostr.filter.FilterLimits;
import dev.grapnel.nostr.message.MessageLimits;
import dev.grapnel.nostr.message.ParsedRelayMessage;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.nostr.message.RelayMessageReader;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/// Reads what another relay may send; what is understood is written and read again.
public final class RelayMessageFuzz {
    private static final RelayMessageReader READER = new RelayMessageReader(MessageLimits.DEFAULTS);
    private static final RelayMessageReader NARROW = new RelayMessageReader(
            new MessageLimits(new EventLimits(600, 2, 8, 16, 4), new FilterLimits(1, 2, 1, true), 3, false));

    /// Nobody echoes an id here, so it is looked for in the text.
    private static final Pattern ID = Pattern.compile("\"id\"\\s*:\\s*\"([0-9a-f]{64})\"");

    private RelayMessageFuzz() {}

    public static void fuzzerTestOneInput(byte[] data) {
        NARROW.read(data);
        switch (READER.read(data)) {
            case ParsedRelayMessage.Read(var message) -> requireStable(message, data);
            case ParsedRelayMessage.BadEvent(var _, var _, var defect) -> {
                Oracle.requireJson(data);
                readCorrected(data, defect.text());
            }
            case ParsedRelayMessage.Unknown _ -> Oracle.requireJson(data);
            case ParsedRelayMessage.Malformed _ -> {}
        }
    }

    private static void readCorrected(byte[] data, String defect) {
        var id = ID.matcher(new String(data, StandardCharsets.ISO_8859_1));
        if (id.find()) {
            RightIds.findCorrected(data, id.group(1), defect).ifPresent(corrected -> {
                if (READER.read(corrected) instanceof ParsedRelayMessage.Read(var message)) {
                    requireStable(message, corrected);
                }
            });
        }
    }

    private static void requireStable(RelayMessage message, byte[] data) {
        Oracle.requireJson(data);
        var json = message.json().toArray();
        Oracle.tree(json);
        require(
                READER.read(json) instanceof ParsedRelayMessage.Read(var again)
                        && again.equals(message)
                        && again.json().equals(message.json()),
                "the message changes when it is written and read: " + message);
    }
}
