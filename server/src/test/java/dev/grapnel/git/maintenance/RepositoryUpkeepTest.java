package dev.grapnel.git.maintenance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.Disk;
import dev.grapnel.git.GitProgram;
import dev.grapnel.git.repository.GitLibrary;
import dev.grapnel.nostr.repository.Oid;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@NullUnmarked
@Timeout(300)
final class RepositoryUpkeepTest {
    private static final Duration GRACE = Duration.ofHours(24);

    @TempDir
    private Path temporary;

    private final ManualTime time = new ManualTime(Instant.now());
    private final ScriptedUses uses = new ScriptedUses();
    private final List<Oid> keepRoots = new ArrayList<>();
    private final FormerTips formerTips = new FormerTips(Disk.REAL, time);
    private PushedRepository repository;
    private long objectsMin = 50;
    private long heap = 256 << 20;

    @BeforeEach
    void make() throws IOException {
        repository = new PushedRepository(temporary, 60, 2);
    }

    private RepositoryUpkeep upkeep() {
        return new RepositoryUpkeep(
                new Surroundings(Disk.REAL, _ -> {}, time, System::nanoTime),
                Pace.FREE,
                new UpkeepConfig(GRACE, objectsMin, heap),
                new FullRepack.Others(_ -> List.copyOf(keepRoots), formerTips, uses));
    }

    /// Does what is due, and deletes what nobody reads.
    private RepositoryUpkeep.Report visit() throws IOException, InterruptedException {
        return finish(upkeep().visit(repository.place()));
    }

    private RepositoryUpkeep.Report repack() throws IOException, InterruptedException {
        return finish(upkeep().repack(repository.place()));
    }

    private RepositoryUpkeep.Report finish(RepositoryUpkeep.Report report) throws IOException {
        for (var removal : report.removals()) {
            assertTrue(upkeep().remove(removal));
        }
        repository.assertSound();
        return report;
    }

    /// Moves a ref away from a commit, as a push does it.
    private void forget(String ref, Oid tip) throws IOException {
        formerTips.add(repository.directory(), List.of(tip));
        repository.deleteRef(ref);
    }

    private boolean hasBitmapsInUse() throws IOException {
        try (var opened = GitLibrary.open(repository.directory());
                var reader = opened.newObjectReader()) {
            return reader.getBitmapIndex() != null;
        }
    }

    @Test
    void smallRepositoryIsMergedOnly() throws Exception {
        objectsMin = 10_000;
        for (int i = 0; i < 12; i++) {
            repository.push(1);
            visit();
            assertTrue(repository.packCount() <= 5, "packs " + repository.packCount());
        }
        assertFalse(hasBitmapsInUse());
        assertFalse(visit().hasChanged());
    }

    @Test
    void largeRepositoryGetsBitmapsThatAreUsedAndCommitGraph() throws Exception {
        repository.push(30);
        repository.push(5);
        visit();
        assertEquals(1, repository.packCount());
        assertTrue(hasBitmapsInUse());
        new GitProgram(repository.directory()).run("commit-graph", "verify");
        try (var opened = GitLibrary.open(repository.directory())) {
            assertEquals(
                    35,
                    opened.getObjectDatabase().getCommitGraph().orElseThrow().getCommitCnt());
        }
        assertFalse(visit().hasChanged(), "done once, it is done");
    }

    @Test
    void whatWasSentWholeIsCompressedAgainstItsLike() throws Exception {
        repository.pushWhole(60);
        long before = size();
        visit();
        assertTrue(size() < before / 2, size() + " bytes instead of " + before);
    }

    private long size() throws IOException {
        return new PackDirectory(Disk.REAL, repository.directory())
                .list().stream().mapToLong(StoredPack::bytes).sum();
    }

    @Test
    void smallPushAfterwardsLeavesBasePackAlone() throws Exception {
        repository.push(57);
        visit();
        var base = repository.files().stream()
                .filter(file -> file.endsWith(".bitmap"))
                .toList();
        for (int i = 0; i < 2; i++) {
            repository.push(1);
            visit();
        }
        assertEquals(
                base,
                repository.files().stream()
                        .filter(file -> file.endsWith(".bitmap"))
                        .toList());
        assertTrue(repository.packCount() <= 3);
        assertTrue(hasBitmapsInUse());
    }

    @Test
    void repositoryThatGrewByHalfIsRepacked() throws Exception {
        repository.push(10);
        visit();
        repository.push(40);
        visit();
        assertEquals(1, repository.packCount());
        assertTrue(hasBitmapsInUse());
    }

    @Test
    void repackThatNeedsTooMuchMemoryIsLeftOutAndPacksAreMergedAllTheSame() throws Exception {
        heap = 100 * 900; // of 100 objects
        repository.push(50);
        repository.push(1);
        repository.push(1);
        visit();
        assertFalse(hasBitmapsInUse());
        assertEquals(2, repository.packCount());
        repack();
        assertFalse(hasBitmapsInUse());
    }

    @Test
    void forgottenCommitStaysForGracePeriodAndGoesThen() throws Exception {
        repository.push(20);
        var aside = repository.pushAside("refs/heads/topic", 3, "an idea");
        repack();
        forget("refs/heads/topic", aside);
        repack();
        assertTrue(repository.has(aside), "its ref was deleted just now");
        time.advance(GRACE.plusSeconds(1));
        repack();
        assertFalse(repository.has(aside));
        assertFalse(formerTips.hasOlder(repository.directory(), time.instant().minus(GRACE)), "nobody remembers it");
    }

    @Test
    void youngPackStaysWholeAlthoughNothingReachesIt() throws Exception {
        repository.push(20);
        repository.age(time.instant().minus(GRACE.multipliedBy(2)));
        var aside = repository.pushAside("refs/heads/topic", 3, "an idea");
        repository.deleteRef("refs/heads/topic"); // nobody noted it
        repack();
        assertTrue(repository.has(aside), "its pack is young");
        assertEquals(2, repository.packCount());
        time.advance(GRACE.plusMinutes(5));
        repack();
        assertFalse(repository.has(aside));
        assertEquals(1, repository.packCount());
    }

    @Test
    void oldPackStaysIfYoungOneNeedsIt() throws Exception {
        repository.push(20);
        var parent = repository.pushAside("refs/heads/topic", 3, "an idea");
        repository.age(time.instant().minus(GRACE.multipliedBy(2)));
        var child = repository.pushOn("refs/heads/topic", parent, "a better idea");
        repository.deleteRef("refs/heads/topic"); // nobody noted it
        repack();
        assertTrue(repository.has(child), "its pack is young");
        assertTrue(repository.has(parent), "without it the other would be broken");
    }

    @Test
    void whatEventsNameStays() throws Exception {
        repository.push(20);
        var aside = repository.pushAside("refs/heads/topic", 3, "an idea");
        repository.age(time.instant().minus(GRACE.multipliedBy(2)));
        repository.deleteRef("refs/heads/topic");
        keepRoots.add(aside);
        keepRoots.add(new Oid(1, 2, 3)); // of another repository
        repack();
        assertTrue(repository.has(aside));
        assertEquals(2, repository.packCount(), "what is cloned is apart from it");
        keepRoots.clear();
        repack();
        assertFalse(repository.has(aside));
    }

    @Test
    void markedPackIsNeverTouched() throws Exception {
        repository.push(20);
        var marked = repository.files().stream()
                .filter(file -> file.endsWith(".pack"))
                .findFirst()
                .orElseThrow();
        Files.createFile(repository.packs().resolve(marked.replace(".pack", ".keep")));
        repository.push(5);
        repository.age(time.instant().minus(GRACE.multipliedBy(2)));
        repack();
        assertTrue(repository.files().contains(marked));
        assertEquals(2, repository.packCount());
    }

    @Test
    void nothingIsDroppedWhilePushIsInProgress() throws Exception {
        repository.push(20);
        repository.push(20);
        uses.isPushing = true;
        repack();
        assertFalse(hasBitmapsInUse());
        uses.isPushing = false;
        repack();
        assertEquals(1, repository.packCount());
    }

    @Test
    void pushThatComesInBetweenIsKept() throws Exception {
        repository.push(20);
        uses.meanwhile = () -> repository.push(5);
        repack();
        assertEquals(2, repository.packCount());
    }

    @Test
    void refThatComesToNameSomethingForgottenSavesIt() throws Exception {
        repository.push(20);
        var aside = repository.pushAside("refs/heads/topic", 3, "an idea");
        repository.age(time.instant().minus(GRACE.multipliedBy(2)));
        repository.deleteRef("refs/heads/topic");
        uses.meanwhile = () -> repository.setRef("refs/heads/topic", aside.toString());
        repack();
        assertTrue(repository.has(aside));
    }

    @Test
    void filesStayUntilReadsThatBeganBeforeHaveEnded() throws Exception {
        repository.push(30);
        repository.push(20);
        var old = Set.copyOf(repository.files().stream()
                .filter(file -> file.endsWith(".pack"))
                .toList());
        uses.isReading = true;
        var report = upkeep().repack(repository.place());
        assertEquals(1, repository.packCount(), "nobody else sees them");
        assertTrue(repository.files().containsAll(old));
        assertFalse(upkeep().remove(report.removals().getFirst()));
        assertTrue(repository.files().containsAll(old));
        uses.isReading = false;
        finish(report);
        assertEquals(3, repository.files().size());
    }

    @Test
    void nextVisitDoesNotTakeFilesThatAreReadForLeftovers() throws Exception {
        repository.push(30);
        repository.push(20);
        repository.age(time.instant().minus(Duration.ofDays(1)));
        uses.isReading = true;
        var upkeep = upkeep();
        var report = upkeep.repack(repository.place());
        var files = repository.files();
        upkeep.visit(repository.place());
        assertEquals(files, repository.files());
        upkeep.leave(report.removals().getFirst());
        upkeep.visit(repository.place());
        assertEquals(3, repository.files().size(), "nobody is left who would remove them");
    }

    @Test
    void packThatIsPushedAgainBeforeItsFilesWentStays() throws Exception {
        repository.push(30);
        repository.push(20);
        var copy = repository.copyTo(temporary.resolve("copy.git"));
        var report = upkeep().repack(repository.place());
        for (var file : copy.files()) {
            Files.copy(
                    copy.packs().resolve(file), repository.packs().resolve(file), StandardCopyOption.REPLACE_EXISTING);
        }
        finish(report);
        assertEquals(3, repository.packCount());
        assertTrue(repository.files().containsAll(copy.files()));
    }

    @Test
    void filesStayWhileSomebodyPushes() throws Exception {
        repository.push(30);
        repository.push(20);
        var upkeep = upkeep();
        var removal = upkeep.repack(repository.place()).removals().getFirst();
        uses.isPushing = true;
        assertFalse(upkeep.remove(removal));
        assertEquals(5, repository.files().size());
        uses.isPushing = false;
        assertTrue(upkeep.remove(removal));
        assertEquals(3, repository.files().size());
    }

    @Test
    void repositoryWithoutRefsIsLeftAlone() throws Exception {
        repository.push(20);
        repository.age(time.instant().minus(GRACE.multipliedBy(2)));
        var tip = repository.commit(19);
        repository.deleteRef("refs/heads/main");
        upkeep().repack(repository.place());
        assertTrue(repository.has(tip));
    }

    @Test
    void looseObjectsArePackedAndThoseNothingReachesStay() throws Exception {
        repository.push(20);
        repository.age(time.instant().minus(GRACE.multipliedBy(2)));
        repository.unpack();
        var stray = new GitProgram(repository.directory())
                .pipe("stray".getBytes(StandardCharsets.UTF_8), "hash-object", "-w", "--stdin");
        visit();
        assertEquals(1, repository.packCount());
        assertEquals(1, new LooseObjects(Disk.REAL, repository.directory()).count());
        assertTrue(repository.has(
                Oid.parse(new String(stray, StandardCharsets.US_ASCII).strip()).require()));
    }

    @Test
    void indexOverSeveralPacksGoesWithThem() throws Exception {
        repository.push(20);
        repository.push(20);
        new GitProgram(repository.directory()).run("multi-pack-index", "write");
        visit();
        assertEquals(3, repository.files().size());
    }

    @Test
    void failedWorkLeavesNothingBehind() throws Exception {
        repository.push(20);
        repository.push(1);
        repository.push(1);
        var damaged = repository.files().stream()
                .filter(file -> file.endsWith(".pack"))
                .findFirst()
                .orElseThrow();
        var bytes = Files.readAllBytes(repository.packs().resolve(damaged));
        for (int i = 20; i < bytes.length - 20; i++) {
            bytes[i] ^= 1;
        }
        Files.delete(repository.packs().resolve(damaged));
        Files.write(repository.packs().resolve(damaged), bytes);
        var before = repository.files();
        assertThrows(IOException.class, () -> upkeep().repack(repository.place()));
        assertEquals(before, repository.files());
    }

    @Test
    void leftoversAreSwept() throws Exception {
        repository.push(2);
        Files.createFile(repository.packs().resolve(PackDirectory.SCRATCH + "7_pack"));
        Files.createFile(repository.packs().resolve("tmp_pack_abc"));
        visit();
        assertTrue(repository.files().contains("tmp_pack_abc"), "somebody may be writing it");
        assertEquals(3, repository.files().size());
        time.advance(Duration.ofHours(2));
        visit();
        assertEquals(2, repository.files().size());
    }
}
