package dev.grapnel.sync.link;

import static dev.grapnel.sync.link.OneRelay.event;
import static dev.grapnel.sync.link.OneRelay.repo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.sync.SyncNote;
import dev.grapnel.sync.link.FarRelay.Asked;
import dev.grapnel.sync.world.Gate.Ruling;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Everything is compared once a day, whatever was streamed (sync R4.8, R4.12; tests 72 to 76).
final class DailyTest {
    private static final List<String> EVERYTHING = List.of(" ", "d", "a", "A", "q", "e", "E", "q");

    private static OneRelay busy() {
        return new OneRelay().announce(1).root(10, 1);
    }

    private static List<Asked> historic(FarRelay relay) {
        return relay.asked(Asked::isHistoric);
    }

    private static List<String> letters(FarRelay relay) {
        return historic(relay).stream().map(Asked::letters).toList();
    }

    /// Hours after the completion of the first full sync.
    private static double hours(Asked asked) {
        return (asked.second() - 6) / 3600;
    }

    @Test
    void everythingIsAskedForAgainAfterTwentyThreeToTwentyFiveHours() {
        var world = busy().settled();
        var live = world.relay.liveIds();
        world.relay.forget();
        world.run(Duration.ofHours(26));
        assertEquals(EVERYTHING, letters(world.relay));
        assertTrue(historic(world.relay).stream().allMatch(one -> one.since().isEmpty()));
        double at = hours(historic(world.relay).getFirst());
        assertTrue(at >= 23 && at <= 25, () -> at + " h");
        assertEquals(live, world.relay.liveIds(), "live filters stay open");
        assertTrue(world.relay.asked(Asked::isLive).isEmpty());
        world.run(Duration.ofHours(25));
        assertEquals(2 * EVERYTHING.size(), historic(world.relay).size());
    }

    private static List<Asked> announcements(FarRelay relay) {
        return relay.asked(one -> one.isHistoric() && one.isAnnouncements());
    }

    /// R4.13: what is caught up in between does not count as such a walk.
    @Test
    void manyAnnouncementsAreReadInFullOnceAWeekOnly() {
        var world = busy();
        for (int i = 0; i < 5_001; i++) {
            world.relay.keep(event(30_617, 1_000 + i, "d", "name-" + i));
        }
        world.settled();
        assertTrue(announcements(world.relay).size() > 10);
        world.relay.drop();
        for (int i = 0; i < 30; i++) { // so many may be all of them, or a page
            world.relay.keep(event(30_617, world.wall() - i, "d", "another-" + i));
        }
        world.seconds(60);
        world.relay.forget();
        for (int day = 1; day <= 6; day++) {
            long before = world.wall();
            world.run(Duration.ofHours(25));
            var asked = announcements(world.relay);
            assertFalse(asked.isEmpty());
            for (var one : asked) {
                long since = one.since().orElseThrow();
                assertTrue(since >= before - 7 * 86_400 && since <= world.wall() - 7 * 86_400, "a week");
            }
            world.relay.forget();
        }
        world.run(Duration.ofHours(50));
        assertTrue(
                announcements(world.relay).stream().anyMatch(one -> one.since().isEmpty()), "and then all");
    }

    @Test
    void fewAnnouncementsAreReadInFullEachDay() {
        var world = busy();
        world.relay.keep(event(30_617, 1_000, "d", "one"));
        world.settled();
        world.relay.forget();
        world.run(Duration.ofHours(26));
        assertTrue(
                announcements(world.relay).stream().allMatch(one -> one.since().isEmpty()));
    }

    @Test
    void eachRelayHasItsOwnTime() {
        var world = busy();
        var relays = IntStream.range(0, 10)
                .mapToObj(i -> world.relay("r" + i + ".example.com"))
                .toList();
        world.announce(repo(2), relays.toArray(FarRelay[]::new)).settled();
        relays.forEach(FarRelay::forget);
        world.run(Duration.ofHours(26));
        var times = new TreeSet<Double>();
        relays.forEach(relay -> times.add(hours(historic(relay).getFirst())));
        assertEquals(10, times.size());
        assertTrue(times.first() >= 23 && times.last() <= 25, times::toString);
        assertTrue(times.last() - times.first() > 0.5, times::toString);
    }

    @Test
    void theLinkIsSyncingMeanwhileAndStreams() {
        var world = busy().settled();
        world.relay.servesOnly(Asked::isLive);
        world.core().compareNow(Optional.empty());
        world.seconds(10);
        assertEquals(LinkState.SYNCING, world.state());
        var event = event(1621, world.wall(), "a", repo(1).toString());
        world.relay.publish(event);
        world.seconds(1);
        assertTrue(world.home.has(event));
    }

    @Test
    void whatTheStreamDidNotBringIsFound() {
        var world = busy().settled();
        var event = event(1621, world.wall(), "a", repo(1).toString());
        world.relay.keep(event);
        world.run(Duration.ofHours(22));
        assertFalse(world.home.has(event));
        world.run(Duration.ofHours(4));
        assertTrue(world.home.has(event));
        assertEquals(1, world.linkNotes(LinkNote.Missed.class).size());
    }

    @Test
    void itIsPostponedToAnHourAfterAFullSyncThatGoesOn() {
        var world = busy();
        world.relay.manner(one -> world.relay.serveAfter(Duration.ofSeconds(one.isLive() ? 0 : 100), one));
        world.start();
        world.seconds(30);
        world.core().compareNow(Optional.empty());
        world.seconds(30);
        assertEquals(EVERYTHING.size(), historic(world.relay).size(), "only the first time");
        assertTrue(world.linkNotes(LinkNote.Daily.class).getFirst().isPostponed());
        world.seconds(60); // complete at 106 s
        assertEquals(LinkState.CONNECTED, world.state());
        world.relay.forget();
        world.seconds(106 + 3_600 - 120 - 1);
        assertEquals(List.of(), historic(world.relay));
        world.seconds(2);
        assertEquals(EVERYTHING, letters(world.relay));
    }

    @Test
    void atMostEightRelaysAreComparedAtOnce() {
        var world = new OneRelay();
        var relays = Stream.concat(
                        Stream.of(world.relay),
                        IntStream.range(0, 8).mapToObj(i -> world.relay("r" + i + ".example.com")))
                .toList();
        world.announce(repo(1), relays.toArray(FarRelay[]::new)).settled();
        relays.forEach(relay -> {
            relay.forget();
            relay.servesOnly(Asked::isLive);
        });
        assertEquals(9, world.core().compareNow(Optional.empty()));
        world.seconds(60);
        var begun = relays.stream().filter(relay -> !historic(relay).isEmpty()).toList();
        assertEquals(8, begun.size());
        var ninth = relays.stream()
                .filter(relay -> !begun.contains(relay))
                .findFirst()
                .orElseThrow();
        assertEquals(LinkState.CONNECTED, world.link(ninth).state());
        begun.getFirst().honest();
        historic(begun.getFirst()).forEach(begun.getFirst()::serve);
        world.seconds(10);
        assertEquals(LinkState.CONNECTED, world.link(begun.getFirst()).state());
        assertFalse(historic(ninth).isEmpty());
    }

    /// Each of them asks us to slow down, again and again.
    @Test
    void eightRelaysThatNeverEndKeepNobodyElseWaiting() {
        var world = new OneRelay();
        var slow = IntStream.range(0, 8)
                .mapToObj(i -> world.relay("r" + i + ".example.com"))
                .toList();
        var all = Stream.concat(slow.stream(), Stream.of(world.relay)).toList();
        world.announce(repo(1), all.toArray(FarRelay[]::new)).settled();
        all.forEach(FarRelay::forget);
        slow.forEach(relay -> {
            relay.closes(Asked::isHistoric, "rate-limited: slow down");
            world.core().compareNow(Optional.of(relay.url));
        });
        world.seconds(60);
        world.core().compareNow(Optional.of(world.relay.url));
        world.run(Duration.ofMinutes(58));
        assertEquals(List.of(), historic(world.relay), "eight are compared");
        world.run(Duration.ofMinutes(2));
        assertEquals(EVERYTHING.getFirst(), letters(world.relay).getFirst());
        assertEquals(LinkState.CONNECTED, world.state());
        slow.forEach(relay -> assertEquals(LinkState.SYNCING, world.link(relay).state()));
    }

    /// The operator asks twice.
    @Test
    void aRelayThatIsComparedKeepsItsPlaceWhenItIsAskedForAgain() {
        var world = new OneRelay();
        var relays = IntStream.range(0, 9)
                .mapToObj(i -> world.relay("r" + i + ".example.com"))
                .toList();
        world.announce(repo(1), relays.toArray(FarRelay[]::new)).settled();
        relays.forEach(relay -> {
            relay.forget();
            relay.servesOnly(Asked::isLive);
        });
        for (int i = 0; i < 2; i++) {
            assertEquals(9, world.core().compareNow(Optional.empty()));
            world.seconds(60);
            assertEquals(
                    8,
                    relays.stream().filter(relay -> !historic(relay).isEmpty()).count());
        }
    }

    @Test
    void aRelayThatIsLostMeanwhileLeavesItsPlaceToAnother() {
        var world = new OneRelay();
        var relays = IntStream.range(0, 9)
                .mapToObj(i -> world.relay("r" + i + ".example.com"))
                .toList();
        world.announce(repo(1), relays.toArray(FarRelay[]::new)).settled();
        relays.forEach(relay -> {
            relay.forget();
            relay.servesOnly(Asked::isLive);
        });
        world.core().compareNow(Optional.empty());
        world.seconds(60);
        var ninth = relays.stream()
                .filter(relay -> historic(relay).isEmpty())
                .findFirst()
                .orElseThrow();
        relays.stream()
                .filter(relay -> relay != ninth)
                .findFirst()
                .orElseThrow()
                .drop();
        world.seconds(1);
        assertFalse(historic(ninth).isEmpty());
    }

    @Test
    void aClockThatJumpsLeadsToAFullComparisonWithinAnHour() {
        var world = busy().settled();
        world.run(Duration.ofHours(2));
        world.relay.forget();
        world.time.jump(Duration.ofHours(1));
        world.relay.drop(); // noticed by nobody yet, so the gap is asked for by a clock that is wrong
        var event = event(1621, world.wall() - 3_600, "a", repo(1).toString());
        world.relay.keep(event);
        world.seconds(120);
        assertEquals(1, world.notes(SyncNote.ClockSet.class).size());
        assertFalse(world.home.has(event));
        world.run(Duration.ofMinutes(60));
        assertTrue(world.home.has(event));
    }

    @Test
    void afterAClockJumpedTheNextConnectionComparesEverything() {
        var world = busy().settled();
        world.time.jump(Duration.ofHours(-1));
        world.seconds(61);
        world.relay.drop();
        world.seconds(30);
        assertEquals(
                "stale", world.linkNotes(LinkNote.Connected.class).getLast().strategy());
        world.run(Duration.ofHours(3));
        world.relay.drop();
        world.seconds(30);
        assertEquals(
                "quick", world.linkNotes(LinkNote.Connected.class).getLast().strategy());
    }

    @Test
    void whatHappensMeanwhileDoesNotPutOffTheComparisonAfterAJump() {
        var world = busy().settled();
        world.run(Duration.ofHours(2));
        world.time.jump(Duration.ofHours(1));
        world.seconds(62);
        assertEquals(1, world.notes(SyncNote.ClockSet.class).size());
        world.home.policy = _ -> new Ruling.Failed("no space left");
        world.relay.publish(event(1621, world.wall(), "a", repo(1).toString()));
        world.seconds(5);
        assertEquals(LinkState.WITH_FAILURES, world.state());
        world.home.policy = _ -> new Ruling.Stored();
        world.seconds(60);
        assertEquals(LinkState.CONNECTED, world.state());
        assertEquals(List.of(), world.linkNotes(LinkNote.Daily.class));
        world.run(Duration.ofHours(1));
        assertEquals(1, world.linkNotes(LinkNote.Daily.class).size());
        world.run(Duration.ofHours(22));
        assertEquals(1, world.linkNotes(LinkNote.Daily.class).size(), "and then a day later");
    }

    @Test
    void whatCouldNotBeCaughtUpIsComparedWithEverythingElse() {
        var world = busy().settled();
        world.relay.closes(Asked::isCatchUp, "error: no luck");
        world.relay.drop();
        world.seconds(120);
        assertEquals(LinkState.WITH_FAILURES, world.state());
        world.core().compareNow(Optional.empty());
        world.seconds(30);
        assertEquals(LinkState.CONNECTED, world.state());
        world.relay.notice("hello");
        world.seconds(0.001);
        assertEquals(OptionalLong.of(world.wall()), world.coveredUntil());
    }

    @Test
    void aClockThatGoesAFewMinutesWrongMattersNot() {
        var world = busy().settled();
        world.time.jump(Duration.ofMinutes(5));
        world.seconds(120);
        assertEquals(List.of(), world.notes(SyncNote.ClockSet.class));
    }
}
