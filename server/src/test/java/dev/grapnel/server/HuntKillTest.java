package dev.grapnel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.GitProgram;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.server.git.StockHost;
import dev.grapnel.store.StoreSamples;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A real server dies while it fetches, again and again: nothing half-written is seen, hunting goes on, and what was
/// hunted for is served in the end. Told to stop while it fetches, it does so at once.
///
/// `-Dgrapnel.hunt.kill.rounds=50` runs for longer, `-Dgrapnel.kill.seed=7` another history.
@Timeout(600)
final class HuntKillTest {
    private static final int KILLS = Integer.getInteger("grapnel.hunt.kill.rounds", 3);
    private static final int SEED = Integer.getInteger("grapnel.kill.seed", 7);
    private static final int OWNER = 1;
    private static final String DOMAIN = "git.example.com";
    private static final int DIGITS = 100_000;

    /// More than any list of refs, less than the pack.
    private static final int ADVERTISED = 8_000;

    private static final long PACKED = 30_000;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final SplittableRandom random = new SplittableRandom(SEED);

    @TempDir
    Path directory;

    private StockHost host;
    private SlowLine line;
    private Published last;
    private Kill killed;

    @BeforeEach
    void open() throws IOException {
        host = new StockHost(Files.createDirectory(directory.resolve("elsewhere")));
        line = new SlowLine(URI.create(host.url(directory.resolve("elsewhere"))).getPort());
    }

    @AfterEach
    void close() throws IOException {
        line.close();
        host.close();
    }

    private ServerProcess start() throws IOException {
        return ServerProcess.startGrasp(
                Files.createDirectories(directory.resolve("here")),
                "--domain",
                DOMAIN,
                "--address-allow",
                "127.0.0.0/8",
                "--sync-default-delay-secs",
                "0",
                "--sync-immediate-delay-ms",
                "0",
                "--sync-loop-interval-ms",
                "20");
    }

    /// A repository elsewhere whose one commit has a large file, and what was published about it.
    private record Published(String identifier, Oid main, Event announcement, Event state) {
        /// Asks for both events.
        String filter() {
            return "{\"ids\":[\"" + announcement.id() + "\",\"" + state.id() + "\"]}";
        }
    }

    private Published publish(String identifier) throws IOException {
        var git = new GitProgram(
                Files.createDirectory(directory.resolve("elsewhere").resolve(identifier + ".git")));
        git.run("init", "--bare", "--quiet", "--initial-branch=main", ".");
        var text = new StringBuilder();
        while (text.length() < DIGITS) {
            text.append(Long.toHexString(random.nextLong()));
        }
        var main = git.commit(text.toString());
        git.run("update-ref", "refs/heads/main", main.toString());
        long now = Instant.now().getEpochSecond();
        var here = "https://" + DOMAIN + "/" + new Npub(StoreSamples.author(OWNER)) + "/" + identifier + ".git";
        var there = "http://127.0.0.1:" + line.port() + "/" + identifier + ".git";
        return new Published(
                identifier,
                main,
                StoreSamples.event(
                        OWNER,
                        Kinds.ANNOUNCEMENT,
                        now,
                        List.of(
                                List.of("d", identifier),
                                List.of("clone", here, there),
                                List.of("relays", "wss://" + DOMAIN)),
                        ""),
                StoreSamples.event(
                        OWNER,
                        Kinds.STATE,
                        now,
                        List.of(List.of("d", identifier), List.of("refs/heads/main", main.toString())),
                        ""));
    }

    private void beSlow() {
        line.slowAfter(random.nextLong(ADVERTISED, PACKED));
    }

    /// When a server is killed.
    private enum Kill {
        /// While bytes come.
        FETCHING,
        /// When the rest comes at once: before the last byte, or while it is moved in, copied, aligned and released.
        FINISHING
    }

    @Test
    void whatAKilledServerFetchedIsFetchedAgainAndOneThatIsToldToStopDoesNotWaitForIt() throws Exception {
        for (int number = 0; number <= KILLS; number++) {
            try (var server = start()) {
                int port = server.awaitPort();
                if (number > 0) {
                    goesOn(port);
                }
                send(publish("x" + number), port);
                if (number == KILLS) {
                    server.signal("TERM");
                    assertEquals(0, server.awaitEnd(5), "P-666");
                } else {
                    kill(server, killOf(number));
                }
            }
        }
        assertEquals(List.of(), files("quarantine"));
    }

    private static Kill killOf(int number) {
        return Kill.values()[number % Kill.values().length];
    }

    /// Publishes, and returns when the data has begun to come.
    private void send(Published published, int port) throws Exception {
        beSlow();
        last = published;
        try (var relay = new RelayClient(WireClient.open(port))) {
            assertTrue(relay.publish(published.announcement()).accepted());
            assertTrue(relay.publish(published.state()).accepted());
        }
        line.awaitSlow();
    }

    private void kill(ServerProcess server, Kill kill) throws Exception {
        switch (kill) {
            case FETCHING -> {
                server.kill();
                assertEquals(1, files("quarantine").size(), "it did not die in the middle of a fetch");
                beSlow();
            }
            case FINISHING -> {
                line.hurry();
                LockSupport.parkNanos(random.nextLong(TimeUnit.MILLISECONDS.toNanos(60)));
                server.kill();
            }
        }
        killed = kill;
    }

    /// Finishes what the last process could not.
    private void goesOn(int port) throws Exception {
        var published = last;
        if (killed == Kill.FETCHING) {
            line.awaitSlow();
            isUnseen(published, port);
            assertEquals(1, files("quarantine").size(), "only what it fetches now");
            line.hurry();
        }
        await(() -> isServed(published, port));
        isWhole(published, port);
        await(() -> files("quarantine").isEmpty() && files("hunting").isEmpty());
    }

    /// What lies in a corner of the data.
    private List<Path> files(String area) throws IOException {
        var corner = directory.resolve("here").resolve("data/git/.grapnel").resolve(area);
        try (var entries = Files.list(corner)) {
            return entries.toList();
        }
    }

    private static boolean isServed(Published published, int port) throws IOException {
        try (var relay = new RelayClient(WireClient.open(port))) {
            return relay.query(published.filter()).size() == 2;
        }
    }

    private void isUnseen(Published published, int port) throws IOException {
        try (var relay = new RelayClient(WireClient.open(port))) {
            assertEquals(List.of(), relay.query(published.filter()));
        }
        assertEquals("", new GitProgram(directory).run("ls-remote", url(published, port)));
    }

    private void isWhole(Published published, int port) {
        var clone = directory.resolve("clone-" + published.identifier());
        new GitProgram(directory).run("clone", "--quiet", "--bare", url(published, port), clone.toString());
        assertEquals(published.main().toString(), new GitProgram(clone).run("rev-parse", "refs/heads/main"));
        new GitProgram(clone).run("fsck", "--full", "--strict");
    }

    private static String url(Published published, int port) {
        return "http://127.0.0.1:" + port + "/" + new Npub(StoreSamples.author(OWNER)) + "/" + published.identifier()
                + ".git";
    }

    private static void await(Callable<Boolean> isSo) throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!isSo.call()) {
            assertTrue(System.nanoTime() < end, "it does not happen");
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }
}
