package dev.grapnel.server.git;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.push.PushLimits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
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

    /// Sends one commit and nothing that it rests on.
    private static String push(GitClient git, Path work, GitSite site, String commit)
            throws IOException, InterruptedException {
        var body = new ByteArrayOutputStream();
        var command = "0".repeat(40) + " " + commit + " refs/heads/greedy\0report-status\n";
        body.writeBytes((HexFormat.of().toHexDigits((short) (command.length() + 4)) + command + "0000")
                .getBytes(StandardCharsets.ISO_8859_1));
        var packed =
                git.run(work, (commit + "\n").getBytes(StandardCharsets.US_ASCII), "pack-objects", "--quiet", "one");
        var name = packed.orFail().strip();
        body.writeBytes(Files.readAllBytes(work.resolve("one-" + name + ".pack")));
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(site.url("x") + "/git-receive-pack"))
                                .POST(BodyPublishers.ofByteArray(body.toByteArray()))
                                .build(),
                        BodyHandlers.ofString(StandardCharsets.ISO_8859_1))
                .body();
    }
}
