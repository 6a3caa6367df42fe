package dev.grapnel.server;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.GitProgram;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.purgatory.hunt.HuntPicture;
import dev.grapnel.server.control.ControlClient;
import dev.grapnel.server.control.ControlRequest;
import dev.grapnel.server.control.JsonValue;
import dev.grapnel.server.git.StockHost;
import dev.grapnel.store.StoreSamples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;

/// A server that hunts, whose clock goes only when told, and git's own host elsewhere, where it finds things.
public final class HuntSite implements AutoCloseable {
    public static final int ANN = 1;
    public static final int BOB = 2;
    public static final int CAROL = 3;

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Path directory;
    private final GraspUnderTest.Clock clock = new GraspUnderTest.Clock();
    private final StockHost host;
    private final List<String> settings;
    private GraspUnderTest server;

    /// @param settings further ones, which count more than the usual ones
    public HuntSite(Path directory, String... settings) throws IOException {
        this.directory = directory;
        this.settings = List.of(settings);
        this.host = new StockHost(Files.createDirectory(directory.resolve("elsewhere")));
        this.server = start();
    }

    private GraspUnderTest start() {
        var all = new ArrayList<>(
                List.of("HUNT_ENABLED", "true", "ADDRESS_ALLOW", "127.0.0.0/8", "SYNC_LOOP_INTERVAL_MS", "5"));
        all.addAll(settings);
        return GraspUnderTest.start(here(), clock, all.toArray(String[]::new));
    }

    public Path here() {
        return directory.resolve("here");
    }

    public GraspUnderTest server() {
        return server;
    }

    public StockHost host() {
        return host;
    }

    /// Stops the server and starts it again over the same data.
    public void restart() {
        server.close();
        server = start();
    }

    /// A new repository elsewhere.
    public GitProgram repository(String name) throws IOException {
        var place = Files.createDirectory(elsewhere(name));
        var git = new GitProgram(place);
        git.run("init", "--bare", "--quiet", "--initial-branch=main", ".");
        return git;
    }

    public Path elsewhere(String name) {
        return directory.resolve("elsewhere").resolve(name + ".git");
    }

    public String url(String name) {
        return host.url(elsewhere(name));
    }

    /// An announcement that lists this server, and others.
    public Event announcement(int author, String identifier, String... elsewhere) {
        var urls = new ArrayList<>(List.of("clone", GraspUnderTest.cloneUrl(author, identifier)));
        urls.addAll(List.of(elsewhere));
        return StoreSamples.event(
                author,
                Kinds.ANNOUNCEMENT,
                server.now(),
                List.of(List.of("d", identifier), urls, List.of("relays", "wss://" + GraspUnderTest.DOMAIN)),
                "");
    }

    public Event state(int author, String identifier, Oid main) {
        return server.stateAt(
                server.now(),
                author,
                identifier,
                List.of("refs/heads/main", main.toString()),
                List.of("HEAD", "ref: refs/heads/main"));
    }

    /// A pull request whose author names a server.
    public Event proposal(int author, int owner, String identifier, Oid commit, String elsewhere) {
        return StoreSamples.event(
                author,
                Kinds.PULL_REQUEST,
                server.now(),
                List.of(
                        List.of("a", GraspUnderTest.coordinate(owner, identifier)),
                        List.of("c", commit.toString()),
                        List.of("clone", elsewhere)),
                "");
    }

    /// Serves an announcement and a state whose data is elsewhere.
    public void publish(int owner, String identifier, Oid main, String elsewhere) throws Exception {
        server.sync(announcement(owner, identifier, elsewhere));
        serve(identifier, state(owner, identifier, main));
    }

    /// Serves an event of another relay whose data is elsewhere.
    public void serve(String identifier, Event event) throws Exception {
        server.sync(event);
        await(() -> hunt(identifier).isPresent());
        server.pass(Duration.ofMillis(500));
        await(() -> server.isServed(event));
        await(() -> hunt(identifier).isEmpty());
    }

    public Optional<HuntPicture> hunt(String identifier) {
        return server.service().hunting().find(Identifier.parse(identifier).require());
    }

    /// Waits, in the time of everybody else.
    public void await(Callable<Boolean> isSo) throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!isSo.call()) {
            assertTrue(
                    System.nanoTime() < end,
                    () -> "it does not happen: " + server.service().hunting().all(9) + " "
                            + ask("repair list", Map.of()));
            Thread.onSpinWait();
        }
    }

    /// What the running server answers an operator.
    public List<String> ask(String command, Map<String, JsonValue> arguments) {
        var lines = new ArrayList<String>();
        try (var client = ControlClient.connect(here().resolve("relay")).orElseThrow()) {
            client.ask(new ControlRequest(command, arguments), line -> lines.add(line.json()));
        }
        return lines;
    }

    @Override
    public void close() {
        server.close();
        host.close();
    }
}
