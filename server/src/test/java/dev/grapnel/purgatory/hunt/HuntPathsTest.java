package dev.grapnel.purgatory.hunt;

import static dev.grapnel.purgatory.hunt.ScriptedWorld.id;
import static dev.grapnel.purgatory.hunt.ScriptedWorld.oid;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.url.Host;
import dev.grapnel.purgatory.hunt.HuntConfig.Limits;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Both paths together.
final class HuntPathsTest {
    private static final String A = "https://a.example/x.git";
    private static final String B = "https://b.example/x.git";
    private static final String C = "https://c.example/x.git";

    private final Huntsman man = new Huntsman();

    /// P-630: with data on a fast, a slow and a dead server, each event is served after the fetch that completes it.
    @Test
    void eventsAreServedAfterEachFetch() {
        man.world.server(A).has(oid(1));
        man.world.server(B).has(oid(2)).takes(Duration.ofSeconds(20));
        man.world.server(C).fails(new Failure.Passing());
        man.world.waits(id("x"), List.of(oid(1)), A);
        man.world.waits(id("x"), List.of(oid(2)), B);
        man.world.waits(id("x"), List.of(oid(3)), C);
        man.synced(id("x"));
        man.seconds(30);
        assertEquals(List.of("1000 x#1", "21000 x#2"), man.world.released);
        assertEquals(1, man.hunt.counts().queued());
    }

    /// P-663.
    @Test
    void objectsOfSeveralServersAccumulateOverAttempts() {
        man.world.server(A).has(oid(1));
        man.world.server(B).has(oid(2)).fails(new Failure.Passing());
        man.world.waits(id("x"), List.of(oid(1), oid(2)), A, B);
        man.synced(id("x"));
        man.seconds(10);
        assertEquals(List.of(), man.world.released);
        man.world.server(B).works();
        man.seconds(20);
        assertEquals(List.of("21000 x#1"), man.world.released);
        assertEquals(
                1,
                man.world.calls("fetch").stream()
                        .filter(call -> call.wants().contains(oid(1)))
                        .count());
    }

    /// Row 123.
    @Test
    void identifierAloneInAQueueTriesAllUrlsOfTheDomain() {
        fillRate();
        man.world.waits(id("x"), List.of(oid(1)), "https://a.example/1", "https://a.example/2", "https://a.example/3");
        man.world.server("https://a.example/3").has(oid(1));
        man.synced(id("x"));
        man.seconds(2);
        assertEquals(
                Set.of(new Host("a.example")),
                man.hunt.picture(id("x")).orElseThrow().waitingAt());
        man.seconds(61);
        var urls = man.world.urls("visit");
        assertEquals(
                List.of("https://a.example/1", "https://a.example/2", "https://a.example/3"),
                urls.subList(30, urls.size()));
        assertEquals("61000 x#31", man.world.released.getLast());
        assertEquals(0, man.domain("a.example").queued());
    }

    /// Uses up the rate of a.example at the first second, by a hunt for other things.
    private void fillRate() {
        for (int i = 0; i < 30; i++) {
            var url = "https://a.example/other" + i;
            man.world.server(url).has(oid(1000 + i));
            man.world.waits(id("other" + i), List.of(oid(1000 + i)), url);
            man.synced(id("other" + i));
        }
        man.seconds(1);
        assertEquals(30, man.world.released.size());
    }

    /// Row 128, end to end: who waited and has nothing to ask any more costs no permit.
    @Test
    void whoNeedsNothingWhenItsTurnComesCostsNothing() {
        fillRate();
        man.world.waits(id("x"), List.of(oid(1)), A);
        man.world.waits(id("y"), List.of(oid(2)), "https://a.example/y");
        man.world.server("https://a.example/y").has(oid(2));
        man.synced(id("x"));
        man.synced(id("y"));
        man.seconds(10);
        man.world.push(id("x"), List.of(oid(1)));
        man.seconds(51);
        assertEquals("https://a.example/y", man.world.urls("visit").getLast());
        assertEquals(1, man.domain("a.example").starts());
    }

    /// Row 129, end to end.
    @Test
    void brokenVisitsLeaveNoSlotTaken() {
        for (int i = 0; i < 40; i++) {
            var url = "https://a.example/" + i;
            man.world.server(url).breaks = true;
            man.world.waits(id("x" + i), List.of(oid(i)), url);
            man.synced(id("x" + i));
        }
        man.seconds(1200);
        assertEquals(
                0,
                man.hunt.counts().domains().values().stream()
                        .mapToInt(DomainPicture::inFlight)
                        .sum());
        assertEquals(0, man.world.talking());
        assertEquals(0, man.time.tasks());
    }

    /// Row 131, end to end.
    @Test
    void attemptsDoNotOvertakeThoseWhoWait() {
        fillRate();
        man.world.waits(id("early"), List.of(oid(1)), "https://a.example/early");
        man.synced(id("early"));
        man.seconds(58.5);
        man.world.waits(id("late"), List.of(oid(2)), "https://a.example/late");
        man.synced(id("late"));
        man.seconds(5);
        var urls = man.world.urls("visit");
        assertEquals(List.of("https://a.example/early", "https://a.example/late"), urls.subList(30, 32));
    }

    /// Row 133.
    @Test
    void retryAfterPausesTheDomainAndEndsByItself() {
        man.world.server(A).has(oid(1)).fails(new Failure.SlowDown(Optional.of(Duration.ofMinutes(5))));
        man.world.waits(id("x"), List.of(oid(1)), A, "https://a.example/other.git");
        man.synced(id("x"));
        man.seconds(290);
        assertEquals(List.of(A), man.world.urls("visit"));
        man.world.server(A).works();
        man.seconds(20);
        assertEquals(301_000L, man.world.times("visit").get(1)); // by its queue, which asks what was not asked yet
        man.seconds(80);
        assertEquals(1, man.world.released.size());
    }

    /// Row 133.
    @Test
    void pauseWithoutANumberIsAMinuteAndNoneIsLongerThanTen() {
        assertEquals(Duration.ofSeconds(60), Verdicts.pause(Optional.empty()));
        assertEquals(Duration.ofMinutes(10), Verdicts.pause(Optional.of(Duration.ofDays(9))));
        assertEquals(Duration.ofSeconds(1), Verdicts.pause(Optional.of(Duration.ofSeconds(-5))));
        assertEquals(Duration.ofSeconds(7), Verdicts.pause(Optional.of(Duration.ofSeconds(7))));
    }

    /// Row 135 in virtual time, and row 171: however many wait, one domain sees its limits.
    @Test
    void serverNeverSeesMoreThanItsLimits() {
        for (int i = 0; i < 200; i++) {
            var url = "https://a.example/" + i;
            man.world.server(url).has(oid(i)).takes(Duration.ofSeconds(3));
            man.world.waits(id("x" + i), List.of(oid(i)), url);
            man.synced(id("x" + i));
        }
        int most = 0;
        for (int i = 0; i < 6000 && man.world.released.size() < 200; i++) {
            man.seconds(0.1);
            most = Math.max(most, man.world.talking());
        }
        assertEquals(5, most);
        var times = man.world.times("visit");
        for (int i = 30; i < times.size(); i++) {
            assertTrue(times.get(i) - times.get(i - 30) >= 60_000);
        }
        assertEquals(200, man.world.released.size());
        // 200 starts at 30 a minute: six whole minutes, then twenty more
        assertTrue(man.time.now() <= 1000 + (6 * 60_000) + 15_000, () -> man.time.now() + " ms");
    }

    /// P-601 and row 127: a new event lets a waiting identifier ask everything again.
    @Test
    void newEventClearsWhatWasTriedInQueues() {
        man.world.server(A).fails(new Failure.SlowDown(Optional.of(Duration.ofSeconds(100))));
        man.world.waits(id("x"), List.of(oid(1)), A, "https://a.example/other.git");
        man.synced(id("x"));
        man.seconds(90); // it waits for the end of the pause, with A tried
        man.world.server(A).works();
        man.world.server(A).has(oid(1));
        man.synced(id("x"));
        man.seconds(12);
        assertEquals(List.of("101000 x#1"), man.world.released);
    }

    /// P-650.
    @Test
    void bothPathsNeverFetchTheSameAtOnce() {
        fillRate();
        man.world.server(A).has(oid(1)).takes(Duration.ofSeconds(100));
        man.world.waits(id("x"), List.of(oid(1)), A);
        man.synced(id("x"));
        man.seconds(62); // the domain path fetches now
        assertEquals(1, man.world.talking());
        man.synced(id("x"));
        man.seconds(30); // an attempt has run and left it alone
        assertEquals(1, man.world.talking());
        assertEquals(
                1,
                man.world.calls("fetch").stream()
                        .filter(call -> call.url().equals(A))
                        .count());
        man.seconds(80);
        assertEquals(1, man.world.waiting.size() + man.world.released.size() - 30);
    }

    /// P-654, end to end.
    @Test
    void manyNamesOfOneMachineShareItsConnections() throws UnknownHostException {
        var address = InetAddress.getByAddress(new byte[] {(byte) 198, 51, 100, 7});
        for (int i = 0; i < 40; i++) {
            var url = "https://h" + i + ".example/x.git";
            var server = man.world.server(url).has(oid(i)).takes(Duration.ofSeconds(4));
            server.address = address;
            man.world.waits(id("x" + i), List.of(oid(i)), url);
            man.synced(id("x" + i));
        }
        int most = 0;
        for (int i = 0; i < 200; i++) {
            man.seconds(0.1);
            most = Math.max(most, man.world.talking());
        }
        assertEquals(10, most);
        assertEquals(40, man.world.released.size());
        assertTrue(man.time.now() <= 20_000);
        assertEquals(40, man.world.calls("visit").size());
    }

    /// P-654, end to end.
    @Test
    void allDomainsTogetherHaveThirtyTwoConversations() {
        for (int i = 0; i < 100; i++) {
            var url = "https://h" + i + ".example/x.git";
            man.world.server(url).has(oid(i)).takes(Duration.ofSeconds(4));
            man.world.waits(id("x" + i), List.of(oid(i)), url);
            man.synced(id("x" + i));
        }
        int most = 0;
        for (int i = 0; i < 180; i++) {
            man.seconds(0.1);
            most = Math.max(most, man.world.talking());
        }
        assertEquals(32, most);
        assertEquals(100, man.world.released.size());
    }

    /// P-900.
    @Test
    void otherLimitsCountAtOnce() {
        for (int i = 0; i < 60; i++) {
            var url = "https://a.example/" + i;
            man.world.server(url).has(oid(i)).takes(Duration.ofSeconds(10));
            man.world.waits(id("x" + i), List.of(oid(i)), url);
            man.synced(id("x" + i));
        }
        man.seconds(2);
        assertEquals(5, man.world.talking());
        man.hunt.change(Huntsman.with(new Limits(20, 100, List.of(), 32, 10)));
        man.seconds(0);
        assertEquals(20, man.world.talking());
    }

    /// P-902.
    @Test
    void nothingIsAskedWhileHuntingIsOff() {
        var d = HuntConfig.DEFAULTS;
        var off = new HuntConfig(
                false,
                d.loopEvery(),
                d.delays(),
                d.limits(),
                d.guesses(),
                d.expiry(),
                d.refreshEvery(),
                d.dormantEvery(),
                d.attemptLimit(),
                d.hedgeAfter());
        var idle = new Huntsman(off, 1);
        idle.world.server(A).has(oid(1));
        idle.world.waits(id("x"), List.of(oid(1)), A);
        idle.synced(id("x"));
        idle.seconds(600);
        assertEquals(List.of(), idle.world.calls);
        idle.hunt.change(d);
        idle.seconds(2);
        assertEquals(1, idle.world.released.size());
    }

    /// P-666.
    @Test
    void stopEndsEveryFetchAndBeginsNoOther() {
        for (int i = 0; i < 10; i++) {
            var url = "https://a.example/" + i;
            man.world.server(url).has(oid(i)).takes(Duration.ofSeconds(1000));
            man.world.waits(id("x" + i), List.of(oid(i)), url);
            man.synced(id("x" + i));
        }
        man.seconds(2);
        assertEquals(5, man.world.talking());
        man.hunt.stop();
        man.seconds(0);
        assertEquals(0, man.world.talking());
        assertEquals(0, man.time.tasks());
        int calls = man.world.calls.size();
        man.seconds(3600);
        assertEquals(calls, man.world.calls.size());
        man.hunt.close();
    }

    /// For people: what is missing, what each URL answered, when the next try is.
    @Test
    void pictureTellsHowAHuntStands() {
        man.world.server(A).fails(new Failure.NotThere());
        man.world.server(B).has(oid(1));
        man.world.waits(id("x"), List.of(oid(1), oid(2)), A, B);
        man.synced(id("x"));
        man.seconds(5);
        var picture = man.hunt.picture(id("x")).orElseThrow();
        assertFalse(picture.isRunning());
        assertEquals(1, picture.attempts());
        assertEquals(Optional.of(man.timeline.wallAt(21_000)), picture.nextAttempt());
        assertEquals(1, picture.missing());
        assertEquals(List.of(oid(2)), picture.firstMissing());
        assertEquals(
                List.of("not_there", "ok"),
                picture.answers().stream().map(Answer::result).toList());
        assertEquals(List.of(picture), man.hunt.pictures(10));
        assertEquals(List.of(), man.hunt.pictures(0));
        assertEquals(Optional.empty(), man.hunt.picture(id("y")));
    }

    /// P-651: a push is seen at once if somebody says so.
    @Test
    void recheckTakesWhatIsDoneOutOfAllQueues() {
        fillRate();
        man.world.waits(id("x"), List.of(oid(1)), A);
        man.synced(id("x"));
        man.seconds(5);
        man.world.push(id("x"), List.of(oid(1)));
        man.hunt.recheck(id("x"));
        assertEquals(0, man.hunt.counts().queued());
        assertEquals(0, man.domain("a.example").queued());
    }

    @Test
    void listenerThatFailsStopsNothing() {
        var time = new VirtualTime();
        var world = new ScriptedWorld(time);
        var hunt = new Hunt(
                HuntConfig.DEFAULTS,
                world,
                ScriptedWorld::judge,
                new TimedNaughtyList(Duration.ofHours(12), time::instant, () -> false),
                time.timeline(),
                time,
                time,
                new SplittableRandom(1),
                _ -> {
                    throw new IllegalStateException("a listener");
                });
        hunt.start();
        world.server(A).has(oid(1));
        world.waits(id("x"), List.of(oid(1)), A);
        hunt.notice(id("x"), Occasion.SYNCED);
        time.advance(Duration.ofSeconds(2));
        assertEquals(1, world.released.size());
    }

    /// P-646: a pause that begins between the permit and the turn ends the turn, not the waiting.
    @Test
    void turnThatFindsAPauseWaitsForItsEnd() {
        for (int i = 0; i < 30; i++) {
            var url = "https://a.example/" + i;
            man.world.server(url).has(oid(100 + i));
            man.world.waits(id("w" + i), List.of(oid(100 + i)), url);
            man.synced(id("w" + i));
        }
        man.world.server("https://a.example/x").fails(new Failure.SlowDown(Optional.of(Duration.ofSeconds(5))));
        man.world.server("https://a.example/y").has(oid(2));
        man.world.waits(id("x"), List.of(oid(1)), "https://a.example/x");
        man.world.waits(id("y"), List.of(oid(2)), "https://a.example/y");
        man.synced(id("x"));
        man.seconds(9);
        man.synced(id("y")); // attempts at 10, 30 and 70
        man.seconds(60); // both wait until the window moves at 61, and y until the pause is over
        assertEquals(
                List.of(66_000L),
                man.world.calls("visit").stream()
                        .filter(call -> call.url().endsWith("/y"))
                        .map(ScriptedWorld.Call::at)
                        .toList());
    }

    /// P-646, P-654: a turn that got no connection has asked nothing, so its URL is not tried.
    @Test
    void turnWithoutAConnectionComesAgainWhenOneIsFree() throws UnknownHostException {
        var alone = new Huntsman(Huntsman.with(new Limits(5, 30, List.of(), 32, 1)), 1);
        var machine = InetAddress.getByAddress(new byte[] {(byte) 198, 51, 100, 1});
        for (var url : List.of("https://a.example/slow", "https://a.example/x", "https://b.example/w")) {
            alone.world.server(url).address = machine;
        }
        alone.world.server("https://a.example/slow").fails(new Failure.SlowDown(Optional.of(Duration.ofSeconds(20))));
        alone.world.server("https://a.example/x").has(oid(1));
        alone.world.server("https://b.example/w").has(oid(2)).takes(Duration.ofSeconds(30));
        alone.world.waits(id("slow"), List.of(oid(3)), "https://a.example/slow");
        alone.synced(id("slow"));
        alone.seconds(2);
        alone.world.waits(id("x"), List.of(oid(1)), "https://a.example/x");
        alone.synced(id("x"));
        alone.seconds(12);
        alone.world.waits(id("w"), List.of(oid(2)), "https://b.example/w");
        alone.synced(id("w"));
        alone.seconds(45); // the pause ends at 21, the connection is free at 45
        assertEquals(
                List.of("45000 x#2"),
                alone.world.released.stream().filter(one -> one.contains("x#")).toList());
    }

    /// P-651: others need not wait behind somebody who has all.
    @Test
    void whoHasAllLeavesTheQueuesAtOnce() {
        man.world.server("https://b.example/slow").fails(new Failure.SlowDown(Optional.of(Duration.ofSeconds(60))));
        man.world.waits(id("slow"), List.of(oid(3)), "https://b.example/slow");
        man.synced(id("slow"));
        man.seconds(2);
        man.world.server("https://a.example/x").has(oid(1)).fails(new Failure.Passing());
        man.world.waits(id("x"), List.of(oid(1)), "https://a.example/x", "https://b.example/x");
        man.synced(id("x"));
        man.seconds(2);
        assertEquals(1, man.domain("b.example").queued());
        man.world.server("https://a.example/x").works();
        man.seconds(21);
        assertEquals(1, man.world.released.size());
        assertEquals(
                Set.of(new Host("b.example")),
                man.hunt.picture(id("slow")).orElseThrow().waitingAt());
        assertEquals(1, man.domain("b.example").queued(), "nobody else");
    }

    /// P-601: what was tried before the new event came may have what that needs.
    @Test
    void eventDuringAnAttemptLetsQueuesAskEveryUrlAgain() {
        var slow = new Huntsman(Huntsman.with(new Limits(5, 2, List.of(), 32, 10)), 1);
        slow.world.server("https://a.example/o").has(oid(9));
        slow.world.server("https://a.example/1").has(oid(2)).answersAfter(Duration.ofSeconds(5));
        slow.world.waits(id("o"), List.of(oid(9)), "https://a.example/o");
        slow.world.waits(id("x"), List.of(oid(1)), "https://a.example/1", "https://a.example/2");
        slow.synced(id("o"));
        slow.synced(id("x"));
        slow.seconds(3);
        slow.world.waits(id("x"), List.of(oid(2)), "https://a.example/1");
        slow.synced(id("x"));
        slow.seconds(90); // the rate is used up until 61
        assertEquals(List.of("1000 o#1", "66000 x#3"), slow.world.released);
    }

    /// Row 108: with the attempt goes all it holds, a younger visit too.
    @Test
    void attemptThatIsFreedGivesBackThePermitsOfItsVisits() {
        man.world
                .server("https://a.example/x")
                .answersAfter(Duration.ofMinutes(60))
                .fails(new Failure.Passing());
        man.world.server("https://b.example/x").hangs = true;
        man.world.waits(id("x"), List.of(oid(1)), "https://a.example/x", "https://b.example/x");
        man.synced(id("x"));
        man.seconds(5400); // the second source was asked half a minute after the first
        assertEquals(1, man.domain("b.example").inFlight());
        man.seconds(2);
        assertEquals(0, man.domain("b.example").inFlight());
    }
}
