package dev.grapnel.server.git;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.grapnel.server.GitUnderTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Two clients do the same, one with us and one with git itself, and have the same afterwards.
final class ShallowClientTest {
    private static final int STEPS = 5;
    private static final List<String> BRANCHES = List.of("main", "left", "right");

    @TempDir
    private Path directory;

    private GitUnderTest server;
    private StockHost stock;
    private GitClient git;

    @BeforeEach
    void start() throws IOException {
        server = GitUnderTest.start(directory.resolve("server"));
        stock = new StockHost(server.gitData());
        git = new GitClient(Files.createDirectory(directory.resolve("home")));
        var work = git.init("work");
        long date = 1_700_000_000;
        for (int i = 0; i < 4; i++) {
            commit(work, "base" + i, date + 100L * i);
        }
        for (var branch : List.of("left", "right")) {
            git.ok(work, "checkout", "--quiet", "-b", branch, "main");
            for (int i = 0; i < 6; i++) {
                commit(work, branch + i, date + 1000 + 100L * i);
            }
        }
        git.ok(work, "checkout", "--quiet", "main");
        for (int i = 0; i < 3; i++) {
            commit(work, "main" + i, date + 1200 + 100L * i);
        }
        git.ok(work, "tag", "v1", "main~1");
        git.ok(work, "push", "--quiet", server.url("x"), "--all");
        git.ok(work, "push", "--quiet", server.url("x"), "--tags");
    }

    private void commit(Path work, String name, long date) {
        git.with("GIT_COMMITTER_DATE", date + " +0000").commit(work, name + ".txt", name);
    }

    @AfterEach
    void stop() {
        stock.close();
        server.close();
    }

    private String stockUrl() {
        return stock.url(server.onDisk("x"));
    }

    /// What lies behind the end of a branch nobody asked for comes, too: all of history was asked for.
    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void unshallowingOneBranchUnshallowsAll(int version) {
        var clone = directory.resolve("clone");
        var protocol = "protocol.version=" + version;
        git.ok(directory, "clone", "--quiet", "--depth=1", "--no-single-branch", server.url("x"), clone.toString());
        git.ok(clone, "-c", protocol, "fetch", "--quiet", "--unshallow", "origin", "left");
        assertFalse(Files.exists(clone.resolve(".git/shallow")));
        git.assertSound(clone);
        assertEquals("10", git.ok(clone, "rev-list", "--count", "origin/right").strip());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void deepeningOneBranchDeepensAll(int version) throws IOException {
        var protocol = "protocol.version=" + version;
        for (var url : List.of(server.url("x"), stockUrl())) {
            var clone = directory.resolve("clone" + url.hashCode());
            git.ok(directory, "clone", "--quiet", "--depth=1", "--no-single-branch", url, clone.toString());
            git.ok(clone, "-c", protocol, "fetch", "--quiet", "--deepen=2", "origin", "left");
            assertEquals(
                    "3", git.ok(clone, "rev-list", "--count", "origin/right").strip(), url);
            git.assertSound(clone);
        }
    }

    @Test
    void clientsEndUpAlike() throws IOException {
        for (int seed = 0; seed < 4; seed++) {
            var random = new Random(seed);
            int version = seed % 2 * 2;
            var ours = clone(server.url("x"), "ours" + seed);
            var gits = clone(stockUrl(), "gits" + seed);
            for (int step = 0; step < STEPS; step++) {
                var arguments = fetch(version, random);
                var which = "seed " + seed + " step " + step + " " + arguments;
                int outcome = git.run(gits, arguments.toArray(String[]::new)).code();
                var run = git.run(ours, arguments.toArray(String[]::new));
                assertEquals(outcome, run.code(), which + run.err());
                assertEquals(ends(gits), ends(ours), which);
                assertEquals(refs(gits), refs(ours), which);
                git.assertSound(ours);
            }
        }
    }

    private Path clone(String url, String name) {
        var target = directory.resolve(name);
        git.ok(directory, "init", "--quiet", target.toString());
        git.ok(target, "remote", "add", "origin", url);
        return target;
    }

    private static List<String> fetch(int version, Random random) {
        var arguments = new ArrayList<>(List.of("-c", "protocol.version=" + version, "fetch", "--quiet"));
        arguments.add(
                switch (random.nextInt(9)) {
                    case 0 -> "--shallow-since=" + (1_700_000_000 + random.nextInt(18) * 100L);
                    case 1 -> "--shallow-exclude=v1";
                    case 2 -> "--shallow-exclude=refs/heads/left";
                    case 3 -> "--unshallow";
                    case 4, 5 -> "--depth=" + (1 + random.nextInt(5));
                    default -> "--deepen=" + (1 + random.nextInt(3));
                });
        arguments.add("origin");
        if (random.nextInt(3) > 0) {
            var branch = BRANCHES.get(random.nextInt(BRANCHES.size()));
            arguments.add(branch + ":refs/remotes/origin/" + branch);
        }
        return arguments;
    }

    private static List<String> ends(Path clone) throws IOException {
        var file = clone.resolve(".git/shallow");
        return Files.exists(file) ? Files.readAllLines(file).stream().sorted().toList() : List.of();
    }

    /// Refs, and all that they lead to.
    private String refs(Path clone) {
        return git.ok(clone, "for-each-ref") + git.ok(clone, "rev-list", "--objects", "--all", "--date-order");
    }
}
