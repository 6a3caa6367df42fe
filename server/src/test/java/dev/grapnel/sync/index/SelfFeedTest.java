package dev.grapnel.sync.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.sync.world.Mutation;
import dev.grapnel.sync.world.ScriptedArchive;
import dev.grapnel.sync.world.ScriptedPurgatory;
import dev.grapnel.sync.world.VirtualScheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class SelfFeedTest {
    private static final RepositoryAddress A = Samples.repo(1, "a");
    private static final RepositoryAddress B = Samples.repo(2, "b");
    private static final Duration WINDOW = FeedTimes.DEFAULTS.window();
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration BLINK = Duration.ofNanos(1);

    private final VirtualScheduler loop = new VirtualScheduler(Instant.EPOCH);
    private final ScriptedArchive archive = new ScriptedArchive(loop);
    private final ScriptedPurgatory purgatory = new ScriptedPurgatory();
    private final RecordedChanges told = new RecordedChanges();
    private final WantedIndex index = new WantedIndex(IndexLimits.DEFAULTS, new HeapTables(), archive, new Random(1));
    private final SelfFeed feed =
            new SelfFeed(loop, archive, purgatory, index, FeedTimes.DEFAULTS, told, new ScriptedFiles(loop));

    private void start() {
        feed.start();
        loop.settle();
        assertEquals(1, told.ready);
    }

    private Level level(RepositoryAddress repository) {
        int repo = index.findRepo(repository);
        return repo < 0 ? Level.NONE : index.level(repo);
    }

    private Set<String> target(int relay) {
        assertEquals(0, index.audit());
        return Picture.of(index).of(relay);
    }

    @Test
    void emptyStoreLeavesOnlyThePeriodicChecks() {
        start();
        assertEquals(2, loop.waiting());
        assertEquals(0, index.figures().relaysMet());
    }

    @Test
    void storedAnnouncementRegistersItsRelaysAtTheStart() {
        archive.serve(Samples.announced(A, 1), Samples.root(7, A));
        archive.state(A, A.owner(), true);
        start();
        assertEquals(
                Set.of("STATE " + A, "TAGS " + A, "ROOT " + Samples.id(7), "ADDR 30618:" + A.owner() + ":a"),
                target(1));
        assertEquals(3, archive.scans);
    }

    @Test
    void manyStoredAnnouncementsAreAllRegistered() {
        IntStream.range(0, 5000).forEach(n -> archive.serve(Samples.announced(Samples.repo(n, "r" + n), n % 50)));
        start();
        assertEquals(5000, index.figures().fullRepos());
        assertEquals(50, index.figures().relays());
    }

    @Test
    void whatHappensWhileTheStoreIsReadIsAppliedBeforeReady() {
        archive.serve(Samples.announced(A, 1), Samples.root(7, A), Samples.root(8, A));
        archive.slices(1);
        archive.between(() -> {
            archive.between(() -> {});
            archive.serve(Samples.announced(B, 2), Samples.left(7), Samples.announced(A, 3));
        });
        start();
        assertEquals(Set.of("STATE " + B, "TAGS " + B), target(2));
        assertEquals(Set.of("STATE " + A, "TAGS " + A, "ROOT " + Samples.id(8)), target(3));
        assertEquals(Set.of(), target(1));
    }

    @Test
    void commitsThatAreNeverToldDelayReadyByAWindowOnly() {
        archive.serve(Samples.announced(A, 1));
        archive.between(() -> archive.skip(archive::commitNothing));
        feed.start();
        loop.settle();
        assertEquals(0, told.ready);
        loop.runFor(WINDOW);
        assertEquals(1, told.ready);
    }

    @Test
    void firstMutationIsAppliedAfterExactlyOneWindow() {
        start();
        loop.runFor(Duration.ofMillis(300));
        archive.serve(Samples.announced(A, 1));
        loop.runFor(WINDOW.minus(BLINK));
        assertEquals(Level.NONE, level(A));
        loop.runFor(BLINK);
        assertEquals(Level.FULL, level(A));
    }

    @Test
    void mutationEverySecondDoesNotPostponeTheWindow() {
        start();
        for (int n = 0; n < 5; n++) {
            archive.serve(Samples.announced(Samples.repo(n, "r"), 1));
            assertEquals(0, index.figures().fullRepos());
            loop.runFor(SECOND);
        }
        assertEquals(5, index.figures().fullRepos());
    }

    @Test
    void mutationDuringApplicationOpensANewWindow() {
        start();
        archive.serve(Samples.announced(A, 1), Samples.root(7, A));
        archive.between(() -> {
            archive.between(() -> {});
            archive.serve(Samples.announced(B, 1));
        });
        loop.runFor(WINDOW);
        assertEquals(Level.FULL, level(A));
        assertEquals(Level.NONE, level(B));
        loop.runFor(WINDOW.minus(BLINK));
        assertEquals(Level.NONE, level(B));
        loop.runFor(BLINK);
        assertEquals(Level.FULL, level(B));
    }

    @Test
    void fullWindowFiresEarly() {
        archive.serve(Samples.announced(A, 1));
        start();
        for (int n = 0; n < Window.MUTATIONS_MAX; n++) {
            archive.serve(Samples.root(n, A));
        }
        loop.settle();
        assertEquals(Window.MUTATIONS_MAX, index.figures().roots());
    }

    @Test
    void longApplicationIsCutIntoTurns() {
        archive.serve(Samples.announced(A, 1));
        start();
        for (int n = 0; n < Window.MUTATIONS_MAX; n++) {
            archive.serve(Samples.root(n, A));
        }
        int turns = 0;
        int before = 0;
        while (loop.stepUntil(loop.nanos())) {
            assertTrue(index.figures().roots() - before <= 20_000);
            before = index.figures().roots();
            turns++;
        }
        assertTrue(turns > 3);
    }

    @Test
    void rootStoredLongBeforeItsAnnouncementIsTracked() {
        archive.serve(Samples.root(7, A), Samples.member(8, 1, 7));
        start();
        archive.serve(Samples.announced(A, 1));
        loop.runFor(WINDOW);
        assertTrue(target(1).contains("ROOT " + Samples.id(7)), "in the same window");
        loop.runFor(WINDOW);
        assertTrue(target(1).contains("THREAD " + Samples.id(8)), "by the walk");
    }

    @Test
    void rootDeletedWhileRootsAreLookedForDoesNotStay() {
        archive.serve(Samples.root(7, A), Samples.root(8, A));
        start();
        archive.slices(1);
        archive.serve(Samples.announced(A, 1));
        archive.between(() -> {
            archive.between(() -> {});
            archive.serve(Samples.left(8));
        });
        loop.runFor(WINDOW.multipliedBy(3));
        assertEquals(Set.of("STATE " + A, "TAGS " + A, "ROOT " + Samples.id(7)), target(1));
    }

    @Test
    void appearancesAreHandedOnAtOnce() {
        start();
        archive.serve(Samples.root(7, A));
        loop.settle();
        assertEquals(Samples.id(7), told.appeared.getFirst().id());
    }

    @Test
    void noMoreIsToldThanIsLookedAt() {
        start();
        archive.slices(1);
        told.isSlow = true;
        archive.serve(Samples.root(7, A), Samples.root(8, A));
        loop.settle();
        assertEquals(1, told.appeared.size());
        told.untaken.removeFirst().run();
        loop.settle();
        assertEquals(2, told.appeared.size());
    }

    @Test
    void lostFeedIsReadAgainAndNothingIsMissingOrLeft() {
        archive.serve(Samples.announced(A, 1), Samples.root(7, A), Samples.member(8, 1, 7), Samples.member(9, 1, 8));
        start();
        loop.runFor(WINDOW.multipliedBy(4));
        assertTrue(target(1).contains("THREAD " + Samples.id(9)));
        archive.quietly(() -> archive.serve(
                Samples.announced(B, 1),
                Samples.root(17, B),
                new Mutation.Unannounced(A),
                Samples.left(7),
                Samples.member(18, 1, 17),
                Samples.left(9)));
        archive.lose();
        loop.runFor(WINDOW.multipliedBy(2));
        assertEquals(
                Set.of("STATE " + B, "TAGS " + B, "ROOT " + Samples.id(17), "THREAD " + Samples.id(18)), target(1));
        assertEquals(1, told.caughtUp);
        assertEquals(1, index.figures().roots());
        archive.serve(Samples.announced(A, 2));
        loop.runFor(WINDOW);
        assertEquals(Level.FULL, level(A), "followed again");
    }

    @Test
    void feedLostBeforeReadyIsReadAgain() {
        archive.serve(Samples.announced(A, 1));
        archive.between(() -> archive.serve(Samples.root(7, A)));
        feed.start();
        while (!archive.isFollowed()) {
            assertTrue(loop.stepUntil(loop.nanos()));
        }
        archive.lose();
        loop.runFor(WINDOW);
        assertEquals(1, told.ready);
        assertTrue(target(1).contains("ROOT " + Samples.id(7)));
    }

    @Test
    void waitingAnnouncementIsStateOnlyWithinFiveSeconds() {
        start();
        purgatory.hold(A, Samples.id(1), Samples.urls(1));
        loop.runFor(WINDOW);
        assertEquals(Set.of("STATE " + A), target(1));
        purgatory.hold(A, Samples.id(2), Samples.urls(2));
        loop.runFor(WINDOW);
        assertEquals(Set.of(), target(1), "its relays have changed");
        assertEquals(Set.of("STATE " + A), target(2));
        loop.runFor(WINDOW.multipliedBy(100));
        assertEquals(Level.STATE_ONLY, level(A));
    }

    @Test
    void announcementGoneFromPurgatoryAndStoreIsRemovedAfterTwoScans() {
        start();
        purgatory.hold(A, Samples.id(1), Samples.urls(1));
        loop.runFor(WINDOW);
        purgatory.release(A);
        loop.runFor(WINDOW);
        assertEquals(Level.STATE_ONLY, level(A));
        loop.runFor(WINDOW);
        assertEquals(Level.NONE, level(A));
        assertEquals(1, told.ended.size());
    }

    @Test
    void announcementMissingOnceIsNotForgotten() {
        start();
        purgatory.hold(A, Samples.id(1), Samples.urls(1));
        loop.runFor(WINDOW);
        for (int round = 0; round < 3; round++) {
            purgatory.release(A);
            loop.runFor(WINDOW);
            purgatory.hold(A, Samples.id(1), Samples.urls(1));
            loop.runFor(WINDOW);
            assertEquals(Level.STATE_ONLY, level(A));
        }
        assertTrue(told.ended.isEmpty());
    }

    @Test
    void promotionUpgradesWithoutAMomentWithoutEntry() {
        start();
        var announced = Samples.announced(A, 1);
        purgatory.hold(A, announced.id(), Samples.urls(1));
        loop.runFor(WINDOW);
        loop.runFor(SECOND);
        purgatory.release(A);
        archive.serve(announced);
        for (int tenth = 0; tenth < 50; tenth++) {
            assertTrue(level(A) != Level.NONE);
            loop.runFor(Duration.ofMillis(100));
        }
        assertEquals(Level.FULL, level(A));
        assertTrue(told.ended.isEmpty());
    }

    @Test
    void promotionThatTheFeedIsSlowToTellIsSeenInTheStore() {
        start();
        var announced = Samples.announced(A, 1);
        purgatory.hold(A, announced.id(), Samples.urls(1));
        loop.runFor(WINDOW);
        purgatory.release(A);
        archive.quietly(() -> archive.serve(announced));
        loop.runFor(WINDOW.multipliedBy(10));
        assertEquals(Level.STATE_ONLY, level(A));
    }

    @Test
    void fullEntryIsNotDowngradedByAScan() {
        archive.serve(Samples.announced(A, 1));
        start();
        purgatory.hold(A, Samples.id(99), Samples.urls(2));
        loop.runFor(WINDOW.multipliedBy(3));
        assertEquals(Set.of("STATE " + A, "TAGS " + A), target(1));
        assertEquals(Set.of(), target(2));
        purgatory.release(A);
        loop.runFor(WINDOW.multipliedBy(3));
        assertEquals(Level.FULL, level(A));
    }

    @Test
    void deletedAnnouncementWithAVersionThatWaitsGoesBackToStateOnly() {
        archive.serve(Samples.announced(A, 1));
        start();
        purgatory.hold(A, Samples.id(99), Samples.urls(2));
        archive.serve(new Mutation.Unannounced(A));
        loop.runFor(WINDOW.multipliedBy(2));
        assertEquals(Set.of("STATE " + A), target(2));
        assertEquals(Set.of(), target(1));
    }

    @Test
    void changeOfMaintainersInPurgatoryRefreshesStateAddresses() {
        archive.serve(Samples.announced(A, 1));
        start();
        archive.quietly(() -> archive.state(A, Samples.key(5), true));
        loop.runFor(WINDOW);
        assertFalse(target(1).contains("ADDR 30618:" + Samples.key(5) + ":a"));
        purgatory.tell("a");
        loop.runFor(WINDOW);
        assertTrue(target(1).contains("ADDR 30618:" + Samples.key(5) + ":a"));
    }

    @Test
    void threadsAreWalkedAfterTheStartAndJoinByWindows() {
        archive.serve(
                Samples.announced(A, 1),
                Samples.root(7, A),
                Samples.member(8, 1, 7),
                Samples.addressed(9, "30023:x:y", 8),
                Samples.toAddress(10, "30023:x:y"));
        start();
        assertEquals(0, index.figures().members());
        loop.runFor(WINDOW.multipliedBy(5));
        assertEquals(3, index.figures().members());
        assertFalse(index.figures().searches());
    }

    @Test
    void quietNetworkCausesNoSearches() {
        archive.serve(Samples.announced(A, 1), Samples.root(7, A), Samples.member(8, 1, 7));
        start();
        loop.runFor(WINDOW.multipliedBy(10));
        int before = archive.tagged;
        loop.runFor(Duration.ofHours(1));
        assertEquals(before, archive.tagged);
    }

    @Test
    void auditFindsNothingWhenNothingIsWrong() {
        archive.serve(Samples.announced(A, 1), Samples.root(7, A));
        archive.state(A, A.owner(), true);
        start();
        for (int hour = 0; hour < 60; hour++) {
            archive.serve(Samples.root(100 + hour, A));
            loop.runFor(Duration.ofHours(1));
        }
        assertEquals(0, told.drifted);
    }

    @Test
    void auditRepairsWhatTheFeedNeverTold() {
        archive.serve(Samples.announced(A, 1), Samples.root(7, A), Samples.root(8, A));
        start();
        loop.runFor(Duration.ofHours(23));
        archive.skip(() ->
                archive.serve(Samples.announced(A, 2), Samples.left(7), Samples.root(9, A), Samples.announced(B, 3)));
        loop.runFor(Duration.ofHours(2));
        assertEquals(4, told.drifted);
        assertEquals(Set.of("STATE " + A, "TAGS " + A, "ROOT " + Samples.id(8), "ROOT " + Samples.id(9)), target(2));
        assertEquals(Set.of("STATE " + B, "TAGS " + B), target(3));
        loop.runFor(Duration.ofDays(2));
        assertEquals(4, told.drifted);
    }

    /// That is no drift: nobody has forgotten anything.
    @Test
    void auditFindsPlacesForRelaysThatHadNone() {
        var small = new WantedIndex(
                new IndexLimits(20, 2, 100, 500, 8, 100, 100, 100), new HeapTables(), archive, new Random(1));
        var following =
                new SelfFeed(loop, archive, purgatory, small, FeedTimes.DEFAULTS, told, new ScriptedFiles(loop));
        archive.serve(Samples.announced(A, 1, 2));
        archive.serve(Samples.announced(B, 3));
        following.start();
        loop.settle();
        assertEquals(2, small.figures().pairs());
        archive.serve(Samples.announced(A, 1));
        loop.runFor(WINDOW);
        small.forgetRelays(_ -> false);
        loop.runFor(Duration.ofHours(25));
        assertEquals(1, small.pairCount(small.findRelay(Samples.url(3)).orElseThrow()));
        assertEquals(0, told.drifted);
    }

    @Test
    void auditComparesThreadsToo() {
        archive.serve(Samples.announced(A, 1), Samples.root(7, A), Samples.root(8, A));
        archive.serve(Samples.member(20, 1, 7), Samples.member(21, 2, 20), Samples.member(22, 3, 8));
        start();
        loop.runFor(Duration.ofDays(2));
        assertEquals(0, told.drifted);
        archive.skip(() -> archive.serve(
                Samples.left(22),
                Samples.member(23, 4, 8),
                Samples.member(24, 5, 21),
                Samples.toAddress(25, "30023:x:y")));
        loop.runFor(Duration.ofDays(1).plusHours(1));
        assertEquals(3, told.drifted);
        assertFalse(target(1).contains("THREAD " + Samples.id(22)), "is served no more");
        assertTrue(target(1).contains("THREAD " + Samples.id(23)), "below a root");
        assertTrue(target(1).contains("THREAD " + Samples.id(24)), "further down");
        loop.runFor(Duration.ofDays(2));
        assertEquals(3, told.drifted);
    }

    @Test
    void nothingIsToldAfterTheStop() {
        start();
        archive.serve(Samples.announced(A, 1));
        loop.settle();
        feed.stop();
        loop.runFor(Duration.ofDays(2));
        assertEquals(Level.NONE, level(A));
        assertEquals(0, loop.waiting());
        assertEquals(0, purgatory.watchers());
        assertFalse(archive.isFollowed());
    }

    /// Runs on however often something fails.
    ///
    /// @return how often it did
    private int failures(Duration time) {
        long end = loop.nanos() + time.toNanos();
        int failures = 0;
        while (loop.nanos() < end) {
            try {
                loop.runUntil(end);
            } catch (IllegalStateException _) {
                failures++;
            }
        }
        return failures;
    }

    @Test
    void failureInTheMiddleOfABatchIsMadeUpForAfterAPause() {
        start();
        told.isFailing = true;
        archive.serve(Samples.announced(A, 1), Samples.root(7, A));
        assertEquals(1, failures(WINDOW.plus(SECOND)));
        told.isFailing = false;
        archive.serve(Samples.announced(B, 2));
        loop.runFor(Turns.PAUSE.plus(WINDOW));
        assertEquals(Set.of("STATE " + A, "TAGS " + A, "ROOT " + Samples.id(7)), target(1));
        assertEquals(Set.of("STATE " + B, "TAGS " + B), target(2));
        assertEquals(1, told.caughtUp);
        archive.serve(Samples.announced(A, 3));
        loop.runFor(WINDOW);
        assertEquals(Set.of("STATE " + A, "TAGS " + A, "ROOT " + Samples.id(7)), target(3), "followed again");
    }

    @Test
    void failureInEveryReadingKeepsNobodyBusy() {
        archive.serve(Samples.announced(A, 1));
        start();
        told.isFailing = true;
        archive.serve(Samples.announced(B, 2));
        int failures = failures(Duration.ofMinutes(10));
        assertTrue(failures > 5 && failures < 15, () -> "failures: " + failures);
        told.isFailing = false;
        loop.runFor(Turns.PAUSE.plus(WINDOW));
        assertEquals(Level.FULL, level(B));
    }

    @Test
    void failureInAComparisonWithPurgatoryIsNotTheEndOfThem() {
        start();
        told.isFailing = true;
        purgatory.hold(A, Samples.id(1), Samples.urls(1));
        assertEquals(1, failures(WINDOW.plus(SECOND)));
        told.isFailing = false;
        purgatory.hold(B, Samples.id(2), Samples.urls(2));
        loop.runFor(Turns.PAUSE.plus(WINDOW));
        assertEquals(Level.STATE_ONLY, level(A));
        assertEquals(Level.STATE_ONLY, level(B));
    }

    @Test
    void failureInAnAuditIsNotTheEndOfThem() {
        archive.serve(Samples.announced(A, 1));
        start();
        archive.skip(() -> archive.serve(Samples.announced(B, 2)));
        told.isFailing = true;
        failures(Duration.ofHours(25));
        told.isFailing = false;
        loop.runFor(Duration.ofHours(25));
        assertEquals(Level.FULL, level(B));
    }

    @Test
    void whatWasNotReadIsNotGone() {
        archive.serve(Samples.announced(A, 1), Samples.announced(B, 1), Samples.root(7, B));
        start();
        archive.slices(1);
        archive.broken = 1;
        archive.lose();
        loop.runFor(WINDOW);
        assertEquals(Level.FULL, level(A));
        assertEquals(Level.FULL, level(B));
        assertEquals(0, told.caughtUp);
        archive.quietly(() -> archive.serve(new Mutation.Unannounced(A)));
        loop.runFor(Turns.PAUSE.plus(WINDOW));
        assertEquals(1, told.caughtUp);
        assertEquals(Level.NONE, level(A));
        assertEquals(Set.of("STATE " + B, "TAGS " + B, "ROOT " + Samples.id(7)), target(1));
    }

    @Test
    void startThatCouldNotReadEverythingIsTriedAgain() {
        archive.serve(Samples.announced(A, 1), Samples.announced(B, 2));
        archive.slices(1);
        archive.broken = 1;
        feed.start();
        loop.runFor(WINDOW);
        assertEquals(0, told.ready);
        loop.runFor(Turns.PAUSE.plus(WINDOW));
        assertEquals(1, told.ready);
        assertEquals(Level.FULL, level(B));
    }

    @Test
    void auditThatCouldNotReadEverythingDropsNothing() {
        archive.serve(Samples.announced(A, 1), Samples.announced(B, 1));
        start();
        loop.runFor(Duration.ofHours(23));
        archive.slices(1);
        archive.broken = 1;
        loop.runFor(Duration.ofHours(2));
        assertEquals(0, told.drifted);
        assertEquals(Level.FULL, level(B));
    }

    @Test
    void auditAsksTheStoreBeforeItDropsARepository() {
        archive.serve(Samples.announced(A, 1), Samples.announced(B, 1));
        start();
        archive.overlooked.add(B);
        loop.runFor(Duration.ofHours(25));
        assertEquals(0, told.drifted);
        assertEquals(Level.FULL, level(B));
    }
}
