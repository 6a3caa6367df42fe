package dev.grapnel.git.refs;

import static dev.grapnel.git.refs.RefFixture.added;
import static dev.grapnel.git.refs.RefFixture.branch;
import static dev.grapnel.git.refs.RefFixture.dropped;
import static dev.grapnel.git.refs.RefFixture.moved;
import static dev.grapnel.git.refs.RefFixture.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.Listing;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Refs that other programs write, before and while ours does.
final class ForeignRefsTest {
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
    void whateverGitDoesIsNoticedAtOnce() throws IOException {
        for (int i = 0; i < 10; i++) {
            fixture.git.run("update-ref", "refs/heads/main", fixture.one.toString());
            fixture.assertAgreed(store);
            fixture.git.run("update-ref", "refs/heads/main", fixture.two.toString());
            fixture.assertAgreed(store);
            fixture.git.run("update-ref", "refs/heads/deep/er", fixture.two.toString());
            fixture.assertAgreed(store);
            fixture.git.run("tag", "-f", "-a", "-m", "text", "v1", fixture.two.toString());
            fixture.assertAgreed(store);
            fixture.git.run("pack-refs", "--all", "--prune");
            fixture.assertAgreed(store);
            fixture.git.run("symbolic-ref", "HEAD", "refs/heads/deep/er");
            fixture.assertAgreed(store);
            fixture.git.run("update-ref", "-d", "refs/heads/deep/er");
            fixture.git.run("update-ref", "-d", "refs/heads/main");
            fixture.assertAgreed(store);
        }
    }

    @Test
    void refsInFilesAreTakenOverBeforeTheFirstChange() throws IOException {
        fixture.git.run("update-ref", "refs/heads/main", fixture.one.toString());
        fixture.git.run("update-ref", "refs/heads/a/b", fixture.one.toString());
        fixture.git.run("pack-refs", "--all");
        fixture.git.run("update-ref", "refs/heads/main", fixture.two.toString());
        fixture.git.run("update-ref", "refs/heads/c/d", fixture.two.toString());
        fixture.git.run("update-ref", "refs/tags/v1", fixture.tag.toString());
        fixture.assertAgreed(store);
        fixture.done(
                store, moved("main", fixture.two, fixture.three), dropped("c/d", fixture.two), added("c", fixture.one));
        assertEquals(List.of(), Listing.below(fixture.directory.resolve("refs")));
        assertEquals(List.of("heads", "tags"), Listing.of(fixture.directory.resolve("refs")));
        assertEquals(List.of(), Listing.of(fixture.directory.resolve("refs/heads")));
        assertEquals(fixture.three, store.current().target(branch("main")));
        fixture.assertAgreed(store);
    }

    @Test
    void refWrittenByHandIsNoticed() throws IOException {
        fixture.git.run("update-ref", "refs/heads/main", fixture.one.toString());
        assertEquals(fixture.one, store.current().target(branch("main")));
        Files.writeString(fixture.directory.resolve("refs/heads/main"), fixture.two + "\n");
        assertEquals(fixture.two, store.current().target(branch("main")));
        Files.writeString(fixture.directory.resolve("HEAD"), "ref: refs/heads/next\n");
        assertEquals(branch("next"), store.current().head());
    }

    @Test
    void fileWithoutObjectIdIsIgnoredAndGoesWithTheNextChange() throws IOException {
        fixture.done(store, added("main", fixture.one));
        Files.writeString(fixture.directory.resolve("refs/heads/main"), "");
        Files.writeString(fixture.directory.resolve("refs/heads/odd"), "something\n");
        assertEquals(
                List.of(branch("main")), List.copyOf(store.current().values().keySet()));
        fixture.done(store, moved("main", fixture.one, fixture.two));
        assertEquals(List.of(), Listing.below(fixture.directory.resolve("refs")));
        fixture.assertAgreed(store);
    }

    @Test
    void refThatStandsForAnotherIsIgnoredAndNotOverwritten() throws IOException {
        fixture.done(store, added("main", fixture.one));
        fixture.git.run("symbolic-ref", "refs/heads/alias", "refs/heads/main");
        assertEquals(
                List.of(branch("main")), List.copyOf(store.current().values().keySet()));
        assertEquals(
                new RefOutcome.Unwritable(branch("alias"), "it stands for another ref here"),
                fixture.apply(store, added("alias", fixture.two)));
        fixture.done(store, moved("main", fixture.one, fixture.two));
        assertEquals("refs/heads/main", fixture.git.run("symbolic-ref", "refs/heads/alias"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1111111111111111111111111111111111111111\n", "", "ref: refs/tags/v1\n", "ref: ..\n", "\0"})
    void brokenHeadReadsAsTheDefaultAndCanBeMended(String content) throws IOException {
        Files.writeString(fixture.directory.resolve("HEAD"), content);
        assertEquals(Refs.DEFAULT_BRANCH, store.current().head());
        fixture.done(store, Optional.of(branch("next")), added("next", fixture.one));
        assertEquals("refs/heads/next", fixture.git.run("symbolic-ref", "HEAD"));
    }

    @Test
    void missingHeadReadsAsTheDefault() throws IOException {
        Files.delete(fixture.directory.resolve("HEAD"));
        assertEquals(Refs.DEFAULT_BRANCH, store.current().head());
    }

    @Test
    void oldPackedFilesAreRead() throws IOException {
        Files.writeString(
                fixture.directory.resolve("packed-refs"),
                fixture.tag + " refs/tags/v1\n" + fixture.two + " refs/heads/z\n" + fixture.one + " refs/heads/a\n");
        assertEquals(List.of(branch("a"), branch("z"), name("refs/tags/v1")), names());
        assertEquals(
                Optional.of(fixture.one),
                store.current().find(name("refs/tags/v1")).orElseThrow().peeled());
        Files.writeString(
                fixture.directory.resolve("packed-refs"),
                "# pack-refs with: peeled \n" + fixture.tag + " refs/tags/v1\n^" + fixture.one + "\n" + fixture.tag
                        + " refs/other/v1\n");
        assertEquals(
                Optional.of(fixture.one),
                store.current().find(name("refs/other/v1")).orElseThrow().peeled());
        fixture.assertAgreed(store);
    }

    @Test
    void commentsArePassedOver() throws IOException {
        Files.writeString(
                fixture.directory.resolve("packed-refs"),
                "# pack-refs with: peeled fully-peeled \n# a comment\n" + fixture.one + " refs/heads/a\n#\n");
        assertEquals(List.of(branch("a")), names());
    }

    @Test
    void namesThatCannotBeKeptAreLeftOut() throws IOException {
        Files.writeString(
                fixture.directory.resolve("packed-refs"),
                fixture.one + " refs/heads/HEAD\n" + fixture.tag + " refs/tags/" + "t".repeat(600) + "\n^" + fixture.one
                        + "\n" + fixture.one + " refs/heads/a\n");
        assertEquals(List.of(branch("a")), names());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ONE refs/heads/main\r\n",
                "ONE refs/heads/main",
                "\n",
                "ONE\n",
                "ONE \n",
                "ONE\trefs/heads/main\n",
                "ONE refs/heads/ma in\n",
                "ONE1 refs/heads/main\n",
                "^ONE\n ",
                "ONE refs/heads/main\n^ONE x\n",
                "ONE refs/heads/main\n^ONE\n^ONE\n",
                "ONE refs/heads/main\nONE refs/heads/main\n",
                "<<<<<<< HEAD\n",
                "short refs/heads/main\n",
                "\0\0\0\0\n"
            })
    void damagedPackedFileIsRefusedWithTheLine(String content) throws IOException {
        fixture.done(store, added("before", fixture.one));
        var text = "# pack-refs with: peeled fully-peeled sorted \n" + content.replace("ONE", fixture.one.toString());
        Files.writeString(fixture.directory.resolve("packed-refs"), text);
        var e = assertThrows(IOException.class, store::current);
        assertTrue(
                String.valueOf(e.getMessage()).matches("(?s).*packed-refs cannot be read, line [234]: .*"),
                e.getMessage());
        assertThrows(IOException.class, () -> fixture.apply(store, added("main", fixture.one)));
        assertEquals(text, Files.readString(fixture.directory.resolve("packed-refs")));
        assertTrue(Files.notExists(fixture.directory.resolve("packed-refs.lock")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"packed-refs", "HEAD"})
    void fileThatAnotherGitHoldsIsWaitedForButNotForever(String file) throws Exception {
        var lock = fixture.directory.resolve(file + ".lock");
        Files.createFile(lock);
        var e = assertThrows(
                IOException.class, () -> fixture.apply(store, Optional.of(branch("x")), added("x", fixture.one)));
        assertTrue(String.valueOf(e.getMessage()).contains("another git program holds"), e.getMessage());
        assertTrue(String.valueOf(e.getMessage()).contains(file), e.getMessage());
        assertTrue(store.current().isEmpty());
        assertTrue(Files.exists(lock));
        var remover = Thread.ofPlatform().start(() -> {
            try {
                Files.delete(lock);
            } catch (IOException failure) {
                throw new IllegalStateException(failure);
            }
        });
        fixture.done(fixture.patientStore(), Optional.of(branch("x")), added("x", fixture.one));
        remover.join();
        fixture.assertAgreed(store);
    }

    @Test
    void changesOfOursAndOfGitAlternate() throws IOException {
        var last = Oid.ZERO;
        var next = List.of(fixture.one, fixture.two, fixture.three);
        for (int i = 0; i < 30; i++) {
            var target = next.get(i % 3);
            if (i % 2 == 0) {
                fixture.done(store, new RefChange(branch("main"), last, target));
            } else {
                fixture.git.run("update-ref", "refs/heads/main", target.toString(), last.toString());
            }
            last = target;
            assertEquals(last, store.current().target(branch("main")));
        }
        fixture.assertAgreed(store);
    }

    private List<RefName> names() throws IOException {
        return List.copyOf(store.current().values().keySet());
    }
}
