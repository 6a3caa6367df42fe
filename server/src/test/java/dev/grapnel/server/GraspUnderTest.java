package dev.grapnel.server;

import dev.grapnel.git.refs.RefChange;
import dev.grapnel.git.refs.RefOutcome;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.nostr.repository.Announcement;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.outbound.PlainHttp;
import dev.grapnel.purgatory.Admitted;
import dev.grapnel.purgatory.Lane;
import dev.grapnel.purgatory.Origin;
import dev.grapnel.purgatory.Purgatory;
import dev.grapnel.server.ops.Build;
import dev.grapnel.server.websocket.WebSocketConfig;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.SaveOutcome;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.StoreWork;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.row.ExpiredEvent;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.HeldAnnouncement;
import dev.grapnel.store.row.RowKeys;
import dev.grapnel.store.row.Standing;
import dev.grapnel.store.table.Table;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.eclipse.jgit.lib.CommitBuilder;
import org.eclipse.jgit.lib.PersonIdent;
import org.eclipse.jgit.lib.TreeFormatter;
import org.jspecify.annotations.Nullable;

/// A real GRASP server on a real port, with a clock that goes only when told.
public final class GraspUnderTest implements AutoCloseable {
    /// What the server takes itself for.
    public static final String DOMAIN = "git.example.com";

    /// The number of the operator's key.
    public static final int OPERATOR = 999;

    private final Service service;
    private final Clock clock;

    private GraspUnderTest(Service service, Clock clock) {
        this.service = service;
        this.clock = clock;
    }

    /// Wall and monotonic time that go together, unless told otherwise.
    public static final class Clock implements InstantSource {
        private final AtomicLong wallMillis =
                new AtomicLong(Instant.parse("2026-01-01T00:00:00Z").toEpochMilli());
        private final AtomicLong nanos = new AtomicLong(5_000_000_000L);

        @Override
        public Instant instant() {
            return Instant.ofEpochMilli(wallMillis.get());
        }

        public void advance(Duration time) {
            wallMillis.addAndGet(time.toMillis());
            nanos.addAndGet(time.toNanos());
        }

        /// The wall clock alone.
        public void step(Duration time) {
            wallMillis.addAndGet(time.toMillis());
        }

        long nanoTime() {
            return nanos.get();
        }
    }

    /// In memory.
    public static GraspUnderTest start(String... settings) {
        return start(null, new Clock(), settings);
    }

    /// On disk, with a clock that may have been used before.
    public static GraspUnderTest start(@Nullable Path directory, Clock clock, String... settings) {
        return start(directory, clock, Devices.REAL, settings);
    }

    /// With devices and a world of the test's own.
    static GraspUnderTest start(@Nullable Path directory, Clock clock, Devices devices, String... settings) {
        var all = new ArrayList<>(
                List.of("DOMAIN", DOMAIN, "EVENTS_PER_SECOND_PER_IP", "1000000", "EVENTS_BURST_PER_IP", "1000000"));
        all.addAll(List.of(settings));
        var patient = Duration.ofDays(1000);
        var times = new WebSocketConfig(
                WebSocketConfig.DEFAULTS.messageMax(), patient, patient, WebSocketConfig.DEFAULTS.closeMax(), patient);
        try {
            return new GraspUnderTest(
                    Service.start(
                            RelayUnderTest.configuration(directory, all.toArray(String[]::new)),
                            Operator.of(StoreSamples.author(OPERATOR)),
                            new Build("0.0.0-test", "", "https://example.com/grapnel"),
                            GitRules.GRASP,
                            devices,
                            times,
                            clock,
                            clock::nanoTime),
                    clock);
        } catch (ServiceFailure e) {
            throw new AssertionError(e);
        }
    }

    public Clock clock() {
        return clock;
    }

    public Service service() {
        return service;
    }

    public RelayClient connect() throws IOException {
        return new RelayClient(WireClient.open(service.port()));
    }

    /// What the server does each minute, now.
    public void sweep() {
        service.sweep();
    }

    /// Waits until every repository is what its events say and everything that can be served is.
    public void awaitReconciled() throws InterruptedException {
        service.awaitReconciled();
    }

    /// The status of the git endpoint of a repository.
    public int gitStatus(int owner, String identifier) throws IOException, InterruptedException {
        return askRefs(owner, identifier).statusCode();
    }

    /// The refs that everybody sees.
    public String advertisement(int owner, String identifier) throws IOException, InterruptedException {
        return askRefs(owner, identifier).body();
    }

    private HttpResponse<String> askRefs(int owner, String identifier) throws IOException, InterruptedException {
        var uri = URI.create("http://127.0.0.1:" + service.port() + "/" + new Npub(StoreSamples.author(owner)) + "/"
                + identifier + ".git/info/refs?service=git-upload-pack");
        try (var client = PlainHttp.client()) {
            return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    // ---- behind the wire

    /// What became of an event that another relay had.
    public Admitted sync(Event event) {
        return admit(event, new Origin.Synced());
    }

    /// The same for many at once, whatever becomes of them.
    void syncAll(List<Event> events) {
        var all = events.stream()
                .map(event -> {
                    var done = new CompletableFuture<@Nullable Void>();
                    service.admission().admit(new Lane(), event, new Origin.Synced(), (_, _) -> done.complete(null));
                    return done;
                })
                .toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(all).join();
    }

    /// What became of an event that a client sent, without one.
    public Admitted direct(Event event) {
        return admit(event, new Origin.Direct(Set.of(), true));
    }

    /// What became of an event from anywhere.
    public Admitted admit(Event event, Origin origin) {
        var outcome = new CompletableFuture<Admitted>();
        service.admission().admit(new Lane(), event, origin, (admitted, problem) -> {
            if (problem != null) {
                outcome.completeExceptionally(problem);
            } else {
                outcome.complete(Objects.requireNonNull(admitted));
            }
        });
        return outcome.join();
    }

    /// Serves an event as if its git data had come. An announcement gets a repository with a branch.
    public Event serve(Event event) throws IOException {
        var announced = Announcement.parse(event).find();
        if (announced.isPresent()) {
            fill(announced.get().address(), "main");
        }
        var outcome = write(transaction -> {
            var saved = transaction.isHeld(event.id()) ? transaction.release(event.id()) : transaction.save(event);
            announced.ifPresent(found -> transaction.put(Standing.hosted(found.address(), clock.instant())));
            return saved;
        });
        if (!(outcome instanceof SaveOutcome.Served)) {
            throw new AssertionError(outcome);
        }
        return event;
    }

    /// Puts a commit on a branch of a repository, which is made if it is not there.
    public void fill(RepositoryAddress address, String branch) throws IOException {
        try (var lease = service.repositories().create(address);
                var inserter = lease.git().newObjectInserter()) {
            var commit = new CommitBuilder();
            commit.setTreeId(inserter.insert(new TreeFormatter()));
            commit.setAuthor(new PersonIdent("a", "a@example.com"));
            commit.setCommitter(commit.getAuthor());
            var id = Oid.parse(inserter.insert(commit).name()).require();
            inserter.flush();
            var name = new RefName("refs/heads/" + branch);
            var change = new RefChange(name, lease.refs().current().target(name), id);
            if (!(lease.refs().apply(List.of(change), Optional.empty(), lease.peeler()) instanceof RefOutcome.Done)) {
                throw new AssertionError("not moved");
            }
        }
    }

    public <T> T write(StoreWork<T> work) {
        return store().write(Urgency.WAITING, 0, work).join();
    }

    public EventStore store() {
        return service.store();
    }

    public Purgatory purgatory() {
        return service.purgatory();
    }

    public static RepositoryAddress address(int owner, String identifier) {
        return new RepositoryAddress(StoreSamples.author(owner), new Identifier(identifier));
    }

    /// Whether a repository is in its place on disk.
    public boolean isOnDisk(int owner, String identifier) throws IOException {
        return service.repositories().findPlace(address(owner, identifier)).isPresent();
    }

    /// How many repositories are in their places on disk.
    public int onDisk() throws IOException {
        return service.repositories().list().size();
    }

    public boolean isHeld(Event event) {
        return store().read(view -> view.isHeld(event.id()));
    }

    public boolean isServed(Event event) {
        return store().read(view -> view.isServed(event.id()));
    }

    /// The row of a held event.
    public Held held(Event event) {
        return purgatory().find(event.id()).orElseThrow(() -> new AssertionError("not held: " + event));
    }

    /// How long a held event has left.
    public Duration left(Event event) {
        return Duration.between(clock.instant(), held(event).expiresAt());
    }

    /// In which phase a held announcement is.
    public HeldAnnouncement.Phase phase(Event announcement) {
        return ((HeldAnnouncement) held(announcement)).phase();
    }

    /// What is remembered of an event whose time was over.
    public Optional<ExpiredEvent> expired(Event event) {
        return store().read(view -> view.findRow(Table.EXPIRED_EVENTS, RowKeys.event(event.id())))
                .map(row -> (ExpiredEvent) row);
    }

    /// How many rows a table has.
    public long rows(Table table) {
        return store().read(view -> view.count(table));
    }

    /// The value of a metric, with its labels if it has some.
    public double metric(String name) {
        return service.metrics()
                .scrape()
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("there is no metric " + name));
    }

    /// Lets time go by and does what the server does each minute.
    public void pass(Duration time) {
        clock.advance(time);
        sweep();
    }

    // ---- events, dated by the clock unless they say when

    /// An announcement that lists this server.
    @SafeVarargs
    public final Event announcement(int author, String identifier, List<String>... more) {
        return announcementAt(now(), author, identifier, more);
    }

    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    public final Event announcementAt(long second, int author, String identifier, List<String>... more) {
        var tags = Stream.concat(
                        Stream.of(
                                List.of("d", identifier),
                                List.of("clone", cloneUrl(author, identifier)),
                                List.of("relays", "wss://" + DOMAIN)),
                        Arrays.stream(more))
                .toList();
        return StoreSamples.event(author, Kinds.ANNOUNCEMENT, second, tags, "");
    }

    /// An announcement that names other servers only.
    @SafeVarargs
    public final Event elsewhere(int author, String identifier, List<String>... more) {
        return elsewhereAt(now(), author, identifier, more);
    }

    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    public final Event elsewhereAt(long second, int author, String identifier, List<String>... more) {
        var tags = Stream.concat(
                        Stream.of(
                                List.of("d", identifier),
                                List.of("clone", "https://other.example.org/r.git"),
                                List.of("relays", "wss://other.example.org")),
                        Arrays.stream(more))
                .toList();
        return StoreSamples.event(author, Kinds.ANNOUNCEMENT, second, tags, "");
    }

    public static String cloneUrl(int author, String identifier) {
        return "https://" + DOMAIN + "/" + new Npub(StoreSamples.author(author)) + "/" + identifier + ".git";
    }

    /// A state with one branch.
    public Event state(int author, String identifier) {
        return stateAt(now(), author, identifier, List.of("refs/heads/main", "1".repeat(40)));
    }

    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    public final Event stateAt(long second, int author, String identifier, List<String>... refs) {
        var tags = Stream.concat(Stream.of(List.of("d", identifier)), Arrays.stream(refs))
                .toList();
        return StoreSamples.event(author, Kinds.STATE, second, tags, "");
    }

    /// A pull request for a repository.
    public Event pullRequest(int author, int owner, String identifier) {
        return StoreSamples.event(
                author,
                Kinds.PULL_REQUEST,
                now(),
                List.of(List.of("a", coordinate(owner, identifier)), List.of("c", "2".repeat(40))),
                "please");
    }

    /// A request to delete events.
    public Event deletion(int author, Event... targets) {
        return deletionAt(
                now(),
                author,
                Stream.of(targets)
                        .map(target -> List.of("e", target.id().toHex()))
                        .toList());
    }

    public Event deletionAt(long second, int author, List<List<String>> tags) {
        return StoreSamples.event(author, Kinds.DELETION, second, tags, "");
    }

    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    public final Event event(int author, int kind, List<String>... tags) {
        return StoreSamples.event(author, kind, now(), Arrays.stream(tags).toList(), "text");
    }

    /// The tag by which an announcement names others.
    public static List<String> maintainers(int... people) {
        return Stream.concat(
                        Stream.of("maintainers"),
                        Arrays.stream(people)
                                .mapToObj(person -> StoreSamples.author(person).toHex()))
                .toList();
    }

    public static String coordinate(int owner, String identifier) {
        return "30617:" + StoreSamples.author(owner) + ":" + identifier;
    }

    public long now() {
        return clock.instant().getEpochSecond();
    }

    @Override
    public void close() {
        service.close();
    }
}
