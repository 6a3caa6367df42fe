package dev.grapnel.sync.sim;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.outbound.Failure;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.sync.sim.Endpoint.Welcome;
import dev.grapnel.sync.world.VirtualScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/// Everything between nodes and relays.
public final class SimNetwork {
    private final VirtualScheduler time;
    private final RandomGenerator random;
    private final Map<RemoteUrl, Endpoint> endpoints = new LinkedHashMap<>();
    private final Map<Link, Weather> links = new LinkedHashMap<>();
    private final Map<String, Weather> nodes = new LinkedHashMap<>();
    private final Map<RemoteUrl, Weather> relays = new LinkedHashMap<>();
    private final Map<String, NodePort> ports = new LinkedHashMap<>();
    private final List<Consumer<DialRecord>> listeners = new ArrayList<>();
    private final List<Consumer<LinkRecord>> linkListeners = new ArrayList<>();
    private final List<Consumer<SimRelay>> relayListeners = new ArrayList<>();
    private final Set<Link> lossy = new LinkedHashSet<>();
    private final Wiretap tap = new Wiretap(this);
    private long number;
    private long messages;

    private record Link(String node, RemoteUrl relay) {}

    SimNetwork(VirtualScheduler time, RandomGenerator random) {
        this.time = time;
        this.random = random;
    }

    VirtualScheduler time() {
        return time;
    }

    RandomGenerator random() {
        return random;
    }

    /// Somebody can be dialled from now on; what was there is replaced.
    public void serve(RemoteUrl url, Endpoint endpoint) {
        endpoints.put(url, endpoint);
        if (endpoint instanceof SimRelay relay) {
            relayListeners.forEach(listener -> listener.accept(relay));
        }
    }

    /// Calls somebody for every relay that there is or will be, nodes that serve others included.
    void watchRelays(Consumer<SimRelay> listener) {
        relayListeners.add(listener);
        endpoints.values().forEach(endpoint -> {
            if (endpoint instanceof SimRelay relay) {
                listener.accept(relay);
            }
        });
    }

    /// What goes over the connections of nodes.
    Wiretap tap() {
        return tap;
    }

    /// Messages get lost on a link that stays up: that relay counts as a liar there (10.2), for ever.
    void lose(String node, RemoteUrl relay, double chance) {
        lossy.add(new Link(node, relay));
        weather(node, relay).loss(chance);
    }

    /// Whether messages ever got lost there.
    boolean hasLost(String node, RemoteUrl relay) {
        return lossy.contains(new Link(node, relay));
    }

    /// Nobody has the name any more.
    void remove(RemoteUrl url) {
        endpoints.remove(url);
    }

    Optional<Endpoint> find(RemoteUrl url) {
        return Optional.ofNullable(endpoints.get(url));
    }

    /// The network as a node sees it that has just been started.
    NodePort connect(String node) {
        var port = new NodePort(this, node);
        ports.put(node, port);
        return port;
    }

    /// The weather of one link; made with a distance of its own.
    public Weather weather(String node, RemoteUrl relay) {
        return links.computeIfAbsent(
                new Link(node, relay), _ -> new Weather().latency(Duration.ofMillis(5 + random.nextInt(145))));
    }

    /// The weather around a node.
    Weather weather(String node) {
        return nodes.computeIfAbsent(node, _ -> new Weather());
    }

    /// The weather around a relay.
    Weather weather(RemoteUrl relay) {
        return relays.computeIfAbsent(relay, _ -> new Weather());
    }

    Climate climate(String node, RemoteUrl relay) {
        return new Climate(weather(node, relay), weather(node), weather(relay));
    }

    /// A node loses its network: links break, nothing can be looked up or dialled.
    void beginOutage(String node) {
        weather(node).handshakes(new Welcome.Failed(new Failure.LookupFailed()));
        connections(node).forEach(connection -> connection.cut(new Failure.Broken()));
    }

    void endOutage(String node) {
        weather(node).handshakes(Welcome.GRANTED);
    }

    /// A relay is stopped: links break, nobody answers.
    public void stop(RemoteUrl relay) {
        weather(relay).handshakes(new Welcome.Failed(new Failure.ConnectFailed()));
        connections(relay).forEach(connection -> connection.cut(new Failure.Broken()));
    }

    public void start(RemoteUrl relay) {
        weather(relay).handshakes(Welcome.GRANTED);
    }

    /// All open connections of a node.
    List<SimConnection> connections(String node) {
        var port = ports.get(node);
        return port == null ? List.of() : port.connections();
    }

    /// All open connections to a relay.
    List<SimConnection> connections(RemoteUrl relay) {
        return ports.values().stream()
                .flatMap(port -> port.connections().stream())
                .filter(connection -> connection.relay().equals(relay))
                .toList();
    }

    /// Calls somebody for every dial that has ended.
    void watchDials(Consumer<DialRecord> listener) {
        listeners.add(listener);
    }

    void note(DialRecord dial) {
        listeners.forEach(listener -> listener.accept(dial));
    }

    /// Calls somebody for every connection that is over.
    void watchLinks(Consumer<LinkRecord> listener) {
        linkListeners.add(listener);
    }

    void note(LinkRecord link) {
        linkListeners.forEach(listener -> listener.accept(link));
    }

    /// Whether a node could reach a relay now.
    boolean isReachable(String node, RemoteUrl relay) {
        var climate = climate(node, relay);
        return endpoints.containsKey(relay) && climate.handshake().isEmpty() && !climate.isSwallowed();
    }

    long nextNumber() {
        return ++number;
    }

    /// A message has come to the other side, whichever that is.
    void arrived(Bytes text) {
        messages++;
        time.trace(text.hashCode());
    }

    /// How many have, in both directions.
    long messages() {
        return messages;
    }

    boolean happens(double chance) {
        return chance > 0 && random.nextDouble() < chance;
    }
}
