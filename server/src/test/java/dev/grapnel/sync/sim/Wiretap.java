package dev.grapnel.sync.sim;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.message.ClientMessage;
import dev.grapnel.nostr.message.ParsedClientMessage;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.nostr.message.SubscriptionId;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.sync.sim.RelayRecord.Purpose;
import dev.grapnel.sync.world.Heard;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What nodes send and hear, at the moment they do: what is open as they see it, whatever becomes of it on the way.
final class Wiretap {
    private final SimNetwork network;
    private final Map<SimConnection, Tapped> lines = new LinkedHashMap<>();
    private final List<Listener> listeners = new ArrayList<>();

    Wiretap(SimNetwork network) {
        this.network = network;
    }

    /// Somebody who listens; called when everything here is up to date.
    interface Listener {
        /// A REQ or a NEG-OPEN was sent.
        default void asked(Tapped line, Asked asked) {}

        /// One is over: the node closed it, or the relay did.
        default void over(Tapped line, Asked asked, boolean byRelay) {}

        /// The connection is gone.
        default void gone(Tapped line) {}
    }

    void listen(Listener listener) {
        listeners.add(listener);
    }

    /// A REQ or a NEG-OPEN.
    static final class Asked {
        final Purpose purpose;
        final SubscriptionId id;
        final List<Filter> filters;
        final int bytes;
        final long at;
        /// Whether it took the place of another one of its id.
        final boolean isReplacement;
        /// Whether its EOSE came, or something of a comparison.
        boolean isAnswered;

        Asked(Purpose purpose, SubscriptionId id, List<Filter> filters, int bytes, long at, boolean isReplacement) {
            this.purpose = purpose;
            this.id = id;
            this.filters = filters;
            this.bytes = bytes;
            this.at = at;
            this.isReplacement = isReplacement;
        }

        @Override
        public String toString() {
            return purpose + " " + id.text() + " " + filters;
        }
    }

    /// One connection of a node.
    static final class Tapped {
        final String node;
        final RemoteUrl relay;
        final long opened;
        final Map<SubscriptionId, Asked> subscriptions = new LinkedHashMap<>();
        final Map<SubscriptionId, Asked> sessions = new LinkedHashMap<>();
        /// When something was last asked, answered or closed that is not live.
        long worked;

        Tapped(String node, RemoteUrl relay, long opened) {
            this.node = node;
            this.relay = relay;
            this.opened = opened;
            this.worked = opened;
        }

        /// What is streamed.
        List<Asked> live() {
            return subscriptions.values().stream()
                    .filter(asked -> asked.purpose == Purpose.LIVE)
                    .toList();
        }

        int slots() {
            return subscriptions.size() + sessions.size();
        }

        @Override
        public String toString() {
            return node + " at " + relay;
        }
    }

    private Tapped of(SimConnection connection) {
        return lines.computeIfAbsent(connection, line -> new Tapped(line.client(), line.relay(), line.opened()));
    }

    /// The connections that are open and were used.
    List<Tapped> lines() {
        return List.copyOf(lines.values());
    }

    private long now() {
        return network.time().nanos();
    }

    // ---- what nodes send

    void sent(SimConnection connection, Bytes text) {
        if (listeners.isEmpty()) {
            return;
        }
        if (SimRelay.READER.read(text.toArray()) instanceof ParsedClientMessage.Read(var message)) {
            sent(of(connection), message, text.length());
        }
    }

    private void sent(Tapped line, ClientMessage message, int bytes) {
        switch (message) {
            case ClientMessage.Subscribe(var id, var filters) ->
                ask(line, line.subscriptions, Purpose.of(id, filters), id, filters, bytes);
            case ClientMessage.NegOpen(var id, var filter, var _) ->
                ask(line, line.sessions, Purpose.NEGENTROPY, id, List.of(filter), bytes);
            case ClientMessage.Unsubscribe(var id) -> end(line, line.subscriptions, id, false);
            case ClientMessage.NegClose(var id) -> end(line, line.sessions, id, false);
            case ClientMessage.NegMessage _ -> line.worked = now();
            case ClientMessage.Publish _, ClientMessage.Count _, ClientMessage.Authenticate _ -> {
                // relays notice what nobody may send
            }
        }
    }

    private void ask(
            Tapped line,
            Map<SubscriptionId, Asked> open,
            Purpose purpose,
            SubscriptionId id,
            List<Filter> filters,
            int bytes) {
        var asked = new Asked(purpose, id, filters, bytes, now(), open.containsKey(id));
        open.put(id, asked);
        note(line, asked);
        listeners.forEach(listener -> listener.asked(line, asked));
    }

    private void end(Tapped line, Map<SubscriptionId, Asked> open, SubscriptionId id, boolean byRelay) {
        var asked = open.remove(id);
        if (asked != null) {
            note(line, asked);
            listeners.forEach(listener -> listener.over(line, asked, byRelay));
        }
    }

    private void note(Tapped line, Asked asked) {
        if (asked.purpose != Purpose.LIVE) {
            line.worked = now();
        }
    }

    // ---- what they hear

    void heard(SimConnection connection, Heard heard) {
        if (!listeners.isEmpty() && heard instanceof Heard.Said(var message, var _)) {
            heard(of(connection), message);
        }
    }

    private void heard(Tapped line, RelayMessage message) {
        switch (message) {
            case RelayMessage.EndOfStored(var id, var _) -> answered(line, line.subscriptions.get(id));
            case RelayMessage.NegMessage(var id, var _) -> answered(line, line.sessions.get(id));
            case RelayMessage.Closed(var id, var _) -> end(line, line.subscriptions, id, true);
            case RelayMessage.NegError(var id, var _, var _) -> end(line, line.sessions, id, true);
            case RelayMessage.Notice _,
                    RelayMessage.Challenge _,
                    RelayMessage.Ok _,
                    RelayMessage.Counted _,
                    RelayMessage.Delivery _ -> {
                // nothing begins or ends by it
            }
        }
    }

    private void answered(Tapped line, @Nullable Asked asked) {
        if (asked != null) {
            asked.isAnswered = true;
            note(line, asked);
        }
    }

    void ended(SimConnection connection) {
        var line = lines.remove(connection);
        if (line != null) {
            listeners.forEach(listener -> listener.gone(line));
        }
    }
}
