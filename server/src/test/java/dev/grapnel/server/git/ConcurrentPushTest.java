package dev.grapnel.server.git;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.server.GitUnderTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Several who push at once, to one repository and to many, while others clone.
final class ConcurrentPushTest {
    private static final int PUSHERS = 4;
    private static final int PUSHES = 4;

    @TempDir
    private Path directory;

    private GitUnderTest server;
    private GitClient git;

    @BeforeEach
    void start() throws IOException {
        server = GitUnderTest.start(directory.resolve("server"));
        git = new GitClient(Files.createDirectory(directory.resolve("home")));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static void runAll(List<Callable<Void>> tasks) throws Exception {
        try (var threads = Executors.newCachedThreadPool()) {
            for (var future : threads.invokeAll(tasks)) {
                future.get();
            }
        }
    }

    @Test
    void noAcknowledgedPushToOneBranchIsLost() throws Exception {
        var first = git.init("first");
        git.commit(first, "begin", "begin");
        git.ok(first, "push", "--quiet", server.url("x"), "main");
        Set<String> acknowledged = new ConcurrentSkipListSet<>();
        var tasks = new ArrayList<Callable<Void>>();
        for (int i = 0; i < PUSHERS; i++) {
            int number = i;
            tasks.add(() -> {
                pushInTurn(number, acknowledged);
                return null;
            });
        }
        tasks.add(() -> {
            for (int i = 0; i < PUSHES; i++) {
                var clone = directory.resolve("reader" + i);
                git.ok(directory, "clone", "--quiet", server.url("x"), clone.toString());
                git.assertSound(clone);
            }
            return null;
        });
        runAll(tasks);
        assertEquals(PUSHERS * PUSHES, acknowledged.size());
        git.assertSound(server.onDisk("x"));
        var history = git.ok(server.onDisk("x"), "rev-list", "main").lines().toList();
        assertTrue(history.containsAll(acknowledged), "lost: " + acknowledged + " of " + history);
    }

    /// Whoever comes late fetches, puts its commit on top, and tries again.
    private void pushInTurn(int number, Set<String> acknowledged) {
        var clone = directory.resolve("pusher" + number);
        git.ok(directory, "clone", "--quiet", server.url("x"), clone.toString());
        for (int i = 0; i < PUSHES; i++) {
            git.commit(clone, "file" + number, "round " + i);
            while (git.run(clone, "push", "--quiet", "origin", "main").code() != 0) {
                git.ok(clone, "fetch", "--quiet");
                git.ok(clone, "rebase", "--quiet", "origin/main");
            }
            acknowledged.add(git.ok(clone, "rev-parse", "HEAD").strip());
        }
    }

    @Test
    void pushesToManyRepositoriesDoNotMeet() throws Exception {
        var tasks = new ArrayList<Callable<Void>>();
        for (int i = 0; i < PUSHERS * 2; i++) {
            int number = i;
            tasks.add(() -> {
                var work = git.init("own" + number);
                for (int round = 0; round < PUSHES; round++) {
                    git.commit(work, "file", "round " + round + " of " + number);
                    git.ok(work, "push", "--quiet", server.url("own" + number), "main");
                }
                git.assertSound(server.onDisk("own" + number));
                return null;
            });
        }
        runAll(tasks);
    }
}
