package dev.grapnel.git.refs;

import static dev.grapnel.git.refs.RefFixture.added;
import static dev.grapnel.git.refs.RefFixture.branch;
import static dev.grapnel.git.refs.RefFixture.dropped;
import static dev.grapnel.git.refs.RefFixture.moved;
import static dev.grapnel.git.refs.RefFixture.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.Disk;
import dev.grapnel.git.Listing;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Changes, and what everybody sees afterwards.
final class RefStoreTest {
    @TempDir
    Path directory;

    private RefFixture fixture;
    private RefStore store;

    @BeforeEach
    void makeRepository() throws IOException {
        fixture = new RefFixture(directory.resolve("it.git"));
        store = fixture.store();
    }

    @Test
    void emptyRepositoryHasNoRefsButHead() throws IOException {
        assertTrue(store.current().isEmpty());
        assertEquals(Refs.DEFAULT_BRANCH, store.current().head());
        fixture.assertAgreed(store);
    }

    @Test
    void createsMovesDeletesAndHeadAreOneChange() throws IOException {
        fixture.done(store, added("main", fixture.one), added("old", fixture.one));
        var now = fixture.done(
                store,
                Optional.of(branch("new")),
                moved("main", fixture.one, fixture.two),
                dropped("old", fixture.one),
                added("new", fixture.three),
                new RefChange(name("refs/tags/v1"), Oid.ZERO, fixture.tag));
        assertEquals(fixture.two, now.target(branch("main")));
        assertEquals(Oid.ZERO, now.target(branch("old")));
        assertEquals(branch("new"), now.head());
        assertEquals(
                Optional.of(fixture.one),
                now.find(name("refs/tags/v1")).orElseThrow().peeled());
        assertSame(now, store.current());
        fixture.assertAgreed(store);
    }

    @Test
    void everythingIsInOneFileAndNothingIsLeftBehind() throws IOException {
        var before = Listing.of(fixture.directory);
        fixture.done(store, Optional.of(branch("b/c")), added("b/c", fixture.one), added("a", fixture.two));
        assertEquals(List.of(), Listing.below(fixture.directory.resolve("refs")));
        var after = new TreeSet<>(before);
        after.add("packed-refs");
        assertEquals(List.copyOf(after), Listing.of(fixture.directory));
        assertEquals(
                "# pack-refs with: peeled fully-peeled sorted \n" + fixture.two + " refs/heads/a\n" + fixture.one
                        + " refs/heads/b/c\n",
                Files.readString(fixture.directory.resolve("packed-refs")));
    }

    @Test
    void refThatMovedMeanwhileStopsTheWholeChange() throws IOException {
        fixture.done(store, added("main", fixture.two));
        assertEquals(
                new RefOutcome.Moved(branch("main"), fixture.two),
                fixture.apply(store, added("other", fixture.one), moved("main", fixture.one, fixture.three)));
        assertEquals(
                new RefOutcome.Moved(branch("main"), fixture.two), fixture.apply(store, added("main", fixture.three)));
        assertEquals(
                new RefOutcome.Moved(branch("gone"), Oid.ZERO), fixture.apply(store, dropped("gone", fixture.one)));
        assertEquals(1, store.current().values().size());
        fixture.assertAgreed(store);
    }

    @Test
    void changeThatChangesNothingWritesNothing() throws IOException {
        fixture.done(store, added("main", fixture.two));
        var before = store.current();
        var written = Files.getLastModifiedTime(fixture.directory.resolve("packed-refs"));
        var now = fixture.done(
                store,
                Optional.of(branch("main")),
                moved("main", fixture.two, fixture.two),
                dropped("nothing", Oid.ZERO));
        assertSame(before, now);
        assertSame(before, store.current());
        assertEquals(written, Files.getLastModifiedTime(fixture.directory.resolve("packed-refs")));
    }

    @Test
    void oneRefCannotChangeTwice() {
        assertThrows(
                IllegalArgumentException.class,
                () -> fixture.apply(store, added("main", fixture.one), added("main", fixture.two)));
    }

    @Test
    void fileBecomesDirectoryAndBackInAnyOrder() throws IOException {
        fixture.done(store, added("a", fixture.one));
        fixture.done(store, added("a/b", fixture.two), dropped("a", fixture.one));
        fixture.assertAgreed(store);
        fixture.done(store, dropped("a/b", fixture.two), added("a", fixture.three));
        fixture.assertAgreed(store);
        fixture.done(store, dropped("a", fixture.three), added("a/b/c", fixture.one), added("a/b/d", fixture.one));
        fixture.done(store, added("a/b", fixture.one), dropped("a/b/d", fixture.one), dropped("a/b/c", fixture.one));
        fixture.assertAgreed(store);
        assertEquals(
                List.of(branch("a/b")), List.copyOf(store.current().values().keySet()));
    }

    @Test
    void namesOneBelowTheOtherClash() throws IOException {
        assertEquals(
                new RefOutcome.Clash(branch("a"), branch("a/b")),
                fixture.apply(store, added("a", fixture.one), added("a/b", fixture.one)));
        fixture.done(store, added("a", fixture.one), added("a-", fixture.one), added("a.b", fixture.one));
        assertEquals(
                new RefOutcome.Clash(branch("a/b/c"), branch("a")), fixture.apply(store, added("a/b/c", fixture.one)));
        fixture.done(store, added("x/y/z", fixture.one), added("x!", fixture.one), added("x-y", fixture.one));
        assertEquals(new RefOutcome.Clash(branch("x"), branch("x/y/z")), fixture.apply(store, added("x", fixture.one)));
        assertEquals(
                new RefOutcome.Clash(name("refs/heads"), branch("a")),
                fixture.apply(store, new RefChange(name("refs/heads"), Oid.ZERO, fixture.one)));
        fixture.assertAgreed(store);
    }

    @Test
    void namesThatNoFileCanHaveAreRefused() throws IOException {
        var longest = "p".repeat(250);
        fixture.done(
                store, added(longest, fixture.one), added("é".repeat(125) + "/" + longest.substring(100), fixture.one));
        fixture.assertAgreed(store);
        for (var tooLong : List.of("p".repeat(251), "é".repeat(125) + "x/y", "y/" + "p".repeat(251))) {
            var outcome = fixture.apply(store, added("fine", fixture.one), added(tooLong, fixture.one));
            assertEquals(
                    new RefOutcome.Unwritable(
                            branch(tooLong),
                            "a part between slashes has more than 250 bytes, so no file can be called that"),
                    outcome);
        }
        assertEquals(2, store.current().values().size());
    }

    @Test
    void longestNameIsKept() throws IOException {
        var part = "/" + "n".repeat(100);
        var longest = "refs/heads" + part.repeat(4);
        longest += "/" + "m".repeat(RefName.BYTES_MAX - longest.length() - 1);
        fixture.done(store, new RefChange(name(longest), Oid.ZERO, fixture.one));
        assertEquals(fixture.one, store.current().target(name(longest)));
        fixture.assertAgreed(store);
    }

    @Test
    void namesMayHoldWhateverGitAllows() throws IOException {
        fixture.done(
                store,
                Optional.of(branch("💥/100%")),
                added("💥/100%", fixture.one),
                added("Main", fixture.one),
                added("main", fixture.two),
                added("e\u0301", fixture.one),
                added("\u00e9", fixture.two),
                added("-x", fixture.one),
                added("con", fixture.one),
                added("a\"b'$(c)", fixture.one),
                added("\uffff", fixture.one));
        fixture.assertAgreed(store);
    }

    @Test
    void headNamesOnlyBranchesAndRefsLieBelowRefs() throws IOException {
        assertEquals(
                new RefOutcome.Unwritable(name("refs/tags/v1"), "HEAD can only name a branch"),
                fixture.apply(store, Optional.of(name("refs/tags/v1")), added("main", fixture.one)));
        assertEquals(
                new RefOutcome.Unwritable(name("up/main"), "refs have names that begin with refs/"),
                fixture.apply(store, new RefChange(name("up/main"), Oid.ZERO, fixture.one)));
        assertTrue(store.current().isEmpty());
    }

    @Test
    void headMayNameBranchThatIsNotThere() throws IOException {
        var now = fixture.done(store, Optional.of(branch("unborn")));
        assertEquals(branch("unborn"), now.head());
        assertEquals(branch("unborn"), fixture.store().current().head());
        assertTrue(Files.notExists(fixture.directory.resolve("packed-refs")));
    }

    @Test
    void pictureIsTheSameUntilSomethingChanges() throws IOException {
        fixture.done(store, added("main", fixture.one));
        var before = store.current();
        for (int i = 0; i < 100; i++) {
            assertSame(before, store.current());
        }
        fixture.git.run("update-ref", "refs/heads/main", fixture.two.toString());
        assertNotSame(before, store.current());
        assertEquals(fixture.two, store.current().target(branch("main")));
    }

    @Test
    void vanishedRepositoryIsSaidToBeGone() throws IOException {
        var gone = new RefStore(directory.resolve("gone.git"), Disk.REAL, fixture::peel, InstantSource.system());
        var e = assertThrows(IOException.class, gone::current);
        assertTrue(String.valueOf(e.getMessage()).contains("the repository is gone"), e.getMessage());
    }
}
