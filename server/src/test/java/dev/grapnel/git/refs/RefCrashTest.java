package dev.grapnel.git.refs;

import static dev.grapnel.git.refs.RefFixture.added;
import static dev.grapnel.git.refs.RefFixture.branch;
import static dev.grapnel.git.refs.RefFixture.dropped;
import static dev.grapnel.git.refs.RefFixture.moved;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.DyingDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A process that dies at any step of a change leaves all refs as they were, or all as they shall be.
final class RefCrashTest {
    private static final int STEPS_MAX = 100;

    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource
    void changeIsWholeOrNotAtAll(DyingDisk.Death death) throws IOException {
        assertTrue(countSteps(death, false) >= 5);
    }

    @ParameterizedTest
    @EnumSource
    void refsInFilesAreNeverMixedWithTheChange(DyingDisk.Death death) throws IOException {
        assertTrue(countSteps(death, true) >= 15);
    }

    /// Dies at each step in turn, until one run has none left to die at.
    private int countSteps(DyingDisk.Death death, boolean files) throws IOException {
        var original = new RefFixture(directory.resolve("original"));
        prepare(original, files);
        var before = original.seenByGit();
        for (int step = 0; step < STEPS_MAX; step++) {
            var fixture = original.copyTo(directory.resolve("step-" + step));
            var after = expected(fixture);
            var disk = new DyingDisk(step, death);
            if (!dies(fixture, disk)) {
                assertEquals(after, fixture.seenByGit());
                return step;
            }
            var seen = fixture.seenByGit();
            assertTrue(seen.equals(before) || seen.equals(after), () -> "mixture: " + seen);
            var found = fixture.store().current();
            assertEquals(seen, RefFixture.text(found));
            assertRepairable(fixture, after);
        }
        throw new AssertionError("no end");
    }

    private static void prepare(RefFixture fixture, boolean files) throws IOException {
        fixture.done(fixture.store(), added("main", fixture.one), added("old", fixture.one), added("x/y", fixture.one));
        if (files) {
            fixture.git.run("update-ref", "refs/heads/main", fixture.three.toString());
            fixture.git.run("update-ref", "refs/heads/main", fixture.one.toString());
            fixture.git.run("update-ref", "refs/heads/x/y", fixture.two.toString());
            fixture.git.run("update-ref", "refs/heads/x/y", fixture.one.toString());
            fixture.git.run("update-ref", "refs/heads/old", fixture.one.toString());
        }
    }

    private static boolean dies(RefFixture fixture, DyingDisk disk) {
        try {
            change(fixture, fixture.store(disk));
            return disk.isDead(); // perhaps while it tidied up
        } catch (IOException _) {
            assertTrue(disk.isDead());
            return true;
        }
    }

    private static void change(RefFixture fixture, RefStore store) throws IOException {
        fixture.done(
                store,
                Optional.of(branch("x")),
                moved("main", fixture.one, fixture.two),
                dropped("old", fixture.one),
                dropped("x/y", fixture.one),
                added("x", fixture.three));
    }

    private static String expected(RefFixture fixture) {
        return fixture.two + " refs/heads/main \n" + fixture.three + " refs/heads/x";
    }

    /// Once the locks are gone, the same can be done again, or is done.
    private static void assertRepairable(RefFixture fixture, String after) throws IOException {
        removeLocks(fixture.directory);
        var store = fixture.store();
        if (store.current().target(branch("x")).isZero()) {
            change(fixture, store);
        } else {
            fixture.done(store, Optional.of(branch("x")));
        }
        fixture.assertAgreed(store);
        assertEquals(after, RefFixture.text(store.current()));
    }

    private static void removeLocks(Path directory) throws IOException {
        try (var files = Files.walk(directory)) {
            for (var file :
                    files.filter(file -> file.toString().endsWith(".lock")).toList()) {
                Files.delete(file);
            }
        }
    }
}
