package dev.grapnel.git.maintenance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.git.Disk;
import dev.grapnel.nostr.repository.Oid;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Pushes, forced pushes, deletions, time and maintenance in any order: git finds no fault after any step,
/// and nothing goes that a ref named within the grace period. Files have the time of the machine, which
/// looks ever older here, so that it is not the youth of packs that keeps them.
@NullUnmarked
@Timeout(300)
final class RandomLifeTest {
    private static final Duration GRACE = Duration.ofHours(24);
    private static final int STEPS = 30;

    @TempDir
    private Path temporary;

    private final ManualTime time = new ManualTime(Instant.now());
    private final FormerTips formerTips = new FormerTips(Disk.REAL, time);

    /// Branches and what they name.
    private final Map<String, Oid> branches = new TreeMap<>();

    /// What a ref named last, and until when.
    private final Map<Oid, Instant> former = new TreeMap<>();

    private PushedRepository repository;
    private RepositoryUpkeep upkeep;
    private Random random;
    private int pushes;

    private void open(long seed) throws IOException {
        random = new Random(seed);
        repository = new PushedRepository(temporary, 200, seed);
        repository.push(20);
        upkeep = new RepositoryUpkeep(
                new Surroundings(Disk.REAL, _ -> {}, time, System::nanoTime),
                Pace.FREE,
                new UpkeepConfig(GRACE, 100, 256 << 20),
                new FullRepack.Others(KeepRoots.NONE, formerTips, Uses.NOBODY));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void nothingThatIsNeededIsEverLost(long seed) throws Exception {
        open(seed);
        for (int step = 0; step < STEPS; step++) {
            var what = takeStep();
            var told = "seed " + seed + ", step " + step + ": " + what;
            repository.assertComplete();
            assertEquals(List.of(), missing(), told);
        }
        time.advance(GRACE.plusSeconds(1));
        finish(upkeep.repack(repository.place()));
        finish(upkeep.repack(repository.place())); // what was too young the first time has no youth left
        repository.assertSound();
        assertEquals(repository.reachable().size(), objects(), "seed " + seed + ": nothing else is left");
        assertEquals(Set.of(), formerTips.read(repository.directory(), Instant.EPOCH), "seed " + seed);
    }

    private String takeStep() throws IOException, InterruptedException {
        return switch (random.nextInt(10)) {
            case 0, 1 -> {
                repository.push(random.nextInt(1, 4));
                yield "push";
            }
            case 2, 3, 4 -> pushBranch();
            case 5 -> deleteBranch();
            case 6 -> {
                time.advance(Duration.ofHours(random.nextInt(1, 30)));
                yield "time";
            }
            case 7 -> {
                finish(upkeep.repack(repository.place()));
                yield "repack";
            }
            default -> {
                finish(upkeep.visit(repository.place()));
                yield "visit";
            }
        };
    }

    private String pushBranch() throws IOException {
        var name = "refs/heads/b" + random.nextInt(4);
        var before = branches.get(name);
        boolean isForced = before == null || random.nextBoolean();
        var parent = isForced ? repository.commit(random.nextInt(repository.pushed())) : before;
        forget(before);
        branches.put(name, repository.pushOn(name, parent, "push " + pushes++));
        return "push " + name + (isForced ? " anew" : "");
    }

    private String deleteBranch() throws IOException {
        var name = "refs/heads/b" + random.nextInt(4);
        forget(branches.remove(name));
        repository.deleteRef(name);
        return "delete " + name;
    }

    private void forget(Oid tip) throws IOException {
        if (tip != null) {
            formerTips.add(repository.directory(), List.of(tip));
            former.put(tip, time.instant());
        }
    }

    private void finish(RepositoryUpkeep.Report report) throws IOException {
        for (var removal : report.removals()) {
            upkeep.remove(removal);
        }
    }

    private List<Oid> missing() {
        var needed = new ArrayList<>(branches.values());
        former.entrySet().stream()
                .filter(tip -> !tip.getValue().isBefore(time.instant().minus(GRACE)))
                .forEach(tip -> needed.add(tip.getKey()));
        return needed.stream().filter(tip -> !repository.has(tip)).toList();
    }

    private long objects() throws IOException {
        long count = 0;
        for (var pack : new PackDirectory(Disk.REAL, repository.directory()).list()) {
            try (var index = IndexFile.open(repository.packs().resolve(pack.name() + ".idx"))) {
                count += index.count();
            }
        }
        return count;
    }
}
