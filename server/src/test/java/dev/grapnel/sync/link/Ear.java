package dev.grapnel.sync.link;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.EventLimits;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.filter.FilterLimits;
import dev.grapnel.nostr.message.ClientMessage;
import dev.grapnel.nostr.message.ClientMessageReader;
import dev.grapnel.nostr.message.MessageLimits;
import dev.grapnel.nostr.message.ParsedClientMessage;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.nostr.message.SubscriptionId;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.sync.sim.Endpoint;
import dev.grapnel.sync.sim.SimRelay;
import dev.grapnel.sync.world.RelayInformation;
import dev.grapnel.sync.world.VirtualScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/// Sits at the door of a relay: sees every frame that comes, with its time, and may answer in the relay's place.
final class Ear implements Endpoint {
    private static final ClientMessageReader READER = new ClientMessageReader(new MessageLimits(
            EventLimits.DEFAULTS, new FilterLimits(100_000, 10_000_000, 100, false), SubscriptionId.LENGTH_MAX, true));

    private final SimRelay relay;
    private final VirtualScheduler time;
    private final List<Frame> frames = new ArrayList<>();
    private final Set<SubscriptionId> subscriptions = new LinkedHashSet<>();
    private final Set<SubscriptionId> sessions = new LinkedHashSet<>();
    private Script script = new Script() {};
    private Optional<Peer> peer = Optional.empty();
    private Optional<RelayInformation> information;
    private long dials;

    /// What the relay does otherwise.
    interface Script {
        /// Whether a message is dealt with here, and the relay never hears of it.
        default boolean hears(ClientMessage message, Peer client) {
            return false;
        }

        /// What is said in place of something that the relay says.
        default List<RelayMessage> says(RelayMessage message) {
            return List.of(message);
        }
    }

    /// A message that came.
    ///
    /// @param at since the world began
    /// @param subscriptions how many are open then
    /// @param sessions how many comparisons are
    record Frame(Duration at, long connection, ClientMessage message, int bytes, int subscriptions, int sessions) {
        /// The filters of a REQ or NEG-OPEN.
        List<Filter> filters() {
            return switch (message) {
                case ClientMessage.Subscribe(var _, var filters) -> filters;
                case ClientMessage.NegOpen(var _, var filter, var _) -> List.of(filter);
                default -> List.of();
            };
        }

        Filter filter() {
            return filters().getFirst();
        }

        boolean isRequest(char role) {
            return message instanceof ClientMessage.Subscribe(var id, var _)
                    && id.text().charAt(0) == role;
        }

        boolean isOpening() {
            return message instanceof ClientMessage.NegOpen;
        }

        /// Whether it asks for something by a tag.
        boolean asksBy(char letter) {
            return filters().stream().anyMatch(filter -> OneLink.asksBy(filter, letter));
        }
    }

    Ear(SimRelay relay, VirtualScheduler time) {
        this.relay = relay;
        this.time = time;
        this.information = relay.information();
    }

    SimRelay relay() {
        return relay;
    }

    RemoteUrl url() {
        return relay.url();
    }

    /// From now on it does this.
    void play(Script other) {
        script = other;
    }

    /// Its document says this from now on.
    void inform(RelayInformation said) {
        information = Optional.of(said);
    }

    /// Says something to whoever is connected.
    void say(RelayMessage message) {
        peer.orElseThrow().send(message);
    }

    /// How often it was dialled.
    long dials() {
        return dials;
    }

    /// Ids of the subscriptions that are open.
    List<String> open() {
        return subscriptions.stream().map(SubscriptionId::text).toList();
    }

    // ---- what came

    List<Frame> frames() {
        return List.copyOf(frames);
    }

    List<Frame> frames(Predicate<Frame> which) {
        return frames.stream().filter(which).toList();
    }

    /// REQs whose ids begin with this (R3.9).
    List<Frame> requests(char role) {
        return frames(frame -> frame.isRequest(role));
    }

    List<Frame> openings() {
        return frames(Frame::isOpening);
    }

    /// Everything that begins something: REQ and NEG-OPEN.
    List<Frame> asked() {
        return frames(frame -> !frame.filters().isEmpty());
    }

    /// What came before is no longer of interest.
    void forget() {
        frames.clear();
    }

    // ---- the door

    @Override
    public Welcome welcome(String client) {
        dials++;
        return relay.welcome(client);
    }

    @Override
    public Optional<RelayInformation> information() {
        return information;
    }

    @Override
    public Session accept(Peer client) {
        subscriptions.clear();
        sessions.clear();
        var mouth = new Mouth(client);
        peer = Optional.of(mouth);
        var session = relay.accept(mouth);
        return new Session() {
            @Override
            public void received(Bytes text) {
                var message = read(text);
                note(message);
                frames.add(new Frame(
                        time.elapsed(),
                        client.number(),
                        message,
                        text.length(),
                        subscriptions.size(),
                        sessions.size()));
                if (!script.hears(message, mouth)) {
                    session.received(text);
                }
            }

            @Override
            public void ended() {
                session.ended();
            }
        };
    }

    private static ClientMessage read(Bytes text) {
        if (READER.read(text.toArray()) instanceof ParsedClientMessage.Read(var message)) {
            return message;
        }
        throw new AssertionError("nobody can read this: " + text);
    }

    private void note(ClientMessage message) {
        switch (message) {
            case ClientMessage.Subscribe(var id, var _) -> subscriptions.add(id);
            case ClientMessage.Unsubscribe(var id) -> subscriptions.remove(id);
            case ClientMessage.NegOpen(var id, var _, var _) -> sessions.add(id);
            case ClientMessage.NegClose(var id) -> sessions.remove(id);
            case ClientMessage.NegMessage _, ClientMessage.Authenticate _ -> {
                // nothing opens or ends
            }
            case ClientMessage.Publish _, ClientMessage.Count _ -> throw new AssertionError("sync only asks");
        }
    }

    private void note(RelayMessage message) {
        if (message instanceof RelayMessage.Closed(var id, var _)) {
            subscriptions.remove(id);
        } else if (message instanceof RelayMessage.NegError(var id, var _, var _)) {
            sessions.remove(id);
        }
    }

    /// Through which the relay speaks.
    private final class Mouth implements Peer {
        private final Peer client;

        private Mouth(Peer client) {
            this.client = client;
        }

        @Override
        public String client() {
            return client.client();
        }

        @Override
        public long number() {
            return client.number();
        }

        @Override
        public void send(RelayMessage message) {
            for (var said : script.says(message)) {
                note(said);
                client.send(said);
            }
        }

        @Override
        public void sendRaw(Bytes text) {
            client.sendRaw(text);
        }

        @Override
        public int pending() {
            return client.pending();
        }

        @Override
        public void closeByRelay() {
            client.closeByRelay();
        }
    }
}
