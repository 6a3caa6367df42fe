package dev.grapnel.sync.link;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.EventLimits;
import dev.grapnel.nostr.event.EventReader;
import dev.grapnel.nostr.event.ParsedEvent;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.outbound.UrlShape;
import dev.grapnel.purgatory.hunt.TimedNaughtyList;
import dev.grapnel.sync.SyncConfig;
import dev.grapnel.sync.SyncCore;
import dev.grapnel.sync.SyncNote;
import dev.grapnel.sync.SyncParts;
import dev.grapnel.sync.SyncPicture;
import dev.grapnel.sync.health.HealthConfig;
import dev.grapnel.sync.index.HeapTables;
import dev.grapnel.sync.index.IndexLimits;
import dev.grapnel.sync.received.IntakeCounts;
import dev.grapnel.sync.received.IntakeNotes;
import dev.grapnel.sync.world.Mutation;
import dev.grapnel.sync.world.SnapshotFiles;
import dev.grapnel.sync.world.VirtualScheduler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The whole core with made-up repositories and a relay that does what a test says, in virtual time and without any
/// delay but those that a test asks for. What the relay was sent is in [FarRelay#frames].
///
/// Repositories are numbered; unless told otherwise each names [#relay] alone. Events are not signed: nothing here
/// looks at that.
final class OneRelay {
    static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");
    private static final EventReader READER = new EventReader(EventLimits.DEFAULTS);

    final VirtualScheduler time = new VirtualScheduler(BEGIN);
    final HomeStore home = new HomeStore(time);
    final List<SyncNote> notes = new ArrayList<>();
    private final Map<RemoteUrl, FarRelay> relays = new LinkedHashMap<>();
    final FarRelay relay = relay("relay.example.com");
    private final Map<String, byte[]> files = new TreeMap<>();
    private Optional<RemoteUrl> bootstrap = Optional.empty();
    private LinkConfig link = linkConfig(false, false);
    private IndexLimits limits = IndexLimits.DEFAULTS;
    private HealthConfig health = HealthConfig.DEFAULTS;
    private @Nullable SyncCore core;

    // ---- who is there

    private static LinkConfig linkConfig(boolean compares, boolean withStates) {
        var usual = LinkConfig.DEFAULTS;
        return new LinkConfig(
                usual.chunkSize(),
                usual.consolidationFrom(),
                usual.liveFiltersMax(),
                usual.pageLimit(),
                compares,
                withStates,
                usual.keepsGraspLists(),
                usual.window(),
                usual.dailyMin(),
                usual.dailyMax());
    }

    /// Negentropy is tried.
    OneRelay comparing() {
        link = linkConfig(true, false);
        return this;
    }

    /// States are in the first layer, too.
    OneRelay withStatesInFirstLayer() {
        link = linkConfig(false, true);
        return this;
    }

    /// Filters hold so many values, however many filters that makes.
    OneRelay narrow(int values) {
        link = new LinkConfig(
                values,
                10_000,
                link.liveFiltersMax(),
                link.pageLimit(),
                link.usesNegentropy(),
                link.asksStatesInFirstLayer(),
                link.keepsGraspLists(),
                link.window(),
                link.dailyMin(),
                link.dailyMax());
        return this;
    }

    /// So many live filters are the most.
    OneRelay liveFilters(int max) {
        link = new LinkConfig(
                link.chunkSize(),
                link.consolidationFrom(),
                max,
                link.pageLimit(),
                link.usesNegentropy(),
                link.asksStatesInFirstLayer(),
                link.keepsGraspLists(),
                link.window(),
                link.dailyMin(),
                link.dailyMax());
        return this;
    }

    /// So many relays may be known at a time.
    OneRelay relaysKnown(int max) {
        limits = new IndexLimits(20, max, 100_000, 500, 8, 1_000, 100, 1_000);
        return this;
    }

    /// So many relays are followed.
    OneRelay relaysFollowed(int max) {
        health = new HealthConfig(health.backoff(), health.naughtyPeriod(), max, health.linksMax());
        return this;
    }

    /// The relay is the one to begin with.
    OneRelay bootstrapped() {
        bootstrap = Optional.of(relay.url);
        return this;
    }

    /// Another relay.
    FarRelay relay(String host) {
        var url = RemoteUrl.parse("wss://" + host, UrlShape.relay()).require();
        return relays.computeIfAbsent(url, _ -> new FarRelay(url, time));
    }

    /// Begins; what was served before is read at once.
    OneRelay start() {
        var usual = SyncConfig.DEFAULTS;
        var config = new SyncConfig(
                bootstrap,
                List.of(),
                false,
                usual.requestRate(),
                usual.connectTime(),
                usual.checkEvery(),
                usual.feed(),
                health,
                usual.intake(),
                link);
        var begun = new SyncCore(config, parts(config), notes::add);
        core = begun;
        begun.start();
        time.runFor(Duration.ofMillis(1));
        return this;
    }

    private SyncParts parts(SyncConfig config) {
        return new SyncParts(
                time,
                (url, _, _, listener) -> require(url).dial(listener),
                (url, _, answer) -> {
                    var asked = require(url);
                    asked.informationAsked++;
                    time.post(
                            () -> answer.accept(Optional.of(asked.information).filter(_ -> !asked.isInformationLost)));
                },
                home,
                home,
                home.purgatory,
                new Files(),
                (_, challenge) -> event(22_242, 0, "challenge", challenge),
                new TimedNaughtyList(config.health().naughtyPeriod(), time::wall, () -> false),
                limits,
                new HeapTables(),
                IntakeCounts.NONE,
                IntakeNotes.NONE,
                _ -> false,
                new SplittableRandom(7));
    }

    private FarRelay require(RemoteUrl url) {
        return Objects.requireNonNull(relays.get(url), url::text);
    }

    private final class Files implements SnapshotFiles {
        @Override
        public Optional<byte[]> load(String name) {
            return Optional.ofNullable(files.get(name));
        }

        @Override
        public void save(String name, byte[] content, Consumer<Optional<IOException>> done) {
            files.put(name, content);
            time.post(() -> done.accept(Optional.empty()));
        }
    }

    SyncCore core() {
        return Objects.requireNonNull(core, "not started");
    }

    // ---- time

    void run(Duration howLong) {
        time.runFor(howLong);
    }

    void seconds(double count) {
        time.runFor(Duration.ofNanos(Math.round(count * 1e9)));
    }

    long now() {
        return time.nanos();
    }

    /// Seconds of the wall clock.
    long wall() {
        return time.wall().getEpochSecond();
    }

    /// Started, and everything that was served is confirmed at the relay.
    OneRelay settled() {
        start();
        seconds(60);
        return this;
    }

    // ---- how it stands

    Link link() {
        return link(relay);
    }

    Link link(FarRelay which) {
        return core().links().stream()
                .filter(one -> one.targets().relay(one.relay()).equals(which.url))
                .findFirst()
                .orElseThrow(() -> new AssertionError(which.url + " is not followed"));
    }

    /// Up to which second of the wall clock everything confirmed is here.
    OptionalLong coveredUntil() {
        link().cover();
        return link().coverage().until();
    }

    boolean isFollowed(FarRelay which) {
        return core().picture().relays().stream().anyMatch(one -> one.url().equals(which.url));
    }

    LinkState state() {
        return link().state();
    }

    SyncPicture.Relay picture() {
        return core().picture().relays().stream()
                .filter(one -> one.url().equals(relay.url))
                .findFirst()
                .orElseThrow();
    }

    /// Notes of one kind.
    <T extends SyncNote> List<T> notes(Class<T> kind) {
        return notes.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    /// Notes of one kind that links told.
    <T extends LinkNote> List<T> linkNotes(Class<T> kind) {
        return notes(SyncNote.AtRelay.class).stream()
                .map(SyncNote.AtRelay::note)
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }

    // ---- what is served here

    /// An owner of each number, who calls the repository `repo-<number>`.
    static RepositoryAddress repo(int number) {
        return repo(number, "repo-" + number);
    }

    static RepositoryAddress repo(int owner, String identifier) {
        return new RepositoryAddress(new PublicKey(owner, 0, 0, owner), new Identifier(identifier));
    }

    /// Serves announcements of these repositories, naming the relay.
    OneRelay announce(int... numbers) {
        Arrays.stream(numbers).forEach(number -> announce(repo(number), relay));
        return this;
    }

    /// Serves the announcements of repositories 1 to this.
    OneRelay announceMany(int count) {
        for (int number = 1; number <= count; number++) {
            announce(number);
        }
        return this;
    }

    OneRelay announce(RepositoryAddress repository, FarRelay... named) {
        var urls = Stream.of(named).map(one -> one.url).toList();
        home.serve(new Mutation.Announced(repository, new EventId(repository.hashCode(), urls.hashCode(), 1, 1), urls));
        return this;
    }

    OneRelay unannounce(int number) {
        home.serve(new Mutation.Unannounced(repo(number)));
        return this;
    }

    /// An announcement waits in purgatory.
    OneRelay hold(int number) {
        home.purgatory.hold(repo(number), id(-number), List.of(relay.url));
        return this;
    }

    /// A root event, by number, of repositories.
    OneRelay root(long number, int... repositories) {
        home.serve(new Mutation.RootServed(
                id(number),
                1_000 + number,
                Arrays.stream(repositories).mapToObj(OneRelay::repo).toList()));
        return this;
    }

    /// Roots of a repository, numbered from one on.
    OneRelay roots(long from, int count, int repository) {
        for (long number = from; number < from + count; number++) {
            root(number, repository);
        }
        return this;
    }

    /// A comment on a root or on another comment.
    OneRelay comment(long number, long parent) {
        home.serve(new Mutation.MemberServed(
                id(number), 2_000 + number, Optional.empty(), List.of(id(parent)), List.of()));
        return this;
    }

    /// A state of the owner's is served.
    OneRelay state(int repository) {
        home.state(repo(repository), repo(repository).owner(), true);
        return this;
    }

    static EventId id(long number) {
        return new EventId(number * 0x9e37_79b9_7f4a_7c15L, number, 7, number);
    }

    // ---- events

    /// An event of that date with one tag.
    static Event event(int kind, long createdAt, String tag, String value) {
        return event(kind, createdAt, "[[\"" + tag + "\",\"" + value + "\"]]");
    }

    private static Event event(int kind, long createdAt, String tags) {
        var author = "%064x".formatted(7);
        var canonical = "[0,\"" + author + "\"," + createdAt + "," + kind + "," + tags + ",\"\"]";
        var json = "{\"id\":\"" + sha256(canonical) + "\",\"pubkey\":\"" + author + "\",\"created_at\":" + createdAt
                + ",\"kind\":" + kind + ",\"tags\":" + tags + ",\"content\":\"\",\"sig\":\"" + "0".repeat(128) + "\"}";
        return ((ParsedEvent.Valid) READER.read(json.getBytes(StandardCharsets.UTF_8))).event();
    }

    private static String sha256(String text) {
        try {
            var digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
