package dev.grapnel.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.command.Terminal.Outcome;
import dev.grapnel.server.RelayUnderTest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A maintainer's own commands, against a real server and with the real git.
@NullUnmarked
@Timeout(120)
final class RepoCommandTest {
    @TempDir
    private Path temporary;

    private Terminal terminal;
    private Path key;
    private Path work;

    @BeforeEach
    void open() throws IOException {
        terminal = new Terminal(temporary.resolve("unused"));
        key = temporary.resolve("me.nsec");
        work = Files.createDirectory(temporary.resolve("hello"));
    }

    private Outcome run(String... arguments) {
        return terminal.runWith(Map.of(), arguments);
    }

    private Outcome good(String... arguments) {
        var outcome = run(arguments);
        assertEquals("", outcome.err());
        assertEquals(0, outcome.code());
        return outcome;
    }

    private void refused(String sentence, String... arguments) {
        var outcome = run(arguments);
        assertEquals("grapnel: " + sentence + "\n", outcome.err());
        assertEquals(1, outcome.code());
    }

    private String[] init(RelayUnderTest server, String... more) {
        var words = List.of(
                "repo",
                "init",
                "--server",
                "ws://127.0.0.1:" + server.port(),
                "--key",
                key.toString(),
                "-C",
                work.toString());
        return Stream.concat(words.stream(), Arrays.stream(more)).toArray(String[]::new);
    }

    private String[] state(String... more) {
        var words = List.of("repo", "state", "--key", key.toString(), "-C", work.toString());
        return Stream.concat(words.stream(), Arrays.stream(more)).toArray(String[]::new);
    }

    private String shell(String line) throws Exception {
        var builder =
                new ProcessBuilder("sh", "-c", line).directory(work.toFile()).redirectErrorStream(true);
        builder.environment()
                .putAll(Map.of(
                        "GIT_CONFIG_GLOBAL", "/dev/null",
                        "GIT_AUTHOR_NAME", "a",
                        "GIT_AUTHOR_EMAIL", "a@example.com",
                        "GIT_COMMITTER_NAME", "a",
                        "GIT_COMMITTER_EMAIL", "a@example.com"));
        var process = builder.start();
        process.getOutputStream().close();
        var out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), line + ": " + out);
        return out;
    }

    /// The command that the user is told to run.
    private static String pushLine(Outcome outcome) {
        return outcome.lines().stream()
                .filter(line -> line.startsWith("push it now: "))
                .map(line -> line.substring("push it now: ".length()))
                .findFirst()
                .orElseThrow(() -> new AssertionError(outcome.out()));
    }

    private void commit(String name) throws Exception {
        Files.writeString(work.resolve(name), name);
        shell("git init -q -b main . && git add . && git commit -qm " + name);
    }

    private List<String> names() throws Exception {
        return shell("git ls-remote grapnel")
                .lines()
                .map(line -> line.substring(line.indexOf('\t') + 1))
                .toList();
    }

    @Test
    void newKeyIsForItsOwnerOnlyAndNeverReplaced() throws Exception {
        var npub = good("keys", "new", key.toString()).out();
        assertTrue(npub.startsWith("npub1"));
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(key)));
        assertEquals(npub, good("keys", "show", key.toString()).out());
        refused(
                "there is a file " + key + " already, and a key in it could not be had back; take another name",
                "keys",
                "new",
                key.toString());
        assertEquals(npub, good("keys", "show", key.toString()).out());
    }

    @Test
    void damagedSecretIsNotRepeated() {
        var secret = "nsec1" + "q".repeat(58);
        var outcome = run("keys", "show", secret);
        assertEquals(1, outcome.code());
        assertFalse(outcome.err().contains(secret.substring(5)), outcome.err());
    }

    @Test
    void repositoryIsAnnouncedDeclaredPushedAndClonedByWhatTheCommandsPrint() throws Exception {
        try (var server = RelayUnderTest.startGraspIn(temporary.resolve("server"))) {
            good("keys", "new", key.toString());
            commit("one");
            shell("git branch dev && git tag -a v1 -m v1");
            var first = good(init(server, "--description", "Says hello"));
            assertEquals("git push grapnel 'refs/heads/*:refs/heads/*' 'refs/tags/*:refs/tags/*'", pushLine(first));
            shell(pushLine(first));
            assertEquals(
                    List.of("HEAD", "refs/heads/dev", "refs/heads/main", "refs/tags/v1", "refs/tags/v1^{}"), names());
            var clone = first.lines().stream()
                    .filter(line -> line.startsWith("clone it: "))
                    .findFirst()
                    .orElseThrow();
            shell(clone.substring("clone it: ".length()) + " ../copy && cmp one ../copy/one");
        }
    }

    @Test
    void doneAgainNothingIsPublished() throws Exception {
        try (var server = RelayUnderTest.startGraspIn(temporary.resolve("server"))) {
            good("keys", "new", key.toString());
            commit("one");
            shell(pushLine(good(init(server))));
            var again = good(init(server, "--description", "changed"));
            assertEquals(2, again.out().split(": the server has it already", -1).length - 1, again.out());
            assertTrue(again.out().contains("there is nothing to push"), again.out());
        }
    }

    @Test
    void laterCommitsArePushedAfterTheirState() throws Exception {
        try (var server = RelayUnderTest.startGraspIn(temporary.resolve("server"))) {
            good("keys", "new", key.toString());
            commit("one");
            shell(pushLine(good(init(server))));
            commit("two");
            assertEquals("git push grapnel main", pushLine(good(state())));
            shell("git push grapnel main");
            assertEquals(
                    shell("git rev-parse HEAD").strip(),
                    shell("git ls-remote grapnel refs/heads/main | cut -f 1").strip());
        }
    }

    @Test
    void refsThatOthersHaveAreRemovedOnlyWhenToldTo() throws Exception {
        try (var server = RelayUnderTest.startGraspIn(temporary.resolve("server"))) {
            good("keys", "new", key.toString());
            commit("one");
            shell("git branch dev");
            shell(pushLine(good(init(server))));
            shell("git branch -D dev");
            refused(
                    "this would remove for everybody what is not here: refs/heads/dev; fetch and check out what you want"
                            + " to keep, or say --prune",
                    state());
            assertTrue(names().contains("refs/heads/dev"));
            assertTrue(good(state("--prune")).out().contains("there is nothing to push"));
            assertEquals(List.of("HEAD", "refs/heads/main"), names());
        }
    }

    @Test
    void whateverIsInTheWayIsToldInOneSentence() throws Exception {
        try (var server = RelayUnderTest.startGraspIn(temporary.resolve("server"))) {
            good("keys", "new", key.toString());
            refused(work + " is in no git repository; go into one, or make one with 'git init'", init(server));
            shell("git init -q -b main .");
            refused(
                    "the repository has no commit yet, so there is nothing to publish; make one with 'git add' and"
                            + " 'git commit'",
                    init(server));
            commit("one");
            refused(
                    "git knows no remote called 'grapnel' here; 'grapnel repo init' announces a repository and adds one",
                    state());
            var elsewhere = new ArrayList<>(List.of(init(server)));
            elsewhere.set(3, "ws://127.0.0.1:1");
            refused(
                    "no relay answers at ws://127.0.0.1:1; is the server running, and is that its address?",
                    elsewhere.toArray(String[]::new));
        }
    }

    @Test
    void theServersReasonIsPassedOn() throws Exception {
        try (var server = RelayUnderTest.startGraspIn(temporary.resolve("server"), "DOMAIN", "git.example.com")) {
            good("keys", "new", key.toString());
            commit("one");
            var outcome = run(init(server));
            assertEquals(1, outcome.code());
            assertTrue(
                    outcome.err()
                            .startsWith(
                                    "grapnel: the server refused the announcement: blocked: announcement must list this service"),
                    outcome.err());
        }
    }
}
