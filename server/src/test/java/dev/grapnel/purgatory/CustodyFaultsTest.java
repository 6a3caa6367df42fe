package dev.grapnel.purgatory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.crash.FailingEngine.Fault;
import dev.grapnel.store.row.HeldAnnouncement.Phase;
import dev.grapnel.store.row.Standing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A store or a disk that fails refuses and deletes nothing, and whatever comes between a sweep's look and
/// its lock wins (README I-11, I-17). Numbers are rows of purgatory 11.
@Timeout(60)
final class CustodyFaultsTest {
    private static final int ANN = 1;
    private static final Duration WAIT = Duration.ofMinutes(30);

    @TempDir
    Path directory = Path.of("");

    private CustodyUnderTest purgatory;

    @BeforeEach
    void start() throws IOException {
        purgatory = new CustodyUnderTest(directory);
    }

    @AfterEach
    void end() throws IOException {
        purgatory.close();
    }

    /// Row 16.
    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"BEGIN", "CHANGE", "COMMIT"})
    void storeThatFailsLeavesNeitherEntryNorRepository(Fault fault) throws Exception {
        var announcement = purgatory.announcement(ANN, "x", "one");
        purgatory.engine.set(fault);
        var answer = purgatory.admit(announcement);
        assertFalse(answer.isAccepted());
        assertTrue(answer.message().startsWith("error: "), answer.message());
        assertFalse(purgatory.isHeld(announcement));
        assertEquals(List.of(), purgatory.repositories.list());
        purgatory.engine.set(Fault.NONE);
        assertTrue(purgatory.admit(announcement).isAccepted());
        assertTrue(purgatory.isOnDisk(ANN, "x"));
    }

    /// The same for something that needs no repository, and nothing it would have changed is changed.
    @Test
    void storeThatFailsTakesNoStateAndProlongsNothing() throws Exception {
        var announcement = purgatory.announcement(ANN, "x", "one");
        purgatory.admit(announcement);
        var row = purgatory.purgatory.find(announcement.id());
        purgatory.time.advance(Duration.ofMinutes(5));
        purgatory.engine.set(Fault.COMMIT);
        assertFalse(purgatory.admit(purgatory.state(ANN, "x")).isAccepted());
        assertEquals(row, purgatory.purgatory.find(announcement.id()));
        assertFalse(purgatory.purgatory.hasPending(new Identifier("x")));
    }

    private void block(String area) throws IOException {
        Files.delete(area(area));
        Files.createFile(area(area));
    }

    private Path area(String area) {
        return directory.resolve(".grapnel", area);
    }

    /// Service 4.4.5.
    @Test
    void diskThatFailsLeavesNothing() throws Exception {
        block("making");
        var announcement = purgatory.announcement(ANN, "x", "one");
        var answer = purgatory.admit(announcement);
        assertEquals("error: the repository could not be made, try again later", answer.message());
        assertFalse(purgatory.isHeld(announcement));
        Files.delete(area("making"));
        assertTrue(purgatory.admit(announcement).isAccepted());
    }

    /// Row 29, A13.
    @Test
    void repositoryThatCannotBeMovedKeepsItsAnnouncementActiveUntilItCan() throws Exception {
        var announcement = purgatory.announcement(ANN, "x", "one");
        purgatory.admit(announcement);
        block("doomed");
        purgatory.time.advance(WAIT);
        purgatory.custody.sweep();
        assertEquals(Phase.ACTIVE, purgatory.phase(announcement));
        assertTrue(purgatory.isOnDisk(ANN, "x"));
        Files.delete(area("doomed"));
        purgatory.custody.sweep();
        assertEquals(Phase.SOFT_EXPIRED, purgatory.phase(announcement));
        assertFalse(purgatory.isOnDisk(ANN, "x"));
    }

    /// Row 30, README I-11: the repository of an announcement that cannot be marked comes back.
    @Test
    void storeThatFailsDuringASweepLosesNothing() throws Exception {
        var announcement = purgatory.announcement(ANN, "x", "one");
        var state = purgatory.state(ANN, "x");
        purgatory.admit(announcement);
        purgatory.admit(state);
        purgatory.time.advance(WAIT);
        purgatory.engine.set(Fault.COMMIT);
        purgatory.custody.sweep();
        assertEquals(Phase.ACTIVE, purgatory.phase(announcement));
        assertTrue(purgatory.isHeld(state));
        assertTrue(purgatory.isOnDisk(ANN, "x"), "P-111: what is active has a repository");
        purgatory.engine.set(Fault.NONE);
        purgatory.custody.sweep();
        assertEquals(Phase.SOFT_EXPIRED, purgatory.phase(announcement));
        assertFalse(purgatory.isHeld(state));
    }

    private interface Work {
        void run() throws Exception;
    }

    /// Does something after a sweep has seen what is due and before it has the lock.
    private void duringASweep(String identifier, Work work) throws Exception {
        var isHeld = new CountDownLatch(1);
        var mayEnd = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var holder =
                    threads.submit(() -> purgatory.custody.locks().holding(List.of(new Identifier(identifier)), () -> {
                        isHeld.countDown();
                        try {
                            return mayEnd.await(30, TimeUnit.SECONDS);
                        } catch (InterruptedException e) {
                            throw new AssertionError(e);
                        }
                    }));
            assertTrue(isHeld.await(30, TimeUnit.SECONDS));
            var sweep = threads.submit(purgatory.custody::sweep);
            while (!isWaiting(identifier) && !sweep.isDone()) {
                Thread.onSpinWait();
            }
            work.run();
            mayEnd.countDown();
            assertEquals(true, holder.get());
            sweep.get();
        }
    }

    /// Whether somebody besides the holder wants the lock: the sweep has seen what is due by then.
    private boolean isWaiting(String identifier) {
        return purgatory.custody.locks().wantedBy(new Identifier(identifier)) > 1;
    }

    /// Rows 49 and 208, README I-17: a replacement needs no lock, and wins.
    @Test
    void i17ReplacementWaitsForNoLockAndWins() throws Exception {
        purgatory.admit(purgatory.announcement(ANN, "x", "one"));
        purgatory.time.advance(WAIT);
        var newer = purgatory.announcement(ANN, "x", "two");
        duringASweep("x", () -> assertTrue(purgatory.admit(newer).isAccepted()));
        assertEquals(Phase.ACTIVE, purgatory.phase(newer));
        assertTrue(purgatory.isOnDisk(ANN, "x"));
    }

    /// Row 49: a state that prolongs the announcement, likewise.
    @Test
    void extensionBetweenTheLookAndTheLockWins() throws Exception {
        var announcement = purgatory.announcement(ANN, "x", "one");
        purgatory.admit(announcement);
        purgatory.time.advance(WAIT);
        duringASweep(
                "x", () -> assertTrue(purgatory.admit(purgatory.state(ANN, "x")).isAccepted()));
        assertEquals(Phase.ACTIVE, purgatory.phase(announcement));
        assertTrue(purgatory.isOnDisk(ANN, "x"));
    }

    /// Row 208: a release, likewise.
    @Test
    void releaseBetweenTheLookAndTheLockWins() throws Exception {
        var announcement = purgatory.announcement(ANN, "x", "one");
        purgatory.admit(announcement);
        purgatory.time.advance(WAIT);
        duringASweep(
                "x",
                () -> purgatory
                        .store
                        .write(Urgency.WAITING, 0, transaction -> {
                            transaction.release(announcement.id());
                            transaction.put(
                                    Standing.hosted(CustodyUnderTest.address(ANN, "x"), purgatory.time.instant()));
                            return true;
                        })
                        .join());
        assertTrue(purgatory.isOnDisk(ANN, "x"));
        assertEquals(true, purgatory.store.read(view -> view.isServed(announcement.id())));
    }

    /// P-667, A11.
    @Test
    void nothingOfAnIdentifierExpiresWhileItsDataIsFetched() throws Exception {
        var announcement = purgatory.announcement(ANN, "x", "one");
        var state = purgatory.state(ANN, "x");
        purgatory.admit(announcement);
        purgatory.admit(state);
        purgatory.isFetched.set(true);
        purgatory.time.advance(WAIT.multipliedBy(2));
        purgatory.custody.sweep();
        assertEquals(Phase.ACTIVE, purgatory.phase(announcement));
        assertTrue(purgatory.isHeld(state));
        purgatory.isFetched.set(false);
        purgatory.custody.sweep();
        assertFalse(purgatory.isHeld(state));
    }
}
