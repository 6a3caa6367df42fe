package dev.grapnel.sync.link;

import static dev.grapnel.sync.link.OneRelay.event;
import static dev.grapnel.sync.link.OneRelay.id;
import static dev.grapnel.sync.link.OneRelay.repo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.sync.SyncNote;
import dev.grapnel.sync.health.RelayStatus;
import dev.grapnel.sync.link.FarRelay.Asked;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/// What a relay refuses as a matter of policy is left alone for a day (sync R4.3, R4.20 line 10, 6.1; test 85).
final class PolicyRefusalTest {
    private static final String NO = "restricted: members only";
    private static final double DAY = 24 * 3_600;

    private static OneRelay refusing(Predicate<Asked> which) {
        var world = new OneRelay().announce(1).root(10, 1);
        world.relay.closes(which, NO);
        return world;
    }

    private static boolean isOdd(Asked one) {
        return one.isHistoric() && one.values('A').contains(repo(1).toString());
    }

    private static List<Double> times(OneRelay world, Predicate<Asked> which) {
        return world.relay.asked(which).stream().map(Asked::second).toList();
    }

    @Test
    void aRefusedFilterIsLeftAloneForADayAndOthersGoOn() {
        var world = refusing(PolicyRefusalTest::isOdd).settled();
        assertEquals(LinkState.WITH_FAILURES, world.state());
        assertEquals(1, world.picture().link().batches());
        assertEquals(RelayStatus.HEALTHY, world.picture().status());
        world.run(Duration.ofHours(23));
        assertEquals(1, times(world, PolicyRefusalTest::isOdd).size());
        world.relay.honest();
        world.run(Duration.ofHours(2));
        assertEquals(DAY, times(world, PolicyRefusalTest::isOdd).get(1), 30);
        assertEquals(LinkState.CONNECTED, world.state());
    }

    @Test
    void aRefusedFilterIsLeftAloneOnLaterConnectionsToo() {
        var world = refusing(PolicyRefusalTest::isOdd).settled();
        for (int i = 0; i < 3; i++) {
            world.relay.door(FarRelay.Door.SHUT);
            world.relay.drop();
            world.run(Duration.ofMinutes(20));
            world.relay.door(FarRelay.Door.OPEN);
            world.run(Duration.ofHours(1));
        }
        assertTrue(world.relay.opened() > 3);
        assertEquals(1, times(world, PolicyRefusalTest::isOdd).size());
        assertEquals(LinkState.WITH_FAILURES, world.state());
    }

    private static boolean isGroup(Asked one) {
        return one.role() == 'l';
    }

    @Test
    void aRefusedLiveGroupIsLeftAloneForADayAndThenCaughtUp() {
        var world = refusing(PolicyRefusalTest::isGroup).settled();
        assertEquals(LinkState.WITH_FAILURES, world.state());
        assertTrue(world.relay.isConnected());
        assertEquals(0, world.picture().link().batches(), "what is stored is fetched all the same");
        long refused = OneRelay.BEGIN.getEpochSecond();
        var event = event(1111, world.wall(), "E", id(10).toString());
        world.relay.publish(event);
        world.run(Duration.ofHours(22));
        assertEquals(1, times(world, PolicyRefusalTest::isGroup).size());
        world.relay.honest();
        world.run(Duration.ofHours(3));
        assertEquals(DAY, times(world, PolicyRefusalTest::isGroup).get(1), 30);
        assertTrue(world.home.has(event));
        assertEquals(
                OptionalLong.of(refused - 900),
                world.relay.asked(Asked::isCatchUp).getFirst().since());
        assertEquals(LinkState.CONNECTED, world.state());
    }

    @Test
    void aRefusedLiveGroupIsLeftAloneOnLaterConnectionsToo() {
        var world = refusing(PolicyRefusalTest::isGroup).settled();
        for (int i = 0; i < 3; i++) {
            world.relay.drop();
            world.run(Duration.ofHours(1));
        }
        assertEquals(4, world.relay.opened());
        assertEquals(1, times(world, PolicyRefusalTest::isGroup).size());
        assertEquals(LinkState.WITH_FAILURES, world.state());
        world.relay.honest();
        world.run(Duration.ofHours(22));
        assertEquals(DAY, times(world, PolicyRefusalTest::isGroup).get(1), 30);
        var event = event(1111, world.wall(), "E", id(10).toString());
        world.relay.publish(event);
        world.seconds(1);
        assertTrue(world.home.has(event));
    }

    @Test
    void aRelayThatRefusesEverythingIsLeftWithoutAFailureForADay() {
        var world = refusing(_ -> true).start();
        world.seconds(60);
        assertFalse(world.relay.isConnected());
        assertEquals(RelayStatus.POLICY_LIMITED, world.picture().status());
        assertEquals(0, world.picture().failures());
        assertTrue(world.notes(SyncNote.Disconnected.class).getFirst().isPlanned());
        assertEquals(1, world.notes(SyncNote.Parked.class).size(), "told once");
        world.run(Duration.ofHours(23));
        assertEquals(1, world.relay.dials.size());
        world.relay.honest();
        world.run(Duration.ofHours(2));
        assertEquals(2, world.relay.dials.size());
        assertEquals(DAY, world.relay.dials.getLast(), 60);
        assertEquals(LinkState.CONNECTED, world.state());
        assertEquals(RelayStatus.HEALTHY, world.picture().status());
    }

    /// Some of it was refused before: the day of that counts (6.1, R4.3).
    @Test
    void aRelayThatRefusesTheRestOnALaterConnectionIsTriedWhenTheFirstDayIsOver() {
        var world = refusing(one -> !one.isAnnouncements()).start();
        world.run(Duration.ofHours(12));
        assertEquals(1, world.relay.opened());
        world.relay.closes(_ -> true, NO);
        world.relay.drop();
        world.seconds(60);
        assertEquals(2, world.relay.opened());
        assertFalse(world.relay.isConnected());
        assertEquals(RelayStatus.POLICY_LIMITED, world.picture().status());
        world.run(Duration.ofHours(11));
        assertEquals(2, world.relay.opened());
        world.relay.honest();
        world.run(Duration.ofHours(2));
        assertEquals(3, world.relay.opened());
        assertEquals(DAY, world.relay.dials.getLast(), 120);
    }

    @Test
    void aFilterThatIsRefusedAmongOthersOfACatchUpDoesNotKeepThemBack() {
        var world = refusing(_ -> false).settled();
        var missed = event(1111, world.wall(), "E", OneRelay.id(10).toString());
        world.relay.keep(missed);
        world.relay.closes(one -> one.isCatchUp() && one.letters().contains("q"), NO);
        world.relay.drop();
        world.seconds(60);
        assertTrue(world.home.has(missed));
        assertEquals(LinkState.WITH_FAILURES, world.state(), "but the one filter is refused");
    }

    @Test
    void aRelayThatStreamsNothingButAnswersRequestsIsKept() {
        var world = refusing(one -> one.isLive() || isOdd(one)).start();
        world.run(Duration.ofHours(1));
        assertEquals(1, world.relay.opened());
        assertTrue(world.relay.isConnected());
        assertEquals(LinkState.WITH_FAILURES, world.state());
    }

    @Test
    void aRelayThatAnswersForAnnouncementsOnlyIsKept() {
        var world = refusing(one -> !one.isAnnouncements()).start();
        world.run(Duration.ofHours(1));
        assertTrue(world.relay.isConnected());
        assertEquals(LinkState.WITH_FAILURES, world.state());
        var event = event(30_617, world.wall(), "d", "other");
        world.relay.publish(event);
        world.seconds(1);
        assertTrue(world.home.has(event));
    }
}
