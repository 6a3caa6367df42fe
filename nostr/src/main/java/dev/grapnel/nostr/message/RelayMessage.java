package dev.grapnel.nostr.message;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Refusal;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.json.JsonWriter;
import java.util.OptionalLong;

/// What a relay says to a client (relay 2.2).
public sealed interface RelayMessage {
    /// `EVENT`: an event your subscription asked for.
    record Delivery(SubscriptionId id, Event event) implements RelayMessage {}

    /// `OK`: what became of your event. The id is echoed as it was sent, hence text.
    record Ok(String eventId, boolean accepted, String message) implements RelayMessage {
        /// @throws IllegalArgumentException if a refusal gives no reason
        public Ok {
            if (!accepted && message.isEmpty()) {
                throw new IllegalArgumentException("a refusal gives a reason");
            }
        }
    }

    /// `EOSE`: that was everything stored.
    record EndOfStored(SubscriptionId id, Completeness completeness) implements RelayMessage {}

    /// `CLOSED`: nothing, or nothing more, is sent for this id.
    record Closed(SubscriptionId id, String message) implements RelayMessage {}

    /// `NOTICE`: a word to a person.
    record Notice(String message) implements RelayMessage {}

    /// `COUNT`: so many. `hll` holds the 256 registers of HyperLogLog or nothing.
    record Counted(SubscriptionId id, long count, boolean approximate, Bytes hll) implements RelayMessage {
        /// Registers HyperLogLog has.
        public static final int REGISTERS = 256;

        /// @throws IllegalArgumentException if there are neither 256 registers nor none
        public Counted {
            if (hll.length() != 0 && hll.length() != REGISTERS) {
                throw new IllegalArgumentException("HyperLogLog has " + REGISTERS + " registers");
            }
        }
    }

    /// `AUTH`: prove who you are by signing this.
    record Challenge(String challenge) implements RelayMessage {}

    /// `NEG-MSG`: my next step of the comparison.
    record NegMessage(SubscriptionId id, Bytes message) implements RelayMessage {}

    /// `NEG-ERR`: the comparison is over, for this reason; some reasons name a number.
    record NegError(SubscriptionId id, String reason, OptionalLong limit) implements RelayMessage {}

    /// Whether limits cut the stored result (NIP-67).
    enum Completeness {
        UNSTATED,
        FINISHED,
        MORE
    }

    /// `OK` that refuses.
    static Ok refused(String eventId, Refusal refusal) {
        return new Ok(eventId, false, refusal.toString());
    }

    /// `CLOSED` that refuses.
    static Closed closed(SubscriptionId id, Refusal refusal) {
        return new Closed(id, refusal.toString());
    }

    /// `NOTICE` that refuses.
    static Notice notice(Refusal refusal) {
        return new Notice(refusal.toString());
    }

    /// `NEG-ERR` without a number.
    static NegError negError(SubscriptionId id, Refusal refusal) {
        return new NegError(id, refusal.toString(), OptionalLong.empty());
    }

    /// As it is sent.
    default Bytes json() {
        var out = new JsonWriter(256);
        switch (this) {
            case Delivery(var id, var event) ->
                out.raw("[\"EVENT\",").string(id.text()).raw(",").raw(event.json());
            case Ok(var eventId, var accepted, var message) ->
                out.raw("[\"OK\",")
                        .string(eventId)
                        .raw(accepted ? ",true," : ",false,")
                        .string(message);
            case EndOfStored(var id, var completeness) ->
                out.raw("[\"EOSE\",").string(id.text()).raw(hint(completeness));
            case Closed(var id, var message) ->
                out.raw("[\"CLOSED\",").string(id.text()).raw(",").string(message);
            case Notice(var message) -> out.raw("[\"NOTICE\",").string(message);
            case Counted counted -> writeCount(out, counted);
            case Challenge(var challenge) -> out.raw("[\"AUTH\",").string(challenge);
            case NegMessage(var id, var message) ->
                out.raw("[\"NEG-MSG\",")
                        .string(id.text())
                        .raw(",\"")
                        .raw(message.toHex())
                        .raw("\"");
            case NegError(var id, var reason, var limit) -> {
                out.raw("[\"NEG-ERR\",").string(id.text()).raw(",").string(reason);
                limit.ifPresent(number -> out.raw(",").number(number));
            }
        }
        return out.raw("]").toBytes();
    }

    private static String hint(Completeness completeness) {
        return switch (completeness) {
            case UNSTATED -> "";
            case FINISHED -> ",[\"finish\"]";
            case MORE -> ",[\"more\"]";
        };
    }

    private static void writeCount(JsonWriter out, Counted counted) {
        out.raw("[\"COUNT\",").string(counted.id().text()).raw(",{\"count\":").number(counted.count());
        out.raw(counted.approximate() ? ",\"approximate\":true" : "");
        if (counted.hll().length() > 0) {
            out.raw(",\"hll\":\"").raw(counted.hll().toHex()).raw("\"");
        }
        out.raw("}");
    }
}
