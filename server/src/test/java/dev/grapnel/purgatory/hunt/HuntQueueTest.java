package dev.grapnel.purgatory.hunt;

import static dev.grapnel.purgatory.hunt.ScriptedWorld.id;
import static dev.grapnel.purgatory.hunt.ScriptedWorld.oid;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.purgatory.hunt.HuntNote.AttemptResult;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class HuntQueueTest {
    private static final String A = "https://a.example/x.git";
    private static final String B = "https://b.example/x.git";

    private final Huntsman man = new Huntsman();

    /// Row 100.
    @Test
    void burstOfEventsIsOneAttempt() {
        man.world.server(A).has(oid(1), oid(2), oid(3));
        for (int i = 0; i < 10; i++) {
            man.world.waits(id("x"), List.of(oid(1 + (i % 3))), A);
            man.synced(id("x"));
            man.seconds(0.01);
        }
        man.seconds(10);
        assertEquals(List.of(1000L), man.world.times("visit"));
        assertEquals(10, man.world.released.size());
    }

    /// Row 101.
    @Test
    void steadyStreamOfEventsDoesNotPostponeTheAttempt() {
        man.world.server(A).has(oid(1));
        for (int i = 0; i < 50; i++) {
            man.world.waits(id("x"), List.of(oid(1)), A);
            man.synced(id("x"));
            man.seconds(0.1);
        }
        assertTrue(man.world.times("visit").getFirst() <= 1500);
    }

    /// Row 102.
    @Test
    void directEventWaitsForItsPushAndNothingIsFetchedOnceItCame() {
        man.world.server(A).has(oid(1));
        man.world.waits(id("x"), List.of(oid(1)), A);
        man.hunt.notice(id("x"), Occasion.DIRECT);
        man.seconds(30);
        man.world.push(id("x"), List.of(oid(1)));
        man.seconds(3600);
        assertEquals(List.of(), man.world.calls);
        assertEquals(0, man.hunt.counts().queued());
    }

    @Test
    void syncedEventAfterDirectOneIsHuntedSoon() {
        man.world.server(A).has(oid(1));
        man.world.waits(id("x"), List.of(oid(1)), A);
        man.hunt.notice(id("x"), Occasion.DIRECT);
        man.seconds(10);
        man.hunt.notice(id("x"), Occasion.SYNCED);
        man.seconds(10);
        assertEquals(List.of(11_000L), man.world.times("visit"));
    }

    /// Row 103, and the time line of a synced event in 6.1: 0.5, 20, 60, 140, 260, 380 s, each at the next tick.
    @Test
    void failingServersAreAskedAgainAfterLongerAndLongerPauses() {
        man.world.server(A).fails(new Failure.NotThere());
        man.world.waits(id("x"), List.of(oid(1)), A);
        man.synced(id("x"));
        man.seconds(400);
        assertEquals(List.of(1000L, 21_000L, 61_000L, 141_000L, 261_000L, 381_000L), man.starts);
        assertEquals(
                List.of(20L, 40L, 80L, 120L, 120L, 120L),
                man.notes(HuntNote.Incomplete.class).stream()
                        .map(note -> note.nextDelay().toSeconds())
                        .toList());
    }

    /// The time line of a direct event in 6.1: 180, 200, 240, 320, 440 s, and so many rounds until it expires.
    @Test
    void directEventHasSixteenRoundsAndSyncedOneSeventeen() {
        man.world.waits(id("x"), List.of(oid(1)), A).until(1_800_000);
        man.hunt.notice(id("x"), Occasion.DIRECT);
        man.world.server(A).fails(new Failure.NotThere());
        man.seconds(1800);
        assertEquals(List.of(180_000L, 200_000L, 240_000L, 320_000L, 440_000L), man.starts.subList(0, 5));
        assertEquals(16, man.starts.size());

        var other = new Huntsman();
        other.world.waits(id("x"), List.of(oid(1)), A);
        other.synced(id("x"));
        other.seconds(1800);
        assertEquals(17, other.starts.size());
    }

    /// Row 104.
    @Test
    void newEventAfterFailuresStartsAfresh() {
        man.world.server(A).fails(new Failure.Passing());
        man.world.waits(id("x"), List.of(oid(1)), A);
        man.synced(id("x"));
        man.seconds(100); // 1, 21, 61
        man.world.waits(id("x"), List.of(oid(2)), A);
        man.synced(id("x"));
        man.seconds(2); // 101
        assertEquals(4, man.notes(HuntNote.Incomplete.class).size());
        assertEquals(
                Duration.ofSeconds(20),
                man.notes(HuntNote.Incomplete.class).getLast().nextDelay());
    }

    /// Row 105.
    @Test
    void newEventDuringAnAttemptIsHuntedAfterItsOwnDelay() {
        man.world.server(A).answersAfter(Duration.ofSeconds(5)).fails(new Failure.Passing());
        man.world.waits(id("x"), List.of(oid(1)), A);
        man.synced(id("x"));
        man.seconds(3);
        man.world.waits(id("x"), List.of(oid(2)), A);
        man.synced(id("x"));
        man.seconds(20);
        assertEquals(List.of(1000L, 6000L), man.world.times("visit").subList(0, 2));
    }

    /// Row 105, for one that asks for more time than the attempt takes.
    @Test
    void directEventDuringAnAttemptKeepsItsDelay() {
        man.world.server(A).answersAfter(Duration.ofSeconds(5)).fails(new Failure.Passing());
        man.world.waits(id("x"), List.of(oid(1)), A);
        man.synced(id("x"));
        man.seconds(3);
        man.hunt.notice(id("x"), Occasion.DIRECT);
        man.seconds(300);
        assertEquals(List.of(1000L, 183_000L), man.world.times("visit").subList(0, 2));
    }

    /// Row 106.
    @Test
    void eventThatComesAtTheVeryEndOfAnAttemptIsStillHunted() {
        var queue = new HuntQueue(HuntConfig.DEFAULTS, new SplittableRandom(1));
        long _ = queue.notice(id("x"), Duration.ZERO, 0);
        var start = queue.startDue(0).getFirst();
        // here the attempt has looked and found nothing pending
        long _ = queue.notice(id("x"), Duration.ofMillis(500), 10);
        assertEquals(new HuntQueue.Next.Again(0, Duration.ofMillis(490)), queue.end(start, HuntQueue.Left.NOTHING, 20));
        assertEquals(List.of(), queue.startDue(509));
        assertEquals(1, queue.startDue(510).size());
    }

    /// Row 107.
    @Test
    void identifierWhoseReleaseFailsStaysQueued() {
        man.world.savingFails = true;
        man.world.server(A).has(oid(1));
        man.world.waits(id("x"), List.of(oid(1)), A);
        man.synced(id("x"));
        man.seconds(100);
        assertEquals(List.of(1000L), man.world.times("visit"));
        assertEquals(1, man.hunt.counts().queued());
        man.world.savingFails = false;
        man.seconds(120);
        assertEquals(List.of("141000 x#1"), man.world.released);
        assertEquals(0, man.hunt.counts().queued());
    }

    /// Row 108.
    @Test
    void attemptThatThrowsIsTriedAgain() {
        man.world.server(A).breaks = true;
        man.world.waits(id("x"), List.of(oid(1)), A);
        man.synced(id("x"));
        man.seconds(5);
        assertEquals(0, man.hunt.counts().running());
        assertEquals(0, man.world.talking());
        man.world.server(A).breaks = false;
        man.world.server(A).has(oid(1));
        man.seconds(20);
        assertEquals(List.of("21000 x#1"), man.world.released);
    }

    /// Row 108, when the world itself cannot be looked at.
    @Test
    void attemptThatCannotEvenLookIsTriedAgain() {
        man.world.lookFails = true;
        man.world.server(A).has(oid(1));
        man.world.waits(id("x"), List.of(oid(1)), A);
        man.synced(id("x"));
        man.seconds(5);
        man.world.lookFails = false;
        assertEquals(
                List.of(AttemptResult.ERROR),
                man.notes(HuntNote.Incomplete.class).stream()
                        .map(HuntNote.Incomplete::result)
                        .toList());
        man.seconds(20);
        assertEquals(List.of("21000 x#1"), man.world.released);
    }

    /// Row 108.
    @Test
    void attemptThatHangsIsFreedAfterNinetyMinutes() {
        man.world.server(A).hangs = true;
        man.world.waits(id("x"), List.of(oid(1)), A);
        man.synced(id("x"));
        man.seconds(5399);
        assertEquals(1, man.hunt.counts().running());
        man.seconds(3);
        assertEquals(1, man.notes(HuntNote.Stuck.class).size());
        assertEquals(0, man.hunt.counts().running());
        assertFalse(man.hunt.isFetching(id("x"), Long.MAX_VALUE));
        assertEquals(
                0,
                man.hunt.counts().domains().values().stream()
                        .mapToInt(DomainPicture::inFlight)
                        .sum());
        man.world.server(A).hangs = false;
        man.world.server(A).has(oid(1));
        man.seconds(20);
        assertEquals(List.of("5421000 x#1"), man.world.released);
    }

    /// Row 109.
    @Test
    void identifiersDueInOneTickAreFetchedInParallel() {
        for (int i = 0; i < 5; i++) {
            var url = "https://host" + i + ".example/x.git";
            man.world.server(url).has(oid(i)).takes(Duration.ofSeconds(10));
            man.world.waits(id("x" + i), List.of(oid(i)), url);
            man.synced(id("x" + i));
        }
        man.seconds(2);
        assertEquals(5, man.world.talking());
        man.seconds(10);
        assertEquals(5, man.world.released.size());
    }

    /// Row 110.
    @Test
    void attemptStopsBeforeItsNextUrlOnceAllEventsAreGone() {
        man.world.server(A).answersAfter(Duration.ofSeconds(5)).fails(new Failure.NotThere());
        man.world.server(B).has(oid(1));
        man.world.waits(id("x"), List.of(oid(1)), A, B);
        man.synced(id("x"));
        man.seconds(3);
        man.world.waiting.clear();
        man.seconds(10);
        assertEquals(List.of(A), man.world.urls("visit"));
        assertEquals(0, man.hunt.counts().queued());
    }

    /// Row 111.
    @Test
    void announcementWithoutStateCausesNoRequest() {
        man.synced(id("x"));
        man.seconds(100);
        assertEquals(List.of(), man.world.calls);
        assertEquals(0, man.hunt.counts().queued());
    }

    /// Row 209.
    @Test
    void lostDataIsHuntedOftenAndThenAtLeastHourlyForEver() {
        man.world.server(A);
        man.world.waits(id("x"), List.of(oid(1)), A).served();
        man.hunt.notice(id("x"), Occasion.REPAIR);
        man.seconds(12 * 3600);
        var times = man.world.times("visit");
        var gaps = IntStream.range(1, times.size())
                .mapToLong(i -> times.get(i) - times.get(i - 1))
                .boxed()
                .toList();
        var often = gaps.stream().filter(gap -> gap <= 120_000).toList();
        assertEquals(List.of(20_000L, 40_000L, 80_000L, 120_000L), often.subList(0, 4));
        assertEquals(17, often.size());
        var seldom = gaps.subList(often.size(), gaps.size());
        assertTrue(seldom.stream().allMatch(gap -> gap >= 54 * 60_000 && gap <= 3_601_000), seldom::toString);
        assertTrue(seldom.stream().distinct().count() > seldom.size() / 2, "jitter");

        long last = times.getLast();
        man.world.waits(id("x"), List.of(oid(2)), A);
        man.synced(id("x"));
        man.seconds(65);
        assertEquals(
                3, man.world.times("visit").stream().filter(at -> at > last).count());
    }

    /// Row 210.
    @Test
    void copiesOnOtherRelaysMoveTheHuntOnceAnHour() {
        var quiet = new Huntsman();
        for (var one : List.of(man, quiet)) {
            one.world.server(A);
            one.world.waits(id("x"), List.of(oid(1)), A);
            one.synced(id("x"));
        }
        for (int second = 0; second < 3600; second++) {
            man.hunt.refresh(id("x"));
            man.seconds(1);
            quiet.seconds(1);
        }
        assertEquals(
                1,
                man.notes(HuntNote.Refreshed.class).stream()
                        .filter(HuntNote.Refreshed::isMoved)
                        .count());
        assertTrue(man.world.times("visit").size() <= quiet.world.times("visit").size() + 1);
    }

    /// Row 210.
    @Test
    void refreshKeepsSixtySecondsFromTheLastAttemptAndResetsNothing() {
        man.world.server(A);
        man.world.waits(id("x"), List.of(oid(1)), A);
        man.synced(id("x"));
        man.seconds(145); // 1, 21, 61, 141: the next one at 261
        man.hunt.refresh(id("x"));
        man.seconds(120);
        assertEquals(List.of(1000L, 21_000L, 61_000L, 141_000L, 201_000L), man.world.times("visit"));
        assertEquals(
                List.of(20L, 40L, 80L, 120L, 120L),
                man.notes(HuntNote.Incomplete.class).stream()
                        .map(note -> note.nextDelay().toSeconds())
                        .toList());
        man.hunt.refresh(id("x"));
        assertFalse(man.notes(HuntNote.Refreshed.class).getLast().isMoved());
    }

    @Test
    void refreshOfNothingAndDuringAnAttemptDoesNothing() {
        man.hunt.refresh(id("y"));
        man.world.server(A).answersAfter(Duration.ofSeconds(5)).fails(new Failure.Passing());
        man.world.waits(id("x"), List.of(oid(1)), A);
        man.synced(id("x"));
        man.seconds(3);
        man.hunt.refresh(id("x"));
        assertTrue(man.notes(HuntNote.Refreshed.class).stream().noneMatch(HuntNote.Refreshed::isMoved));
        man.seconds(4); // it ended at 6 and comes again at 26: that far away nothing can be gained
        man.hunt.refresh(id("x"));
        assertFalse(man.notes(HuntNote.Refreshed.class).getLast().isMoved());
    }
}
