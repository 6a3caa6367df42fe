package dev.grapnel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/// Relay test 188: the whole server is killed under load, again and again, and what it answered is there.
final class KillTest {
    private static final int ROUNDS = Integer.getInteger("grapnel.kill.rounds", 10);
    private static final int PUBLISHERS = 3;
    private static final int IDS_AT_ONCE = 1_000;

    private final SplittableRandom random = new SplittableRandom(188);
    private final Set<String> promised = new HashSet<>();

    @Test
    void whatWasAnsweredIsThereAfterAKill(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory) throws Exception {
        Set<String> last = Set.of();
        for (int round = 0; round < ROUNDS; round++) {
            try (var server = ServerProcess.start(directory)) {
                if (round % 10 == 9) {
                    LockSupport.parkNanos(random.nextLong(TimeUnit.MILLISECONDS.toNanos(600)));
                    server.kill(); // while it starts
                    continue;
                }
                int port = server.awaitPort();
                requireAll(last, port, round);
                last = liveAndDie(server, port, round);
                promised.addAll(last);
            }
        }
        assertTrue(promised.size() > ROUNDS * 10, "only " + promised.size() + " events prove little");
        try (var server = ServerProcess.start(directory)) {
            requireAll(promised, server.awaitPort(), ROUNDS);
            server.signal("TERM");
            assertEquals(0, server.awaitEnd(60));
        }
        var check = ServerProcess.run(directory, "store", "check");
        assertEquals(
                0,
                check.waitFor(),
                () -> String.join("\n", check.inputReader().lines().toList()));
    }

    /// Publishes until a moment of chance, and returns what was answered by then.
    private Set<String> liveAndDie(ServerProcess server, int port, int round) throws Exception {
        var publishers = new ArrayList<Publisher>();
        try {
            for (int i = 0; i < PUBLISHERS; i++) {
                publishers.add(Publisher.start(port, i, "round " + round + " publisher " + i));
            }
            int answers = random.nextInt(1 << random.nextInt(2, 10));
            var first = publishers.getFirst().listener();
            first.await("answers", () -> first.answerCount() >= answers);
            LockSupport.parkNanos(random.nextLong(TimeUnit.MILLISECONDS.toNanos(5)));
            server.kill();
            var answered = new HashSet<String>();
            for (var publisher : publishers) {
                publisher.listener().awaitClose();
                answered.addAll(publisher.listener().accepted());
            }
            return answered;
        } finally {
            for (var publisher : publishers) {
                publisher.close();
            }
        }
    }

    private static void requireAll(Set<String> ids, int port, int round) throws IOException {
        try (var client = new RelayClient(WireClient.open(port))) {
            var left = new ArrayList<>(ids);
            while (!left.isEmpty()) {
                var some = left.subList(0, Math.min(IDS_AT_ONCE, left.size()));
                var found = new HashSet<String>();
                client.query("{\"ids\":[\"" + String.join("\",\"", some) + "\"]}")
                        .forEach(id -> found.add(id.toString()));
                var lost = some.stream().filter(id -> !found.contains(id)).toList();
                assertEquals(List.of(), lost, "before round " + round);
                some.clear();
            }
        }
    }
}
