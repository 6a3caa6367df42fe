package dev.grapnel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.server.git.GitClient;
import dev.grapnel.store.StoreSamples;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/// The server is killed while states are published and pushed, again and again: whatever git read as ok is there,
/// whatever is served has its objects and is what refs show (I-2, I-5; K2 to K8 wherever the kill happens to
/// come).
///
/// `-Dgrapnel.kill.rounds=200` runs for longer, `-Dgrapnel.kill.seed=7` kills at other moments.
final class PushKillTest {
    private static final int ROUNDS = Integer.getInteger("grapnel.kill.rounds", 6);
    private static final int SEED = Integer.getInteger("grapnel.kill.seed", 7);
    private static final int ANN = 1;
    private static final int BOB = 2;
    private static final String MAIN = "refs/heads/main";

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final Map<EventId, String> commits = new TreeMap<>();
    private final long begin = Instant.now().getEpochSecond() - 100_000;
    private final List<String> made = new ArrayList<>();
    private final Semaphore answers = new Semaphore(0);
    private int pushed;
    private String acknowledged = "";

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path directory;

    @Test
    void whatGitReadAsOkIsThereAfterAKill() throws Exception {
        var git = new GitClient(Files.createDirectory(directory.resolve("home")));
        var work = git.init("work");
        var data = Files.createDirectory(directory.resolve("data"));
        for (int round = 0; round < ROUNDS; round++) {
            try (var server =
                    ServerProcess.startGrasp(data, "--domain", GraspUnderTest.DOMAIN, "--hunt-enabled=false")) {
                int port = server.awaitPort();
                check(git, work, port, round);
                var life = Thread.ofVirtual().start(() -> live(git, work, port));
                assertTrue(answers.tryAcquire(random.nextInt(1, 4), 1, TimeUnit.MINUTES), "no push ends");
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextLong(300)));
                server.kill();
                life.join();
                answers.drainPermits();
            }
        }
        assertTrue(pushed >= ROUNDS / 2, "only " + pushed + " pushes prove little");
    }

    private static String url(int port, int owner) {
        return "http://127.0.0.1:" + port + "/" + new Npub(StoreSamples.author(owner)) + "/x.git";
    }

    /// Publishes and pushes, by turns for Ann and Bob, until the server is gone.
    private void live(GitClient git, Path work, int port) {
        try (var client = new RelayClient(WireClient.open(port))) {
            announce(client, ANN, BOB);
            announce(client, BOB, ANN);
            while (true) {
                int author = random.nextBoolean() ? ANN : BOB;
                var commit = git.commit(work, "file", "change " + made.size());
                made.add(commit);
                var state = event(
                        author,
                        Kinds.STATE,
                        begin + 10 + made.size(),
                        List.of(List.of("d", "x"), List.of(MAIN, commit)));
                commits.put(state.id(), commit);
                client.publish(state);
                int owner = random.nextBoolean() ? ANN : BOB;
                if (git.run(work, "push", "--quiet", url(port, owner), commit + ":" + MAIN)
                                .code()
                        != 0) {
                    answers.release(3);
                    return;
                }
                answers.release();
                acknowledged = commit;
                pushed++;
            }
        } catch (IOException | UncheckedIOException _) {
            // the server is gone, which ends this
        }
    }

    private void announce(RelayClient client, int owner, int other) throws IOException {
        client.publish(event(
                owner,
                Kinds.ANNOUNCEMENT,
                begin,
                List.of(
                        List.of("d", "x"),
                        List.of("clone", GraspUnderTest.cloneUrl(owner, "x")),
                        List.of("relays", "wss://" + GraspUnderTest.DOMAIN),
                        GraspUnderTest.maintainers(other))));
    }

    private static Event event(int author, int kind, long second, List<List<String>> tags) {
        return StoreSamples.event(author, kind, second, tags, "");
    }

    private void check(GitClient git, Path work, int port, int round) throws IOException {
        if (acknowledged.isEmpty()) {
            return;
        }
        try (var client = new RelayClient(WireClient.open(port))) {
            var newest = client.events("{\"kinds\":[" + Kinds.STATE + "]}").getFirst();
            var expected = commits.get(newest.id());
            assertTrue(
                    made.indexOf(expected) >= made.indexOf(acknowledged),
                    () -> "round " + round + ": git read ok for " + acknowledged);
            for (int owner : List.of(ANN, BOB)) {
                var clone = work.resolveSibling("clone" + round + "-" + owner);
                git.ok(work, "clone", "--quiet", "--mirror", url(port, owner), clone.toString());
                assertEquals(
                        expected,
                        git.ok(clone, "rev-parse", MAIN).strip(),
                        () -> "round " + round + ", what the newest state says");
                git.assertSound(clone);
            }
        }
    }
}
