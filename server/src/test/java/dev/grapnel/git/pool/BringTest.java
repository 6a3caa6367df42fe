package dev.grapnel.git.pool;

import static dev.grapnel.git.pool.PoolSite.ALICE;
import static dev.grapnel.git.pool.PoolSite.BOB;
import static dev.grapnel.git.pool.PoolSite.CAROL;
import static dev.grapnel.git.pool.PoolSite.objects;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.Disk;
import dev.grapnel.git.DyingDisk;
import dev.grapnel.git.GitProgram;
import dev.grapnel.git.Listing;
import dev.grapnel.git.ObjectType;
import dev.grapnel.git.pool.LocalPool.Source.Area;
import dev.grapnel.git.pool.LocalPool.Source.Named;
import dev.grapnel.git.pool.LocalPool.Source.Related;
import dev.grapnel.git.pool.LocalPool.Source.Unrelated;
import dev.grapnel.git.repository.Home;
import dev.grapnel.git.repository.RepositoryLease;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGeneratorFactory;
import org.eclipse.jgit.errors.MissingObjectException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Objects come into a repository with all they reach, nothing else comes with them, and no source is
/// needed afterwards.
final class BringTest {
    private static final int STEPS_MAX = 60;

    @TempDir
    private Path directory;

    private PoolSite site;
    private Oid one;
    private Oid two;
    private Oid three;

    @BeforeEach
    void prepare() throws IOException {
        open(Disk.REAL);
        one = site.elsewhere.commit("one");
        two = site.elsewhere.commit("two", one);
        three = site.elsewhere.commit("three", two);
    }

    private void open(Disk disk) throws IOException {
        site = PoolSite.at(directory, disk);
    }

    @AfterEach
    void close() throws IOException {
        site.close();
        assertEquals(List.of(), Listing.of(directory.resolve("git/.grapnel/quarantine")));
    }

    @Test
    void packsOfRelatedRepositoriesAreLinked() throws IOException {
        site.receive(site.alice, one);
        site.receive(site.alice, three, one);
        try (var pool = site.pool(new Related(ALICE))) {
            pool.bring(List.of(three, two), site.bob);
        }
        assertEquals(inodes(packs(site.alice)), inodes(packs(site.bob)));
        assertEquals(site.closure(three), objects(site.bob));
        assertEquals("", site.faultsWhenAlone(site.bob, three));
    }

    @Test
    void nothingHiddenOfAnUnrelatedOwnerComesAlong() throws IOException {
        var hidden = site.elsewhere.commit("hidden", two);
        receiveTogether(site.alice, three, hidden);
        Home.point(site.alice, "main", three);
        try (var pool = site.pool(new Unrelated(ALICE))) {
            pool.bring(List.of(two), site.bob);
            assertThrows(MissingObjectException.class, () -> pool.bring(List.of(hidden), site.bob));
        }
        assertEquals(site.closure(two), objects(site.bob));
        assertEquals("", site.faultsWhenAlone(site.bob, two));
    }

    @Test
    void onlyWhatOneRefReachesComesWhenItAloneCounts() throws IOException {
        var other = site.elsewhere.commit("other", one);
        receiveTogether(site.alice, three, other);
        Home.point(site.alice, "main", three);
        Home.point(site.alice, "other", other);
        var ref = new RefName("refs/heads/other");
        try (var pool = site.pool(new Named(ALICE, ref), new Named(CAROL, ref))) {
            pool.bring(List.of(other), site.bob);
            assertThrows(MissingObjectException.class, () -> pool.bring(List.of(two), site.bob));
        }
        assertEquals(site.closure(other), objects(site.bob));
        assertEquals("", site.faultsWhenAlone(site.bob, other));
    }

    @Test
    void nothingThatNobodySignedComesOutOfAnArea() throws IOException {
        var unsigned = site.elsewhere.commit("unsigned", two);
        var name = stageTogether(three, unsigned);
        try (var pool = site.pool(new Area(name))) {
            pool.bring(List.of(three), site.bob);
        }
        assertEquals(site.closure(three), objects(site.bob));
        assertEquals("", site.faultsWhenAlone(site.bob, three));
    }

    @Test
    void packOfAnAreaIsLinkedWhenAllOfItIsWanted() throws IOException {
        site.receive(site.bob, one);
        var name = site.stage(three, one);
        var staged =
                inodes(directory.resolve("git/.grapnel/staging").resolve(name).resolve("pack"));
        try (var pool = site.pool(new Area(name), new Related(BOB))) {
            pool.bring(List.of(three), site.bob);
        }
        assertTrue(inodes(packs(site.bob)).entrySet().containsAll(staged.entrySet()), "no second copy");
        assertEquals(4, Listing.of(packs(site.bob)).size());
        assertEquals("", site.faultsWhenAlone(site.bob, three));
    }

    @Test
    void whatTheRepositoryHasIsNotBroughtAgain() throws IOException {
        site.receive(site.bob, two);
        site.receive(site.alice, three);
        var before = Listing.below(site.bob.directory());
        try (var pool = site.pool(new Related(ALICE), new Unrelated(BOB), new Area(site.stage(two)))) {
            pool.bring(List.of(two, one, site.parse(one + ":file")), site.bob);
            pool.bring(List.of(), site.bob);
        }
        assertEquals(before, Listing.below(site.bob.directory()));
        Home.point(site.alice, "main", three);
        try (var pool = site.pool(new Unrelated(ALICE))) {
            pool.bring(List.of(three), site.bob);
        }
        var added = new TreeSet<>(Listing.below(site.bob.directory()));
        added.removeAll(before);
        assertEquals(2, added.size());
        assertEquals(objectsIn(site.bob, added.first()), Set.of(three, site.parse(three + "^{tree}"), file(three)));
    }

    @Test
    void piecesFromEverywhereMakeAWhole() throws IOException {
        var four = site.elsewhere.commit("four", three);
        var tag = site.elsewhere.tag("v1", four);
        site.receive(site.alice, one);
        site.receive(site.carol, two);
        Home.point(site.carol, "main", two);
        var first = site.stageExactly(three, site.parse(three + "^{tree}"), file(four));
        var second = site.stageExactly(tag, four, file(three), site.parse(four + "^{tree}"));
        try (var pool = site.pool(new Related(ALICE), new Unrelated(CAROL), new Area(first), new Area(second))) {
            assertEquals(Optional.of(ObjectType.TAG), pool.find(tag));
            pool.bring(List.of(tag), site.bob);
        }
        var all = new TreeSet<>(site.closure(four));
        all.add(tag.toString());
        assertEquals(all, objects(site.bob));
        assertEquals("", site.faultsWhenAlone(site.bob, four));
    }

    @Test
    void singleFilesAndDirectoriesCanBeBrought() throws IOException {
        site.receive(site.alice, three);
        Home.point(site.alice, "main", three);
        var tree = site.parse(two + "^{tree}");
        try (var pool = site.pool(new Unrelated(ALICE))) {
            pool.bring(List.of(tree, file(one)), site.bob);
        }
        assertEquals(Set.of(tree.toString(), file(two).toString(), file(one).toString()), objects(site.bob));
    }

    @Test
    void looseObjectsAreBroughtFromRelatedAndUnrelatedOwners() throws IOException {
        var git = new GitProgram(site.alice.directory());
        var loose = git.commit("loose", git.commit("base"));
        git.run("update-ref", "refs/heads/main", loose.toString());
        try (var related = site.pool(new Related(ALICE));
                var unrelated = site.pool(new Unrelated(ALICE))) {
            related.bring(List.of(loose), site.bob);
            unrelated.bring(List.of(loose), site.carol);
        }
        assertEquals(objects(site.alice), objects(site.bob));
        assertEquals(objects(site.alice), objects(site.carol));
        assertEquals("", site.faultsWhenAlone(site.bob, loose));
    }

    @Test
    void deltasAreKeptWhenObjectsAreCopied() throws IOException {
        var tip = three;
        var noise = RandomGeneratorFactory.of("L64X128MixRandom").create(8);
        var text = new StringBuilder();
        for (int i = 0; i < 40; i++) {
            for (int line = 0; line < 20; line++) {
                text.append(Long.toHexString(noise.nextLong())).append('\n');
            }
            tip = site.elsewhere.commit(text.toString(), tip);
        }
        var rest = site.elsewhere.commit("keeps the pack from being linked", tip);
        receiveTogether(site.alice, tip, rest);
        Home.point(site.alice, "main", tip);
        try (var pool = site.pool(new Unrelated(ALICE))) {
            pool.bring(List.of(tip), site.bob);
        }
        assertFalse(Home.has(site.bob, rest));
        assertTrue(bytes(site.bob) < 2 * bytes(site.alice), bytes(site.bob) + " of " + bytes(site.alice));
        assertEquals("", site.faultsWhenAlone(site.bob, tip));
    }

    @Test
    void pushOfWhichOnlyAPartIsSignedIsSplit() throws IOException {
        site.receive(site.alice, one);
        Home.point(site.alice, "main", one);
        var signed = three;
        var unsigned = site.elsewhere.commit("unsigned", two);
        var name = site.repositories.staging().newName();
        try (var quarantine = site.repositories.quarantine(site.alice, List.of())) {
            packTogether(quarantine.packDirectory(), signed, unsigned, one);
            try (var pool = site.pool(quarantine, new Related(ALICE))) {
                pool.bring(List.of(signed), site.alice);
            }
            site.repositories.staging().keep(quarantine, name);
        }
        assertEquals(site.closure(signed), objects(site.alice));
        try (var pool = site.pool(new Related(ALICE), new Area(name))) {
            assertEquals(Optional.of(ObjectType.COMMIT), pool.find(unsigned));
        }
        assertEquals("", site.faultsWhenAlone(site.alice, signed));
    }

    @Test
    void incompleteHistoryBringsNothing() throws IOException {
        site.receive(site.alice, one);
        var before = Listing.below(site.bob.directory());
        try (var pool = site.pool(new Related(ALICE), new Area(site.stage(three, two)))) {
            var e = assertThrows(MissingObjectException.class, () -> pool.bring(List.of(one, three), site.bob));
            assertTrue(e.toString().contains(three.toString()), e.toString());
        }
        assertEquals(before, Listing.below(site.bob.directory()));
    }

    @Test
    void interruptedBringingLeavesNothing() throws IOException {
        var before = Listing.below(site.bob.directory());
        try (var pool = site.pool(new Area(site.stage(three)))) {
            assertEquals(Optional.of(ObjectType.COMMIT), pool.find(three));
            Thread.currentThread().interrupt();
            assertThrows(InterruptedIOException.class, () -> pool.bring(List.of(three), site.bob));
            assertTrue(Thread.interrupted());
        }
        assertEquals(before, Listing.below(site.bob.directory()));
    }

    /// Related packs are linked, and pieces of two areas copied; whenever the process dies, what is there is
    /// whole.
    @ParameterizedTest
    @EnumSource
    void whateverIsThereAfterADeathIsComplete(DyingDisk.Death death) throws IOException {
        site.receive(site.alice, one);
        site.receive(site.alice, two, one);
        var areas = List.of(
                new Area(site.stageExactly(three, file(three), site.elsewhere.commit("unsigned"))),
                new Area(site.stageExactly(site.parse(three + "^{tree}"))));
        int step = 0;
        for (boolean dead = true; dead && step < STEPS_MAX; step++) {
            dead = !isBrought(new DyingDisk(step, death), areas);
            open(Disk.REAL);
            for (var tip : List.of(one, two, three)) {
                if (Home.has(site.bob, tip)) {
                    Home.point(site.bob, "main", tip);
                }
            }
            assertEquals("", Home.faults(site.bob), "step " + step);
            try (var pool = site.pool(new Related(ALICE), areas.getFirst(), areas.getLast())) {
                pool.bring(List.of(three), site.bob);
            }
            Home.point(site.bob, "main", three);
            assertEquals("", Home.faults(site.bob), "step " + step);
            assertEquals(site.closure(three), objects(site.bob));
            site.repositories.remove(BOB);
        }
        assertTrue(step > 5 && step < STEPS_MAX, "steps " + step);
    }

    /// A process that dies does not tidy up, so what closing would delete is put back.
    private boolean isBrought(DyingDisk disk, List<Area> areas) throws IOException {
        site.close();
        PoolSite.at(directory).close(); // makes what is missing
        var quarantine = directory.resolve("git/.grapnel/quarantine");
        var saved = directory.resolve("saved");
        try (var dying = PoolSite.at(directory, new Saving(disk, quarantine, saved));
                var pool = dying.pool(new Related(ALICE), areas.getFirst(), areas.getLast())) {
            pool.bring(List.of(three), dying.bob);
            return true;
        } catch (IOException e) {
            assertTrue(disk.isDead(), e::toString);
        }
        Saving.deleteAll(quarantine);
        Files.move(saved, quarantine);
        return false;
    }

    private void receiveTogether(RepositoryLease into, Oid... tips) throws IOException {
        try (var quarantine = site.repositories.quarantine(into, List.of())) {
            packTogether(quarantine.packDirectory(), tips[0], tips[1]);
            quarantine.moveIn();
        }
    }

    private String stageTogether(Oid... tips) throws IOException {
        var name = site.repositories.staging().newName();
        try (var quarantine = site.repositories.quarantine(site.alice, List.of())) {
            packTogether(quarantine.packDirectory(), tips[0], tips[1]);
            site.repositories.staging().keep(quarantine, name);
        }
        return name;
    }

    /// Two histories in one pack.
    private void packTogether(Path into, Oid first, Oid second, Oid... except) {
        var revisions = new StringBuilder(first + "\n" + second + "\n");
        for (var id : except) {
            revisions.append("^").append(id).append("\n");
        }
        site.elsewhere.feed(
                revisions.toString(),
                "pack-objects",
                "--quiet",
                "--revs",
                into.resolve("pack").toString());
    }

    private Oid file(Oid commit) {
        return site.parse(commit + ":file");
    }

    private Set<Oid> objectsIn(RepositoryLease lease, String index) throws IOException {
        var ids = new ArrayList<Oid>();
        try (var in = Files.newInputStream(lease.directory().resolve(index))) {
            new String(site.elsewhere.pipe(in.readAllBytes(), "show-index"), US_ASCII)
                    .lines()
                    .forEach(line -> ids.add(GitProgram.oid(line.split(" ", -1)[1])));
        }
        return Set.copyOf(ids);
    }

    private static Path packs(RepositoryLease lease) {
        return lease.directory().resolve("objects/pack");
    }

    private static long bytes(RepositoryLease lease) throws IOException {
        long bytes = 0;
        for (var name : Listing.of(packs(lease))) {
            bytes += Files.size(packs(lease).resolve(name));
        }
        return bytes;
    }

    private static Map<String, Object> inodes(Path packs) throws IOException {
        var inodes = new TreeMap<String, Object>();
        for (var name : Listing.of(packs)) {
            inodes.put(name, Files.getAttribute(packs.resolve(name), "unix:ino", LinkOption.NOFOLLOW_LINKS));
        }
        return inodes;
    }
}
