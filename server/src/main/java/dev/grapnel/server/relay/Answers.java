package dev.grapnel.server.relay;

import dev.grapnel.nostr.Refusal;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.nostr.message.SubscriptionId;
import dev.grapnel.server.relay.RelayMeter.Outgoing;
import dev.grapnel.server.websocket.Peer;
import dev.grapnel.server.websocket.SharedText;
import dev.grapnel.websocket.CloseCode;

/// What is said to one client. Whoever lets too much pile up is cut off (relay 2.8).
final class Answers {
    private final Peer peer;
    private final RelayMeter meter;
    private final long outboundMax;

    Answers(Peer peer, RelayMeter meter, long outboundMax) {
        this.peer = peer;
        this.meter = meter;
        this.outboundMax = outboundMax;
    }

    /// Says something.
    void send(RelayMessage message) {
        peer.send(null, message.json().toArray());
        count(message, 1);
        limit();
    }

    /// Says something that is taken back when the subscription is over.
    void send(Subscription subscription, RelayMessage message) {
        peer.send(subscription, message.json().toArray());
        count(message, 1);
        limit();
    }

    /// Sends an event.
    void deliver(Subscription subscription, SharedText event) {
        peer.send(subscription, subscription.prefix(), event);
        meter.sent(Outgoing.EVENT, 1);
        limit();
    }

    void closed(SubscriptionId id, Refusal refusal) {
        send(RelayMessage.closed(id, refusal));
    }

    private void count(RelayMessage message, int number) {
        meter.sent(
                switch (message) {
                    case RelayMessage.Delivery _ -> Outgoing.EVENT;
                    case RelayMessage.Ok _ -> Outgoing.OK;
                    case RelayMessage.EndOfStored _ -> Outgoing.EOSE;
                    case RelayMessage.Closed _ -> Outgoing.CLOSED;
                    case RelayMessage.Notice _ -> Outgoing.NOTICE;
                    case RelayMessage.Counted _ -> Outgoing.COUNT;
                    case RelayMessage.Challenge _ -> Outgoing.AUTH;
                    case RelayMessage.NegMessage _ -> Outgoing.NEG_MSG;
                    case RelayMessage.NegError _ -> Outgoing.NEG_ERR;
                },
                number);
    }

    private void limit() {
        if (peer.unsent() > outboundMax) {
            peer.cut(CloseCode.POLICY, "reads too slowly");
        }
    }
}
