package dev.grapnel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.outbound.PlainHttp;
import dev.grapnel.server.control.CheckAnswer;
import dev.grapnel.server.control.ControlClient;
import dev.grapnel.server.control.ControlRequest;
import dev.grapnel.server.control.JsonValue;
import dev.grapnel.server.git.GitClient;
import dev.grapnel.store.StoreRules;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.StoreView;
import dev.grapnel.store.engine.StoreCheck;
import dev.grapnel.store.engine.TableStore;
import dev.grapnel.store.engine.WriterConfig;
import dev.grapnel.store.lmdb.LmdbConfig;
import dev.grapnel.store.lmdb.LmdbEngine;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.HeldProposal;
import dev.grapnel.store.row.Placeholder;
import dev.grapnel.store.row.Upload;
import dev.grapnel.store.table.Table;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A server in a process of its own that dies at chosen moments and is started again over the same directory, two
/// owners who are both maintainers, and the git of this machine.
final class CrashStory implements AutoCloseable {
    static final int ANN = 1;
    static final int BOB = 2;
    static final int CAROL = 3;
    static final List<Integer> OWNERS = List.of(ANN, BOB);
    static final String MAIN = "refs/heads/main";
    static final String IN_PURGATORY = "duplicate: in purgatory";
    static final String SERVED = "duplicate: already have this event";

    private final Path directory;
    private final GitClient git;
    private final Path work;
    private final String base;
    private final String tip;
    private final String aside;
    private long second = Instant.now().getEpochSecond() - 100_000;
    private ServerProcess server;
    private int port;

    CrashStory(Path directory) throws IOException {
        this.directory = directory;
        this.git = new GitClient(Files.createDirectories(directory.resolve("home")));
        this.work = git.init("work");
        this.base = git.commit(work, "base", "base");
        this.tip = git.commit(work, "tip", "tip");
        git.ok(work, "checkout", "--quiet", "-b", "aside", base);
        this.aside = git.commit(work, "aside", "aside");
        git.ok(work, "checkout", "--quiet", "main");
        this.server = ServerProcess.startDoomed(directory);
        this.port = server.awaitPort();
    }

    // ---- life and death

    /// Has the server end when this is found in the name of a moment.
    void doom(String moment) throws IOException {
        doom(moment, 1);
    }

    void doom(String moment, int number) throws IOException {
        DoomedServer.doom(directory, moment, number);
    }

    /// Lets the server live after all, and tells what has happened since it was doomed.
    List<String> spare() throws IOException {
        var moments = DoomedServer.moments(directory);
        DoomedServer.spare(directory);
        return moments;
    }

    /// Waits for its end, makes sure that it was the one that was meant, and looks at what it left.
    void awaitDeath() throws IOException, InterruptedException {
        assertEquals(DoomedServer.DEAD, server.awaitEnd(60), () -> "it lives on, or died of something else");
        DoomedServer.spare(directory);
        assertWhole();
    }

    void kill() throws InterruptedException {
        server.kill();
        assertWhole();
    }

    /// Makes sure that a server runs which nobody has doomed.
    void revive() throws IOException {
        DoomedServer.spare(directory);
        if (port == 0 || !server.isAlive()) {
            restart();
        }
    }

    void restart() throws IOException {
        server.close();
        server = ServerProcess.startDoomed(directory);
        port = server.awaitPort();
    }

    /// Starts a server that dies before it serves anything.
    void startInVain(String moment) throws IOException, InterruptedException {
        doom(moment);
        port = 0;
        server.close();
        server = ServerProcess.startDoomed(directory);
        awaitDeath();
    }

    // ---- while it is dead

    /// Reads the store of a server that is dead.
    <T> T inside(Function<StoreView, T> question) {
        try (var store = new TableStore(
                LmdbEngine.open(relay(), LmdbConfig.DEFAULTS),
                StoreRules.DEFAULTS,
                WriterConfig.DEFAULTS,
                InstantSource.system(),
                new UnharmedStore())) {
            return store.read(question);
        }
    }

    private Path relay() {
        return directory.resolve("data").resolve("relay");
    }

    /// The store is sound, and nothing is both held and served (K7).
    private void assertWhole() {
        var problems = new ArrayList<String>();
        try (var engine = LmdbEngine.open(relay(), LmdbConfig.DEFAULTS)) {
            assertEquals(0, StoreCheck.run(engine, problems::add, _ -> {}).problems(), problems::toString);
        }
        inside(view -> {
            for (var table : List.of(Table.HELD_ANNOUNCEMENTS, Table.HELD_STATES, Table.HELD_PROPOSALS)) {
                view.forEachRow(table, Bytes.EMPTY, row -> {
                    var id = ((Held) row).event().id();
                    assertFalse(view.isServed(id), () -> id + " is held and served");
                });
            }
            return true;
        });
    }

    /// Whether events are served: all of them are, or all are held (K6).
    boolean areServedInside(List<Event> events) {
        return inside(view -> {
            long served =
                    events.stream().filter(event -> view.isServed(event.id())).count();
            long held = events.stream().filter(event -> view.isHeld(event.id())).count();
            assertTrue(
                    served == events.size() || held == events.size(),
                    () -> served + " are served and " + held + " are held of " + events.size());
            return served > 0;
        });
    }

    /// Uploads that rows speak of.
    List<Upload> uploadsInside() {
        return inside(view -> {
            var uploads = new ArrayList<Upload>();
            view.forEachRow(Table.PLACEHOLDERS, Bytes.EMPTY, row -> uploads.addAll(((Placeholder) row).pushedTo()));
            view.forEachRow(Table.HELD_PROPOSALS, Bytes.EMPTY, row -> uploads.addAll(((HeldProposal) row).pushedTo()));
            return uploads;
        });
    }

    // ---- on disk

    List<String> areas() throws IOException {
        return entries("staging");
    }

    List<String> quarantines() throws IOException {
        return entries("quarantine");
    }

    private List<String> entries(String corner) throws IOException {
        var place = directory.resolve("data", "git", ".grapnel", corner);
        if (!Files.isDirectory(place)) {
            return List.of();
        }
        try (var found = Files.list(place)) {
            return found.map(file -> String.valueOf(file.getFileName()))
                    .sorted()
                    .toList();
        }
    }

    /// The name of a repository below the directory of all.
    static String name(int owner, String identifier) {
        return new Npub(StoreSamples.author(owner)) + "/" + identifier + ".git";
    }

    Path onDisk(int owner, String identifier) {
        return directory.resolve("data", "git").resolve(name(owner, identifier));
    }

    /// Refs as they are on disk, without a server.
    List<String> refsOnDisk(int owner, String identifier) {
        return git.ok(onDisk(owner, identifier), "for-each-ref", "--format=%(objectname) %(refname)")
                .lines()
                .toList();
    }

    boolean hasObject(int owner, String identifier, String object) {
        return git.run(onDisk(owner, identifier), "cat-file", "-e", object).code() == 0;
    }

    // ---- what there is to push

    GitClient git() {
        return git;
    }

    Path work() {
        return work;
    }

    /// The first commit.
    String base() {
        return base;
    }

    /// The commit on main.
    String tip() {
        return tip;
    }

    /// A commit beside it.
    String aside() {
        return aside;
    }

    String url(int owner, String identifier) {
        return "http://127.0.0.1:" + port + "/" + name(owner, identifier);
    }

    GitClient.Result push(int owner, String identifier, String... refs) {
        return git.run(
                work,
                Stream.concat(Stream.of("push", "--quiet", url(owner, identifier)), Stream.of(refs))
                        .toArray(String[]::new));
    }

    /// What a repository shows, with words in the place of ids that differ from run to run.
    List<String> refs(int owner, String identifier, Map<EventId, String> words) {
        return git.ok(work, "ls-remote", url(owner, identifier))
                .lines()
                .map(line -> {
                    var text = line.replace('\t', ' ');
                    for (var word : words.entrySet()) {
                        text = text.replace(word.getKey().toHex(), word.getValue());
                    }
                    return text;
                })
                .toList();
    }

    /// Whether a stranger gets an object who knows its id.
    boolean isFetchable(int owner, String identifier, String object) {
        var other = git.init("fetch" + second++);
        return git.run(other, "fetch", "--quiet", url(owner, identifier), object)
                        .code()
                == 0;
    }

    // ---- events

    Event announcement(int owner, String identifier) {
        return event(
                owner,
                Kinds.ANNOUNCEMENT,
                List.of("d", identifier),
                List.of("clone", GraspUnderTest.cloneUrl(owner, identifier)),
                List.of("relays", "wss://" + GraspUnderTest.DOMAIN),
                GraspUnderTest.maintainers(owner == ANN ? BOB : ANN));
    }

    Event state(int author, String identifier, String commit) {
        return event(author, Kinds.STATE, List.of("d", identifier), List.of(MAIN, commit));
    }

    Event emptyState(int author, String identifier) {
        return event(author, Kinds.STATE, List.of("d", identifier));
    }

    Event proposal(String identifier, String commit) {
        return event(
                CAROL,
                Kinds.PULL_REQUEST,
                List.of("a", GraspUnderTest.coordinate(ANN, identifier)),
                List.of("c", commit));
    }

    /// Newer than all before it.
    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    final Event event(int author, int kind, List<String>... tags) {
        return StoreSamples.event(author, kind, second++, List.of(tags), "");
    }

    static String ref(Event proposal) {
        return "refs/nostr/" + proposal.id();
    }

    RelayClient connect() throws IOException {
        return new RelayClient(WireClient.open(port));
    }

    /// What an event is answered with.
    String publish(Event event) throws IOException {
        try (var client = connect()) {
            return client.publish(event).message();
        }
    }

    void hold(Event... events) throws IOException {
        for (var event : events) {
            var answer = publish(event);
            assertTrue(answer.startsWith("purgatory: "), answer);
        }
    }

    /// Publishes what the server may not survive.
    void publishInVain(Event event) {
        try {
            var _ = publish(event);
        } catch (IOException _) {
            // the server is gone
        }
    }

    /// A repository of both owners, served, with main at a commit.
    void serve(String identifier) throws IOException {
        hold(announcement(ANN, identifier), announcement(BOB, identifier), state(ANN, identifier, tip));
        push(ANN, identifier, "main").orFail();
    }

    /// Hears of everything about a name.
    RelayClient listen(String identifier) throws IOException {
        var client = connect();
        var coordinates = OWNERS.stream()
                .map(owner -> "\"" + GraspUnderTest.coordinate(owner, identifier) + "\"")
                .collect(Collectors.joining(","));
        assertEquals(
                List.of(),
                client.subscribe(
                        "all",
                        "{\"#d\":[\"" + identifier + "\"],\"limit\":0}",
                        "{\"#a\":[" + coordinates + "],\"limit\":0}"));
        return client;
    }

    /// Reads what a listener was sent until the server was gone.
    static List<EventId> heard(RelayClient listener) {
        var ids = new ArrayList<EventId>();
        try {
            while (true) {
                ids.add(((RelayMessage.Delivery) listener.message()).event().id());
            }
        } catch (IOException _) {
            return ids; // the end
        }
    }

    // ---- what it must come to

    /// Everything about a name is what its events say.
    void assertClean(String identifier) {
        var lines = new ArrayList<String>();
        assertEquals(0, check(identifier, lines), lines::toString);
        for (int owner : OWNERS) {
            git.assertSound(onDisk(owner, identifier));
        }
    }

    /// `grapnel check`.
    ///
    /// @return how many differences there are
    long check(String identifier, List<String> lines) {
        var left = new ArrayList<Long>();
        try (var client = ControlClient.connect(relay()).orElseThrow()) {
            client.ask(
                    new ControlRequest(CheckAnswer.NAME, Map.of("identifier", new JsonValue.Text(identifier))),
                    line -> {
                        lines.add(line.json());
                        line.findNumber("left").ifPresent(left::add);
                    });
        }
        return left.getFirst();
    }

    /// The value of a metric.
    long metric(String name) throws IOException, InterruptedException {
        var uri = URI.create("http://127.0.0.1:" + port + "/metrics");
        try (var client = PlainHttp.client()) {
            return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                    .body()
                    .lines()
                    .filter(line -> line.startsWith(name + " "))
                    .mapToLong(line -> (long) Double.parseDouble(line.substring(name.length() + 1)))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("there is no metric " + name));
        }
    }

    /// Nothing is left of any upload, on disk and in what is counted.
    void assertNoUploads() throws IOException, InterruptedException {
        Gauges.awaitThat("no areas", () -> {
            try {
                return areas().isEmpty() && quarantines().isEmpty() && metric("purgatory_staging_areas") == 0;
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        assertEquals(0, metric("purgatory_staging_bytes"));
    }

    @Override
    public void close() {
        server.close();
    }
}
