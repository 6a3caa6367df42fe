package dev.grapnel.sync.sim;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.purgatory.RelayPlaces;
import dev.grapnel.sync.world.VirtualScheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/// A world with nodes, relays and people, made of one seed.
///
/// A core is joined to each node by the [CoreFactory] given here: when a node starts, and again after every crash, it
/// is asked for a [Core] and hands over all [Ports]. What people publish goes to relays and nodes by [#publish]; git
/// data
/// goes to hosts by [#push]. Invariants watch by hooks of [SimNetwork], [RelayRecord] and [SimNode].
final class SimWorld implements AutoCloseable {
    /// A date like any other.
    static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    private final long seed;
    private final SplittableRandom random;
    private final VirtualScheduler time = new VirtualScheduler(BEGIN);
    private final SimNetwork network;
    private final GitWorld git = new GitWorld();
    private final CoreFactory cores;
    private final Map<String, SimNode> nodes = new LinkedHashMap<>();
    private final Map<RemoteUrl, SimRelay> relays = new LinkedHashMap<>();
    private final Map<EventId, Event> published = new LinkedHashMap<>();
    private long lastFault;

    SimWorld(long seed, CoreFactory cores) {
        this.seed = seed;
        this.random = new SplittableRandom(seed);
        this.cores = cores;
        this.network = new SimNetwork(time, random.split());
    }

    long seed() {
        return seed;
    }

    RandomGenerator random() {
        return random;
    }

    VirtualScheduler time() {
        return time;
    }

    SimNetwork network() {
        return network;
    }

    GitWorld git() {
        return git;
    }

    // ---- who is there

    /// A node; it is started when the world is ready.
    SimNode addNode(String domain) {
        var node = new SimNode(domain, network, git, random.split());
        nodes.put(domain, node);
        return node;
    }

    SimRelay addRelay(String domain, RelayModel model) {
        var url = RelayPlaces.parse("wss://" + domain).find().orElseThrow();
        var relay = SimRelay.withEvents(time, random.split(), url, model);
        relays.put(url, relay);
        network.serve(url, relay);
        return relay;
    }

    /// Starts all nodes that do not run.
    void start() {
        nodes.values().stream().filter(node -> !node.isAlive()).forEach(node -> node.start(cores));
    }

    void start(SimNode node) {
        node.start(cores);
    }

    List<SimNode> nodes() {
        return List.copyOf(nodes.values());
    }

    List<SimRelay> relays() {
        return List.copyOf(relays.values());
    }

    Optional<SimRelay> findRelay(RemoteUrl url) {
        return Optional.ofNullable(relays.get(url));
    }

    Optional<SimNode> findNode(RemoteUrl url) {
        return nodes.values().stream().filter(node -> node.url().equals(url)).findFirst();
    }

    /// Whoever serves events under an address now: a relay, or a node that runs.
    Optional<SimRelay> findServing(RemoteUrl url) {
        return findRelay(url)
                .or(() -> findNode(url)
                        .filter(SimNode::isAlive)
                        .map(node -> node.life().relay()));
    }

    /// People for this world, who name its nodes and relays.
    SimEvents events(int people) {
        return new SimEvents(
                time::wall, random.split(), List.copyOf(nodes.keySet()), List.copyOf(relays.keySet()), people);
    }

    // ---- what people do

    /// Somebody publishes an event at some places; those that do not run miss it.
    void publish(Event event, List<RemoteUrl> places) {
        published.put(event.id(), event);
        for (var place : places) {
            findRelay(place).ifPresent(relay -> relay.publish(event));
            findNode(place).filter(SimNode::isAlive).ifPresent(node -> node.submit(event));
        }
    }

    /// Somebody pushes what an event names to a host.
    void push(Event event, String host) {
        git.put(host, SimEvents.objects(event));
    }

    /// Everything that anybody ever signed here.
    boolean isGenuine(EventId id) {
        return published.containsKey(id);
    }

    List<Event> published() {
        return List.copyOf(published.values());
    }

    // ---- time

    void run(Duration howLong) {
        time.runFor(howLong);
    }

    /// Something goes wrong now.
    void faulted() {
        lastFault = time.nanos();
    }

    /// How long nothing has gone wrong.
    Duration sinceFault() {
        return Duration.ofNanos(time.nanos() - lastFault);
    }

    @Override
    public void close() {
        nodes.values().stream().filter(SimNode::isAlive).forEach(SimNode::crash);
    }

    @Override
    public String toString() {
        return "world of seed " + seed + " after " + time.elapsed() + " and " + time.steps() + " steps";
    }
}
