package dev.grapnel.nostr.fuzz;

import static dev.grapnel.nostr.fuzz.Oracle.require;

import dev.grapnel.nostr.event.EventLimits;
import dev.grapnel.nostr.filter.FilterLimits;
import dev.grapnel.nostr.message.ClientMessage;
import dev.grapnel.nostr.message.ClientMessageReader;
import dev.grapnel.nostr.message.MessageLimits;
import dev.grapnel.nostr.message.ParsedClientMessage;
import dev.grapnel.nostr.message.ParsedRelayMessage;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.nostr.message.RelayMessageReader;

/// Reads what a client may send. What is understood is written and read again, and so is every refusal, by the other
/// side's reader.
public final class ClientMessageFuzz {
    private static final ClientMessageReader READER = new ClientMessageReader(MessageLimits.DEFAULTS);
    private static final RelayMessageReader OTHER_SIDE = new RelayMessageReader(MessageLimits.DEFAULTS);
    private static final ClientMessageReader NARROW = new ClientMessageReader(
            new MessageLimits(new EventLimits(600, 2, 8, 16, 4), new FilterLimits(1, 2, 1, true), 3, false));

    private ClientMessageFuzz() {}

    public static void fuzzerTestOneInput(byte[] data) {
        if (NARROW.read(data) instanceof ParsedClientMessage.Refused(var reply)) {
            requireReadable(reply);
        }
        switch (READER.read(data)) {
            case ParsedClientMessage.Read(var message) -> requireStable(message, data);
            case ParsedClientMessage.Refused(var reply) -> {
                requireReadable(reply);
                if (reply instanceof RelayMessage.Ok(var id, var _, var refusal)) {
                    RightIds.findCorrected(data, id, refusal).ifPresent(ClientMessageFuzz::readCorrected);
                }
            }
            case ParsedClientMessage.Nothing _ -> {}
        }
    }

    private static void readCorrected(byte[] data) {
        if (READER.read(data) instanceof ParsedClientMessage.Read(var message)) {
            requireStable(message, data);
        }
    }

    private static void requireStable(ClientMessage message, byte[] data) {
        Oracle.requireJson(data);
        var json = message.json().toArray();
        Oracle.tree(json);
        require(
                READER.read(json) instanceof ParsedClientMessage.Read(var again)
                        && again.equals(message)
                        && again.json().equals(message.json()),
                "the message changes when it is written and read: " + message);
    }

    private static void requireReadable(RelayMessage reply) {
        var json = reply.json().toArray();
        Oracle.tree(json);
        require(
                OTHER_SIDE.read(json) instanceof ParsedRelayMessage.Read(var again) && again.equals(reply),
                "the client cannot read " + reply);
    }
}
