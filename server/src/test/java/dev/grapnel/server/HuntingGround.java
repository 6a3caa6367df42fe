package dev.grapnel.server;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.Disk;
import dev.grapnel.git.GitProgram;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.url.Host;
import dev.grapnel.outbound.CertificateAuthority;
import dev.grapnel.outbound.ScriptedNames;
import dev.grapnel.purgatory.hunt.DomainPicture;
import dev.grapnel.purgatory.hunt.Hunt;
import dev.grapnel.purgatory.hunt.HuntPicture;
import dev.grapnel.server.git.StockHost;
import dev.grapnel.store.StoreSamples;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

/// A real server that hunts, real repositories elsewhere, and a world between them in which a test says what names
/// lead to and whom to trust. Time goes only when told.
final class HuntingGround implements AutoCloseable {
    /// Who announces.
    static final int ANN = 1;

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    final ScriptedNames names = new ScriptedNames();
    final CertificateAuthority authority = new CertificateAuthority();
    private final Path directory;
    private final Path elsewhere;
    private final StockHost stock;
    private final GraspUnderTest.Clock clock = new GraspUnderTest.Clock();
    private final List<TroubledHost> hosts = new ArrayList<>();
    private GraspUnderTest server;

    HuntingGround(Path directory, String... settings) throws IOException {
        this.directory = directory;
        this.elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
        this.stock = new StockHost(elsewhere);
        this.server = start(settings);
    }

    /// One that may connect to `127.0.0.1` alone, by whatever name.
    static HuntingGround open(Path directory, String... settings) throws IOException {
        var all = new ArrayList<>(List.of("ADDRESS_ALLOW", "127.0.0.1/32"));
        all.addAll(List.of(settings));
        return new HuntingGround(directory, all.toArray(String[]::new));
    }

    private GraspUnderTest start(String... settings) {
        var all = new ArrayList<>(List.of("HUNT_ENABLED", "true", "SYNC_LOOP_INTERVAL_MS", "5"));
        all.addAll(List.of(settings));
        var devices = new Devices(
                Disk.REAL, UnaryOperator.identity(), () -> new Outside(names, authority.trusting(), () -> {}));
        return GraspUnderTest.start(directory.resolve("here"), clock, devices, all.toArray(String[]::new));
    }

    /// The server starts anew, with other settings.
    void restart(String... settings) {
        server.close();
        server = start(settings);
    }

    GraspUnderTest server() {
        return server;
    }

    Hunt hunt() {
        return server.service().hunting().hunt();
    }

    // ---- elsewhere

    /// A new repository elsewhere.
    GitProgram repository(String name) throws IOException {
        var git = new GitProgram(Files.createDirectory(elsewhere.resolve(name + ".git")));
        git.run("init", "--bare", "--quiet", "--initial-branch=main", ".");
        return git;
    }

    /// A new repository elsewhere with one commit on its branch.
    Oid filled(String name) throws IOException {
        var git = repository(name);
        var tip = git.commit(name);
        git.run("update-ref", "refs/heads/main", tip.toString());
        return tip;
    }

    /// All of a repository elsewhere, as a server would send it.
    byte[] pack(String name) {
        return new GitProgram(elsewhere.resolve(name + ".git"))
                .pipe(new byte[0], "pack-objects", "--quiet", "--all", "--stdout");
    }

    /// A server that has all of them.
    TroubledHost host() throws IOException {
        return keep(TroubledHost.open(stockPort(), clock));
    }

    /// The same at another address.
    TroubledHost host(String address, int port) throws IOException {
        return keep(TroubledHost.open(stockPort(), clock, address, port));
    }

    /// The same with TLS.
    TroubledHost secureHost(javax.net.ssl.SSLContext tls) throws IOException {
        return keep(TroubledHost.open(stockPort(), clock, tls));
    }

    private TroubledHost keep(TroubledHost host) {
        hosts.add(host);
        return host;
    }

    private int stockPort() {
        return URI.create(stock.url(elsewhere)).getPort();
    }

    /// A URL of a repository by a name that leads to this machine.
    String url(String name, TroubledHost host, String repository) {
        names.answer(name, "127.0.0.1");
        return "http://" + name + ":" + host.port() + "/" + repository + ".git";
    }

    // ---- events

    Event announcement(String identifier, String... urls) {
        var all = new ArrayList<>(List.of("clone", GraspUnderTest.cloneUrl(ANN, identifier)));
        all.addAll(List.of(urls));
        return StoreSamples.event(
                ANN,
                Kinds.ANNOUNCEMENT,
                server.now(),
                List.of(List.of("d", identifier), all, List.of("relays", "wss://" + GraspUnderTest.DOMAIN)),
                "");
    }

    Event state(String identifier, Oid main) {
        return server.stateAt(
                server.now(),
                ANN,
                identifier,
                List.of("refs/heads/main", main.toString()),
                List.of("HEAD", "ref: refs/heads/main"));
    }

    /// A pull request for a repository.
    Event proposal(int author, String identifier, Oid tip, String... urls) {
        var clone = new ArrayList<>(List.of("clone"));
        clone.addAll(List.of(urls));
        return StoreSamples.event(
                author,
                Kinds.PULL_REQUEST,
                server.now(),
                List.of(List.of("a", GraspUnderTest.coordinate(ANN, identifier)), List.of("c", tip.toString()), clone),
                "");
    }

    /// Another relay has an announcement and a state.
    Event hear(String identifier, Oid main, String... urls) throws Exception {
        server.sync(announcement(identifier, urls));
        var state = state(identifier, main);
        hear(state, identifier);
        return state;
    }

    /// Another relay has an event that waits; returns when the hunt is told of it, so that its delay begins now.
    void hear(Event event, String identifier) throws Exception {
        server.sync(event);
        assertTrue(server.isHeld(event), "held until its data is here");
        await(() -> picture(identifier).isPresent());
    }

    // ---- time

    /// Lets time go by and everything happen that is due by then.
    void pass(Duration time) {
        server.pass(time);
        var hunting = server.service().hunting();
        hunting.change(hunting.limits()); // wakes domains like their timers, which know the machine's time only
    }

    /// Until the first attempt for what was heard is over.
    HuntPicture hunted(String identifier) throws Exception {
        return hunted(identifier, 1);
    }

    /// Until so many attempts were in vain.
    HuntPicture hunted(String identifier, int attempts) throws Exception {
        if (attempts == 1) {
            pass(Duration.ofMillis(500));
        }
        await(() -> picture(identifier)
                .filter(hunt -> !hunt.isRunning() && hunt.attempts() >= attempts)
                .isPresent());
        return picture(identifier).orElseThrow();
    }

    /// Until nothing is asked and nothing is due.
    void awaitQuiet() throws Exception {
        await(() -> hunt().counts().domains().values().stream().allMatch(domain -> domain.inFlight() == 0)
                && hunt().pictures(1000).stream()
                        .allMatch(hunt -> hunt.nextAttempt()
                                .filter(clock.instant()::isBefore)
                                .isPresent()));
    }

    Optional<HuntPicture> picture(String identifier) {
        return hunt().picture(Identifier.parse(identifier).require());
    }

    Optional<DomainPicture> domain(String name) {
        return Optional.ofNullable(hunt().counts().domains().get(new Host(name)));
    }

    /// What the operator is told that a URL answered, without the time.
    String told(String identifier, String url) {
        return picture(identifier).orElseThrow().answers().stream()
                .filter(answer -> answer.url().equals(url))
                .map(answer -> answer.words()
                        + (answer.reason().isEmpty() ? "" : " (" + answer.reason() + ")")
                        + (answer.notNow().isEmpty() ? "" : "; not asked now: " + answer.notNow()))
                .findFirst()
                .orElseThrow(() -> new AssertionError("nothing is told of it: " + picture(identifier)));
    }

    void awaitServed(Event event) throws Exception {
        await(() -> server.isServed(event));
    }

    void await(Callable<Boolean> isSo) throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!isSo.call()) {
            assertTrue(System.nanoTime() < end, "it does not happen: " + hunt().pictures(9));
            LockSupport.parkNanos(1_000_000);
        }
    }

    /// What is where nobody may look before it is vouched for.
    long huntedBytes(String identifier) {
        return server.service()
                .repositories()
                .hunting()
                .bytes(Identifier.parse(identifier).require());
    }

    /// How many URLs and hosts are left alone.
    Map<dev.grapnel.purgatory.hunt.NaughtyCause, Long> naughty() {
        return hunt().counts().naughty();
    }

    @Override
    public void close() {
        server.close();
        hosts.forEach(TroubledHost::close);
        stock.close();
    }
}
