package dev.grapnel.sync.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.sync.SyncConfig;
import dev.grapnel.sync.SyncCore;
import dev.grapnel.sync.SyncNote;
import dev.grapnel.sync.SyncParts;
import dev.grapnel.sync.SyncPicture;
import dev.grapnel.sync.health.Learned.Trait;
import dev.grapnel.sync.index.HeapTables;
import dev.grapnel.sync.index.IndexLimits;
import dev.grapnel.sync.received.IntakeCounts;
import dev.grapnel.sync.received.IntakeNotes;
import dev.grapnel.sync.sim.Core;
import dev.grapnel.sync.sim.Ports;
import dev.grapnel.sync.sim.RelayModel;
import dev.grapnel.sync.sim.SimNode;
import dev.grapnel.sync.sim.SimWorld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/// The whole core of one server in virtual time, and one relay that it follows, at whose door an [Ear] listens.
final class OneLink implements AutoCloseable {
    static final int OWNER = 1;
    static final int REACTION = 7;
    private static final Duration LATENCY = Duration.ofMillis(10);

    private final SimWorld world;
    private final SimNode node;
    private final Ear relay;
    private final UnaryOperator<SyncConfig> change;
    private final IndexLimits limits;
    private final List<SyncNote> notes = new ArrayList<>();
    private Optional<SyncCore> core = Optional.empty();

    OneLink(RelayModel model) {
        this(model, UnaryOperator.identity());
    }

    OneLink(RelayModel model, LinkConfig config) {
        this(model, usual -> with(usual, config));
    }

    OneLink(RelayModel model, UnaryOperator<SyncConfig> change) {
        this(model, change, IndexLimits.DEFAULTS);
    }

    OneLink(RelayModel model, UnaryOperator<SyncConfig> change, IndexLimits limits) {
        this.change = change;
        this.limits = limits;
        this.world = new SimWorld(7, this::join);
        this.node = world.addNode("one.example.com");
        this.relay = addRelay("relay.example.com", model);
        world.start();
    }

    private static SyncConfig with(SyncConfig usual, LinkConfig config) {
        return new SyncConfig(
                usual.bootstrap(),
                usual.privatePeers(),
                usual.isPrivate(),
                usual.requestRate(),
                usual.connectTime(),
                usual.checkEvery(),
                usual.feed(),
                usual.health(),
                usual.intake(),
                config);
    }

    /// Filters hold so many values, and stay so narrow however many they are.
    static LinkConfig narrow(int values) {
        return config(values, 10_000, true);
    }

    static LinkConfig withoutNegentropy() {
        return config(100, 70, false);
    }

    static LinkConfig config(int width, int consolidationFrom, boolean usesNegentropy) {
        var usual = LinkConfig.DEFAULTS;
        return new LinkConfig(
                width,
                consolidationFrom,
                usual.liveFiltersMax(),
                usual.pageLimit(),
                usesNegentropy,
                usual.asksStatesInFirstLayer(),
                usual.keepsGraspLists(),
                usual.window(),
                usual.dailyMin(),
                usual.dailyMax());
    }

    private Core join(Ports ports) {
        var usual = SyncConfig.DEFAULTS;
        var config = change.apply(new SyncConfig(
                ports.bootstrap(),
                usual.privatePeers(),
                usual.isPrivate(),
                usual.requestRate(),
                usual.connectTime(),
                usual.checkEvery(),
                usual.feed(),
                usual.health(),
                usual.intake(),
                usual.link()));
        var parts = new SyncParts(
                ports.scheduler(),
                ports.transport(),
                ports.information(),
                ports.archive(),
                ports.gate(),
                ports.purgatory(),
                ports.files(),
                ports.signer(),
                ports.naughty(),
                limits,
                new HeapTables(),
                IntakeCounts.NONE,
                IntakeNotes.NONE,
                ports.self()::equals,
                ports.random());
        var born = new SyncCore(config, parts, notes::add);
        core = Optional.of(born);
        return new Core() {
            @Override
            public void start() {
                born.start();
            }

            @Override
            public void stop() {
                born.stop(() -> {});
            }
        };
    }

    /// One more relay.
    Ear addRelay(String domain, RelayModel model) {
        var made = world.addRelay(domain, model);
        var ear = new Ear(made, world.time());
        world.network().serve(made.url(), ear);
        world.network().weather(node.name(), made.url()).latency(LATENCY);
        return ear;
    }

    // ---- who is there

    SimNode node() {
        return node;
    }

    Ear relay() {
        return relay;
    }

    SimWorld world() {
        return world;
    }

    SyncCore core() {
        return core.orElseThrow();
    }

    /// How the core sees the relay.
    SyncPicture.Relay portrait() {
        return portrait(relay);
    }

    SyncPicture.Relay portrait(Ear of) {
        return core().picture().relays().stream()
                .filter(seen -> seen.url().equals(of.url()))
                .findFirst()
                .orElseThrow();
    }

    /// What the relay was found to bear; it must have been found.
    long learned(Trait trait) {
        return Optional.ofNullable(portrait().learned().get(trait))
                .orElseThrow()
                .value();
    }

    LinkState state() {
        return portrait().link().state();
    }

    /// What happened at the relay, of one kind.
    <T extends LinkNote> List<T> notes(Class<T> kind) {
        return notes.stream()
                .filter(SyncNote.AtRelay.class::isInstance)
                .map(SyncNote.AtRelay.class::cast)
                .filter(note -> note.relay().equals(relay.url()))
                .map(SyncNote.AtRelay::note)
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }

    // ---- time

    Duration now() {
        return world.time().elapsed();
    }

    /// Seconds of the wall clock.
    long wall() {
        return world.time().wall().getEpochSecond();
    }

    void run(Duration time) {
        world.run(time);
    }

    /// Runs until something is so, which must be soon enough.
    void runUntil(BooleanSupplier isSo, Duration most) {
        var end = now().plus(most);
        while (!isSo.getAsBoolean()) {
            assertTrue(
                    now().compareTo(end) < 0,
                    () -> "not so after " + most + ": " + core().picture().relays());
            world.run(Duration.ofMillis(100));
        }
    }

    /// Runs until everything the relay was asked for is there.
    void settle(Duration most) {
        runUntil(() -> isFollowed() && (state() == LinkState.CONNECTED || state() == LinkState.WITH_FAILURES), most);
    }

    void settle() {
        settle(Duration.ofMinutes(5));
    }

    /// Whether the core knows of the relay.
    boolean isFollowed() {
        return core().picture().relays().stream().anyMatch(seen -> seen.url().equals(relay.url()));
    }

    /// The connection breaks; the relay may be dialled again at once.
    void drop() {
        world.network().stop(relay.url());
        world.network().start(relay.url());
    }

    // ---- what people do

    /// A repository that names the relay, served here with its git data.
    ///
    /// @return its coordinate
    String repository(String identifier, Ear... relays) {
        serve(announcement(identifier, wall(), relays));
        var state = state(identifier, 1);
        world.push(state, node.name());
        serve(state);
        return coordinate(identifier);
    }

    /// An announcement that names this server, and the relay unless others are given.
    Event announcement(String identifier, long createdAt, Ear... relays) {
        var npub = new Npub(StoreSamples.author(OWNER)).toString();
        var places = new ArrayList<>(List.of("relays", "wss://" + node.name()));
        (relays.length == 0 ? List.of(relay) : Arrays.asList(relays))
                .forEach(ear -> places.add(ear.url().text()));
        return event(
                Kinds.ANNOUNCEMENT,
                createdAt,
                List.of("d", identifier),
                List.of("name", identifier),
                List.of("clone", "https://" + node.name() + "/" + npub + "/" + identifier + ".git"),
                places);
    }

    /// Where the branch of a repository is.
    Event state(String identifier, int commit) {
        return event(
                Kinds.STATE,
                wall() + commit - 1,
                List.of("d", identifier),
                List.of("refs/heads/main", "%040x".formatted(commit + identifier.hashCode() * 1_000L & 0xffffffffL)),
                List.of("HEAD", "ref: refs/heads/main"));
    }

    static String coordinate(String identifier) {
        return Kinds.ANNOUNCEMENT + ":" + StoreSamples.author(OWNER) + ":" + identifier;
    }

    /// An issue that is served here.
    Event issue(String coordinate, String subject) {
        var issue = event(Kinds.ISSUE, wall(), List.of("a", coordinate), List.of("subject", subject));
        serve(issue);
        return issue;
    }

    /// So many that are served here.
    List<Event> issues(String coordinate, int count) {
        return IntStream.range(0, count)
                .mapToObj(number -> issue(coordinate, "issue " + number))
                .toList();
    }

    /// Somebody publishes an event here.
    void serve(Event event) {
        node.submit(event);
    }

    /// So many reactions to something, one each second up to now, the oldest first. Nobody answers reactions, so
    /// nothing more is asked because of them.
    List<Event> reactions(Event to, int count) {
        return IntStream.range(0, count)
                .mapToObj(number -> reaction(to, wall() - count + number, number))
                .toList();
    }

    static Event reaction(Event to, long createdAt, int number) {
        return event(REACTION, createdAt, List.of("e", to.id().toHex()), List.of("n", "" + number));
    }

    @SafeVarargs
    static Event event(int kind, long createdAt, List<String>... tags) {
        var all = new ArrayList<List<String>>();
        for (var tag : tags) {
            all.add(tag);
        }
        return StoreSamples.event(OWNER, kind, createdAt, all, "");
    }

    // ---- what came of it

    boolean has(Collection<Event> events) {
        return events.stream().allMatch(event -> node.serves(event.id()));
    }

    void assertHas(Collection<Event> events) {
        assertEquals(
                events.size(),
                events.stream().filter(event -> node.serves(event.id())).count());
    }

    /// The same second, or one beside it.
    static void assertAbout(long expected, long second) {
        assertTrue(Math.abs(expected - second) <= 2, () -> second + " is not about " + expected);
    }

    static boolean asksBy(Filter filter, char letter) {
        return filter.tags().stream().anyMatch(tag -> tag.letter() == letter);
    }

    /// The values that a filter asks for by a tag.
    static List<String> values(Filter filter, char letter) {
        return filter.tags().stream()
                .filter(tag -> tag.letter() == letter)
                .flatMap(tag -> tag.values().toList().stream())
                .toList();
    }

    @Override
    public void close() {
        world.close();
    }
}
