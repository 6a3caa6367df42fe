package dev.grapnel.sync.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.store.Lineage;
import dev.grapnel.sync.world.ScriptedArchive;
import dev.grapnel.sync.world.ScriptedPurgatory;
import dev.grapnel.sync.world.VirtualScheduler;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What one process leaves the next uses if it is what the store says, and only then (R1.11, R8.5).
final class KeptTablesTest {
    private static final RepositoryAddress A = Samples.repo(1, "a");
    private static final RepositoryAddress B = Samples.repo(2, "b: of colons");
    private static final String WIKI = "30023:" + "0".repeat(64) + ":wiki";
    private static final Duration WINDOW = FeedTimes.DEFAULTS.window();

    @TempDir
    private Path directory;

    private final VirtualScheduler loop = new VirtualScheduler(Instant.EPOCH);
    private final ScriptedArchive archive = new ScriptedArchive(loop);
    private final ScriptedFiles files = new ScriptedFiles(loop);
    private final Deque<Long> ends = new ArrayDeque<>();
    private final ScriptedPurgatory purgatory = new ScriptedPurgatory();
    private IndexLimits limits = IndexLimits.DEFAULTS;
    private Life life;

    /// One process.
    private final class Life {
        private final WantedIndex index;
        private final SelfFeed feed;
        private final RecordedChanges told = new RecordedChanges();

        Life(Random random) {
            try {
                index = new WantedIndex(limits, new MappedTables(directory), archive, random);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
            feed = new SelfFeed(loop, archive, purgatory, index, FeedTimes.DEFAULTS, told, files);
        }
    }

    @BeforeEach
    void begin() {
        archive.lineage = new Lineage(0, 1);
        archive.serve(Samples.announced(A, 1), Samples.announced(B, 1, 2));
        archive.serve(Samples.root(10, A), Samples.root(11, A, B), Samples.root(12, B));
        archive.serve(Samples.root(15, A), Samples.root(16, B));
        archive.serve(Samples.member(20, 1, 10), Samples.member(21, 2, 20), Samples.member(22, 3, 11));
        archive.serve(Samples.addressed(23, WIKI, 12), Samples.toAddress(24, WIKI));
        archive.state(A, A.owner(), true);
        life = new Life(new Random(1));
        startAndSettle();
    }

    @AfterEach
    void end() {
        life.feed.stop();
        loop.settle();
        life.index.close();
    }

    private void startAndSettle() {
        archive.scans = 0;
        archive.tagged = 0;
        life.feed.start();
        settle();
        assertEquals(1, life.told.ready);
    }

    private void settle() {
        for (int n = 0; n < 12; n++) {
            loop.runFor(WINDOW);
        }
    }

    private void stop() {
        life.feed.stop();
        loop.settle();
        life.index.close();
    }

    /// The next process, on a store that says that this one was the last.
    private void succeed() {
        archive.lineage = new Lineage(archive.lineage.current(), archive.lineage.current() + 1);
        life = new Life(new Random(archive.lineage.current()));
        startAndSettle();
    }

    private boolean isWarm() {
        return archive.scans == 1;
    }

    /// What somebody who keeps nothing makes of the store.
    private Picture recomputed() {
        var index = new WantedIndex(limits, new HeapTables(), archive, new Random(7));
        var another = new VirtualScheduler(Instant.EPOCH);
        var copy = archive.copy(another);
        new SelfFeed(
                        another,
                        copy,
                        new ScriptedPurgatory(),
                        index,
                        FeedTimes.DEFAULTS,
                        new RecordedChanges(),
                        new ScriptedFiles(another))
                .start();
        for (int n = 0; n < 12; n++) {
            another.runFor(WINDOW);
        }
        return Picture.of(index);
    }

    private void isRight() {
        assertEquals(recomputed(), Picture.of(life.index));
        assertEquals(0, life.index.audit());
    }

    private Map<String, byte[]> left() throws IOException {
        var left = new TreeMap<String, byte[]>();
        try (var paths = Files.list(directory)) {
            for (var path : paths.toList()) {
                left.put(path.getFileName().toString(), Files.readAllBytes(path));
            }
        }
        return left;
    }

    private void putBack(Map<String, byte[]> left) throws IOException {
        for (var name : left().keySet()) {
            Files.delete(directory.resolve(name));
        }
        for (var file : left.entrySet()) {
            Files.write(directory.resolve(file.getKey()), file.getValue());
        }
    }

    /// Kills the process and starts the next.
    private void startFromWhatIsLeftNow() throws IOException {
        var tables = left();
        var heads = new TreeMap<>(files.files);
        stop();
        putBack(tables);
        files.files.clear();
        files.files.putAll(heads);
        succeed();
    }

    @Test
    void nextProcessReadsAnnouncementsOnly() {
        isRight();
        var before = Picture.of(life.index);
        stop();
        succeed();
        assertTrue(isWarm());
        assertEquals(0, archive.tagged, "no thread is walked again");
        assertEquals(before, Picture.of(life.index));
        isRight();
    }

    @Test
    void whatIsServedAndRemovedBetweenTwoProcessesIsTold() {
        stop();
        archive.serve(Samples.root(13, A), Samples.left(15), Samples.left(21), Samples.announced(B, 3));
        archive.serve(Samples.member(25, 4, 22), Samples.toAddress(26, WIKI));
        succeed();
        assertTrue(isWarm());
        isRight();
    }

    @Test
    void tablesGoOnFromProcessToProcess() {
        for (int number = 0; number < 5; number++) {
            stop();
            succeed();
            assertTrue(isWarm());
            archive.serve(Samples.root(100 + number, A), Samples.member(200 + number, number, 100 + number));
            archive.serve(Samples.addressed(300 + number, WIKI + number, 100 + number));
            settle();
            isRight();
        }
    }

    @Test
    void repositoryThatBecomesFollowedFindsRootsThatWereStoredLongBefore() {
        var late = Samples.repo(3, "late");
        archive.serve(Samples.root(40, late));
        settle();
        stop();
        archive.serve(Samples.announced(late, 4));
        succeed();
        assertTrue(isWarm());
        assertTrue(Picture.of(life.index).of(4).contains("ROOT " + Samples.id(40)));
        isRight();
    }

    @Test
    void tablesOfAnotherStoreAreThrownAway() {
        stop();
        archive.lineage = new Lineage(77, 77);
        archive.quietly(() -> archive.serve(Samples.left(15), Samples.root(14, B)));
        succeed();
        assertFalse(isWarm());
        isRight();
    }

    @Test
    void tablesAheadOfAStoreFromABackupAreThrownAway() {
        stop();
        archive.takeBack(3);
        succeed();
        assertFalse(isWarm());
        isRight();
    }

    @Test
    void tablesMadeUnderOtherLimitsAreThrownAway() {
        stop();
        limits = IndexLimits.DEFAULTS.with(20, 1);
        succeed();
        assertFalse(isWarm());
        isRight();
    }

    @Test
    void tablesOfAnotherLayoutAreThrownAway() {
        stop();
        var head = ByteBuffer.wrap(Objects.requireNonNull(files.files.get(KeptTables.HEAD)));
        head.putInt(Long.BYTES, head.getInt(Long.BYTES) - 1); // the format, behind the magic number
        var sum = new CRC32C();
        sum.update(head.array(), 0, head.capacity() - Integer.BYTES);
        head.putInt(head.capacity() - Integer.BYTES, (int) sum.getValue());
        succeed();
        assertFalse(isWarm());
        isRight();
    }

    @Test
    void anyDamageIsNoticed() throws IOException {
        stop();
        var whole = left();
        var head = Objects.requireNonNull(files.files.get(KeptTables.HEAD));
        var random = new Random(5);
        for (var name : whole.keySet()) {
            if (whole.get(name).length > 0) {
                var damaged = whole.get(name).clone();
                damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
                startsColdAfter(whole, head, name, damaged);
                startsColdAfter(whole, head, name, new byte[0]);
            }
        }
        for (int at = 0; at < head.length; at += 97) {
            var damaged = head.clone();
            damaged[at] ^= 1;
            files.files.put(KeptTables.HEAD, damaged);
            putBack(whole);
            succeed();
            assertFalse(isWarm(), "head, byte " + at);
            isRight();
            stop();
            archive.lineage = new Lineage(0, 1);
        }
        putBack(whole);
        files.files.put(KeptTables.HEAD, head);
        succeed();
        assertTrue(isWarm());
    }

    private void startsColdAfter(Map<String, byte[]> whole, byte[] head, String name, byte[] content)
            throws IOException {
        putBack(whole);
        files.files.put(KeptTables.HEAD, head);
        Files.write(directory.resolve(name), content);
        archive.lineage = new Lineage(0, 1);
        succeed();
        assertFalse(isWarm(), name);
        isRight();
        stop();
        archive.lineage = new Lineage(0, 1);
    }

    @Test
    void headThatIsLostCostsOnlyTime() {
        stop();
        files.files.clear();
        succeed();
        assertFalse(isWarm());
        isRight();
    }

    @Test
    void feedThatIsLostAtTheStartIsMadeUpForByReadingEverything() {
        stop();
        archive.forgetUpTo(archive.commitNumber() + 3);
        archive.serve(Samples.left(21), Samples.left(16), Samples.member(27, 9, 22));
        succeed();
        isRight();
    }

    /// Killed between any two turns of the loop, the next process is right; and mostly it is quick.
    @Test
    void processKilledAtAnyMomentLeavesNothingWrong() throws IOException {
        var random = new Random(11);
        int warm = 0;
        int killed = 0;
        for (int number = 0; number < 40; number++) {
            for (int change = 0; change < 5; change++) {
                change(random, 1000 + number * 10 + change);
            }
            loop.runFor(WINDOW.minus(Duration.ofNanos(1)));
            int steps = random.nextInt(13);
            long now = loop.nanos() + 1;
            for (int step = 0; step < steps && loop.stepUntil(now); step++) {
                killed++;
            }
            startFromWhatIsLeftNow();
            warm += isWarm() ? 1 : 0;
            isRight();
        }
        assertTrue(killed > 100, killed + " steps");
        assertTrue(warm > 5 && warm < 40, warm + " of 40");
    }

    /// What hangs from something that is deleted stays until it is read anew (R1.13), so only ends of threads go.
    private void change(Random random, long id) {
        long other = 10L + random.nextInt(3);
        switch (random.nextInt(6)) {
            case 0 -> archive.serve(Samples.root(id, random.nextBoolean() ? A : B));
            case 1 -> {
                archive.serve(Samples.member(id, id, other));
                ends.add(id);
            }
            case 2 -> archive.serve(Samples.member(id, id, 20 + random.nextInt(4)));
            case 3 -> archive.serve(Samples.addressed(id, WIKI + id, other));
            case 4 -> {
                if (!ends.isEmpty()) {
                    archive.serve(Samples.left(ends.poll()));
                }
            }
            default -> archive.serve(Samples.announced(random.nextBoolean() ? A : B, random.nextInt(4)));
        }
    }

    @Test
    void whatIsToldWhileABatchIsAppliedIsToldAgain() throws IOException {
        var late = Samples.repo(3, "late");
        archive.serve(Samples.root(40, late));
        settle();
        archive.serve(Samples.announced(late, 4));
        archive.between(() -> {
            archive.between(() -> {});
            archive.serve(Samples.root(41, A));
        });
        loop.runFor(WINDOW);
        assertFalse(Picture.of(life.index).of(1).contains("ROOT " + Samples.id(41)), "waits for its window");
        startFromWhatIsLeftNow();
        assertTrue(isWarm());
        isRight();
    }

    @Test
    void threadsThatWereNotWalkedToTheirEndAreWalkedByTheNext() throws IOException {
        stop();
        for (int number = 0; number < 3000; number++) {
            archive.serve(Samples.root(5000 + number, A), Samples.member(10_000 + number, 1, 5000 + number));
        }
        files.files.clear();
        archive.lineage = new Lineage(0, 1);
        life = new Life(new Random(2));
        life.feed.start();
        loop.settle();
        loop.runFor(WINDOW.minus(Duration.ofNanos(1)));
        assertEquals(1, life.told.ready);
        startFromWhatIsLeftNow();
        assertTrue(isWarm());
        isRight();
    }

    @Test
    void tablesThatAreMostlyGoneAreMadeAnew() {
        for (int number = 0; number < 120_000; number++) {
            archive.serve(Samples.root(5000 + number, A));
        }
        settle();
        for (int number = 0; number < 120_000; number++) {
            archive.serve(Samples.left(5000 + number));
        }
        settle();
        stop();
        succeed();
        assertFalse(isWarm());
        stop();
        succeed();
        assertTrue(isWarm());
        isRight();
    }

    @Test
    void nothingIsWrittenWhileNothingChanges() {
        int saves = files.saves;
        archive.serve(Samples.announced(A, 1));
        settle();
        loop.runFor(Duration.ofHours(1));
        assertEquals(saves, files.saves);
        assertEquals(0, life.told.drifted);
    }

    /// A failure of ours while the head is handed over is made up for like any other.
    @Test
    void headThatWasNotHandedOverIsWrittenLater() {
        files.isFailing = true;
        archive.serve(Samples.root(90, A));
        assertThrows(IllegalStateException.class, this::settle);
        files.isFailing = false;
        loop.runFor(Turns.PAUSE.plus(WINDOW));
        settle();
        stop();
        succeed();
        assertTrue(isWarm());
        isRight();
    }

    @Test
    void headThatCouldNotBeWrittenIsWrittenWithoutAnyMoreChange() throws IOException {
        files.isBroken = true;
        archive.serve(Samples.root(90, A));
        settle();
        files.isBroken = false;
        archive.serve(Samples.announced(A, 1));
        settle();
        startFromWhatIsLeftNow();
        assertTrue(isWarm());
        isRight();
    }

    @Test
    void repositoriesThatOnlyWaitedLeaveNothing() {
        var held = Samples.repo(7, "held");
        var promoted = Samples.repo(8, "promoted");
        var later = Samples.repo(9, "later");
        purgatory.hold(held, Samples.id(70), Samples.urls(3));
        purgatory.hold(promoted, Samples.id(71), Samples.urls(3));
        settle();
        archive.serve(Samples.announced(later, 2), Samples.root(80, later));
        settle();
        archive.serve(Samples.announced(promoted, 2), Samples.root(81, promoted, later));
        purgatory.release(held);
        purgatory.release(promoted);
        settle();
        int ordinal = life.index.findRepo(promoted);
        stop();
        succeed();
        assertTrue(isWarm());
        assertEquals(-1, life.index.findRepo(held));
        assertEquals(ordinal, life.index.findRepo(promoted));
        isRight();
    }
}
