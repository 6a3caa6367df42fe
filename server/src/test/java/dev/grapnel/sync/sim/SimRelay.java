package dev.grapnel.sync.sim;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventLimits;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.filter.FilterLimits;
import dev.grapnel.nostr.message.ClientMessageReader;
import dev.grapnel.nostr.message.MessageLimits;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.nostr.message.SubscriptionId;
import dev.grapnel.outbound.Failure;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.sync.world.RelayInformation;
import dev.grapnel.sync.world.VirtualScheduler;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/// A relay: what it serves, what it is like ([RelayModel]), what it does wrong ([Lie]), and who is connected.
public final class SimRelay implements Endpoint {
    /// Reads everything; what is too much is the model's to say.
    static final ClientMessageReader READER = new ClientMessageReader(new MessageLimits(
            EventLimits.DEFAULTS, new FilterLimits(100_000, 10_000_000, 100, false), SubscriptionId.LENGTH_MAX, true));

    private final VirtualScheduler time;
    private final RandomGenerator random;
    private final RemoteUrl url;
    private final RelayModel model;
    private final Shelf shelf;
    private final RelayRecord record = new RelayRecord();
    private final Set<RelaySession> sessions = new LinkedHashSet<>();
    private final Map<String, Long> lastSeen = new LinkedHashMap<>();
    private final Map<String, Long> bannedUntil = new LinkedHashMap<>();
    private final List<String> misdeeds = new ArrayList<>();
    private Lie lie = Lie.NONE;
    private boolean hasEverLied;
    private long authentications;
    private final Set<String> unserved = new HashSet<>();

    SimRelay(VirtualScheduler time, RandomGenerator random, RemoteUrl url, RelayModel model, Shelf shelf) {
        this.time = time;
        this.random = random;
        this.url = url;
        this.model = model;
        this.shelf = shelf;
    }

    /// One with events of its own.
    static SimRelay withEvents(VirtualScheduler time, RandomGenerator random, RemoteUrl url, RelayModel model) {
        return new SimRelay(time, random, url, model, new EventShelf(model.replaces, model.deletes));
    }

    VirtualScheduler time() {
        return time;
    }

    RandomGenerator random() {
        return random;
    }

    public RemoteUrl url() {
        return url;
    }

    RelayModel model() {
        return model;
    }

    Shelf shelf() {
        return shelf;
    }

    RelayRecord record() {
        return record;
    }

    Lie lie() {
        return lie;
    }

    /// From now on it does this.
    public void lie(Lie other) {
        lie = other;
        hasEverLied |= !other.isHonest();
    }

    /// Whether it has always been honest.
    boolean isHonest() {
        return !hasEverLied;
    }

    /// What clients of this relay did that nobody may: publishing, malformed messages.
    List<String> misdeeds() {
        return List.copyOf(misdeeds);
    }

    /// How often somebody answered a challenge.
    long authentications() {
        return authentications;
    }

    /// The events it has, in the order in which they came.
    public List<Event> events() {
        return shelf instanceof EventShelf own ? List.copyOf(own.events()) : shelf.find(Filter.ALL, Integer.MAX_VALUE);
    }

    /// Somebody publishes an event here; whoever listens hears of it. False if it is not taken.
    public boolean publish(Event event) {
        boolean isNew = shelf instanceof EventShelf own && own.add(event);
        if (isNew) {
            broadcast(event);
        }
        return isNew;
    }

    /// It has an event that nobody is told of.
    public boolean put(Event event) {
        return shelf instanceof EventShelf own && own.add(event);
    }

    /// Tells whoever listens.
    void broadcast(Event event) {
        List.copyOf(sessions).forEach(session -> session.deliver(event));
    }

    /// All who listen are too slow all of a sudden.
    public void lag() {
        List.copyOf(sessions).forEach(RelaySession::lag);
    }

    @Override
    public Optional<RelayInformation> information() {
        return model.information();
    }

    @Override
    public Welcome welcome(String client) {
        long now = time.nanos();
        if (bannedUntil.getOrDefault(client, Long.MIN_VALUE) > now) {
            return new Welcome.Failed(new Failure.ConnectFailed());
        }
        var last = lastSeen.put(client, now);
        if (last != null && now - last < model.reconnectMin.toNanos()) {
            bannedUntil.put(client, now + model.ban.toNanos());
            record.refused(new RelayRecord.Refusal(now, client, 0, RelayRecord.Limit.BAN, ""));
            return new Welcome.Failed(new Failure.ConnectFailed());
        }
        return Welcome.GRANTED;
    }

    @Override
    public Session accept(Peer peer) {
        var session = new RelaySession(this, peer);
        sessions.add(session);
        session.begin();
        return session;
    }

    /// It is no more: nobody is answered.
    void close() {
        List.copyOf(sessions).forEach(RelaySession::ended);
    }

    void left(RelaySession session, boolean isServed) {
        sessions.remove(session);
        if (isServed) {
            unserved.remove(session.client());
        } else {
            unserved.add(session.client());
        }
    }

    /// Whether it let somebody ask for nothing on the last connection: an answer to its challenge may be lost, too.
    boolean hasServedNothing(String client) {
        return unserved.contains(client);
    }

    /// Everything that is streamed to anybody.
    public List<Filter> live() {
        return sessions.stream().flatMap(session -> session.live().stream()).toList();
    }

    /// Who is connected.
    List<RelaySession> sessions() {
        return List.copyOf(sessions);
    }

    void authenticated(String client) {
        authentications++;
        time.trace(client.hashCode());
    }

    void published(String client, Event event) {
        misdeeds.add(client + " published " + event.id());
    }

    void malformed(RelayMessage reply) {
        misdeeds.add("a malformed message was answered " + reply);
    }

    @Override
    public String toString() {
        return url + " (" + model.name + ")";
    }
}
