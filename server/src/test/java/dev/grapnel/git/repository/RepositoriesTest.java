package dev.grapnel.git.repository;

import static dev.grapnel.git.repository.Home.ALICE;
import static dev.grapnel.git.repository.Home.BOB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.GitProgram;
import dev.grapnel.git.Listing;
import dev.grapnel.git.refs.Refs;
import dev.grapnel.nostr.repository.RepositoryAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.eclipse.jgit.util.SystemReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Repositories come, are found, and go.
final class RepositoriesTest {
    @TempDir
    Path data;

    private Repositories repositories;
    private GitProgram elsewhere;

    @BeforeEach
    void open() throws IOException {
        repositories = Home.open(data.resolve("git"));
        var source = Files.createDirectory(data.resolve("elsewhere"));
        elsewhere = new GitProgram(source);
        elsewhere.run("init", "--bare", "--quiet", ".");
    }

    @AfterEach
    void close() throws IOException {
        repositories.close();
    }

    @Test
    void newRepositoryIsEmptyAndAnyGitOpensIt() throws IOException {
        try (var lease = repositories.create(Home.of(ALICE, "tool"))) {
            var git = new GitProgram(lease.directory());
            assertEquals(Home.directory(data.resolve("git"), ALICE).resolve("tool.git"), lease.directory());
            assertEquals("true", git.run("rev-parse", "--is-bare-repository"));
            assertEquals("refs/heads/main", git.run("symbolic-ref", "HEAD"));
            assertEquals("", Home.faults(lease));
            assertTrue(lease.refs().current().isEmpty());
            assertEquals(Refs.DEFAULT_BRANCH, lease.refs().current().head());
            assertEquals(List.of("HEAD", "config", "objects", "refs"), Listing.of(lease.directory()));
        }
    }

    @Test
    void creatingAgainChangesNothing() throws IOException {
        var address = Home.of(ALICE, "tool");
        try (var first = repositories.create(address)) {
            var commit = elsewhere.commit("hello");
            Home.receive(repositories, first, elsewhere, commit);
            Home.point(first, "main", commit);
        }
        try (var again = repositories.create(address)) {
            assertFalse(again.refs().current().isEmpty());
        }
        assertEquals(List.of(), Listing.of(data.resolve("git/.grapnel/making")));
    }

    @Test
    void manyWhoCreateOneRepositoryGetTheSame() throws Exception {
        try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
            var made = new ArrayList<Future<RepositoryLease>>();
            for (int i = 0; i < 8; i++) {
                made.add(pool.submit(() -> repositories.create(Home.of(ALICE, "tool"))));
            }
            var refs = new HashSet<Object>();
            for (var lease : made) {
                refs.add(lease.get().refs());
            }
            assertEquals(1, refs.size());
            for (var lease : made) {
                lease.get().close();
            }
        }
    }

    @Test
    void unknownRepositoryIsNotFoundAndLeavesNoTrace() throws IOException {
        assertTrue(repositories.find(Home.of(ALICE, "tool")).isEmpty());
        assertFalse(repositories.remove(Home.of(ALICE, "tool")));
        assertTrue(repositories.trash(Home.of(ALICE, "tool")).isEmpty());
        assertEquals(List.of(".grapnel"), Listing.of(data.resolve("git")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                ".git",
                "...",
                "foo.git",
                "100%",
                "%2e%2e%2f",
                "my repo",
                " ",
                " x ",
                "💥🦀",
                "e\u0301",
                "\u00e9",
                "Tool",
                "tool",
                "a:b",
                "C:",
                "con",
                "-rf",
                "~",
                "$HOME",
                "a\"b",
                "\"",
                "'",
                "#;",
                "a.lock",
                "x.git~0",
                "HEAD",
                "*",
                "?",
                "\u2028",
                "\ud83d\ude00"
            })
    void everyIdentifierHasItsOwnPlace(String identifier) throws IOException {
        var address = Home.of(ALICE, identifier);
        try (var lease = repositories.create(address)) {
            assertEquals(identifier + ".git", String.valueOf(lease.directory().getFileName()));
            assertEquals("refs/heads/main", new GitProgram(lease.directory()).run("symbolic-ref", "HEAD"));
            assertEquals(
                    identifier + "\n",
                    new GitProgram(lease.directory())
                            .attempt("", "config", "grapnel.identifier")
                            .output());
        }
        assertEquals(List.of(address), repositories.list());
        assertTrue(repositories.remove(address));
        assertEquals(List.of(), repositories.list());
    }

    @Test
    void longestIdentifierFits() throws IOException {
        for (var identifier : List.of("n".repeat(200), "💥".repeat(50))) {
            try (var lease = repositories.create(Home.of(ALICE, identifier))) {
                assertEquals("", Home.faults(lease));
            }
        }
        assertEquals(2, repositories.list().size());
    }

    @Test
    void allAreListedAndNothingElse() throws IOException {
        var made = new HashSet<RepositoryAddress>();
        for (var owner : List.of(ALICE, BOB)) {
            for (var identifier : List.of("one", "two", "three.git")) {
                made.add(Home.of(owner, identifier));
                repositories.create(Home.of(owner, identifier)).close();
            }
        }
        var owner = Home.directory(data.resolve("git"), ALICE);
        Files.createDirectory(owner.resolve("no-repository"));
        Files.createFile(owner.resolve("file.git"));
        Files.createDirectory(owner.resolve("x.git~0123456789abcdef"));
        Files.createDirectory(data.resolve("git/npub1nonsense"));
        Files.createDirectory(data.resolve("git/lost+found"));
        assertEquals(made, Set.copyOf(repositories.list()));
    }

    @Test
    void packThatIsMovedInIsSeenAtOnce() throws IOException {
        var commit = elsewhere.commit("hello");
        try (var lease = repositories.create(Home.of(ALICE, "tool"))) {
            assertFalse(Home.has(lease, commit));
            Home.receive(repositories, lease, elsewhere, commit);
            assertTrue(Home.has(lease, commit));
            Home.receive(repositories, lease, elsewhere, commit);
            Home.point(lease, "main", commit);
            assertEquals(commit + " refs/heads/main", new GitProgram(lease.directory()).run("show-ref"));
            assertEquals("", Home.faults(lease));
        }
        assertEquals(List.of(), Listing.of(data.resolve("git/.grapnel/quarantine")));
    }

    @Test
    void removedRepositoryIsGoneAndCanComeAgainEmpty() throws IOException {
        var address = Home.of(ALICE, "tool");
        var commit = elsewhere.commit("hello");
        try (var old = repositories.create(address)) {
            Home.receive(repositories, old, elsewhere, commit);
            assertTrue(repositories.remove(address));
            assertTrue(repositories.find(address).isEmpty());
            try (var fresh = repositories.create(address)) {
                assertFalse(Home.has(fresh, commit));
                assertNotEquals(old.refs(), fresh.refs());
            }
        }
        assertEquals(List.of(), Listing.of(data.resolve("git/.grapnel/doomed")));
        assertEquals(1, repositories.openCount());
    }

    @Test
    void whoLooksForARepositoryThatComesAndGoesFindsItOrNothing() throws Exception {
        var address = Home.of(ALICE, "tool");
        repositories.create(address).close();
        var place = repositories.findPlace(address).orElseThrow();
        try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
            var moves = pool.submit(() -> {
                for (int i = 0; i < 3_000; i++) {
                    Files.move(place.directory(), data.resolve("away"));
                    Files.move(data.resolve("away"), place.directory());
                }
                return true;
            });
            while (!moves.isDone()) {
                repositories.findPlace(address).ifPresent(found -> assertEquals(place.directory(), found.directory()));
            }
            assertTrue(moves.get());
        }
    }

    @Test
    void repositoriesComeBackAfterTheWholeDirectoryVanished() throws IOException {
        var address = Home.of(ALICE, "tool");
        var commit = elsewhere.commit("hello");
        try (var old = repositories.create(address)) {
            Home.receive(repositories, old, elsewhere, commit);
            Home.point(old, "main", commit);
            FileTree.delete(data.resolve("git"));
            assertTrue(repositories.find(address).isEmpty());
            assertEquals(List.of(), repositories.list());
            assertThrows(IOException.class, () -> old.refs().current());
        }
        try (var fresh = repositories.create(address)) {
            assertTrue(fresh.refs().current().isEmpty());
            Home.receive(repositories, fresh, elsewhere, commit);
            Home.point(fresh, "main", commit);
            assertEquals("", Home.faults(fresh));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void linksAreNeverFollowed(boolean owner) throws IOException {
        var address = Home.of(ALICE, "tool");
        var outside = Files.createDirectories(data.resolve("outside/tool.git"));
        var place = Home.directory(data.resolve("git"), ALICE);
        if (owner) {
            Files.createSymbolicLink(place, outside.resolveSibling("."));
        } else {
            Files.createDirectory(place);
            Files.createSymbolicLink(place.resolve("tool.git"), outside);
        }
        for (var e : List.of(
                assertThrows(IOException.class, () -> repositories.find(address)),
                assertThrows(IOException.class, () -> repositories.create(address)),
                assertThrows(IOException.class, () -> repositories.remove(address)))) {
            assertTrue(String.valueOf(e.getMessage()).contains("must be a directory itself"), e.getMessage());
        }
        assertEquals(List.of(), repositories.list());
        assertEquals(List.of(), Listing.of(outside));
    }

    @Test
    void onlyRepositoriesThatNobodyUsesAreClosed() throws IOException {
        try (var few = Repositories.open(
                data.resolve("few"),
                new RepositoriesConfig(
                        2, Long.MAX_VALUE, RepositoriesConfig.defaults().caches()),
                InstantSource.system())) {
            var used = new ArrayList<RepositoryLease>();
            for (var identifier : List.of("a", "b", "c", "d")) {
                used.add(few.create(Home.of(ALICE, identifier)));
            }
            assertEquals(4, few.openCount());
            used.get(1).close();
            used.get(1).close();
            assertEquals(3, few.openCount());
            var refs = used.get(0).refs();
            try (var again = few.find(Home.of(ALICE, "a")).orElseThrow()) {
                assertSame(refs, again.refs());
            }
            assertEquals(3, few.openCount());
            used.forEach(RepositoryLease::close);
            assertEquals(2, few.openCount());
            try (var a = few.find(Home.of(ALICE, "b")).orElseThrow()) {
                assertEquals(2, few.openCount());
                assertTrue(a.refs().current().isEmpty());
            }
        }
    }

    @Test
    void repositoriesThatTakeMuchMemoryAreClosedWhenNobodyUsesThem() throws IOException {
        var place = Files.createDirectories(
                Home.directory(data.resolve("large"), BOB).resolve("large.git"));
        var git = new GitProgram(place);
        git.run("init", "--bare", "--quiet", "--initial-branch=main", ".");
        git.run("update-ref", "refs/heads/main", git.commit("hello").toString());
        git.run("gc", "--quiet");
        var config =
                new RepositoriesConfig(200, 1000, RepositoriesConfig.defaults().caches());
        try (var narrow = Repositories.open(data.resolve("large"), config, InstantSource.system())) {
            var used = narrow.find(Home.of(BOB, "large")).orElseThrow();
            var second = narrow.find(Home.of(BOB, "large")).orElseThrow();
            second.close();
            assertEquals(1, narrow.openCount());
            used.close();
            assertEquals(0, narrow.openCount());
            narrow.create(Home.of(BOB, "small")).close();
            assertEquals(1, narrow.openCount());
        }
    }

    @Test
    void repositoryMadeByStockGitIsServed() throws IOException {
        var place =
                Files.createDirectories(Home.directory(data.resolve("git"), BOB).resolve("theirs.git"));
        var git = new GitProgram(place);
        git.run("init", "--bare", "--quiet", "--initial-branch=trunk", ".");
        var commit = git.commit("hello");
        git.run("update-ref", "refs/heads/trunk", commit.toString());
        git.run("tag", "-a", "-m", "text", "v1", commit.toString());
        try (var lease = repositories.find(Home.of(BOB, "theirs")).orElseThrow()) {
            assertEquals("refs/heads/trunk", lease.refs().current().head().text());
            var tags = lease.refs().current().values();
            var tag = Objects.requireNonNull(tags.get(tags.lastKey()));
            assertEquals(commit, tag.peeled().orElseThrow());
        }
    }

    @Test
    void nobodysGitConfigurationIsRead() throws Exception {
        var reader = SystemReader.getInstance();
        assertEquals(Set.of(), reader.getUserConfig().getSections());
        assertEquals(Set.of(), reader.getJGitConfig().getSections());
        assertEquals(Set.of(), reader.getSystemConfig().getSections());
        assertEquals("localhost", reader.getHostname());
    }

    @Test
    void cachesFitSmallHeapsAndStayModestOnLargeOnes() {
        var small = GitCaches.forHeap(256L << 20);
        assertEquals(64L << 20, small.windowBytes());
        assertEquals(16 << 20, small.wholeBytesMax());
        var large = GitCaches.forHeap(64L << 30);
        assertEquals(512L << 20, large.windowBytes());
        assertEquals(50 << 20, large.wholeBytesMax());
        assertEquals(200, RepositoriesConfig.defaults().openMax());
    }
}
