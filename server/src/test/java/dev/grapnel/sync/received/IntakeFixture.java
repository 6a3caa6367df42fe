package dev.grapnel.sync.received;

import dev.grapnel.nostr.Refusal.Prefix;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.outbound.UrlShape;
import dev.grapnel.store.ItemsOutcome;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.row.RefusedEvent.Reason;
import dev.grapnel.sync.received.Arrivals.Outcome;
import dev.grapnel.sync.received.Arrivals.Path;
import dev.grapnel.sync.world.Archive;
import dev.grapnel.sync.world.Gate.Ruling;
import dev.grapnel.sync.world.PurgatoryView;
import dev.grapnel.sync.world.SnapshotFiles;
import dev.grapnel.sync.world.VirtualScheduler;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Stream;

/// An [Intake] in a world of scripted answers.
final class IntakeFixture {
    static final Ruling ORPHAN = new Ruling.Refused(Reason.ORPHAN, false, Prefix.RESTRICTED);
    static final Ruling UNAUTHORISED = new Ruling.Refused(Reason.STATE_NOT_AUTHORISED, false, Prefix.RESTRICTED);
    static final Ruling UNNAMED = new Ruling.Refused(Reason.MAINTAINER_NOT_YET_VALID, false, Prefix.BLOCKED);
    static final Ruling FINAL = new Ruling.Refused(Reason.OTHER, true, Prefix.INVALID);
    static final Duration HOT = Duration.ofMinutes(2);
    static final Duration COLD = Duration.ofDays(7);
    static final long DATE = 1_700_000_000L;

    final VirtualScheduler loop;
    final FakeArchive archive;
    final FakePurgatory purgatory;
    final FakeFiles files;
    final List<Event> admitted = new ArrayList<>();
    final List<String> refetched = new ArrayList<>();
    final List<String> notes = new ArrayList<>();
    final List<String> counted = new ArrayList<>();
    final Set<Integer> bootstrap = new HashSet<>();
    final Set<Integer> unknownRelays = new HashSet<>();
    /// Ordinals that stand for the same relay as another one did.
    final Map<Integer, Integer> metAgain = new HashMap<>();

    /// Relays that only the operator may name.
    final Set<Integer> lowPorts = new HashSet<>();

    boolean isRefetchFailing;
    /// How often a relay was looked for by its address.
    int relaysSought;
    /// Whether the gate cannot even be asked.
    boolean isGateFailing;
    /// Whether what is counted throws.
    boolean isCountingFailing;
    final List<Undecided> inGate = new ArrayList<>();
    final Intake intake;
    /// What the gate says; a pure function of what the test has set up.
    Function<Event, Ruling> policy = _ -> new Ruling.Stored();
    /// Whether the gate waits for the test to open it.
    boolean isGateShut;
    /// Whether the archive tells of what was stored.
    boolean isFollowed = true;

    /// An event in the gate.
    record Undecided(Event event, Consumer<Ruling> answer) {}

    IntakeFixture() {
        this(
                config(HOT, COLD),
                new VirtualScheduler(Instant.parse("2026-01-01T00:00:00Z"), Duration.ofSeconds(-5)),
                new FakeFiles());
    }

    IntakeFixture(IntakeConfig config) {
        this(
                config,
                new VirtualScheduler(Instant.parse("2026-01-01T00:00:00Z"), Duration.ofSeconds(-5)),
                new FakeFiles());
    }

    IntakeFixture(IntakeConfig config, VirtualScheduler loop, FakeFiles files) {
        this(config, loop, files, new FakeArchive(), new FakePurgatory());
    }

    /// In the world of another one.
    IntakeFixture(IntakeFixture other, IntakeConfig config, FakeFiles files) {
        this(config, other.loop, files, other.archive, other.purgatory);
    }

    private IntakeFixture(
            IntakeConfig config, VirtualScheduler loop, FakeFiles files, FakeArchive archive, FakePurgatory purgatory) {
        this.loop = loop;
        this.files = files;
        this.archive = archive;
        this.purgatory = purgatory;
        files.loop = loop;
        intake = new Intake(
                config, parts(), RandomGeneratorFactory.of("L64X128MixRandom").create(7));
        intake.start();
        loop.settle();
    }

    static IntakeConfig config(Duration hot, Duration cold) {
        return new IntakeConfig(hot, cold, "rules", 20_000, 64L << 20, 100_000, 100_000, 1_000, 256, 600);
    }

    private IntakeParts parts() {
        return new IntakeParts(
                loop,
                this::admit,
                archive,
                purgatory,
                files,
                new FakeRelays(),
                this::refetch,
                new Counts(),
                new Notes());
    }

    private void admit(Event event, RemoteUrl relay, Consumer<Ruling> answer) {
        fail(isGateFailing);
        admitted.add(event);
        if (isGateShut) {
            inGate.add(new Undecided(event, answer));
        } else {
            loop.post(() -> answer(event, answer, policy.apply(event)));
        }
    }

    private void answer(Event event, Consumer<Ruling> answer, Ruling ruling) {
        if (ruling instanceof Ruling.Stored) {
            archive.serve(event);
            if (isFollowed) {
                loop.post(() -> tell(event));
            }
        } else if (ruling instanceof Ruling.Held) {
            archive.standings.put(event.id(), Archive.Standing.HELD);
        }
        answer.accept(ruling);
    }

    /// Lets everything that is in the gate leave it.
    void openGate() {
        isGateShut = false;
        var all = List.copyOf(inGate);
        inGate.clear();
        all.forEach(waiting -> answer(waiting.event(), waiting.answer(), policy.apply(waiting.event())));
        loop.settle();
    }

    /// Answers about the first event in the gate.
    void answerFirst(Ruling ruling) {
        var first = inGate.removeFirst();
        answer(first.event(), first.answer(), ruling);
        loop.settle();
    }

    /// An event is served that came in another way.
    void appear(Event event) {
        archive.serve(event);
        tell(event);
        loop.settle();
    }

    private void tell(Event event) {
        intake.appeared(List.of(appearance(event)), archive.commit, () -> {});
    }

    static Archive.Appearance appearance(Event event) {
        return new Archive.Appearance(
                event.id(),
                event.findAddress().map(Object::toString),
                event.tags().stream()
                        .filter(Dependency::isReference)
                        .map(tag -> tag.element(1))
                        .toList());
    }

    /// Brings an event and tells what became of it.
    Outcome bring(Event event, int relay) {
        var outcomes = begin(event, relay);
        loop.settle();
        if (outcomes.size() != 1) {
            throw new AssertionError("outcomes: " + outcomes);
        }
        return outcomes.getFirst();
    }

    Outcome bring(Event event) {
        return bring(event, 1);
    }

    /// Brings an event; what became of it will be in the list.
    List<Outcome> begin(Event event, int relay) {
        var outcomes = new ArrayList<Outcome>();
        intake.receive(event, relay, Path.HISTORIC, outcomes::add);
        return outcomes;
    }

    int timesAdmitted(Event event) {
        return (int) admitted.stream().filter(event::equals).count();
    }

    private void refetch(int relay, EventId id) {
        fail(isRefetchFailing);
        refetched.add(relay + " " + id);
    }

    private static void fail(boolean isFailing) {
        if (isFailing) {
            throw new IllegalStateException("failing, as the test wants");
        }
    }

    /// Lets time pass.
    ///
    /// @param most that something may grow by in one turn of the loop
    void runInTurns(Duration time, LongSupplier something, long most) {
        long[] before = {something.getAsLong()};
        loop.afterStep(() -> {
            long now = something.getAsLong();
            if (now - before[0] > most) {
                throw new AssertionError((now - before[0]) + " in one turn, instead of " + most);
            }
            before[0] = now;
        });
        loop.runFor(time);
        loop.afterStep(() -> {});
    }

    // ---- events

    static Event announcement(int author, String identifier, long date) {
        return StoreSamples.event(author, Kinds.ANNOUNCEMENT, date, List.of(List.of("d", identifier)), "");
    }

    static Event state(int author, String identifier, long date) {
        return StoreSamples.event(author, Kinds.STATE, date, List.of(List.of("d", identifier)), "");
    }

    static Event issue(int author, int owner, String identifier) {
        return StoreSamples.event(
                author, Kinds.ISSUE, DATE, List.of(List.of("a", "30617:" + key(owner) + ":" + identifier)), "");
    }

    static Event comment(int author, Event parent) {
        return comment(author, parent, DATE);
    }

    static Event comment(int author, Event parent, long date) {
        return StoreSamples.event(
                author, Kinds.COMMENT, date, List.of(List.of("e", parent.id().toHex())), "");
    }

    static Event note(int number) {
        return StoreSamples.event(1, 1, DATE, List.of(), "note " + number);
    }

    static PublicKey key(int author) {
        return StoreSamples.author(author);
    }

    static RepositoryAddress repository(int owner, String identifier) {
        return new RepositoryAddress(key(owner), new Identifier(identifier));
    }

    // ---- the world

    static final class FakeArchive implements Archive {
        final Map<EventId, Standing> standings = new HashMap<>();
        final List<Event> served = new ArrayList<>();
        /// Who has something here, and no GRASP list.
        final Set<PublicKey> listless = new HashSet<>();

        long commit = 100;
        Optional<Follower> follower = Optional.empty();
        long followedFrom;
        boolean isEnded;

        void serve(Event event) {
            commit++;
            served.add(event);
            standings.put(event.id(), Standing.SERVED);
        }

        @Override
        public Standing standing(EventId id) {
            return standings.getOrDefault(id, Standing.UNKNOWN);
        }

        @Override
        public boolean isListless(PublicKey person) {
            return listless.contains(person);
        }

        @Override
        public long commitNumber() {
            return commit;
        }

        @Override
        public Runnable follow(long after, Follower listener) {
            followedFrom = after;
            follower = Optional.of(listener);
            return () -> isEnded = true;
        }

        @Override
        public void items(Filter filter, int itemsMax, Consumer<ItemsOutcome> answer) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void scan(List<Integer> kinds, int sliceMax, Slices slices) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void scanTagged(char letter, List<String> values, int sliceMax, Slices slices) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isAnnounced(RepositoryAddress repository) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<StateAuthor> stateAuthors(RepositoryAddress repository) {
            throw new UnsupportedOperationException();
        }
    }

    static final class FakePurgatory implements PurgatoryView {
        final Map<RepositoryAddress, Set<PublicKey>> members = new TreeMap<>();
        final Map<String, Set<PublicKey>> listed = new TreeMap<>();
        final Set<RepositoryAddress> held = new TreeSet<>();
        /// How many of those who are listed somebody has taken.
        int told;

        Consumer<Set<String>> watcher = _ -> {};

        /// Somebody announces, with these members.
        void announce(int owner, String identifier, int... people) {
            var all = new TreeSet<PublicKey>();
            for (int person : people) {
                all.add(key(person));
            }
            members.put(repository(owner, identifier), all);
        }

        void list(String identifier, int person) {
            list(identifier, key(person));
        }

        void list(String identifier, PublicKey person) {
            listed.computeIfAbsent(identifier, _ -> new TreeSet<>()).add(person);
        }

        void tell(String... identifiers) {
            watcher.accept(Set.of(identifiers));
        }

        @Override
        public List<Waiting> announcements() {
            return held.stream()
                    .map(repository -> new Waiting(repository, new EventId(0, 0, 0, 0)))
                    .toList();
        }

        @Override
        public List<RemoteUrl> relays(Waiting waiting) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Set<PublicKey> maintainers(RepositoryAddress repository) {
            return members.getOrDefault(repository, Set.of());
        }

        @Override
        public List<RepositoryAddress> announced(String identifier) {
            return members.keySet().stream()
                    .filter(repository -> repository.identifier().text().equals(identifier))
                    .toList();
        }

        @Override
        public Stream<PublicKey> listed(String identifier) {
            return listed.getOrDefault(identifier, Set.of()).stream().peek(_ -> told++);
        }

        @Override
        public boolean isHeld(RepositoryAddress repository) {
            return held.contains(repository);
        }

        @Override
        public Runnable watch(Consumer<Set<String>> changed) {
            watcher = changed;
            return () -> watcher = _ -> {};
        }
    }

    static final class FakeFiles implements SnapshotFiles {
        final Map<String, byte[]> contents = new LinkedHashMap<>();
        final List<String> saves = new ArrayList<>();
        boolean isBroken;
        boolean isFailing;
        /// What happens while a file is written.
        Runnable whileWriting = () -> {};

        VirtualScheduler loop = new VirtualScheduler(Instant.parse("2026-01-01T00:00:00Z"), Duration.ofSeconds(-5));

        @Override
        public Optional<byte[]> load(String name) throws IOException {
            if (isBroken) {
                throw new IOException("broken");
            }
            return Optional.ofNullable(contents.get(name));
        }

        @Override
        public void save(String name, byte[] content, Consumer<Optional<IOException>> done) {
            if (isFailing) {
                throw new IllegalStateException("failing, as the test wants");
            }
            saves.add(name);
            whileWriting.run();
            if (isBroken) {
                loop.post(() -> done.accept(Optional.of(new IOException("broken"))));
            } else {
                contents.put(name, content.clone());
                loop.post(() -> done.accept(Optional.empty()));
            }
        }
    }

    /// The address of a relay.
    static RemoteUrl url(int relay) {
        return RemoteUrl.parse("wss://r" + relay + ".example.org", UrlShape.relay())
                .require();
    }

    private final class FakeRelays implements RelayNames {
        @Override
        public RemoteUrl url(int relay) {
            return lowPorts.contains(relay)
                    ? RemoteUrl.parse("wss://r" + relay + ".example.org:85", UrlShape.configuredRelay())
                            .require()
                    : IntakeFixture.url(metAgain.getOrDefault(relay, relay));
        }

        @Override
        public OptionalInt find(RemoteUrl url) {
            relaysSought++;
            int relay = Integer.parseInt(url.domain().substring(1, url.domain().indexOf('.')));
            return unknownRelays.contains(relay) ? OptionalInt.empty() : OptionalInt.of(relay);
        }

        @Override
        public boolean isBootstrap(int relay) {
            return bootstrap.contains(relay);
        }
    }

    private final class Counts implements IntakeCounts {
        @Override
        public void stored(Path path) {
            fail(isCountingFailing);
            counted.add("stored " + path);
        }

        @Override
        public void hotHit(EventType type) {
            counted.add("hit " + type);
        }

        @Override
        public void hotMiss(EventType type) {
            counted.add("miss " + type);
        }

        @Override
        public void hotExpired(EventType type) {
            counted.add("hot expired " + type);
        }

        @Override
        public void coldExpired(EventType type) {
            counted.add("cold expired " + type);
        }

        @Override
        public void invalidated(EventType type) {
            counted.add("invalidated " + type);
        }
    }

    private final class Notes implements IntakeNotes {
        @Override
        public void refusedMissing() {
            notes.add("missing");
        }

        @Override
        public void refusedUnusable(String file, String reason) {
            notes.add("unusable " + file);
        }

        @Override
        public void refusedUnwritten(String file, IOException problem) {
            notes.add("unwritten " + file);
        }

        @Override
        public void refusedOutdated() {
            notes.add("outdated");
        }

        @Override
        public void reprocessed(int readmitted, int again) {
            notes.add("reprocessed " + readmitted + " " + again);
        }
    }
}
