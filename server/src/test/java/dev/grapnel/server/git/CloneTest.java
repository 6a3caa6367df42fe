package dev.grapnel.server.git;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.server.GitUnderTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What git gets when it clones and fetches, in each version of the protocol.
final class CloneTest {
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
        for (int i = 1; i <= 5; i++) {
            git.commit(work, "dir/file" + i + ".txt", "content " + i + "\n".repeat(i * 100));
        }
        git.ok(work, "tag", "-a", "v1", "-m", "first", "HEAD~2");
        git.ok(work, "tag", "light", "HEAD~1");
        git.ok(work, "branch", "side", "HEAD~3");
        git.ok(work, "push", "--quiet", server.url("x"), "--all");
        git.ok(work, "push", "--quiet", server.url("x"), "--tags");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Path clone(int version, String... options) {
        var target = directory.resolve("clone" + version + "-" + options.length);
        var arguments = new ArrayList<String>();
        arguments.addAll(List.of("-c", "protocol.version=" + version, "clone", "--quiet"));
        arguments.addAll(List.of(options));
        arguments.addAll(List.of(server.url("x"), target.toString()));
        git.ok(directory, arguments.toArray(String[]::new));
        return target;
    }

    private String refsOf(Path repository) {
        return git.ok(
                repository, "for-each-ref", "--format=%(objectname) %(refname:lstrip=-1)", "--sort=refname:lstrip=-1");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void cloneHasEverything(int version) throws IOException {
        var clone = clone(version, "--mirror");
        assertEquals(refsOf(work), refsOf(clone));
        git.assertSound(clone);
        assertEquals(
                git.ok(work, "rev-list", "--objects", "--all").lines().sorted().toList(),
                git.ok(clone, "rev-list", "--objects", "--all").lines().sorted().toList());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void fetchBringsOnlyWhatIsNew(int version) {
        var clone = clone(version);
        git.ok(clone, "repack", "--quiet", "-a", "-d");
        git.commit(work, "new.txt", "new");
        git.ok(work, "push", "--quiet", server.url("x"), "main");
        git.ok(clone, "-c", "protocol.version=" + version, "-c", "fetch.unpackLimit=1000", "fetch", "--quiet");
        assertTrue(git.ok(clone, "count-objects").startsWith("3 objects"), git.ok(clone, "count-objects"));
        assertEquals(git.ok(work, "rev-parse", "main"), git.ok(clone, "rev-parse", "origin/main"));
    }

    @Test
    void clientMayAskWhatIsCommonAndFetchNothing() {
        var clone = clone(2);
        git.ok(clone, "commit", "--quiet", "--allow-empty", "-m", "own");
        var common = git.ok(clone, "rev-parse", "HEAD~1").strip();
        var said = git.ok(clone, "fetch", "--negotiate-only", "--negotiation-tip=HEAD", "origin");
        assertTrue(said.lines().toList().contains(common), said);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void tagsComeAlongWithWhatTheyName(int version) {
        git.ok(directory, "init", "--quiet", "--bare", "tags");
        var clone = directory.resolve("tags");
        git.ok(clone, "-c", "protocol.version=" + version, "fetch", "--quiet", server.url("x"), "main:refs/heads/main");
        assertTrue(git.ok(clone, "tag").contains("v1"));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void shallowCloneEndsWhereItShallAndCanBeDeepened(int version) {
        var clone = clone(version, "--depth=1");
        assertEquals("1", git.ok(clone, "rev-list", "--count", "main").strip());
        git.ok(clone, "-c", "protocol.version=" + version, "fetch", "--quiet", "--depth=2");
        assertEquals("2", git.ok(clone, "rev-list", "--count", "origin/main").strip());
        git.ok(clone, "-c", "protocol.version=" + version, "fetch", "--quiet", "--deepen=1");
        assertEquals("3", git.ok(clone, "rev-list", "--count", "origin/main").strip());
        git.ok(clone, "-c", "protocol.version=" + version, "fetch", "--quiet", "--unshallow");
        assertEquals("5", git.ok(clone, "rev-list", "--count", "origin/main").strip());
        assertFalse(Files.exists(clone.resolve(".git/shallow")));
        git.assertSound(clone);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void historyCanEndAtATagOrADate(int version) {
        var excluded = clone(version, "--shallow-exclude=v1", "--single-branch");
        assertEquals("2", git.ok(excluded, "rev-list", "--count", "main").strip());
        var since = git.ok(work, "log", "-1", "--format=%ct", "HEAD").strip();
        var dated = clone(version, "--shallow-since=" + since, "--single-branch", "--quiet");
        int kept = Integer.parseInt(git.ok(dated, "rev-list", "--count", "main").strip());
        assertTrue(kept >= 1 && kept <= 5);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void partialClonesFetchWhatTheyNeedLater(int version) throws IOException {
        for (var filter : List.of("blob:none", "tree:0", "blob:limit=200")) {
            var target = directory.resolve(
                    "partial" + version + filter.replace(':', '-').replace('=', '-'));
            git.ok(
                    directory,
                    "-c",
                    "protocol.version=" + version,
                    "clone",
                    "--quiet",
                    "--filter=" + filter,
                    "--no-checkout",
                    server.url("x"),
                    target.toString());
            var missing = git.ok(target, "rev-list", "--objects", "--all", "--missing=print")
                    .lines()
                    .filter(line -> line.startsWith("?"))
                    .count();
            assertTrue(missing > 0, filter + " left nothing out");
            git.ok(target, "-c", "protocol.version=" + version, "checkout", "--quiet", "main");
            assertEquals(
                    Files.readString(work.resolve("dir/file1.txt")), Files.readString(target.resolve("dir/file1.txt")));
        }
    }

    /// A browser of history asks for files of old commits, one after the other.
    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void everyObjectOfTheHistoryCanBeFetchedAlone(int version) {
        var single = directory.resolve("alone" + version);
        git.ok(directory, "init", "--quiet", single.toString());
        for (int i = 1; i <= 5; i++) {
            git.commit(work, "changing.txt", "version " + i);
        }
        git.ok(work, "push", "--quiet", server.url("x"), "main");
        var objects = git.ok(work, "rev-list", "--objects", "main")
                .lines()
                .map(line -> line.substring(0, 40))
                .toList();
        var wants = new ArrayList<>(List.of("-c", "protocol.version=" + version, "fetch", "--quiet", server.url("x")));
        wants.addAll(objects);
        git.ok(single, wants.toArray(String[]::new));
        for (var id : List.of("main~3:changing.txt", "main~3^{tree}", "main~4:dir")) {
            var fresh = directory.resolve("fresh" + version + id.hashCode());
            git.ok(directory, "init", "--quiet", fresh.toString());
            git.ok(
                    fresh,
                    "fetch",
                    "--quiet",
                    server.url("x"),
                    git.ok(work, "rev-parse", id).strip());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void partialCloneChecksOutOldCommits(int version) {
        for (int i = 1; i <= 5; i++) {
            git.commit(work, "changing.txt", "version " + i);
        }
        git.ok(work, "push", "--quiet", server.url("x"), "main");
        var clone = clone(version, "--filter=blob:none", "--no-checkout", "--quiet");
        git.ok(clone, "-c", "protocol.version=" + version, "checkout", "--quiet", "HEAD~3");
        git.ok(clone, "-c", "protocol.version=" + version, "log", "-p", "--all");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void whatIsNamedComesWhateverIsFilteredOrCut(int version) {
        var blob = git.ok(work, "rev-parse", "HEAD:dir/file1.txt").strip();
        git.ok(work, "tag", "blob", blob);
        git.ok(work, "tag", "-a", "tagged-tree", "-m", "tree", "HEAD^{tree}");
        git.ok(work, "push", "--quiet", server.url("x"), "--tags");
        var clone = clone(version, "--filter=tree:0", "--no-checkout", "--quiet", "--quiet");
        assertEquals("blob", git.ok(clone, "cat-file", "-t", "blob").strip());
        var cut = directory.resolve("cut" + version);
        git.ok(directory, "init", "--quiet", cut.toString());
        git.ok(cut, "-c", "protocol.version=" + version, "fetch", "--quiet", "--depth=1", server.url("x"), blob);
        var whole = clone(version);
        git.ok(whole, "-c", "protocol.version=" + version, "fetch", "--quiet", "--deepen=5");
    }

    @Test
    void filterNobodyKnowsIsToldInWords() {
        var said = git.run(directory, "clone", "--filter=object:type=commit", server.url("x"), "odd");
        assertTrue(said.orSucceed().contains("this server knows the filters"), said.err());
    }

    @Test
    void partialAndShallowGoTogether() {
        var target = directory.resolve("both");
        git.ok(directory, "clone", "--quiet", "--depth=1", "--filter=blob:none", server.url("x"), target.toString());
        assertEquals("1", git.ok(target, "rev-list", "--count", "HEAD").strip());
        assertTrue(Files.exists(target.resolve("dir/file5.txt")));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void anyReachableObjectCanBeFetchedByItsId(int version) {
        git.ok(directory, "init", "--quiet", "single" + version);
        var single = directory.resolve("single" + version);
        for (var name : List.of("HEAD~3", "HEAD~2^{tree}", "HEAD:dir/file2.txt", "HEAD~1:dir", "v1")) {
            var id = git.ok(work, "rev-parse", name).strip();
            git.ok(single, "-c", "protocol.version=" + version, "fetch", "--quiet", server.url("x"), id);
            assertEquals(git.ok(work, "cat-file", "-t", id), git.ok(single, "cat-file", "-t", id), "of " + name);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void whatNoRefReachesIsNotFetched(int version) {
        git.ok(work, "checkout", "--quiet", "-b", "gone");
        var gone = git.commit(work, "secret.txt", "secret");
        var secret = git.ok(work, "rev-parse", "HEAD:secret.txt").strip();
        git.ok(work, "push", "--quiet", server.url("y"), "gone:gone", "main:main");
        git.ok(work, "push", "--quiet", server.url("x"), "gone:gone");
        var before = git.run(directory, "ls-remote", server.url("x"));
        assertTrue(before.out().contains(gone));
        git.ok(work, "push", "--quiet", server.url("x"), ":gone");
        git.assertSound(server.onDisk("x"));
        git.ok(directory, "init", "--quiet", "thief" + version);
        var thief = directory.resolve("thief" + version);
        var blob = git.run(
                thief,
                "-c",
                "protocol.version=" + version,
                "fetch",
                server.url("x"),
                "0123456789012345678901234567890123456789");
        assertTrue(blob.orSucceed().contains("not our ref 0123456789012345678901234567890123456789"), blob.err());
        assertFalse(git.run(directory, "ls-remote", server.url("x")).out().contains(gone));
        assertEquals(40, secret.length());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void emptyRepositoryIsClonedWithoutClaimingABranch(int version) {
        git.ok(work, "push", "--quiet", server.url("empty"), "main:gone");
        git.ok(work, "push", "--quiet", server.url("empty"), ":gone");
        var target = directory.resolve("empty" + version);
        git.ok(
                directory,
                "-c",
                "init.defaultBranch=trunk",
                "-c",
                "protocol.version=" + version,
                "clone",
                "--quiet",
                server.url("empty"),
                target.toString());
        assertEquals("refs/heads/trunk", git.ok(target, "symbolic-ref", "HEAD").strip());
    }

    @Test
    void identifiersOfAllKindsWork() {
        for (var identifier : List.of(
                "with space",
                "emoji 🦀",
                "per%cent",
                "100%",
                "a.git",
                "ünïcode",
                "colon:here",
                "+plus+",
                "~tilde",
                "x".repeat(200))) {
            git.ok(work, "push", "--quiet", server.url(identifier), "main");
            assertTrue(git.ok(work, "ls-remote", server.url(identifier)).contains("refs/heads/main"), identifier);
            assertTrue(Files.isDirectory(server.onDisk(identifier)), identifier);
        }
    }
}
