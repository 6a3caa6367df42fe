package dev.grapnel.git.pool;

import static dev.grapnel.git.pool.PoolSite.ALICE;
import static dev.grapnel.git.pool.PoolSite.BOB;
import static dev.grapnel.git.pool.PoolSite.CAROL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.GitProgram;
import dev.grapnel.git.Listing;
import dev.grapnel.git.ObjectType;
import dev.grapnel.git.pool.LocalPool.Shown;
import dev.grapnel.git.pool.LocalPool.Source;
import dev.grapnel.git.pool.LocalPool.Source.Area;
import dev.grapnel.git.pool.LocalPool.Source.Related;
import dev.grapnel.git.pool.LocalPool.Source.Unrelated;
import dev.grapnel.git.repository.Home;
import dev.grapnel.nostr.repository.Oid;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What counts as available: present, with everything it reaches, in something that counts for the event.
final class LocalPoolTest {
    private static final Oid NOWHERE = new Oid(1, 2, 3);

    @TempDir
    private Path directory;

    private PoolSite site;
    private Oid one;
    private Oid two;

    @BeforeEach
    void prepare() throws IOException {
        site = PoolSite.at(directory);
        one = site.elsewhere.commit("one");
        two = site.elsewhere.commit("two", one);
    }

    @AfterEach
    void close() throws IOException {
        site.close();
        assertEquals(List.of(), Listing.of(directory.resolve("git/.grapnel/quarantine")));
    }

    @Test
    void everythingInARelatedRepositoryCountsWhateverItsRefsSay() throws IOException {
        var tag = site.elsewhere.tag("v1", two);
        site.receive(site.alice, tag);
        try (var pool = site.pool(new Related(ALICE))) {
            assertEquals(Optional.of(ObjectType.TAG), pool.find(tag));
            assertEquals(Optional.of(ObjectType.COMMIT), pool.find(one));
            assertEquals(Optional.of(ObjectType.TREE), pool.find(site.parse(two + "^{tree}")));
            assertEquals(Optional.of(ObjectType.BLOB), pool.find(site.parse(two + ":file")));
            assertEquals(Optional.empty(), pool.find(NOWHERE));
        }
    }

    @Test
    void sourcesThatDoNotExistHaveNothing() throws IOException {
        site.repositories.remove(BOB);
        site.repositories.remove(CAROL);
        try (var pool = site.pool(new Related(BOB), new Unrelated(CAROL), new Area("17-4"))) {
            assertEquals(Map.of(), pool.find(List.of(one, NOWHERE, new Oid(0, 0, 0))));
        }
    }

    @Test
    void areaCountsTogetherWithWhatItRestsOn() throws IOException {
        var area = new Area(site.stage(two, one));
        try (var alone = site.pool(area)) {
            assertEquals(Optional.empty(), alone.find(two));
            assertEquals(Optional.of(ObjectType.TREE), alone.find(site.parse(two + "^{tree}")));
        }
        site.receive(site.alice, one);
        try (var together = site.pool(area, new Related(ALICE))) {
            assertEquals(Optional.of(ObjectType.COMMIT), together.find(two));
        }
    }

    @Test
    void missingFileDeepInTheHistoryMakesTheTipUnavailable() throws IOException {
        var tree = site.parse(one + "^{tree}");
        var area = site.stageExactly(two, site.parse(two + "^{tree}"), site.parse(two + ":file"), one, tree);
        try (var pool = site.pool(new Area(area))) {
            assertEquals(Optional.empty(), pool.find(two));
        }
        var file = new Area(site.stageExactly(site.parse(one + ":file")));
        try (var pool = site.pool(new Area(area), file)) {
            assertEquals(Optional.of(ObjectType.COMMIT), pool.find(two));
        }
    }

    @Test
    void halfOfTheObjectsInOneAreaAndHalfInAnotherIsEnough() throws IOException {
        var all = new ArrayList<Oid>();
        var tip = two;
        for (int i = 0; i < 10; i++) {
            tip = site.elsewhere.commit("number " + i, tip);
        }
        site.closure(tip).forEach(id -> all.add(GitProgram.oid(id)));
        var even = new ArrayList<Oid>();
        var odd = new ArrayList<Oid>();
        for (int i = 0; i < all.size(); i++) {
            (i % 2 == 0 ? even : odd).add(all.get(i));
        }
        var first = new Area(site.stageExactly(even.toArray(Oid[]::new)));
        var second = new Area(site.stageExactly(odd.toArray(Oid[]::new)));
        try (var pool = site.pool(first, second)) {
            assertEquals(Optional.of(ObjectType.COMMIT), pool.find(tip));
        }
        try (var pool = site.pool(first)) {
            assertEquals(Optional.empty(), pool.find(tip));
        }
    }

    @Test
    void ofUnrelatedOwnersOnlyWhatTheyShowCounts() throws IOException {
        var hidden = site.elsewhere.commit("hidden", one);
        site.receive(site.bob, two);
        site.receive(site.bob, hidden, one);
        Home.point(site.bob, "main", two);
        try (var pool = site.pool(new Unrelated(BOB))) {
            assertEquals(Optional.of(ObjectType.COMMIT), pool.find(two));
            assertEquals(Optional.of(ObjectType.COMMIT), pool.find(one));
            assertEquals(Optional.of(ObjectType.BLOB), pool.find(site.parse(one + ":file")));
            assertEquals(Optional.empty(), pool.find(hidden));
            assertEquals(Optional.empty(), pool.find(site.parse(hidden + ":file")));
        }
    }

    @Test
    void areaDoesNotBringToLightWhatOthersHide() throws IOException {
        site.receive(site.bob, two);
        Home.point(site.bob, "main", one);
        var onShown = site.elsewhere.commit("on shown", one);
        var onHidden = site.elsewhere.commit("on hidden", two);
        var areas = List.of(new Area(site.stage(onShown, one)), new Area(site.stage(onHidden, two)));
        try (var pool = site.pool(new Unrelated(BOB), areas.getFirst(), areas.getLast())) {
            assertEquals(Map.of(onShown, ObjectType.COMMIT), pool.find(List.of(onHidden, onShown)));
        }
    }

    @Test
    void whatOneHidesAnotherMayShow() throws IOException {
        site.receive(site.bob, two);
        site.receive(site.carol, two);
        Home.point(site.bob, "main", one);
        Home.point(site.carol, "main", two);
        try (var pool = site.pool(new Unrelated(BOB), new Unrelated(CAROL))) {
            assertEquals(Optional.of(ObjectType.COMMIT), pool.find(two));
        }
    }

    @Test
    void historyThatCannotBeSearchedShowsNothing() throws IOException {
        var hidden = site.elsewhere.commit("hidden");
        site.receive(site.bob, two, one);
        site.receive(site.bob, hidden);
        Home.point(site.bob, "main", two);
        try (var pool = site.pool(new Unrelated(BOB))) {
            assertEquals(Optional.empty(), pool.find(hidden));
        }
    }

    @Test
    void tagsOfTagsAndOfFilesAreFollowedAndSubmodulesAreNot() throws IOException {
        var blob = site.parse(one + ":file");
        var tree = GitProgram.oid(site.elsewhere.feed(
                "100644 blob " + blob + "\tf\n160000 commit " + "1".repeat(40) + "\tm\n", "mktree", "--missing"));
        var commit = GitProgram.oid(site.elsewhere.run("commit-tree", tree.toString(), "-m", "text"));
        var tag = site.elsewhere.tag("v2", site.elsewhere.tag("v1", commit));
        var ofFile = site.elsewhere.tag("file", blob);
        try (var pool = site.pool(new Area(site.stage(tag)), new Area(site.stageExactly(ofFile)))) {
            assertEquals(Optional.of(ObjectType.TAG), pool.find(tag));
            assertEquals(Optional.of(ObjectType.TAG), pool.find(ofFile));
        }
        try (var pool = site.pool(new Area(site.stageExactly(tag, ofFile)))) {
            assertEquals(Map.of(), pool.find(List.of(tag, ofFile)));
        }
    }

    @Test
    void looseObjectsOfTheRealGitCount() throws IOException {
        var git = new GitProgram(site.bob.directory());
        var loose = git.commit("loose", git.commit("one"));
        try (var related = site.pool(new Related(BOB));
                var hidden = site.pool(new Unrelated(BOB))) {
            assertEquals(Optional.of(ObjectType.COMMIT), related.find(loose));
            assertEquals(Optional.empty(), hidden.find(loose));
        }
        git.run("update-ref", "refs/heads/main", loose.toString());
        try (var shown = site.pool(new Unrelated(BOB))) {
            assertEquals(Optional.of(ObjectType.COMMIT), shown.find(loose));
        }
    }

    @Test
    void oneIncompleteTipDoesNotSpoilTheOthers() throws IOException {
        var three = site.elsewhere.commit("three", two);
        var lone = site.elsewhere.commit("lone");
        var tag = site.elsewhere.tag("both", three);
        var areas =
                List.of(new Area(site.stage(three, one)), new Area(site.stage(lone)), new Area(site.stageExactly(tag)));
        try (var pool = site.pool(areas.get(0), areas.get(1), areas.get(2))) {
            assertEquals(Map.of(lone, ObjectType.COMMIT), pool.find(List.of(three, lone)));
            assertEquals(Optional.empty(), pool.find(two));
            assertEquals(Optional.empty(), pool.find(tag), "leads to what was found incomplete before");
            assertEquals(Optional.of(ObjectType.BLOB), pool.find(site.parse(three + ":file")));
        }
    }

    @Test
    void whatAPushHasJustBroughtCounts() throws IOException {
        site.receive(site.alice, one);
        try (var quarantine = site.repositories.quarantine(site.alice, List.of())) {
            Home.pack(site.elsewhere, quarantine.packDirectory(), two, one);
            try (var pool = site.pool(quarantine, new Related(ALICE));
                    var alone = site.pool(quarantine)) {
                assertEquals(Optional.of(ObjectType.COMMIT), pool.find(two));
                assertEquals(Optional.empty(), alone.find(two));
            }
        }
    }

    @Test
    void objectThatIsNotWhatItIsTakenForIsMissing() throws IOException {
        var tree = site.parse(one + "^{tree}");
        var odd = GitProgram.oid(site.elsewhere.feed(
                "tree " + tree + "\nparent " + tree + "\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\ntext\n",
                "hash-object",
                "-t",
                "commit",
                "-w",
                "--literally",
                "--stdin"));
        try (var pool = site.pool(new Area(site.stageExactly(odd, tree, site.parse(one + ":file"))))) {
            assertEquals(Optional.empty(), pool.find(odd));
        }
    }

    @Test
    void deletedAreaAuthorisesNothing() throws IOException {
        var name = site.stage(two);
        try (var pool = site.pool(new Area(name))) {
            site.repositories.staging().delete(name);
            assertEquals(Optional.empty(), pool.find(two));
        }
    }

    @Test
    void unreadablePacksAuthoriseNothing() throws IOException {
        site.receive(site.alice, two);
        var area = site.stage(two);
        spoil(site.alice.directory().resolve("objects/pack"));
        spoil(directory.resolve("git/.grapnel/staging").resolve(area).resolve("pack"));
        try (var pool = site.pool(new Related(ALICE), new Area(area))) {
            assertEquals(Optional.empty(), pool.find(two));
        }
    }

    private static void spoil(Path packs) throws IOException {
        for (var name : Listing.of(packs)) {
            assertTrue(packs.resolve(name).toFile().setWritable(true));
            Files.write(packs.resolve(name), new byte[100]);
        }
    }

    @Test
    void longHistoriesAndDeepDirectoriesAreLookedThrough() throws IOException {
        int commits = 3000;
        var stream = new StringBuilder("blob\nmark :1\ndata 1\nx\n");
        for (int i = 0; i < commits; i++) {
            stream.append("commit refs/heads/long\ncommitter A <a@b> ")
                    .append(1_700_000_000 + i)
                    .append(" +0000\ndata 1\nc\nM 100644 :1 ")
                    .append("d/".repeat(1 + i % 200))
                    .append("f\n");
        }
        site.elsewhere.feed(stream.toString(), "fast-import", "--quiet");
        var tip = site.parse("refs/heads/long");
        try (var pool = site.pool(new Area(site.stage(tip)))) {
            assertEquals(Optional.of(ObjectType.COMMIT), pool.find(tip));
        }
    }

    /// Somebody else's damage is not told to whoever asks; another pool looks again.
    @Test
    void repositoryOfAStrangerThatCannotBeReadCountsForNothing() throws IOException {
        site.receive(site.bob, one);
        Home.point(site.bob, "main", one);
        var failures = new ArrayDeque<>(List.of(new IOException("the disk failed")));
        Shown failingOnce = lease -> {
            if (!failures.isEmpty()) {
                throw failures.remove();
            }
            return PoolSite.tips(lease);
        };
        List<Source> sources = List.of(new Unrelated(BOB), new Area(site.stage(two, one)));
        try (var pool = new LocalPool(site.repositories, failingOnce, sources, Optional.empty())) {
            assertEquals(Optional.empty(), pool.find(two));
        }
        try (var pool = new LocalPool(site.repositories, failingOnce, sources, Optional.empty())) {
            assertEquals(Optional.of(ObjectType.COMMIT), pool.find(two));
        }
    }

    @Test
    void interruptedLookEnds() throws IOException {
        try (var pool = site.pool(new Area(site.stage(two)))) {
            Thread.currentThread().interrupt();
            assertThrows(InterruptedIOException.class, () -> pool.find(two));
            assertTrue(Thread.interrupted());
            assertEquals(Optional.of(ObjectType.COMMIT), pool.find(two));
        }
    }
}
