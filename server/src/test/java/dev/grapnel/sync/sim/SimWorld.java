package dev.grapnel.sync.sim;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.purgatory.RelayPlaces;
import dev.grapnel.sync.link.LinkWindow;
import dev.grapnel.sync.sim.Act.Kind;
import dev.grapnel.sync.world.VirtualScheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/// A world with nodes, relays and people, made of one seed.
///
/// A core is joined to each node by the [CoreFactory] given here: when a node starts, and again after every crash, it
/// is asked for a [Core] and hands over all [Ports]. What people publish goes to relays and nodes by [#publish]; git
/// data
/// goes to hosts by [#push]. Invariants watch by hooks of [SimNetwork], [RelayRecord] and [SimNode].
public final class SimWorld implements AutoCloseable {
    /// A date like any other.
    static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    private final long seed;
    private final Chance random;
    private final Predicate<Act> cast;
    private final Map<Kind, Integer> acts = new EnumMap<>(Kind.class);
    private final VirtualScheduler time = new VirtualScheduler(BEGIN);
    private final SimNetwork network;
    private final GitWorld git = new GitWorld();
    private final CoreFactory cores;
    private final Map<String, SimNode> nodes = new LinkedHashMap<>();
    private final Map<RemoteUrl, SimRelay> relays = new LinkedHashMap<>();
    private final Map<EventId, Event> published = new LinkedHashMap<>();
    private long lastFault;

    public SimWorld(long seed, CoreFactory cores) {
        this(seed, cores, _ -> true);
    }

    /// @param cast tells which acts are played
    SimWorld(long seed, CoreFactory cores, Predicate<Act> cast) {
        this.seed = seed;
        this.random = new Chance(seed);
        this.cast = cast;
        this.cores = cores;
        this.network = new SimNetwork(time, random.split());
    }

    long seed() {
        return seed;
    }

    RandomGenerator random() {
        return random;
    }

    /// The next act of a kind. What it draws from [#random] does not matter to others.
    ///
    /// @param prepare always done; what comes of it is done only if the act is played
    void act(Kind kind, Supplier<Runnable> prepare) {
        var act = new Act(kind, acts.merge(kind, 1, Integer::sum) - 1);
        random.begin(act);
        var played = prepare.get();
        if (cast.test(act)) {
            played.run();
        }
        random.end(act);
    }

    public VirtualScheduler time() {
        return time;
    }

    public SimNetwork network() {
        return network;
    }

    GitWorld git() {
        return git;
    }

    // ---- who is there

    /// A node; it is started when the world is ready.
    public SimNode addNode(String domain) {
        var node = new SimNode(domain, network, git, random.split());
        nodes.put(domain, node);
        return node;
    }

    public SimRelay addRelay(String domain, RelayModel model) {
        var url = RelayPlaces.parse("wss://" + domain).find().orElseThrow();
        var relay = SimRelay.withEvents(time, random.split(), url, model);
        relays.put(url, relay);
        network.serve(url, relay);
        return relay;
    }

    /// Starts all nodes that do not run.
    public void start() {
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

    /// Those of which a node wants something and that it can believe and reach.
    List<SimRelay> sources(SimNode node, Wanted wanted) {
        return wanted.relays().stream()
                .filter(url -> !network.hasLost(node.name(), url) && network.isReachable(node.name(), url))
                .flatMap(url -> findServing(url).stream())
                .filter(SimRelay::isHonest)
                .filter(relay -> relay.model().auth != RelayModel.Auth.IN_VAIN)
                .toList();
    }

    Optional<SimNode> findNode(String domain) {
        return Optional.ofNullable(nodes.get(domain));
    }

    /// The real core of a node that runs and has one.
    Optional<JoinedCore> findCore(String domain) {
        return findNode(domain)
                .filter(SimNode::isAlive)
                .flatMap(node -> node.core() instanceof JoinedCore joined ? Optional.of(joined) : Optional.empty());
    }

    /// The link of a node to a relay, from inside.
    Optional<LinkWindow> findLink(String domain, RemoteUrl relay) {
        return findCore(domain).flatMap(core -> core.findLink(relay));
    }

    /// People for this world, who name its nodes and relays.
    SimEvents events(int people) {
        return new SimEvents(time::wall, random, List.copyOf(nodes.keySet()), List.copyOf(relays.keySet()), people);
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

    /// Somebody pushes what an event names to a host; a node releases what waited for it.
    public void push(Event event, String host) {
        git.put(host, SimEvents.objects(event));
        Optional.ofNullable(nodes.get(host))
                .filter(SimNode::isAlive)
                .ifPresent(node -> node.life().pushed(event));
    }

    /// Everything that anybody ever signed here.
    boolean isGenuine(EventId id) {
        return published.containsKey(id);
    }

    /// Whether it is what somebody signed, the signature included.
    boolean isGenuine(Event event) {
        return Optional.of(event).equals(Optional.ofNullable(published.get(event.id())));
    }

    List<Event> published() {
        return List.copyOf(published.values());
    }

    // ---- time

    public void run(Duration howLong) {
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
