package dev.grapnel.server.git;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.Listing;
import dev.grapnel.git.push.PushLimits;
import dev.grapnel.outbound.PlainHttp;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A commit that nobody may see carries nothing, whatever names it.
final class HiddenCommitPushTest {
    @TempDir
    private Path directory;

    /// A visible tree that names a hidden commit as a submodule says nothing about it; else somebody could make
    /// it the parent of a commit of its own, and read it.
    @Test
    void submoduleIsNoFoundation() throws Exception {
        var config = GitConfig.of(1, 1L << 30, PushLimits.DEFAULTS);
        var git = new GitClient(Files.createDirectory(directory.resolve("home")));
        var work = git.init("work");
        git.commit(work, "a.txt", "a");
        git.ok(work, "checkout", "--quiet", "-b", "hidden");
        var hidden = git.commit(work, "secret.txt", "secret");
        git.ok(work, "checkout", "--quiet", "main");
        git.ok(work, "update-index", "--add", "--cacheinfo", "160000," + hidden + ",sub");
        git.ok(work, "commit", "--quiet", "-m", "Name a hidden commit");
        try (var site = new GitSite(
                directory.resolve("site"),
                config,
                Duration.ofMinutes(1),
                name -> name.text().contains("hidden"))) {
            git.ok(work, "push", "--quiet", site.url("x"), "main", "hidden");
            assertFalse(git.ok(work, "ls-remote", site.url("x")).contains("hidden"));
            var tree = git.ok(work, "rev-parse", "main^{tree}").strip();
            var greedy = git.ok(work, "commit-tree", tree, "-p", "main", "-p", "hidden", "-m", "take")
                    .strip();
            var answer = push(git, work, site, greedy);
            assertTrue(answer.contains("unpack missing object " + hidden), answer);
            var clone = git.run(directory, "clone", "--quiet", "--mirror", site.url("x"), "clone");
            assertEquals(0, clone.code(), clone.err());
            assertTrue(git.run(directory.resolve("clone"), "cat-file", "-e", hidden)
                            .code()
                    != 0);
        }
    }

    /// Whoever pushes something that names an object learns nothing about whether somebody hides it.
    @Test
    void hiddenIsToldLikeAbsent() throws Exception {
        var config = GitConfig.of(1, 1L << 30, PushLimits.DEFAULTS);
        var git = new GitClient(Files.createDirectory(directory.resolve("home")));
        var work = git.init("work");
        git.commit(work, "a.txt", "a");
        git.ok(work, "checkout", "--quiet", "-b", "hidden");
        git.commit(work, "secret.txt", "secret");
        git.ok(work, "checkout", "--quiet", "-b", "absent");
        git.commit(work, "absent.txt", "absent");
        git.ok(work, "checkout", "--quiet", "main");
        try (var site = new GitSite(
                directory.resolve("site"),
                config,
                Duration.ofMinutes(1),
                name -> name.text().contains("hidden"))) {
            git.ok(work, "push", "--quiet", site.url("x"), "main", "hidden");
            for (var kind : List.of("commit", "tree", "wrong")) {
                var told = new HashSet<String>();
                for (var branch : List.of("hidden", "absent")) {
                    var target = git.ok(work, "rev-parse", branch).strip();
                    var object = kind.equals("commit")
                            ? target
                            : git.ok(
                                            work,
                                            "rev-parse",
                                            branch + ":" + (branch.equals("hidden") ? "secret" : branch) + ".txt")
                                    .strip();
                    var carrier = carrier(git, work, kind, object);
                    told.add(push(git, work, site, carrier)
                            .replace(carrier, "<new>")
                            .replace(object, "<named>"));
                }
                assertEquals(1, told.size(), kind + ": " + told);
                assertTrue(told.iterator().next().contains("unpack missing object <named>"), told.toString());
            }
        }
    }

    /// What names an object: a commit as its parent, or a blob where only a commit or a tree may stand.
    private static String carrier(GitClient git, Path work, String kind, String object) throws IOException {
        var tree = git.ok(work, "rev-parse", "main^{tree}").strip();
        if (kind.equals("commit")) {
            return git.ok(work, "commit-tree", tree, "-p", object, "-m", "take").strip();
        }
        var text = "tree " + (kind.equals("tree") ? tree : object) + "\n"
                + (kind.equals("tree") ? "parent " + object + "\n" : "")
                + "author A <a@example.com> 1700000000 +0000\ncommitter A <a@example.com> 1700000000 +0000\n\nx\n";
        return git.run(
                        work,
                        text.getBytes(StandardCharsets.UTF_8),
                        "hash-object",
                        "-t",
                        "commit",
                        "-w",
                        "--stdin",
                        "--literally")
                .orFail()
                .strip();
    }

    /// Our disk is not the client's fault, and what it cannot take is reported to the client ref by ref.
    @Test
    void diskThatFailsMeanwhileIsReported() throws Exception {
        var config = GitConfig.of(1, 1L << 30, PushLimits.DEFAULTS);
        var git = new GitClient(Files.createDirectory(directory.resolve("home")));
        var work = git.init("work");
        var commit = git.commit(work, "a.txt", "a");
        var places = directory.resolve("site/.grapnel/quarantine");
        try (var site = new GitSite(directory.resolve("site"), config, Duration.ofMinutes(1), name -> name.isTag())) {
            var body = body(git, work, commit, git.ok(work, "rev-parse", "HEAD^{tree}", "HEAD:a.txt"));
            try (var client = site.connect(0)) {
                int first = body.length - 30;
                GitSite.post(client, "x/git-receive-pack", body.length, "", "Connection: close");
                client.getOutputStream().write(body, 0, first);
                while (Listing.of(places).isEmpty()) {
                    Thread.onSpinWait();
                }
                var pack = places.resolve(Listing.of(places).getFirst()).resolve("pack");
                while (!Files.isDirectory(pack) || Listing.of(pack).isEmpty()) {
                    Thread.onSpinWait();
                }
                Files.delete(pack.resolve(Listing.of(pack).getFirst()));
                Files.delete(pack);
                client.getOutputStream().write(body, first, body.length - first);
                var answer = new String(client.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
                assertTrue(answer.startsWith("HTTP/1.1 200"), answer);
                assertTrue(answer.contains("unpack internal error: "), answer);
                assertTrue(answer.contains("ng refs/heads/greedy internal error: "), answer);
            }
            assertEquals(List.of(), Listing.of(places));
            assertEquals("", git.ok(work, "ls-remote", site.url("x")));
        }
    }

    @Test
    void diskThatTakesNothingIsReported() throws Exception {
        var config = GitConfig.of(1, 1L << 30, PushLimits.DEFAULTS);
        var git = new GitClient(Files.createDirectory(directory.resolve("home")));
        var work = git.init("work");
        var commit = git.commit(work, "a.txt", "a");
        try (var site = new GitSite(directory.resolve("site"), config, Duration.ofMinutes(1), name -> name.isTag())) {
            var places = directory.resolve("site/.grapnel/quarantine");
            Files.delete(places);
            Files.createFile(places);
            var answer = push(git, work, site, commit);
            assertTrue(answer.contains("unpack internal error: "), answer);
            assertTrue(answer.contains("ng refs/heads/greedy internal error: "), answer);
            Files.delete(places);
            Files.createDirectory(places);
        }
    }

    /// Sends one commit and nothing that it rests on.
    private static String push(GitClient git, Path work, GitSite site, String commit)
            throws IOException, InterruptedException {
        return PlainHttp.client()
                .send(
                        HttpRequest.newBuilder(URI.create(site.url("x") + "/git-receive-pack"))
                                .POST(BodyPublishers.ofByteArray(body(git, work, commit, "")))
                                .build(),
                        BodyHandlers.ofString(StandardCharsets.ISO_8859_1))
                .body();
    }

    /// A push of one commit, and of further objects.
    private static byte[] body(GitClient git, Path work, String commit, String others) throws IOException {
        var body = new ByteArrayOutputStream();
        var command = "0".repeat(40) + " " + commit + " refs/heads/greedy\0report-status\n";
        body.writeBytes((HexFormat.of().toHexDigits((short) (command.length() + 4)) + command + "0000")
                .getBytes(StandardCharsets.ISO_8859_1));
        var packed = git.run(
                work, (commit + "\n" + others).getBytes(StandardCharsets.US_ASCII), "pack-objects", "--quiet", "one");
        var name = packed.orFail().strip();
        body.writeBytes(Files.readAllBytes(work.resolve("one-" + name + ".pack")));
        return body.toByteArray();
    }
}
