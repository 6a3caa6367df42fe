package dev.grapnel.git.maintenance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.Disk;
import dev.grapnel.git.DyingDisk;
import dev.grapnel.git.repository.Leftovers;
import dev.grapnel.git.repository.RepositoryPlace;
import dev.grapnel.nostr.repository.Oid;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Stops maintenance after each of its steps on the disk: the repository is sound at once, and the next
/// visit finishes.
@NullUnmarked
@Timeout(600)
final class MaintenanceCrashTest {
    private static final Duration GRACE = Duration.ofHours(24);
    private static final int STEPS_MAX = 200;

    @TempDir
    private Path temporary;

    private final Instant start = Instant.now();
    private PushedRepository original;
    private Oid forgotten;
    private Oid remembered;

    @BeforeEach
    void make() throws IOException {
        original = new PushedRepository(temporary, 40, 3);
        original.push(20);
        forgotten = original.pushAside("refs/heads/forgotten", 3, "an idea");
        remembered = original.pushAside("refs/heads/remembered", 5, "another idea");
        original.push(10);
        new FormerTips(Disk.REAL, new ManualTime(start.minus(GRACE.multipliedBy(2))))
                .add(original.directory(), List.of(forgotten));
        new FormerTips(Disk.REAL, new ManualTime(start)).add(original.directory(), List.of(remembered));
        original.deleteRef("refs/heads/forgotten");
        original.deleteRef("refs/heads/remembered");
        original.age(start.minus(GRACE.multipliedBy(3)));
        original.push(1);
    }

    private interface Work {
        RepositoryUpkeep.Report of(RepositoryUpkeep upkeep, RepositoryPlace place)
                throws IOException, InterruptedException;
    }

    private static void work(PushedRepository repository, Disk disk, Instant now, Work work)
            throws IOException, InterruptedException {
        var time = new ManualTime(now);
        var upkeep = new RepositoryUpkeep(
                new Surroundings(disk, _ -> {}, time, System::nanoTime),
                Pace.FREE,
                new UpkeepConfig(GRACE, 1_000_000, 256 << 20),
                new FullRepack.Others(KeepRoots.NONE, new FormerTips(disk, time), Uses.NOBODY));
        for (var removal : work.of(upkeep, repository.place()).removals()) {
            assertTrue(upkeep.remove(removal));
        }
    }

    private boolean crashes(PushedRepository repository, int steps, Work work) throws Exception {
        var disk = new DyingDisk(steps, DyingDisk.Death.WITHIN_THE_STEP);
        try {
            work(repository, disk, start, work);
        } catch (IOException _) {
            assertTrue(disk.isDead());
        }
        return disk.isDead();
    }

    private PushedRepository copy(int number) throws IOException {
        return original.copyTo(temporary.resolve("copy" + number + ".git"));
    }

    @Test
    void repackThatIsCutOffLosesNothingAndIsFinishedLater() throws Exception {
        boolean isCrashed = true;
        for (int steps = 0; isCrashed; steps++) {
            assertTrue(steps < STEPS_MAX);
            var repository = copy(steps);
            isCrashed = crashes(repository, steps, RepositoryUpkeep::repack);
            repository.assertComplete();
            assertTrue(repository.has(remembered), "after " + steps + " steps");
            work(repository, Disk.REAL, start.plus(Duration.ofHours(2)), RepositoryUpkeep::repack);
            repository.assertComplete();
            assertTrue(repository.has(remembered), "after " + steps + " steps");
            assertFalse(repository.has(forgotten), "after " + steps + " steps");
            assertEquals(List.of(), leftovers(repository), "after " + steps + " steps");
            assertEquals(2, repository.packCount(), "after " + steps + " steps");
        }
    }

    @Test
    void mergeThatIsCutOffLosesNothingAndIsFinishedLater() throws Exception {
        boolean isCrashed = true;
        for (int steps = 0; isCrashed; steps++) {
            assertTrue(steps < STEPS_MAX);
            var repository = copy(steps);
            isCrashed = crashes(repository, steps, RepositoryUpkeep::visit);
            repository.assertComplete();
            work(repository, Disk.REAL, start.plus(Duration.ofHours(2)), RepositoryUpkeep::visit);
            repository.assertComplete();
            assertTrue(repository.has(remembered) && repository.has(forgotten), "a merge drops nothing");
            assertEquals(List.of(), leftovers(repository), "after " + steps + " steps");
            assertTrue(isMerged(repository), "after " + steps + " steps");
        }
    }

    private static boolean isMerged(PushedRepository repository) throws IOException {
        var packs = new PackDirectory(Disk.REAL, repository.directory()).list();
        return MergePlan.of(packs.stream().map(StoredPack::size).toList()).isEmpty();
    }

    private List<Path> leftovers(PushedRepository repository) throws IOException {
        return Leftovers.find(repository.directory(), start.plus(Duration.ofDays(2)));
    }
}
