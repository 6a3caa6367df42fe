package dev.grapnel.git.repository;

import static dev.grapnel.git.repository.Home.ALICE;
import static dev.grapnel.git.repository.Home.BOB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.Disk;
import dev.grapnel.git.GitProgram;
import dev.grapnel.git.Listing;
import dev.grapnel.git.SteppedDisk;
import dev.grapnel.nostr.repository.Oid;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.eclipse.jgit.errors.MissingObjectException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// History goes from one repository to another, complete, and needs the first no longer.
final class SharingTest {
    @TempDir
    Path directory;

    private Repositories repositories;
    private Sharing sharing;
    private GitProgram elsewhere;
    private RepositoryLease from;
    private RepositoryLease to;
    private Oid one;
    private Oid two;
    private Oid three;

    /// One pack per commit, as pushes leave them.
    @BeforeEach
    void prepare() throws IOException {
        elsewhere = new GitProgram(Files.createDirectory(directory.resolve("elsewhere")));
        elsewhere.run("init", "--bare", "--quiet", ".");
        one = elsewhere.commit("one");
        two = elsewhere.commit("two", one);
        three = elsewhere.commit("three", two);
        open(Disk.REAL);
        Home.receive(repositories, from, elsewhere, one);
        Home.receive(repositories, from, elsewhere, two, one);
        Home.receive(repositories, from, elsewhere, three, two);
        Home.point(from, "main", three);
    }

    private void open(Disk disk) throws IOException {
        repositories = Home.open(directory.resolve("git"), disk);
        sharing = new Sharing(repositories);
        from = repositories.create(Home.of(ALICE, "tool"));
        to = repositories.create(Home.of(BOB, "tool"));
    }

    @AfterEach
    void close() throws IOException {
        from.close();
        to.close();
        repositories.close();
    }

    @Test
    void packsAreLinkedAndOutliveTheirSource() throws IOException {
        sharing.link(from, to, List.of(three));
        assertEquals(inodes(from), inodes(to));
        assertEquals(6, inodes(to).size());
        Home.point(to, "main", three);
        repositories.remove(from.address());
        assertEquals("", Home.faults(to));
        assertEquals("3", new GitProgram(to.directory()).run("rev-list", "--count", "main"));
        assertEquals(List.of(), Listing.of(directory.resolve("git/.grapnel/quarantine")));
    }

    @Test
    void onlyWhatIsNeededIsLinkedAndOnlyOnce() throws IOException {
        sharing.link(from, to, List.of(two));
        assertTrue(Home.has(to, two));
        assertFalse(Home.has(to, three));
        var linked = inodes(to);
        assertEquals(4, linked.size());
        sharing.link(from, to, List.of(two, one));
        assertEquals(linked, inodes(to));
        sharing.link(from, to, List.of(three));
        assertEquals(6, inodes(to).size());
    }

    @Test
    void packThatWasLookedThroughIsLinkedToEverybodyWhoHasWhatItRestsOn() throws IOException {
        sharing.link(from, to, List.of(two));
        var offer = PackOffer.find(from, List.of(three)).orElseThrow();
        assertTrue(sharing.link(offer, to, List.of(three)));
        assertEquals(inodes(from), inodes(to));
        Home.point(to, "main", three);
        assertEquals("", Home.faults(to));
    }

    @Test
    void packIsNotLinkedToWhoeverLacksWhatItRestsOn() throws IOException {
        sharing.link(from, to, List.of(one));
        var before = inodes(to);
        var offer = PackOffer.find(from, List.of(three)).orElseThrow();
        assertFalse(sharing.link(offer, to, List.of(three)));
        assertFalse(sharing.link(offer, to, List.of(one)), "it brings something else");
        assertEquals(before, inodes(to));
    }

    @Test
    void onlyOnePackWithEverythingIsOffered() throws IOException {
        assertTrue(PackOffer.find(from, List.of(two, three)).isEmpty());
        assertTrue(PackOffer.find(from, List.of(GitProgram.oid("1".repeat(40)))).isEmpty());
    }

    /// What a process that died left: the way round a quarantine puts it right.
    @Test
    void packWithoutItsIndexIsNotTakenForThePack() throws IOException {
        sharing.link(from, to, List.of(two));
        var offer = PackOffer.find(from, List.of(three)).orElseThrow();
        var name = String.valueOf(offer.pack().getFileName());
        Files.writeString(to.objects().getPackDirectory().toPath().resolve(name), "half");
        assertFalse(sharing.link(offer, to, List.of(three)));
        sharing.link(from, to, List.of(three));
        Home.point(to, "main", three);
        assertEquals("", Home.faults(to));
    }

    @Test
    void packThatBringsMoreAlsoBringsWhatThatRestsOn() throws IOException {
        var base = elsewhere.commit("base of another branch");
        var side = elsewhere.commit("side", base);
        var next = elsewhere.commit("next", three);
        Home.receive(repositories, from, elsewhere, base);
        try (var quarantine = repositories.quarantine(from, List.of())) {
            elsewhere.feed(
                    next + "\n" + side + "\n^" + three + "\n^" + base + "\n",
                    "pack-objects",
                    "--quiet",
                    "--revs",
                    quarantine.packDirectory().resolve("pack").toString());
            quarantine.moveIn();
        }
        Home.receive(repositories, to, elsewhere, three);
        sharing.link(from, to, List.of(next));
        assertTrue(Home.has(to, next));
        assertTrue(Home.has(to, side), "lies in the same pack");
        assertTrue(Home.has(to, base), "or the other branch would lead nowhere");
        var git = new GitProgram(to.directory());
        assertEquals("2", git.run("rev-list", "--count", side.toString()));
        assertEquals("", Home.faults(to));
    }

    @Test
    void tagsTreesAndSubmodulesAreFollowed() throws IOException {
        var blob = elsewhere.feed("deep", "hash-object", "-w", "--stdin");
        var below = elsewhere.feed("100755 blob " + blob + "\tx\n120000 blob " + blob + "\ty\n", "mktree");
        var tree = elsewhere.feed(
                "040000 tree " + below + "\td\n160000 commit " + "1".repeat(40) + "\tm\n", "mktree", "--missing");
        var commit = GitProgram.oid(elsewhere.run("commit-tree", tree, "-m", "text", "-p", three.toString()));
        var tag = elsewhere.tag("v2", elsewhere.tag("v1", commit));
        Home.receive(repositories, from, elsewhere, tag, three);
        sharing.link(from, to, List.of(tag));
        Home.point(to, "main", commit);
        assertEquals("", Home.faults(to));
        assertTrue(Home.has(to, GitProgram.oid(blob)));
        assertTrue(Home.has(to, tag));
    }

    @Test
    void copyIsMadeWhereLinksAreNotPossible() throws IOException {
        close();
        open(new Unlinkable());
        sharing.link(from, to, List.of(three));
        assertEquals(inodes(from).keySet(), inodes(to).keySet());
        assertNotEquals(inodes(from), inodes(to));
        Home.point(to, "main", three);
        assertEquals("", Home.faults(to));
    }

    @Test
    void damagedPackIsNotCopied() throws IOException {
        close();
        open(new Unlinkable());
        var pack = packs(from).stream()
                .filter(file -> file.toString().endsWith(".pack"))
                .findFirst()
                .orElseThrow();
        var bytes = Files.readAllBytes(pack);
        bytes[bytes.length - 21] ^= 1;
        assertTrue(pack.toFile().setWritable(true));
        Files.write(pack, bytes);
        assertThrows(IOException.class, () -> sharing.link(from, to, List.of(three)));
        assertEquals(List.of(), packs(to));
        assertEquals(List.of(), Listing.of(directory.resolve("git/.grapnel/quarantine")));
    }

    @Test
    void historyThatIsNotInPacksIsCopied() throws IOException {
        var loose = new GitProgram(from.directory()).commit("loose", three);
        sharing.link(from, to, List.of(loose));
        Home.point(to, "main", loose);
        assertEquals("", Home.faults(to));
        assertEquals("4", new GitProgram(to.directory()).run("rev-list", "--count", "main"));
        assertEquals(2, packs(to).size());
    }

    @Test
    void exactCopyBringsNothingElse() throws IOException {
        Home.receive(repositories, to, elsewhere, one);
        Home.point(to, "main", one);
        sharing.copyExactly(from, to, List.of(two));
        assertTrue(Home.has(to, two));
        assertFalse(Home.has(to, three));
        Home.point(to, "main", two);
        assertEquals("", Home.faults(to));
        var packs = packs(to);
        assertEquals(4, packs.size());
        sharing.copyExactly(from, to, List.of(two, one));
        assertEquals(packs, packs(to));
        assertEquals("0", new GitProgram(to.directory()).run("count-objects").split(" ", -1)[0]);
    }

    @Test
    void incompleteHistoryIsNotCopied() throws IOException {
        var next = elsewhere.commit("next", elsewhere.commit("missing", three));
        Home.receive(repositories, from, elsewhere, next, GitProgram.oid(elsewhere.run("rev-parse", next + "^")));
        assertThrows(MissingObjectException.class, () -> sharing.link(from, to, List.of(next)));
        assertThrows(IOException.class, () -> sharing.copyExactly(from, to, List.of(next)));
        var unknown = new Oid(1, 1, 1);
        assertThrows(MissingObjectException.class, () -> sharing.link(from, to, List.of(unknown)));
        assertThrows(IOException.class, () -> sharing.copyExactly(from, to, List.of(unknown)));
        assertEquals(List.of(), packs(to));
    }

    @Test
    void realHistoryWithDeltasIsShared() throws IOException {
        var tip = three;
        var text = new StringBuilder();
        for (int i = 0; i < 60; i++) {
            text.append("line ").append(i).append(" of a file that grows a little every time\n");
            tip = elsewhere.commit(text.toString(), tip);
        }
        try (var quarantine = repositories.quarantine(from, List.of())) {
            elsewhere.feed(
                    tip + "\n^" + three + "\n",
                    "pack-objects",
                    "--quiet",
                    "--revs",
                    "--no-delta-base-offset",
                    quarantine.packDirectory().resolve("pack").toString());
            quarantine.moveIn();
        }
        sharing.link(from, to, List.of(tip));
        Home.point(to, "main", tip);
        assertEquals("", Home.faults(to));
        assertEquals("63", new GitProgram(to.directory()).run("rev-list", "--count", "main"));
    }

    private static List<Path> packs(RepositoryLease lease) throws IOException {
        var pack = lease.directory().resolve("objects/pack");
        return Listing.of(pack).stream().map(pack::resolve).toList();
    }

    private static SortedMap<String, Object> inodes(RepositoryLease lease) throws IOException {
        var inodes = new TreeMap<String, Object>();
        for (var file : packs(lease)) {
            inodes.put(
                    String.valueOf(file.getFileName()),
                    Files.getAttribute(file, "unix:ino", LinkOption.NOFOLLOW_LINKS));
        }
        return inodes;
    }

    /// A file system without links.
    private static final class Unlinkable extends SteppedDisk {
        @Override
        public void link(Path existing, Path name) throws IOException {
            throw new FileSystemException(name.toString(), existing.toString(), "Invalid cross-device link");
        }
    }
}
