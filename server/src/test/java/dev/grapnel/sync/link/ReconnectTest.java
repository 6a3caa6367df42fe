package dev.grapnel.sync.link;

import static dev.grapnel.sync.link.OneRelay.event;
import static dev.grapnel.sync.link.OneRelay.id;
import static dev.grapnel.sync.link.OneRelay.repo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.message.SubscriptionId;
import dev.grapnel.sync.link.FarRelay.Asked;
import dev.grapnel.sync.link.FarRelay.Door;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is asked when a relay comes back, by how long it was away and up to when everything is known to be here (sync
/// 4.3, 4.4; tests 58 to 64).
final class ReconnectTest {
    private static OneRelay busy() {
        return new OneRelay().announce(1).root(10, 1);
    }

    private static String strategy(OneRelay world) {
        return world.linkNotes(LinkNote.Connected.class).getLast().strategy();
    }

    private static List<OptionalLong> sinces(List<Asked> asked) {
        return asked.stream()
                .flatMap(one -> one.filters().stream())
                .map(filter -> filter.since())
                .distinct()
                .toList();
    }

    private static List<Asked> onLast(OneRelay world) {
        int last = world.relay.opened();
        return world.relay.asked(one -> one.connection() == last);
    }

    /// Says something that does nothing but be heard.
    private static long heard(OneRelay world) {
        world.relay.notice("hello");
        world.seconds(0.001);
        return world.wall();
    }

    @Test
    void aShortGapAfterALongConnectionIsAskedForFromTheLastFrameOn() {
        var world = busy().settled();
        world.run(Duration.ofHours(10));
        long last = heard(world);
        world.seconds(4);
        world.relay.drop();
        world.seconds(10);
        assertEquals("quick", strategy(world));
        var asked = onLast(world);
        assertEquals(
                List.of("a ", "ldaAqeEq", "c daAqeEq"),
                asked.stream().map(one -> one.role() + one.letters()).toList());
        assertEquals(
                List.of(OptionalLong.of(last - 900)),
                sinces(asked.stream().filter(Asked::isCatchUp).toList()));
    }

    /// Whatever is streamed is forty minutes old by our clock: so is what is said while we are cut off.
    @Test
    void aClockThatIsAheadLeavesNothingOut() {
        var world = busy().settled();
        world.relay.publish(event(1621, world.wall() - 2_405, "a", repo(1).toString()));
        world.relay.publish(event(1621, world.wall() - 2_400, "a", repo(1).toString()));
        world.run(Duration.ofMinutes(2));
        long last = heard(world);
        world.relay.drop();
        world.seconds(10);
        var asked = onLast(world).stream().filter(Asked::isCatchUp).toList();
        assertEquals(List.of(OptionalLong.of(last - 900 - 2_400)), sinces(asked));
        world.relay.publish(event(1621, world.wall() - 3, "a", repo(1).toString()));
        world.run(Duration.ofMinutes(2));
        last = heard(world);
        world.relay.drop();
        world.seconds(10);
        asked = onLast(world).stream().filter(Asked::isCatchUp).toList();
        assertEquals(List.of(OptionalLong.of(last - 900)), sinces(asked));
    }

    @Test
    void aPongCountsAsHeard() {
        var world = busy().settled();
        world.run(Duration.ofHours(1));
        long dropped = world.wall();
        world.relay.drop();
        world.seconds(10);
        long since = sinces(onLast(world)).getLast().orElseThrow();
        assertTrue(since >= dropped - 30 - 900 && since <= dropped - 900, () -> since - dropped + "");
    }

    @ParameterizedTest
    @ValueSource(ints = {900, 901})
    void aGapOfFifteenMinutesIsShortAndOneSecondMoreIsLong(int seconds) {
        var world = busy().settled();
        world.relay.door(Door.AJAR);
        world.relay.drop();
        world.seconds(seconds);
        world.relay.door(Door.OPEN);
        world.seconds(30);
        boolean isShort = seconds == 900;
        assertEquals(isShort ? "quick" : "stale", strategy(world));
        var asked = onLast(world);
        assertEquals(isShort, asked.stream().anyMatch(Asked::isCatchUp));
        assertEquals(!isShort, asked.stream().anyMatch(Asked::isHistoric));
        assertEquals(isShort ? 2 : 1, sinces(asked).size());
    }

    @Test
    void aShortGapOfAnOldWatermarkIsLong() {
        var world = busy();
        world.settled();
        world.relay.drop();
        world.relay.servesOnly(one -> one.isLive() || !one.isCatchUp());
        world.seconds(6);
        assertEquals("quick", strategy(world));
        for (int i = 0; i < 4 * 25; i++) { // the catch-up is never answered, so nothing moves
            world.relay.drop();
            world.run(Duration.ofMinutes(15));
        }
        assertTrue(world.linkNotes(LinkNote.Connected.class).stream()
                .anyMatch(note -> note.strategy().equals("stale")));
    }

    @Test
    void whatWasPublishedMeanwhileComesByCatchUp() {
        var world = busy().settled();
        world.relay.door(Door.SHUT);
        world.relay.drop();
        world.seconds(60);
        var events = Stream.of(
                        event(30_617, world.wall(), "d", "other"),
                        event(30_618, world.wall(), "d", "repo-1"),
                        event(1621, world.wall(), "a", repo(1).toString()),
                        event(1111, world.wall(), "E", id(10).toString()))
                .toList();
        events.forEach(world.relay::keep);
        world.seconds(60);
        world.relay.door(Door.OPEN);
        world.seconds(300);
        assertEquals("quick", strategy(world));
        assertTrue(onLast(world).stream().noneMatch(Asked::isHistoric));
        for (Event event : events) {
            assertTrue(world.home.has(event), event::toString);
        }
    }

    @Test
    void aConnectionThatIsLostDuringCatchUpIsCaughtUpFromTheOldMomentOn() {
        var world = busy().settled();
        long last = heard(world);
        world.relay.servesOnly(one -> !one.isCatchUp());
        world.relay.drop();
        world.seconds(60);
        for (int i = 0; i < 3; i++) {
            world.relay.drop();
            world.seconds(60);
            assertEquals("quick", strategy(world));
            assertEquals(
                    List.of(OptionalLong.empty(), OptionalLong.of(last - 900)), sinces(onLast(world)), "time " + i);
        }
        world.relay.honest();
        world.relay.drop();
        world.run(Duration.ofMinutes(20));
        long again = heard(world);
        world.relay.drop();
        world.seconds(30);
        assertEquals(OptionalLong.of(again - 900), sinces(onLast(world)).getLast());
    }

    @Test
    void aGroupThatIsClosedDuringCatchUpHoldsTheMomentBackUntilThatIsOver() {
        var world = busy().settled();
        world.relay.servesOnly(one -> !one.isCatchUp());
        world.relay.drop();
        world.seconds(10);
        world.relay.close(new SubscriptionId(world.relay.liveIds().getLast()), "error: once more");
        world.seconds(20);
        assertEquals(2, world.relay.liveIds().size());
        long before = world.coveredUntil().orElseThrow();
        assertTrue(before < world.wall() - 25, () -> "" + (world.wall() - before));
        onLast(world).stream().filter(Asked::isCatchUp).forEach(world.relay::serve);
        world.seconds(10);
        long now = heard(world);
        assertEquals(OptionalLong.of(now), world.coveredUntil());
    }

    @Test
    void afterCatchUpTheMomentOfTheConnectionCounts() {
        var world = busy().settled();
        world.relay.servesOnly(one -> !one.isLive());
        world.relay.drop();
        world.seconds(5);
        long connected = world.wall();
        world.seconds(3); // caught up; live filters are not acknowledged, so nothing else moves it
        assertEquals("quick", strategy(world));
        assertEquals(OptionalLong.of(connected), world.coveredUntil());
    }

    @Test
    void announcementsThatNeverCameInFullAreAskedForWithoutSince() {
        var world = busy();
        world.relay.servesOnly(one -> one.isLive() || !one.isAnnouncements());
        world.start();
        world.seconds(30);
        world.relay.drop();
        world.seconds(10);
        assertEquals("quick", strategy(world));
        var asked = onLast(world);
        assertEquals(
                List.of("a ", "ldaAqeEq", "cdaAqeEq", "h "),
                asked.stream().map(one -> one.role() + one.letters()).toList());
        assertEquals(OptionalLong.empty(), asked.getLast().since());
    }

    @Test
    void whatIsWantedSinceTheLossIsAskedForWithoutSince() {
        var world = busy().settled();
        world.relay.door(Door.SHUT);
        world.relay.drop();
        world.seconds(10);
        world.announce(2).root(20, 1);
        world.seconds(30);
        world.relay.door(Door.OPEN);
        world.seconds(60);
        assertEquals("quick", strategy(world));
        var historic = onLast(world).stream().filter(Asked::isHistoric).toList();
        assertEquals(
                List.of("d", "a", "A", "q", "e", "E", "q"),
                historic.stream().map(Asked::letters).toList());
        assertEquals(List.of(OptionalLong.empty()), sinces(historic));
        assertFalse(historic.stream().anyMatch(one -> one.names(repo(1).toString())));
        assertFalse(historic.stream().anyMatch(one -> one.names(id(10).toString())));
        assertFalse(onLast(world).stream()
                .filter(Asked::isCatchUp)
                .anyMatch(one -> one.names(repo(2).toString()) || one.names(id(20).toString())));
    }

    @Test
    void whatWasInFlightIsForgottenAtTheLoss() {
        var world = busy();
        world.relay.servesOnly(Asked::isLive);
        world.start();
        world.seconds(10);
        assertEquals(3, world.picture().link().batches());
        world.relay.door(Door.SHUT);
        world.relay.drop();
        world.seconds(0.001);
        assertEquals(0, world.picture().link().batches());
        assertEquals(
                3,
                world.linkNotes(LinkNote.BatchEnded.class).stream()
                        .filter(note -> note.result().equals("cancelled"))
                        .count());
        world.relay.door(Door.OPEN);
        world.seconds(20);
        assertEquals(
                List.of(" ", "d", "a", "A", "q", "e", "E", "q"),
                onLast(world).stream()
                        .filter(Asked::isHistoric)
                        .map(Asked::letters)
                        .toList());
    }

    @Test
    void aLiveGroupThatIsNotAcknowledgedYetDoesNotThrowTheMomentBack() {
        var world = busy().settled();
        world.run(Duration.ofHours(30));
        long last = heard(world);
        world.relay.servesOnly(one -> !one.isLive());
        world.announce(2);
        world.seconds(6); // its group was opened a second ago
        world.relay.drop();
        world.seconds(10);
        assertEquals("quick", strategy(world));
        long since = sinces(onLast(world)).getLast().orElseThrow();
        assertTrue(since >= last - 900, () -> "" + (since - last));
    }
}
