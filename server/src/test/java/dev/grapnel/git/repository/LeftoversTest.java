package dev.grapnel.git.repository;

import static dev.grapnel.git.repository.Home.ALICE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.DyingDisk;
import dev.grapnel.git.GitIds;
import dev.grapnel.git.GitProgram;
import dev.grapnel.git.Listing;
import dev.grapnel.git.SteppedDisk;
import dev.grapnel.nostr.repository.Oid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.lib.ObjectId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What a killed process leaves behind is gone after the next start, and nobody else starts meanwhile.
final class LeftoversTest {
    private static final int STEPS_MAX = 100;

    @TempDir
    Path directory;

    private Path data;
    private GitProgram elsewhere;

    @BeforeEach
    void prepare() throws IOException {
        data = directory.resolve("git");
        elsewhere = new GitProgram(Files.createDirectory(directory.resolve("elsewhere")));
        elsewhere.run("init", "--bare", "--quiet", ".");
    }

    @Test
    void locksAndUnfinishedFilesAreSwept() throws IOException {
        Path place;
        try (var repositories = Home.open(data);
                var lease = repositories.create(Home.of(ALICE, "tool"))) {
            place = lease.directory();
        }
        var before = Listing.below(data);
        Files.createDirectory(place.resolve("refs/heads/deep"));
        for (var leftover : List.of(
                "packed-refs.lock",
                "HEAD.lock",
                "config.lock",
                "tmp_config",
                "refs/heads/main.lock",
                "refs/heads/deep/er.lock",
                "objects/info/commit-graph.lock",
                "objects/pack/tmp_pack_x1",
                "objects/pack/tmp_idx_x1")) {
            Files.createFile(place.resolve(leftover));
        }
        for (var area : List.of("quarantine", "making", "doomed")) {
            Files.createDirectories(data.resolve(".grapnel").resolve(area).resolve("7/pack"));
            Files.createFile(data.resolve(".grapnel").resolve(area).resolve("7/pack/tmp_1"));
        }
        Files.createDirectories(data.resolve(".grapnel/staging/kept"));
        try (var repositories = Home.open(data);
                var lease = repositories.find(Home.of(ALICE, "tool")).orElseThrow()) {
            assertEquals(place, lease.directory());
        }
        assertEquals(before, Listing.below(data));
        assertTrue(Files.exists(data.resolve(".grapnel/staging/kept")));
    }

    @Test
    void whatIsBeingWrittenNowStaysWhenARepositoryIsOpenedAgain() throws IOException {
        var address = Home.of(ALICE, "tool");
        try (var repositories = Home.open(data);
                var lease = repositories.create(address)) {
            var lock = lease.directory().resolve("packed-refs.lock");
            var linked = lease.directory().resolve("objects/pack/tmp_pack_x1");
            var old = Files.createFile(directory.resolve("old"));
            Files.setLastModifiedTime(old, FileTime.fromMillis(1));
            awaitTickAfter(data.resolve(".grapnel/lock"));
            Files.createFile(lock);
            Files.createLink(linked, old);
            repositories.reopen(address);
            repositories.find(address).orElseThrow().close();
            assertTrue(Files.exists(lock));
            assertTrue(Files.exists(linked), "linking an old pack is new work");
        }
    }

    private void awaitTickAfter(Path file) throws IOException {
        var probe = directory.resolve("probe");
        do {
            Files.writeString(probe, "x");
        } while (Files.getLastModifiedTime(probe).compareTo(Files.getLastModifiedTime(file)) <= 0);
    }

    @ParameterizedTest
    @EnumSource
    void repositoryIsNeverHalfMade(DyingDisk.Death death) throws IOException {
        var address = Home.of(ALICE, "tool");
        int step = 0;
        for (boolean dead = true; dead && step < STEPS_MAX; step++) {
            var disk = new DyingDisk(step, death);
            try (var repositories = Home.open(data, disk)) {
                repositories.create(address).close();
            } catch (IOException _) {
                assertTrue(disk.isDead());
            }
            dead = disk.isDead();
            try (var repositories = Home.open(data)) {
                var found = repositories.find(address);
                if (found.isPresent()) {
                    assertEquals("", Home.faults(found.get()));
                    found.get().close();
                    repositories.remove(address);
                }
                assertEquals(List.of(), repositories.list());
            }
        }
        assertTrue(step > 5 && step < STEPS_MAX);
        assertEquals(List.of(".grapnel/lock"), Listing.below(data));
    }

    @ParameterizedTest
    @EnumSource
    void packIsMovedInWholeOrNotAtAll(DyingDisk.Death death) throws IOException {
        var address = Home.of(ALICE, "tool");
        var commit = elsewhere.commit("hello");
        int step = 0;
        for (boolean dead = true; dead && step < STEPS_MAX; step++) {
            try (var repositories = Home.open(data)) {
                repositories.create(address).close();
            }
            var disk = new DyingDisk(step, death);
            dead = !isReceived(disk, commit);
            try (var repositories = Home.open(data);
                    var lease = repositories.find(address).orElseThrow()) {
                var packs = Listing.of(lease.directory().resolve("objects/pack"));
                assertEquals(Home.has(lease, commit) ? 2 : 0, packs.size(), packs.toString());
                assertEquals("", Home.faults(lease));
                assertEquals(List.of(), Listing.of(data.resolve(".grapnel/quarantine")));
                Home.receive(repositories, lease, elsewhere, commit);
                Home.point(lease, "main", commit);
                assertEquals("", Home.faults(lease));
                repositories.remove(address);
            }
        }
        assertTrue(step > 3 && step < STEPS_MAX);
    }

    @ParameterizedTest
    @EnumSource
    void packsThatRestOnEachOtherAreMovedInTogether(DyingDisk.Death death) throws IOException {
        var address = Home.of(ALICE, "tool");
        var commit = elsewhere.commit("hello");
        var next = elsewhere.commit("next", commit);
        int step = 0;
        for (boolean dead = true; dead && step < STEPS_MAX; step++) {
            try (var repositories = Home.open(data)) {
                repositories.create(address).close();
            }
            dead = !isReceived(new DyingDisk(step, death), commit, next);
            try (var repositories = Home.open(data);
                    var lease = repositories.find(address).orElseThrow()) {
                assertEquals(Home.has(lease, commit), Home.has(lease, next), "step " + step);
                var packs = Listing.of(lease.directory().resolve("objects/pack"));
                assertEquals(Home.has(lease, commit) ? 4 : 0, packs.size(), packs.toString());
                assertEquals(List.of(), Listing.of(data.resolve(".grapnel/quarantine")));
                repositories.remove(address);
            }
        }
        assertTrue(step > 5 && step < STEPS_MAX);
    }

    @Test
    void failureBetweenTwoPacksTakesTheFirstBack() throws IOException {
        var commit = elsewhere.commit("hello");
        var next = elsewhere.commit("next", commit);
        try (var repositories = Home.open(data, new FullPackDirectory());
                var lease = repositories.create(Home.of(ALICE, "tool"));
                var quarantine = repositories.quarantine(lease, List.of())) {
            Home.pack(elsewhere, quarantine.packDirectory(), commit);
            Home.pack(elsewhere, quarantine.packDirectory(), next, commit);
            assertThrows(IOException.class, quarantine::moveIn);
            assertFalse(Home.has(lease, commit));
            assertFalse(Home.has(lease, next));
        }
        assertEquals(List.of(), Listing.of(data.resolve(".grapnel/quarantine")));
    }

    /// Takes one index and no second.
    private static final class FullPackDirectory extends SteppedDisk {
        private int indexes;

        @Override
        public void rename(Path from, Path to) throws IOException {
            if (to.toString().contains("objects/pack/") && to.toString().endsWith(".idx") && ++indexes == 2) {
                throw new IOException("No space left on device");
            }
            super.rename(from, to);
        }
    }

    /// A process that dies does not tidy up, so what closing a quarantine would delete is put back.
    private boolean isReceived(DyingDisk disk, Oid... commits) throws IOException {
        var saved = directory.resolve("saved");
        try (var repositories = Home.open(data, disk);
                var lease = repositories.find(Home.of(ALICE, "tool")).orElseThrow()) {
            try (var quarantine = repositories.quarantine(lease, List.of())) {
                for (int i = 0; i < commits.length; i++) {
                    var except = i == 0 ? new Oid[0] : new Oid[] {commits[i - 1]};
                    Home.pack(elsewhere, quarantine.packDirectory(), commits[i], except);
                }
                try {
                    quarantine.moveIn();
                    return true;
                } catch (IOException _) {
                    Files.move(data.resolve(".grapnel/quarantine/1"), saved);
                }
            }
            Files.move(saved, data.resolve(".grapnel/quarantine/1"));
            return false;
        }
    }

    @Test
    void interruptedTrashingLeavesTheRepositorySomewhere() throws IOException {
        var address = Home.of(ALICE, "tool");
        for (var death : DyingDisk.Death.values()) {
            int step = 0;
            for (boolean dead = true; dead && step < STEPS_MAX; step++) {
                try (var repositories = Home.open(data)) {
                    repositories.create(address).close();
                }
                var disk = new DyingDisk(step, death);
                try (var repositories = Home.open(data, disk)) {
                    assertTrue(repositories.trash(address).isPresent());
                } catch (IOException _) {
                    assertTrue(disk.isDead());
                }
                dead = disk.isDead();
                try (var repositories = Home.open(data)) {
                    for (var trashed : repositories.listTrash()) {
                        assertEquals(Restoration.DONE, repositories.restore(trashed));
                    }
                    assertTrue(repositories.remove(address));
                }
            }
            assertTrue(step < STEPS_MAX);
        }
    }

    @Test
    void packsOfOthersWithoutIndexAreLeftAlone() throws IOException {
        Path orphan;
        try (var repositories = Home.open(data);
                var lease = repositories.create(Home.of(ALICE, "tool"))) {
            orphan = Files.createFile(lease.directory().resolve("objects/pack/pack-" + "1".repeat(40) + ".pack"));
        }
        Home.open(data).close();
        assertTrue(Files.exists(orphan));
    }

    @Test
    void secondPartOfThisProcessIsRefused() throws IOException {
        try (var _ = Home.open(data)) {
            var e = assertThrows(IOException.class, () -> Home.open(data));
            assertEquals(
                    "the git data in " + data + " is in use by this process already; stop that first", e.getMessage());
        }
        Home.open(data).close();
    }

    @Test
    void secondProcessIsRefusedWithSentence() throws Exception {
        try (var _ = Home.open(data)) {
            assertEquals(
                    "the git data in " + data + " is in use by process "
                            + ProcessHandle.current().pid() + "; stop that first",
                    openElsewhere());
        }
        assertEquals("opened", openElsewhere());
    }

    private String openElsewhere() throws Exception {
        var said = directory.resolve("said");
        var process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-classpath",
                        System.getProperty("java.class.path"),
                        SecondProcess.class.getName(),
                        data.toString(),
                        said.toString())
                .inheritIO()
                .start();
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        return Files.readString(said);
    }

    @Test
    void quarantineThatIsNotMovedInLeavesNothing() throws IOException {
        var commit = elsewhere.commit("hello");
        try (var repositories = Home.open(data);
                var lease = repositories.create(Home.of(ALICE, "tool"));
                var other = repositories.create(Home.of(ALICE, "other"))) {
            Home.receive(repositories, other, elsewhere, commit);
            var next = elsewhere.commit("next", commit);
            var before = Listing.below(data);
            try (var quarantine = repositories.quarantine(lease, List.of(other))) {
                Home.pack(elsewhere, quarantine.packDirectory(), next, commit);
                try (var here = quarantine.here();
                        var all = quarantine.all();
                        var again = all.newReader()) {
                    assertTrue(here.has(GitIds.of(commit)));
                    assertFalse(here.has(GitIds.of(next)));
                    assertTrue(all.has(GitIds.of(commit)));
                    assertTrue(again.has(GitIds.of(next)));
                    assertEquals(1, all.open(GitIds.of(next)).getType());
                    assertThrows(MissingObjectException.class, () -> all.open(ObjectId.fromString("1".repeat(40))));
                }
            }
            assertEquals(before, Listing.below(data));
        }
    }
}
