package dev.grapnel.server.git;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.Hosting;
import dev.grapnel.git.push.PushCase;
import dev.grapnel.git.push.PushPolicy;
import dev.grapnel.git.push.PushVerdict;
import dev.grapnel.git.push.ReceivedPush;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.outbound.PlainHttp;
import dev.grapnel.server.GitRules;
import dev.grapnel.server.GitUnderTest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whoever may not push reads why, for each ref, and nothing is left of it.
final class RefusedPushTest {
    @TempDir
    private Path directory;

    private final AtomicReference<PushPolicy> policy = new AtomicReference<>(PushPolicy.anything());
    private GitUnderTest server;
    private GitClient git;
    private Path work;

    @BeforeEach
    void start() throws IOException {
        var rules = new GitRules(GitRules.OPEN.hosting(), push -> policy.get().open(push));
        server = GitUnderTest.start(directory.resolve("server"), rules);
        git = new GitClient(Files.createDirectory(directory.resolve("home")));
        work = git.init("work");
        git.commit(work, "a.txt", "a");
        git.ok(work, "push", "--quiet", server.url("x"), "main");
        git.commit(work, "b.txt", "b");
        git.ok(work, "branch", "dev");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /// Every file and what is in it.
    private Map<String, String> snapshot() throws IOException {
        var files = new TreeMap<String, String>();
        try (var paths = Files.walk(server.gitData())) {
            for (var path : (Iterable<Path>) paths::iterator) {
                files.put(
                        path.toString(),
                        Files.isRegularFile(path) ? HexFormat.of().formatHex(Files.readAllBytes(path)) : "");
            }
        }
        return files;
    }

    private static PushVerdict refusal() {
        return new PushVerdict.Refused(
                Set.of("refs/heads/main"),
                "authorisation failed: nobody signed this",
                List.of("refs/heads/main would be at 1111 but state declares 2222", "hint: git fetch"));
    }

    @Test
    void reasonIsShownForEachRefAndNothingIsLeft() throws IOException {
        policy.set(push -> new PushCase() {
            @Override
            public PushVerdict judge() {
                return refusal();
            }

            @Override
            public PushVerdict settle(ReceivedPush received) {
                throw new IllegalStateException("it was refused");
            }
        });
        var before = snapshot();
        var push = git.run(work, "push", server.url("x"), "main", "dev");
        var said = push.orSucceed();
        assertTrue(said.contains("! [remote rejected] main -> main (authorisation failed: nobody signed this)"), said);
        assertTrue(said.contains("! [remote rejected] dev -> dev (atomic push failed)"), said);
        assertTrue(said.contains("remote: refs/heads/main would be at 1111 but state declares 2222"), said);
        assertTrue(said.contains("remote: hint: git fetch"), said);
        assertEquals(before, snapshot());
    }

    @Test
    void whatIsRefusedAfterTheObjectsCameLeavesNothing() throws IOException {
        policy.set(push -> new PushCase() {
            @Override
            public PushVerdict judge() {
                return new PushVerdict.Allowed();
            }

            @Override
            public PushVerdict settle(ReceivedPush received) {
                return refusal();
            }
        });
        var before = snapshot();
        var said = git.run(work, "push", server.url("x"), "main").orSucceed();
        assertTrue(said.contains("(authorisation failed: nobody signed this)"), said);
        assertEquals(before, snapshot());
    }

    @Test
    void whoComesTooLateLeavesNothing() throws IOException {
        var other = directory.resolve("other");
        git.ok(directory, "clone", "--quiet", server.url("x"), other.toString());
        git.commit(other, "other.txt", "other");
        var loser = git.ok(work, "rev-parse", "HEAD").strip();
        policy.set(push -> new PushCase() {
            @Override
            public PushVerdict judge() {
                return new PushVerdict.Allowed();
            }

            @Override
            public PushVerdict settle(ReceivedPush received) throws IOException {
                policy.set(PushPolicy.anything());
                git.ok(other, "push", "--quiet", server.url("x"), "main");
                return policy.get().open(push).settle(received);
            }
        });
        var said = git.run(work, "push", server.url("x"), "main").orSucceed();
        assertTrue(said.contains("fetch first: refs/heads/main is at"), said);
        assertEquals(2, packFiles("x"));
        assertEquals(128, git.run(server.onDisk("x"), "cat-file", "-t", loser).code());
        git.assertSound(server.onDisk("x"));
    }

    /// Packs, without their indexes.
    private long packFiles(String identifier) throws IOException {
        try (var files = Files.list(server.onDisk(identifier).resolve("objects/pack"))) {
            return files.filter(file -> file.toString().endsWith(".pack")).count();
        }
    }

    @Test
    void whatCannotBeWrittenIsRefusedInWordsAndLeavesNothing() throws IOException {
        Files.createFile(server.onDisk("x").resolve("packed-refs.lock"));
        var before = snapshot();
        var said = git.run(work, "push", server.url("x"), "main").orSucceed();
        assertTrue(said.contains("! [remote rejected] main -> main (internal error: the server could not do it"), said);
        assertEquals(before, snapshot());
    }

    @Test
    void largeRefusedPushStillReadsItsReason() throws IOException {
        var random = new Random(1);
        var large = new byte[20 << 20];
        random.nextBytes(large);
        Files.write(work.resolve("large.bin"), large);
        git.commit(work, "c.txt", "c");
        policy.set(PushPolicy.nothing("authorisation failed: nothing may be pushed"));
        var said = git.run(work, "push", server.url("x"), "main").orSucceed();
        assertTrue(said.contains("(authorisation failed: nothing may be pushed)"), said);
    }

    @Test
    void clientWithoutSideBandsReadsTheReasonInTheReport() throws Exception {
        policy.set(PushPolicy.nothing("authorisation failed: no"));
        var answer = post("x", command("refs/heads/new", "report-status") + "0000");
        assertEquals(200, answer.statusCode());
        assertEquals("000eunpack ok\n002fng refs/heads/new authorisation failed: no\n0000", answer.body());
    }

    @Test
    void clientWithoutAnyReportReadsOneLine() throws Exception {
        policy.set(PushPolicy.nothing("authorisation failed: no"));
        var answer = post("x", command("refs/heads/new", "ofs-delta") + "0000");
        assertEquals(200, answer.statusCode());
        assertEquals("0021ERR authorisation failed: no\n", answer.body());
    }

    @Test
    void clientWithoutAnyReportGetsAnHttpErrorOncePackHasBegun() throws Exception {
        policy.set(PushPolicy.anything());
        var answer = post("x", command("refs/heads/new", "ofs-delta") + "0000PACKrubbish");
        assertEquals(403, answer.statusCode());
        assertTrue(answer.body().contains("pack"), answer.body());
    }

    @Test
    void namesThatAreNoneAndRefsThatComeTwiceAreRefused() throws Exception {
        for (var name : List.of(
                "refs/heads/..",
                "refs/heads/a..b",
                "refs/heads/HEAD",
                "refs/heads/x.lock",
                "refs//heads",
                "refs/heads/" + "x".repeat(500))) {
            var answer = post("x", command(name, "report-status") + "0000");
            assertTrue(answer.body().contains("ng " + name + " funny refname"), name + ": " + answer.body());
        }
        assertTrue(post("x", command("HEAD", "report-status") + "0000").body().contains("ng HEAD ref HEAD is outside"));
        var bytes = (command("refs/heads/?", "report-status") + "0000").getBytes(StandardCharsets.ISO_8859_1);
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '?') {
                bytes[i] = (byte) 0xff;
            }
        }
        assertArrayEquals(
                latin("000eunpack ok\n0022ng refs/heads/\u00ff funny refname\n0000"),
                latin(post("x", bytes, BodyHandlers.ofString(StandardCharsets.ISO_8859_1))
                        .body()));
        var line = command("refs/heads/new", "report-status");
        var again = line.substring(4, line.indexOf('\0'));
        var twice = line + packet(again) + "0000";
        assertTrue(post("x", twice).body().contains("refs/heads/new appears twice in this push"));
    }

    private String command(String ref, String capabilities) {
        var tip = git.ok(work, "rev-parse", "HEAD").strip();
        return packet("0".repeat(40) + " " + tip + " " + ref + "\0" + capabilities);
    }

    private static String packet(String payload) {
        return String.format("%04x", payload.getBytes(StandardCharsets.UTF_8).length + 4) + payload;
    }

    private HttpResponse<String> post(String identifier, String body) throws Exception {
        return post(identifier, body.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] latin(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private HttpResponse<String> post(String identifier, byte[] body) throws Exception {
        return post(identifier, body, BodyHandlers.ofString());
    }

    private HttpResponse<String> post(String identifier, byte[] body, BodyHandler<String> reading) throws Exception {
        return PlainHttp.client()
                .send(
                        HttpRequest.newBuilder(server.endpoint(identifier, "git-receive-pack"))
                                .POST(BodyPublishers.ofByteArray(body))
                                .build(),
                        reading);
    }

    @Test
    void manyRefsAreRefusedWithTheLimit() throws Exception {
        try (var small = GitUnderTest.start(directory.resolve("small"), "MAX_PUSH_COMMANDS", "2")) {
            var said = git.run(work, "push", small.url("x"), "main", "main:b", "main:c")
                    .orSucceed();
            assertTrue(said.contains("too many refs in one push (limit 2)"), said);
            git.ok(work, "push", "--quiet", small.url("x"), "main", "main:b");
        }
    }

    @Test
    void productTakesNoPushes() throws IOException {
        try (var closed = GitUnderTest.start(directory.resolve("server2"), GitRules.GRASP)) {
            var said = git.run(work, "push", closed.url("x"), "main").orSucceed();
            assertTrue(said.contains("repository") && said.contains("not found"), said);
        }
    }

    @Test
    void hiddenRefsAreNeitherShownNorFetchedNorBuiltUpon() throws IOException {
        git.ok(work, "checkout", "--quiet", "-b", "secret");
        var secret = git.commit(work, "secret.txt", "secret");
        var blob = git.ok(work, "rev-parse", "HEAD:secret.txt").strip();
        git.ok(work, "push", "--quiet", server.url("x"), "secret:refs/nostr/" + "a".repeat(64));
        server.close();
        var hiding = new GitRules(
                (repositories, announced) -> new Hides(GitRules.OPEN.hosting().over(repositories, announced)),
                PushPolicy.anything());
        server = GitUnderTest.start(directory.resolve("server"), hiding);
        for (var version : List.of("0", "2")) {
            assertTrue(!git.ok(directory, "-c", "protocol.version=" + version, "ls-remote", server.url("x"))
                    .contains(secret));
            var thief = directory.resolve("thief" + version);
            git.ok(directory, "init", "--quiet", thief.toString());
            for (var id : List.of(secret, blob)) {
                var fetch = git.run(thief, "-c", "protocol.version=" + version, "fetch", server.url("x"), id);
                assertTrue(fetch.orSucceed().contains("not our ref " + id), fetch.err());
            }
        }
        // A tree that names the hidden blob, without sending it.
        git.ok(work, "checkout", "--quiet", "main");
        var tree = git.run(work, ("100644 blob " + blob + "\tstolen\n").getBytes(StandardCharsets.UTF_8), "mktree")
                .orFail()
                .strip();
        var commit =
                git.ok(work, "commit-tree", tree, "-p", "main~1", "-m", "steal").strip();
        var thin = git.run(
                work,
                (commit + "\n" + tree + "\n").getBytes(StandardCharsets.UTF_8),
                "pack-objects",
                "--stdout",
                "--quiet");
        assertEquals(0, thin.code());
        var said = pushRaw(commit, List.of(commit, tree));
        assertTrue(said.contains("missing object " + blob), said);
    }

    @Test
    void packsRestOnNothingThatNoRefReachesAnyMore() throws IOException {
        Files.writeString(work.resolve("long.txt"), "a line that is removed\n".repeat(500));
        git.commit(work, "c.txt", "c");
        var removed = git.ok(work, "rev-parse", "HEAD:long.txt").strip();
        git.ok(work, "push", "--quiet", server.url("x"), "main");
        git.ok(work, "push", "--quiet", "--force", server.url("x"), "main~1:main");
        server.close();
        server = GitUnderTest.start(directory.resolve("server")); // it forgets what was shown a moment ago
        Files.writeString(work.resolve("long.txt"), "a line that is removed\n".repeat(500) + "and one more\n");
        var last = git.ok(work, "rev-parse", "HEAD").strip();
        git.ok(work, "checkout", "--quiet", "--orphan", "fresh");
        git.ok(work, "rm", "--quiet", "--cached", "a.txt", "b.txt", "c.txt");
        git.ok(work, "add", "long.txt");
        git.ok(work, "commit", "--quiet", "-m", "fresh");
        var fresh = git.ok(work, "rev-parse", "HEAD").strip();
        // The new file is sent as a difference to the one that is gone, which the server still has on disk.
        var said = pushPack(fresh, List.of("--revs", "--thin", "--shallow"), fresh + "\n^" + last + "\n");
        assertTrue(said.contains("missing object " + removed), said);
    }

    /// Pushes exactly these objects, as no honest git would.
    private String pushRaw(String tip, List<String> objects) throws IOException {
        return pushPack(tip, List.of(), String.join("\n", objects) + "\n");
    }

    private String pushPack(String tip, List<String> options, String input) throws IOException {
        var names = directory.resolve("names");
        Files.writeString(names, input);
        var pack = directory.resolve("pack");
        var command = new ArrayList<>(List.of("git", "pack-objects", "--stdout", "--quiet"));
        command.addAll(options);
        try {
            var packing = new ProcessBuilder(command)
                    .directory(work.toFile())
                    .redirectInput(names.toFile())
                    .redirectOutput(pack.toFile())
                    .start();
            assertEquals(0, packing.waitFor());
            var body = new ByteArrayOutputStream();
            var head = packet("0".repeat(40) + " " + tip + " refs/heads/stolen\0report-status") + "0000";
            body.write(head.getBytes(StandardCharsets.UTF_8));
            body.write(Files.readAllBytes(pack));
            return post("x", body.toByteArray()).body();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private record Hides(Hosting others) implements Hosting {
        private static final Hosted HIDING = new Hosted((name, _) -> name.isProposal(), false);

        @Override
        public Optional<Hosted> find(RepositoryAddress address) throws IOException {
            return others.find(address).map(_ -> HIDING);
        }

        @Override
        public Collection<RepositoryAddress> named(Identifier identifier) throws IOException {
            return others.named(identifier);
        }

        @Override
        public int count() {
            return others.count();
        }
    }
}
