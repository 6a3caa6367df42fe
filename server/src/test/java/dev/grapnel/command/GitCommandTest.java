package dev.grapnel.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.Grapnel;
import dev.grapnel.git.Listing;
import dev.grapnel.git.repository.DirectoryLock;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.nip19.Npub;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jgit.internal.storage.file.FileRepository;
import org.eclipse.jgit.lib.CommitBuilder;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.PersonIdent;
import org.eclipse.jgit.lib.TreeFormatter;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@NullUnmarked
@Timeout(120)
final class GitCommandTest {
    private static final String OWNER = new Npub(PublicKey.of(new byte[32], 0)).text();

    @TempDir
    private Path data;

    private Terminal terminal;

    @BeforeEach
    void open() {
        terminal = new Terminal(data.resolve("unused"));
    }

    /// Makes a repository with one branch, as so many packs as it has commits.
    private Path repository(String name, int commits) throws IOException {
        var directory = data.resolve(OWNER, name + ".git");
        Files.createDirectories(directory);
        try (var git = new FileRepository(directory.toFile())) {
            git.create(true);
            var tip = ObjectId.zeroId();
            for (int i = 0; i < commits; i++) {
                tip = commit(git, tip, "commit " + i);
            }
            Files.writeString(directory.resolve("packed-refs"), tip.name() + " refs/heads/main\n");
        }
        return directory;
    }

    private static ObjectId commit(FileRepository git, ObjectId parent, String text) throws IOException {
        try (var inserter = git.getObjectDatabase().newPackInserter()) {
            var tree = new TreeFormatter();
            tree.append(
                    "file",
                    FileMode.REGULAR_FILE,
                    inserter.insert(Constants.OBJ_BLOB, text.getBytes(StandardCharsets.UTF_8)));
            var commit = new CommitBuilder();
            commit.setTreeId(inserter.insert(tree));
            if (!parent.equals(ObjectId.zeroId())) {
                commit.setParentId(parent);
            }
            var who = new PersonIdent("A", "a@example.com", Instant.EPOCH, ZoneOffset.UTC);
            commit.setAuthor(who);
            commit.setCommitter(who);
            commit.setMessage(text);
            var id = inserter.insert(commit);
            inserter.flush();
            return id;
        }
    }

    private static long packs(Path repository) throws IOException {
        try (var files = Files.list(repository.resolve("objects").resolve("pack"))) {
            return files.filter(file -> file.toString().endsWith(".idx")).count();
        }
    }

    @Test
    void commandMustBeNamed() {
        var outcome = terminal.runOnGit(data, "git");
        assertEquals(2, outcome.code());
        assertTrue(outcome.err().contains("one of check, gc"), outcome.err());
    }

    @Test
    void missingDirectoryIsTold() {
        var nowhere = data.resolve("nowhere");
        for (var command : List.of("check", "gc")) {
            var outcome = terminal.runOnGit(nowhere, "git", command);
            assertEquals(1, outcome.code());
            assertEquals(
                    "grapnel: there are no repositories in " + nowhere + ", as there is no such directory\n",
                    outcome.err());
        }
    }

    @Test
    void soundRepositoriesHaveNoProblems() throws Exception {
        repository("one", 2);
        repository("two", 1);
        var outcome = terminal.runOnGit(data, "git", "check");
        assertEquals("", outcome.err());
        assertEquals("checked 2 repositories: no problems\n", outcome.out());
        assertEquals(0, outcome.code());
    }

    @Test
    void problemsAreToldWithTheirRepository() throws Exception {
        repository("one", 1);
        var broken = repository("two", 1);
        Files.writeString(broken.resolve("packed-refs"), "nonsense\n", StandardOpenOption.APPEND);
        var outcome = terminal.runOnGit(data, "git", "check");
        assertEquals(1, outcome.code());
        assertTrue(
                outcome.err().startsWith("grapnel: " + broken + ": the ref nonsense is no line of an id and a name\n"),
                outcome.err());
    }

    @Test
    void oneRepositoryCanBeChosen() throws Exception {
        repository("one", 1);
        Files.delete(repository("two", 1).resolve("HEAD"));
        var chosen = terminal.runOnGit(data, "git", "check", "--owner", OWNER, "--identifier", "one");
        assertEquals("checked 1 repository: no problems\n", chosen.out());
        var hex = terminal.runOnGit(data, "git", "check", "--owner", "0".repeat(64), "--identifier", "two");
        assertEquals(1, hex.code());
        var none = terminal.runOnGit(data, "git", "check", "--identifier", "three");
        assertEquals("grapnel: there is no such repository in " + data + "\n", none.err());
        var nobody = terminal.runOnGit(data, "git", "check", "--owner", "me");
        assertEquals("grapnel: an owner is an npub or 64 hex digits, not 'me'\n", nobody.err());
    }

    @Test
    void repositoriesArePacked() throws Exception {
        var directory = repository("one", 12);
        assertEquals(12, packs(directory));
        var outcome = terminal.runOnGit(data, "git", "gc");
        assertEquals("", outcome.err());
        assertEquals("packed 1 repository\n", outcome.out());
        assertEquals(1, packs(directory));
        assertEquals(0, terminal.runOnGit(data, "git", "check").code());
    }

    @Test
    void repositoriesInUseAreLeftAlone() throws Exception {
        var directory = repository("one", 12);
        try (var _ = DirectoryLock.take(data)) {
            var outcome = terminal.runOnGit(data, "git", "gc");
            assertEquals(1, outcome.code());
            assertEquals(
                    "grapnel: the repositories in " + data
                            + " are in use by this process already: a running server keeps them packed by itself\n",
                    outcome.err());
            assertEquals(0, terminal.runOnGit(data, "git", "check").code());
        }
        assertEquals(12, packs(directory));
    }

    @Test
    void operatorsOwnGitConfigurationIsNeitherReadNorWritten() throws Exception {
        var directory = repository("one", 3);
        var home = Files.createDirectory(data.resolve("home"));
        Files.writeString(home.resolve(".gitconfig"), "[core\n");
        for (var command : List.of("check", "gc")) {
            assertEquals("0 ", runAtHome(home, "git", command, "--git-data-path", data.toString()), command);
        }
        assertEquals(1, packs(directory));
        assertEquals(List.of(".gitconfig"), Listing.below(home));
    }

    /// In a process of its own: once somebody here has opened repositories, no configuration counts anyway.
    ///
    /// @return its exit code and what it complained of
    private String runAtHome(Path home, String... arguments) throws Exception {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Duser.home=" + home,
                "-classpath",
                System.getProperty("java.class.path"),
                Grapnel.class.getName()));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        var said = data.resolve("said");
        builder.redirectError(said.toFile());
        builder.environment().put("HOME", home.toString());
        builder.environment().put("XDG_CONFIG_HOME", home.resolve("config").toString());
        int code = builder.start().waitFor();
        return code + " " + Files.readString(said).strip();
    }
}
