package dev.grapnel.server;

import dev.grapnel.git.repository.Staging;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.purgatory.Admitted;
import dev.grapnel.server.git.GitClient;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.row.HeldProposal;
import dev.grapnel.store.row.Placeholder;
import dev.grapnel.store.row.RowKeys;
import dev.grapnel.store.table.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// A server, the git of this machine, and a working tree to push from.
final class PushStory implements AutoCloseable {
    static final int ANN = 1;
    static final int BOB = 2;
    static final int CAROL = 3;

    private final Path directory;
    private final GraspUnderTest.Clock clock = new GraspUnderTest.Clock();
    private final String[] settings;
    private final GitClient git;
    private final Path work;
    private GraspUnderTest server;

    PushStory(Path directory, String... settings) throws IOException {
        this.directory = directory;
        this.settings = settings.clone();
        this.git = new GitClient(Files.createDirectories(directory.resolve("home")));
        this.work = git.init("work");
        this.server = GraspUnderTest.start(directory.resolve("data"), clock, settings);
    }

    GraspUnderTest server() {
        return server;
    }

    GitClient git() {
        return git;
    }

    Path work() {
        return work;
    }

    /// Ends the server and starts it again over the same directories.
    void restart() {
        server.close();
        server = GraspUnderTest.start(directory.resolve("data"), clock, settings);
    }

    void stop() {
        server.close();
    }

    Path data() {
        return directory.resolve("data");
    }

    String url(int owner, String identifier) {
        return "http://127.0.0.1:" + server.service().port() + "/" + new Npub(StoreSamples.author(owner)) + "/"
                + identifier + ".git";
    }

    /// Where a repository is on disk.
    Path onDisk(int owner, String identifier) {
        return data().resolve("git")
                .resolve(new Npub(StoreSamples.author(owner)).text())
                .resolve(identifier + ".git");
    }

    /// A commit on the present branch.
    String commit(String name) {
        return git.commit(work, name, name);
    }

    /// A commit on a branch of its own, which leaves the others.
    String aside(String name) {
        git.ok(work, "checkout", "--quiet", "-b", name);
        var commit = commit(name);
        git.ok(work, "checkout", "--quiet", "main");
        return commit;
    }

    /// Publishes what must be taken.
    Event publish(Event event) {
        var admitted = server.direct(event);
        if (admitted instanceof Admitted.Refused) {
            throw new AssertionError(admitted);
        }
        return event;
    }

    /// A repository that is served, with one commit on main; returns it.
    @SafeVarargs
    @SuppressWarnings("varargs") // only handed on
    final String serve(int owner, String identifier, List<String>... more) {
        publish(server.announcement(owner, identifier, more));
        var tip = head().orElseGet(() -> commit("first"));
        publish(state(owner, identifier, tip));
        push(owner, identifier, "main").orFail();
        return tip;
    }

    private Optional<String> head() {
        var found = git.run(work, "rev-parse", "--verify", "--quiet", "main");
        return found.code() == 0 ? Optional.of(found.out().strip()) : Optional.empty();
    }

    /// A state with main alone.
    Event state(int owner, String identifier, String tip) {
        return server.stateAt(server.now(), owner, identifier, List.of("refs/heads/main", tip));
    }

    /// A pull request, not published.
    Event proposal(int author, String commit, String... coordinates) {
        var tags = new ArrayList<List<String>>();
        for (var coordinate : coordinates) {
            tags.add(List.of("a", coordinate));
        }
        tags.add(List.of("c", commit));
        return StoreSamples.event(author, Kinds.PULL_REQUEST, server.now(), tags, "please");
    }

    GitClient.Result push(int owner, String identifier, String... refs) {
        return pushFrom("", owner, identifier, refs);
    }

    /// Pushes as if from another address, through a proxy on this machine.
    GitClient.Result pushFrom(String address, int owner, String identifier, String... refs) {
        var arguments = new ArrayList<String>();
        if (!address.isEmpty()) {
            arguments.addAll(List.of("-c", "http.extraHeader=X-Forwarded-For: " + address));
        }
        arguments.addAll(List.of("push", "--quiet", url(owner, identifier)));
        arguments.addAll(List.of(refs));
        return git.run(work, arguments.toArray(String[]::new));
    }

    /// Pushes a commit to the ref of an event.
    GitClient.Result propose(String commit, Event event, int owner, String identifier) {
        return push(owner, identifier, commit + ":" + ref(event));
    }

    static String ref(Event event) {
        return "refs/nostr/" + event.id();
    }

    /// What a repository shows.
    List<String> refs(int owner, String identifier) {
        return git.ok(work, "ls-remote", url(owner, identifier))
                .lines()
                .map(line -> line.replace('\t', ' '))
                .toList();
    }

    boolean shows(Event event, int owner, String identifier) {
        return refs(owner, identifier).stream().anyMatch(line -> line.endsWith(" " + ref(event)));
    }

    /// Whether an object is in the store of a repository, shown or not.
    boolean has(int owner, String identifier, String object) {
        return git.run(onDisk(owner, identifier), "cat-file", "-e", object).code() == 0;
    }

    // ---- what waits

    Staging staging() {
        return server.service().repositories().staging();
    }

    List<String> areas() throws IOException {
        return staging().list();
    }

    /// What all areas take on disk.
    long bytes() throws IOException {
        long sum = 0;
        for (var area : areas()) {
            sum += staging().bytes(area);
        }
        return sum;
    }

    long countedBytes() {
        return (long) server.metric("purgatory_staging_bytes");
    }

    double count(String outcome) {
        return server.metric("purgatory_staging_total{outcome=\"" + outcome + "\"}");
    }

    Optional<Placeholder> placeholder(EventId id) {
        return server.store()
                .read(view -> view.findRow(Table.PLACEHOLDERS, RowKeys.event(id)))
                .map(row -> (Placeholder) row);
    }

    HeldProposal held(Event event) {
        return (HeldProposal) server.held(event);
    }

    /// Nothing is left of any upload, in memory, in the store and on disk.
    void awaitNothingLeft() {
        Gauges.awaitThat("no uploads", () -> {
            try {
                return server.rows(Table.PLACEHOLDERS) == 0
                        && areas().isEmpty()
                        && server.metric("purgatory_staging_areas") == 0
                        && countedBytes() == 0
                        && quarantines().isEmpty();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
    }

    /// Packs that are still being received.
    String quarantines() throws IOException {
        var place = data().resolve("git").resolve(".grapnel").resolve("quarantine");
        if (!Files.isDirectory(place)) {
            return "";
        }
        try (var found = Files.list(place)) {
            return found.map(Path::toString).collect(Collectors.joining(" "));
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
