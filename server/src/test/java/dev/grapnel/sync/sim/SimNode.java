package dev.grapnel.sync.sim;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.url.ServiceAddress;
import dev.grapnel.outbound.Failure;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.purgatory.Admitted;
import dev.grapnel.purgatory.RelayPlaces;
import dev.grapnel.store.crash.FailingEngine;
import dev.grapnel.store.memory.KeptMemory;
import dev.grapnel.store.row.ExpiredEvent;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.HeldAnnouncement;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.table.TableEngine;
import dev.grapnel.sync.world.Gate;
import dev.grapnel.sync.world.VirtualScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A Grapnel server of the simulation: what survives its crashes, and its present life. It serves others as a relay
/// under its own address.
public final class SimNode {
    private static final long EVENTS_MAX = 200_000;

    private final String name;
    private final SimNetwork network;
    private final GitWorld git;
    private final RandomGenerator random;
    private final ServiceAddress service;
    private final RemoteUrl url;
    private final KeptMemory memory;
    private final MemoryFiles files = new MemoryFiles();
    private final MemoryNaughtyList naughty;
    private final ServedPast past;
    private final List<Consumer<Ruled>> listeners = new ArrayList<>();
    private final List<Consumer<Event>> servedListeners = new ArrayList<>();
    private long failedAt = Long.MIN_VALUE;
    private Optional<RemoteUrl> bootstrap = Optional.empty();
    private Duration ahead = Duration.ZERO;
    private @Nullable FailingEngine engine;
    private @Nullable NodeLife life;
    private CoreFactory factory = CoreFactory.NONE;
    private int crashes;
    private int jumps;
    private long begunAt;

    /// What the gate said of an event that a relay had.
    public record Ruled(SimNode node, Event event, RemoteUrl relay, Gate.Ruling ruling) {}

    /// @param name its domain, which is also that of its git host
    SimNode(String name, SimNetwork network, GitWorld git, RandomGenerator random) {
        this(name, network, git, random, new KeptMemory(EVENTS_MAX));
    }

    private SimNode(String name, SimNetwork network, GitWorld git, RandomGenerator random, KeptMemory memory) {
        this.name = name;
        this.network = network;
        this.git = git;
        this.random = random;
        this.service = ServiceAddress.parse(name, "/").require();
        this.url = RelayPlaces.parse("wss://" + name).find().orElseThrow();
        this.memory = memory;
        this.past = new ServedPast(network);
        this.naughty = new MemoryNaughtyList(() -> network.time().wall().plus(ahead));
    }

    public String name() {
        return name;
    }

    public RemoteUrl url() {
        return url;
    }

    ServiceAddress service() {
        return service;
    }

    MemoryFiles files() {
        return files;
    }

    MemoryNaughtyList naughty() {
        return naughty;
    }

    Optional<RemoteUrl> bootstrap() {
        return bootstrap;
    }

    Duration clockAhead() {
        return ahead;
    }

    /// Sets its wall clock.
    public void jump(Duration by) {
        ahead = ahead.plus(by);
        jumps++;
        begunAt = network.time().nanos();
    }

    /// How often its clock was set.
    int jumps() {
        return jumps;
    }

    /// The relay its operator names, from the next start on.
    public void bootstrap(RemoteUrl relay) {
        bootstrap = Optional.of(relay);
    }

    // ---- life

    /// Starts it.
    void start(CoreFactory cores) {
        factory = cores;
        begunAt = network.time().nanos();
        var born = new NodeLife(this, network, git, random, cores);
        life = born;
        network.serve(url, born.relay());
        born.begin();
    }

    TableEngine openEngine() {
        var opened = new FailingEngine(memory.get());
        engine = opened;
        return opened;
    }

    boolean isAlive() {
        return life != null;
    }

    /// Kills it: nothing but what is durable is left.
    public void crash() {
        crashes++;
        memory.crash();
        end(NodeLife::end);
    }

    /// Stops it in order.
    public void stop() {
        end(NodeLife::stop);
    }

    private void end(Consumer<NodeLife> how) {
        var ending = life();
        life = null;
        network.connections(url).forEach(connection -> connection.cut(new Failure.Broken()));
        network.remove(url);
        how.accept(ending);
    }

    /// Starts it again with the same core.
    public void restart() {
        start(factory);
    }

    int crashes() {
        return crashes;
    }

    /// Since when it runs by this clock.
    long begunAt() {
        return begunAt;
    }

    /// From now on its disk takes nothing, or takes everything again.
    void fillDisk(boolean isFull) {
        files.setFull(isFull);
        failedAt = network.time().nanos();
        if (engine != null) {
            engine.set(isFull ? FailingEngine.Fault.COMMIT : FailingEngine.Fault.NONE);
        }
    }

    NodeLife life() {
        if (life == null) {
            throw new IllegalStateException(name + " does not run");
        }
        return life;
    }

    Core core() {
        return life().core();
    }

    /// A node that knows what this one knows now, and from then on nothing of it; it cannot be reached and does not
    /// sync.
    SimNode fork() {
        var time = new VirtualScheduler(network.time().wall());
        var chance = new SplittableRandom(1);
        var copy = new SimNode(name, new SimNetwork(time, chance), git, chance, memory.fork());
        copy.ahead = ahead;
        copy.start(CoreFactory.NONE);
        return copy;
    }

    // ---- events

    /// A client sends it an event.
    public Admitted submit(Event event) {
        return life().submit(event);
    }

    void ruled(Event event, RemoteUrl relay, Gate.Ruling ruling) {
        network.time().trace(event.id().a() ^ ruling.getClass().getSimpleName().hashCode());
        if (ruling instanceof Gate.Ruling.Failed) {
            failedAt = network.time().nanos();
        }
        var ruled = new Ruled(this, event, relay, ruling);
        listeners.forEach(listener -> listener.accept(ruled));
    }

    public void watchRulings(Consumer<Ruled> listener) {
        listeners.add(listener);
    }

    void served(Event event) {
        network.time().trace(event.id().b());
        servedListeners.forEach(listener -> listener.accept(event));
        past.served(event);
    }

    void removed(EventId id) {
        past.removed(id);
    }

    /// Hears of every event before it counts as served.
    void watchServed(Consumer<Event> listener) {
        servedListeners.add(listener);
    }

    /// What it serves, and when it did.
    ServedPast past() {
        return past;
    }

    /// When an event could last not be taken through no fault of its own.
    long failedAt() {
        return failedAt;
    }

    /// Everything it serves, the newest first.
    public List<Event> stored() {
        return life().relay().shelf().find(Filter.ALL, Integer.MAX_VALUE);
    }

    public Set<EventId> storedIds() {
        var ids = new TreeSet<EventId>();
        stored().forEach(event -> ids.add(event.id()));
        return ids;
    }

    public boolean serves(EventId id) {
        return life().store().read(view -> view.isServed(id));
    }

    /// Everything that waits.
    List<Event> held() {
        return life().store().read(view -> {
            var events = new ArrayList<Event>();
            for (var table : List.of(Table.HELD_ANNOUNCEMENTS, Table.HELD_STATES, Table.HELD_PROPOSALS)) {
                view.forEachRow(table, Bytes.EMPTY, row -> events.add(((Held) row).event()));
            }
            return events;
        });
    }

    public Set<EventId> heldIds() {
        var ids = new TreeSet<EventId>();
        held().forEach(event -> ids.add(event.id()));
        return ids;
    }

    boolean holds(EventId id) {
        return life().store().read(view -> view.isHeld(id));
    }

    /// What had its time here; purgatory itself asks for it again when its git data comes (P-613).
    Set<EventId> expiredIds() {
        return life().store().read(view -> {
            var ids = new TreeSet<EventId>();
            view.forEachRow(Table.EXPIRED_EVENTS, Bytes.EMPTY, row -> ids.add(((ExpiredEvent) row).id()));
            return ids;
        });
    }

    /// Announcements that have waited in vain, and will not be looked at until something new comes for them (P-211).
    List<Event> softened() {
        return life().store().read(view -> {
            var found = new ArrayList<Event>();
            view.forEachRow(Table.HELD_ANNOUNCEMENTS, Bytes.EMPTY, row -> {
                var held = (HeldAnnouncement) row;
                if (held.phase() == HeldAnnouncement.Phase.SOFT_EXPIRED) {
                    found.add(held.event());
                }
            });
            return found;
        });
    }

    @Override
    public String toString() {
        return name;
    }
}
