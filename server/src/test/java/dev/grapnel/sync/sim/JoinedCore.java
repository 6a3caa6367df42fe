package dev.grapnel.sync.sim;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.sync.SyncConfig;
import dev.grapnel.sync.SyncCore;
import dev.grapnel.sync.SyncNote;
import dev.grapnel.sync.SyncParts;
import dev.grapnel.sync.SyncPicture;
import dev.grapnel.sync.health.HealthNote;
import dev.grapnel.sync.index.HeapTables;
import dev.grapnel.sync.index.IndexLimits;
import dev.grapnel.sync.link.Link;
import dev.grapnel.sync.link.LinkConfig;
import dev.grapnel.sync.link.LinkNote;
import dev.grapnel.sync.link.LinkWindow;
import dev.grapnel.sync.received.IntakeConfig;
import dev.grapnel.sync.received.IntakeCounts;
import dev.grapnel.sync.received.IntakeNotes;
import dev.grapnel.sync.received.IntakeWindow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The real core in a simulated node.
final class JoinedCore implements Core {
    private static final long VECTOR_BYTES_MAX = 256L << 20;

    /// So little room for what was refused that a small world needs more.
    private static final IntakeConfig TIGHT =
            new IntakeConfig(Duration.ofMinutes(2), Duration.ofDays(7), "", 8, 6_000, 12, 210, 6, 4, 600);

    private final Ports ports;
    private final SyncConfig config;
    private final SyncCore core;
    private final Set<RemoteUrl> removed = new LinkedHashSet<>();
    private final List<SyncNote> drifts = new ArrayList<>();
    private final List<Cooldown> cooldowns = new ArrayList<>();
    private final Map<RemoteUrl, Long> comparedAt = new LinkedHashMap<>();
    private @Nullable SyncPicture picture;
    private long pictureAt;

    JoinedCore(Ports ports, SyncConfig config) {
        this.ports = ports;
        this.config = config;
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
                IndexLimits.DEFAULTS,
                new HeapTables(),
                IntakeCounts.NONE,
                IntakeNotes.NONE,
                ports.self()::equals,
                ports.random());
        this.core = new SyncCore(config, parts, this::noted);
    }

    /// With the usual settings.
    static CoreFactory usual() {
        return with(UnaryOperator.identity());
    }

    /// With a day of a few hours; one of three has little room for what was refused.
    static CoreFactory brisk() {
        return ports ->
                new JoinedCore(ports, brisk(bootstrapped(ports), ports.random().nextInt(3) == 0));
    }

    private static SyncConfig brisk(SyncConfig usual, boolean isTight) {
        return new SyncConfig(
                usual.bootstrap(),
                usual.privatePeers(),
                usual.isPrivate(),
                usual.requestRate(),
                usual.connectTime(),
                usual.checkEvery(),
                usual.feed(),
                usual.health(),
                isTight ? TIGHT : usual.intake(),
                new LinkConfig(
                        usual.link().chunkSize(),
                        usual.link().consolidationFrom(),
                        usual.link().liveFiltersMax(),
                        usual.link().pageLimit(),
                        usual.link().usesNegentropy(),
                        usual.link().asksStatesInFirstLayer(),
                        usual.link().keepsGraspLists(),
                        usual.link().window(),
                        Duration.ofHours(5),
                        Duration.ofHours(6)));
    }

    /// With little room.
    static CoreFactory tight() {
        return ports -> new JoinedCore(ports, brisk(bootstrapped(ports), true));
    }

    /// With other settings.
    static CoreFactory with(UnaryOperator<SyncConfig> change) {
        return ports -> new JoinedCore(ports, change.apply(bootstrapped(ports)));
    }

    private static SyncConfig bootstrapped(Ports ports) {
        var usual = SyncConfig.DEFAULTS;
        return new SyncConfig(
                ports.bootstrap(),
                usual.privatePeers(),
                usual.isPrivate(),
                usual.requestRate(),
                usual.connectTime(),
                usual.checkEvery(),
                usual.feed(),
                usual.health(),
                usual.intake(),
                usual.link());
    }

    private void noted(SyncNote note) {
        switch (note) {
            case SyncNote.Drifted _ -> drifts.add(note);
            case SyncNote.Registered(var relay) -> removed.remove(relay);
            case SyncNote.Removed(var relay, var _) -> removed.add(relay);
            case SyncNote.Health(HealthNote.CoolingDown(var relay, var _)) ->
                cooldowns.add(new Cooldown(relay, ports.scheduler().nanos()));
            case SyncNote.AtRelay(var relay, LinkNote.Daily(boolean isPostponed))
            when !isPostponed -> comparedAt.put(relay, ports.scheduler().nanos());
            default -> {
                // not looked at
            }
        }
    }

    /// A relay wanted less.
    record Cooldown(RemoteUrl relay, long at) {}

    /// The cooldowns that began since somebody last asked.
    List<Cooldown> takeCooldowns() {
        var taken = List.copyOf(cooldowns);
        cooldowns.clear();
        return taken;
    }

    /// When everything was last asked for anew at a relay without a new connection.
    OptionalLong comparedAt(RemoteUrl relay) {
        var at = comparedAt.get(relay);
        return at == null ? OptionalLong.empty() : OptionalLong.of(at);
    }

    /// How often a relay may be asked, in a second.
    double rate(RemoteUrl relay) {
        return recentPicture().relays().stream()
                .filter(entry -> entry.url().equals(relay))
                .mapToDouble(entry -> entry.rate() / 1000.0)
                .findFirst()
                .orElse(0);
    }

    /// One is enough for all requests of a moment.
    private SyncPicture recentPicture() {
        var last = picture;
        if (last == null || pictureAt != ports.scheduler().nanos()) {
            pictureAt = ports.scheduler().nanos();
            last = core.picture();
            picture = last;
        }
        return last;
    }

    Optional<LinkWindow> findLink(RemoteUrl relay) {
        return core.findLink(relay).map(LinkWindow::new);
    }

    SyncCore core() {
        return core;
    }

    SyncConfig config() {
        return config;
    }

    @Override
    public void start() {
        core.start();
    }

    @Override
    public void stop() {
        core.stop(() -> {});
    }

    @Override
    public List<String> problems(Watched invariant, Moment moment) {
        return switch (invariant) {
            case I4 -> ofLinks(LinkWindow::askedTwice);
            case I5 -> ofLinks(LinkWindow::wronglyConfirmed);
            case I6 -> differences(moment);
            case I7 ->
                moment == Moment.QUIET
                        ? ofLinks(link -> link.isUp() && !link.isCooling() ? link.forgotten() : List.of())
                        : List.of();
            case I9 ->
                Stream.concat(ofLinks(LinkWindow::excess).stream(), excess().stream())
                        .toList();
        };
    }

    private List<String> ofLinks(Function<LinkWindow, List<String>> look) {
        return core.links().stream()
                .map(LinkWindow::new)
                .flatMap(link -> look.apply(link).stream().map(problem -> link.relay() + ": " + problem))
                .toList();
    }

    private List<String> differences(Moment moment) {
        var told = new ArrayList<>(drifts.stream().map(SyncNote::toString).toList());
        drifts.clear();
        int differences = moment == Moment.QUIET ? core.index().audit() : 0;
        expect(differences == 0, differences + " differences of the index from itself", told);
        return told;
    }

    /// What there is more of than 8.2 allows; of relays that nobody names nothing but their record of seven days.
    private List<String> excess() {
        var problems = new ArrayList<>(new IntakeWindow(core.intake()).excess(config.intake()));
        var picture = core.picture();
        expect(picture.vectorBytes() <= VECTOR_BYTES_MAX, "comparisons take " + picture.vectorBytes(), problems);
        for (var relay : picture.relays()) {
            expect(relay.link().undecided() <= SimConnection.UNDECIDED_MAX, relay.url() + ": undecided", problems);
            expect(!removed.contains(relay.url()), relay.url() + " is followed though it was removed", problems);
        }
        boolean isAlone = picture.relays().isEmpty();
        expect(!isAlone || picture.vectorBytes() == 0, "comparisons of nobody take memory", problems);
        expect(!isAlone || picture.prefixes() == 0, "threads at nobody take memory", problems);
        return problems;
    }

    /// What the core knows that nobody signed (I10).
    List<String> strangers(Collection<Event> genuine) {
        return new IntakeWindow(core.intake()).strangers(genuine);
    }

    private static void expect(boolean isSo, String otherwise, List<String> problems) {
        if (!isSo) {
            problems.add(otherwise);
        }
    }

    /// For failures.
    @Override
    public String toString() {
        return core.links().stream().map(Link::picture).toList().toString();
    }
}
