package dev.grapnel.server.git;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.maintenance.FormerTips;
import dev.grapnel.outbound.PlainHttp;
import dev.grapnel.server.GitUnderTest;
import dev.grapnel.store.StoreSamples;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What becomes of what git pushes.
final class PushTest {
    @TempDir
    private Path directory;

    private GitUnderTest server;
    private GitClient git;
    private Path work;

    @BeforeEach
    void start() throws IOException {
        server = GitUnderTest.start(directory.resolve("server"));
        git = new GitClient(Files.createDirectory(directory.resolve("home")));
        work = git.init("work");
        git.commit(work, "a.txt", "a");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private String remoteRefs(String identifier) {
        return git.ok(directory, "ls-remote", server.url(identifier));
    }

    private void assertSound(String identifier) {
        git.assertSound(server.onDisk(identifier));
    }

    @Test
    void firstPushIsThereForEverybody() {
        git.ok(work, "push", "--quiet", server.url("x"), "main");
        var head = git.ok(work, "rev-parse", "HEAD").strip();
        assertEquals(head + "\tHEAD\n" + head + "\trefs/heads/main\n", remoteRefs("x"));
        assertEquals(
                head, git.ok(server.onDisk("x"), "rev-parse", "refs/heads/main").strip());
        assertSound("x");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "1048576", "100000000"})
    void bufferSizesOfTheClientDoNotMatter(String postBuffer) {
        git.commit(work, "big.bin", "0123456789abcdef".repeat(20_000) + System.nanoTime());
        git.ok(work, "-c", "http.postBuffer=" + postBuffer, "push", "--quiet", server.url("x"), "main");
        assertSound("x");
    }

    @Test
    void laterPushesSendOnlyTheDifference() {
        for (int i = 0; i < 5; i++) {
            git.commit(work, "dir/f" + i, "line\n".repeat(1000) + i);
            git.ok(work, "push", "--quiet", server.url("x"), "main");
        }
        assertSound("x");
        var clone = directory.resolve("clone");
        git.ok(directory, "clone", "--quiet", server.url("x"), clone.toString());
        assertEquals(git.ok(work, "rev-parse", "HEAD"), git.ok(clone, "rev-parse", "HEAD"));
    }

    private String formerTips(String identifier) throws IOException {
        var file = server.onDisk(identifier).resolve(FormerTips.FILE);
        return Files.exists(file) ? Files.readString(file) : "";
    }

    @Test
    void whatABranchStillLeadsToIsNoFormerTip() throws IOException {
        git.ok(work, "push", "--quiet", server.url("x"), "main");
        for (int i = 0; i < 3; i++) {
            git.commit(work, "f" + i, "more");
            git.commit(work, "g" + i, "more");
            git.ok(work, "push", "--quiet", server.url("x"), "main");
        }
        assertEquals("", formerTips("x"));
    }

    @Test
    void whatNoBranchLeadsToAnyMoreIsAFormerTip() throws IOException {
        git.ok(work, "push", "--quiet", server.url("x"), "main", "main:other");
        git.commit(work, "b.txt", "b");
        var other = git.ok(work, "rev-parse", "HEAD").strip();
        git.ok(work, "push", "--quiet", server.url("x"), "main:other");
        git.ok(work, "commit", "--quiet", "--amend", "-m", "Otherwise");
        var amended = git.ok(work, "rev-parse", "HEAD").strip();
        git.ok(work, "push", "--quiet", "--force", server.url("x"), "main:other");
        git.ok(work, "push", "--quiet", server.url("x"), ":other");
        assertEquals(
                List.of(other, amended),
                formerTips("x")
                        .lines()
                        .filter(line -> !line.isBlank())
                        .map(line -> line.split(" ", -1)[1])
                        .toList());
    }

    @Test
    void branchesAndTagsComeMoveAndGo() {
        git.ok(work, "tag", "-a", "v1", "-m", "one");
        git.ok(work, "push", "--quiet", server.url("x"), "main", "main:other", "v1");
        var first = git.ok(work, "rev-parse", "HEAD").strip();
        git.ok(work, "commit", "--quiet", "--amend", "-m", "Otherwise");
        var refused = git.run(work, "push", server.url("x"), "main");
        assertTrue(refused.orSucceed().contains("[rejected]"), refused.err()); // by git itself
        git.ok(work, "push", "--quiet", "--force", server.url("x"), "main", ":other", ":refs/tags/v1");
        var now = git.ok(work, "rev-parse", "HEAD").strip();
        assertEquals(now + "\tHEAD\n" + now + "\trefs/heads/main\n", remoteRefs("x"));
        assertTrue(!now.equals(first));
        assertSound("x");
    }

    @Test
    void branchCanBecomeADirectoryOfBranchesInOnePush() {
        git.ok(work, "push", "--quiet", server.url("x"), "main:refs/heads/a");
        git.ok(work, "push", "--quiet", server.url("x"), ":refs/heads/a", "main:refs/heads/a/b");
        assertTrue(remoteRefs("x").contains("refs/heads/a/b"));
        git.ok(work, "push", "--quiet", server.url("x"), ":refs/heads/a/b", "main:refs/heads/a");
        assertTrue(remoteRefs("x").contains("refs/heads/a\n"));
        var both = git.run(work, "push", server.url("x"), "main:refs/heads/a/b");
        assertTrue(both.orSucceed().contains("cannot exist beside refs/heads/a"), both.err());
        assertSound("x");
    }

    @Test
    void defaultBranchCanGo() {
        git.ok(work, "push", "--quiet", server.url("x"), "main", "main:zweig");
        git.ok(work, "push", "--quiet", server.url("x"), ":main");
        assertTrue(remoteRefs("x").contains("HEAD"));
        assertEquals(
                "refs/heads/zweig",
                git.ok(server.onDisk("x"), "symbolic-ref", "HEAD").strip());
    }

    @Test
    void thousandRefsInOnePush() {
        var commands = IntStream.range(0, 1000)
                .mapToObj(i -> "create refs/heads/b" + i + " HEAD\n")
                .collect(Collectors.joining());
        git.run(work, commands.getBytes(StandardCharsets.UTF_8), "update-ref", "--stdin")
                .orFail();
        git.ok(work, "push", "--quiet", server.url("x"), "--all");
        assertEquals(1001 + 1, remoteRefs("x").lines().count());
        git.ok(work, "push", "--quiet", "--mirror", server.url("y"));
        assertEquals(1001 + 1, remoteRefs("y").lines().count());
        assertSound("x");
    }

    @Test
    void pushOptionsAndAtomicPushesAreUnderstood() {
        git.ok(
                work,
                "push",
                "--quiet",
                "--atomic",
                "--push-option=secret-scanning.skip",
                server.url("x"),
                "main",
                "main:two");
        assertTrue(remoteRefs("x").contains("refs/heads/two"));
    }

    @Test
    void repeatedPushChangesNothing() {
        git.ok(work, "push", "--quiet", server.url("x"), "main");
        var again = git.run(work, "push", server.url("x"), "main");
        assertTrue(again.err().contains("Everything up-to-date"), again.err());
    }

    @Test
    void staleClientIsToldToFetchFirst() {
        git.ok(work, "push", "--quiet", server.url("x"), "main");
        var other = directory.resolve("other");
        git.ok(directory, "clone", "--quiet", server.url("x"), other.toString());
        git.commit(work, "b.txt", "b");
        git.ok(work, "push", "--quiet", server.url("x"), "main");
        git.commit(other, "c.txt", "c");
        var late = git.run(
                other,
                "push",
                "--force-with-lease=main:"
                        + git.ok(other, "rev-parse", "origin/main").strip(),
                "origin",
                "main");
        assertTrue(late.orSucceed().contains("stale info") || late.err().contains("fetch first"), late.err());
    }

    @Test
    void pushFromShallowCloneThatWouldLackHistoryIsRefused() {
        git.commit(work, "b.txt", "b");
        git.ok(work, "push", "--quiet", server.url("x"), "main");
        var shallow = directory.resolve("shallow");
        git.ok(directory, "clone", "--quiet", "--depth=1", server.url("x"), shallow.toString());
        git.commit(shallow, "c.txt", "c");
        git.ok(shallow, "push", "--quiet", server.url("x"), "main"); // rests on what is here
        var refused = git.run(shallow, "push", server.url("elsewhere"), "main");
        assertTrue(refused.orSucceed().contains("shallow update not allowed"), refused.err());
        assertSound("x");
    }

    @Test
    void firstPushToACoOwnerSendsOnlyWhatIsNewHere() {
        git.commit(
                work,
                "large.bin",
                IntStream.range(0, 50_000).mapToObj(Integer::toHexString).collect(Collectors.joining()));
        git.ok(work, "push", "--quiet", server.url("x"), "main");
        git.commit(work, "small.txt", "small");
        var other = server.url(StoreSamples.author(2), "x");
        var push = git.with("GIT_TRACE_CURL", "0").run(work, "push", "--progress", other, "main");
        assertEquals(0, push.code(), push.err());
        assertTrue(push.err().contains("(3/3)"), push.err());
        git.assertSound(server.onDisk(StoreSamples.author(2), "x"));
    }

    @Test
    void emptyCommandListIsAProbe() throws Exception {
        git.ok(work, "push", "--quiet", server.url("x"), "main");
        var client = PlainHttp.client();
        var answer = client.send(
                HttpRequest.newBuilder(server.endpoint("x", "git-receive-pack"))
                        .POST(BodyPublishers.ofString("0000"))
                        .build(),
                BodyHandlers.ofString());
        assertEquals(200, answer.statusCode());
        assertEquals("", answer.body());
        assertEquals(
                "application/x-git-receive-pack-result",
                answer.headers().firstValue("Content-Type").orElseThrow());
    }
}
