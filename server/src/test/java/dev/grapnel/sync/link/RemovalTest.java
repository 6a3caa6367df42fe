package dev.grapnel.sync.link;

import static dev.grapnel.sync.link.OneRelay.event;
import static dev.grapnel.sync.link.OneRelay.repo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.Refusal.Prefix;
import dev.grapnel.nostr.message.SubscriptionId;
import dev.grapnel.store.row.RefusedEvent.Reason;
import dev.grapnel.sync.SyncNote;
import dev.grapnel.sync.health.RelayStatus;
import dev.grapnel.sync.link.FarRelay.Asked;
import dev.grapnel.sync.link.FarRelay.Door;
import dev.grapnel.sync.world.Gate.Ruling;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Which relays are followed for how long, and how one that is gone is noticed (sync R4.25, 4.9; tests 77 to 81).
final class RemovalTest {
    @Test
    void aRelayWhoseFirstConnectionFailsIsTriedAgain() {
        var world = new OneRelay().announce(1);
        world.relay.door(Door.SHUT);
        world.start();
        world.seconds(80);
        assertEquals(List.of(0L, 5L, 15L, 35L, 75L), world.relay.dials);
        world.relay.door(Door.OPEN);
        world.seconds(100);
        assertEquals(LinkState.CONNECTED, world.state());
    }

    @Test
    void aBootstrapRelayWhoseFirstConnectionFailsIsTriedAgain() {
        var world = new OneRelay().bootstrapped();
        world.relay.door(Door.SHUT);
        world.start();
        world.seconds(80);
        assertEquals(List.of(0L, 5L, 15L, 35L, 75L), world.relay.dials);
    }

    @Test
    void aRelayThatIsWantedStaysThoughNothingIsConfirmed() {
        var world = new OneRelay().announce(1);
        world.relay.servesOnly(Asked::isLive);
        world.start();
        world.run(Duration.ofMinutes(10));
        assertTrue(world.isFollowed(world.relay));
        world.relay.door(Door.SHUT);
        world.relay.drop();
        world.run(Duration.ofHours(3));
        assertTrue(world.isFollowed(world.relay));
        assertEquals(List.of(), world.notes(SyncNote.Removed.class));
    }

    @Test
    void aRelayThatNobodyNamesIsDroppedAtTheSecondLook() {
        var world = new OneRelay().announce(1).settled();
        world.seconds(30); // looks come every minute
        world.unannounce(1);
        world.seconds(89);
        assertTrue(world.isFollowed(world.relay));
        assertTrue(world.relay.isConnected());
        world.seconds(2);
        assertFalse(world.isFollowed(world.relay));
        assertFalse(world.relay.isConnected());
        world.run(Duration.ofHours(2));
        assertEquals(1, world.relay.dials.size());
    }

    /// Nothing is asked of it meanwhile, and what waits would be asked for ever.
    @Test
    void aRelayThatNobodyNamesIsDroppedWhileItWantsFewerRequests() {
        var world = new OneRelay().announce(1);
        world.relay.closes(asked -> !asked.isLive(), "rate-limited: slow down");
        world.start();
        world.seconds(20);
        assertEquals(RelayStatus.RATE_LIMITED, world.picture().status());
        world.unannounce(1);
        world.run(Duration.ofMinutes(3));
        assertFalse(world.isFollowed(world.relay));
    }

    /// Of whom nothing is wanted any more, answers that never end are not either.
    @Test
    void aRelayThatNobodyNamesIsDroppedThoughItIsAlwaysBusy() {
        var world = new OneRelay().announce(1);
        world.relay.servesOnly(Asked::isLive);
        world.start();
        world.seconds(20);
        world.unannounce(1);
        world.seconds(75);
        assertTrue(world.isFollowed(world.relay));
        world.run(Duration.ofMinutes(11));
        assertFalse(world.isFollowed(world.relay));
    }

    /// R1.16: who invents names for years does not keep others out.
    @Test
    void relaysThatCameAndWentLeaveTheirPlacesToOthers() {
        var world = new OneRelay().relaysKnown(12).start();
        for (int round = 0; round < 30; round++) {
            var invented = List.of(nobody(world, "a" + round), nobody(world, "b" + round), nobody(world, "c" + round));
            world.announce(repo(1), invented.get(0), invented.get(1)); // takes the place of the one before
            world.home.purgatory.hold(repo(2), OneRelay.id(round), List.of(invented.get(2).url));
            world.run(Duration.ofMinutes(4));
            assertTrue(invented.stream().allMatch(world::isFollowed));
            if (round % 3 == 2) {
                world.unannounce(1);
                world.home.purgatory.release(repo(2));
                world.run(Duration.ofMinutes(4));
                assertEquals(0, world.core().picture().index().relaysMet());
            }
        }
        world.announce(3);
        world.seconds(60);
        assertEquals(LinkState.CONNECTED, world.state());
        assertEquals(0, world.core().picture().index().refusedRelays());
        assertEquals(0, world.core().index().audit());
    }

    private static FarRelay nobody(OneRelay world, String name) {
        var relay = world.relay(name + ".example.com");
        relay.door(Door.SHUT);
        return relay;
    }

    /// Something of a relay is still in the gate when nobody knows the relay any more.
    @Test
    void whatCameFromARelayThatIsForgottenIsStillDecided() {
        var world = new OneRelay().announce(1).settled();
        world.home.isShut = true;
        var issue = event(1621, world.wall(), "a", repo(1).toString());
        world.relay.publish(issue);
        world.seconds(1);
        assertEquals(1, world.home.timesAdmitted(issue));
        world.home.policy = _ -> new Ruling.Refused(Reason.ORPHAN, false, Prefix.RESTRICTED);
        world.relay.drop();
        world.relay.door(Door.SHUT);
        world.unannounce(1);
        world.run(Duration.ofMinutes(5));
        assertEquals(0, world.core().picture().index().relaysMet());
        world.home.open();
        world.seconds(1);
        assertEquals(1, world.core().picture().intake().refused());
    }

    @Test
    void aRelayThatIsNamedAgainBetweenTwoLooksStays() {
        var world = new OneRelay().announce(1).settled();
        world.seconds(30);
        world.unannounce(1);
        world.seconds(60);
        world.announce(2);
        world.run(Duration.ofMinutes(10));
        assertTrue(world.relay.isConnected());
        assertEquals(1, world.relay.opened());
    }

    @Test
    void aRelayThatNobodyNamesAndThatIsNotConnectedIsDroppedToo() {
        var world = new OneRelay().announce(1).settled();
        world.relay.door(Door.SHUT);
        world.relay.drop();
        world.unannounce(1);
        world.seconds(130);
        assertFalse(world.isFollowed(world.relay));
    }

    @Test
    void aBootstrapRelayIsNeverDropped() {
        var world = new OneRelay().bootstrapped().announce(1).settled();
        world.unannounce(1);
        world.run(Duration.ofMinutes(10));
        assertTrue(world.relay.isConnected());
        assertEquals(List.of(), world.notes(SyncNote.Removed.class));
    }

    /// Announcements alone keep no relay (R2.7), whether it tells them or not.
    @Test
    void aRelayThatRefusesAnnouncementsIsDroppedAllTheSame() {
        var world = new OneRelay().announce(1);
        world.relay.closes(one -> one.isHistoric() && one.isAnnouncements(), "restricted: not for you");
        world.settled();
        assertEquals(LinkState.WITH_FAILURES, world.state());
        world.unannounce(1);
        world.seconds(130);
        assertFalse(world.isFollowed(world.relay));
    }

    @Test
    void aRelayWithWorkInFlightIsDroppedWhenThatIsOver() {
        var world = new OneRelay().announce(1).settled();
        world.seconds(30);
        world.relay.manner(one -> world.relay.serveAfter(Duration.ofSeconds(one.isLive() ? 0 : 115), one));
        world.announce(2);
        world.seconds(6);
        world.unannounce(1).unannounce(2);
        world.seconds(110);
        assertTrue(world.relay.isConnected());
        world.seconds(70);
        assertFalse(world.isFollowed(world.relay));
    }

    @Test
    void aRelayThatIsWantedAgainWhileItsConnectionEndsIsFollowedAgain() {
        var world = new OneRelay().announce(1).settled();
        world.relay.closing = Duration.ofSeconds(20);
        world.unannounce(1);
        world.seconds(121);
        assertEquals(LinkState.DISCONNECTING, world.state());
        world.announce(2);
        world.seconds(10);
        assertEquals(LinkState.DISCONNECTING, world.state());
        world.seconds(60);
        assertEquals(1, world.notes(SyncNote.Removed.class).size());
        assertEquals(2, world.notes(SyncNote.Registered.class).size());
        assertEquals(2, world.relay.opened());
        assertEquals(LinkState.CONNECTED, world.state());
        assertTrue(world.relay.asked(one -> one.connection() == 2 && one.isHistoric()).stream()
                .anyMatch(one -> one.names(repo(2).toString())));
    }

    @Test
    void whatComesWhileAConnectionEndsIsStillTaken() {
        var world = new OneRelay().announce(1).settled();
        world.relay.closing = Duration.ofSeconds(20);
        world.unannounce(1);
        world.seconds(121);
        var event = event(30_617, world.wall(), "d", "other");
        world.relay.publish(event);
        world.seconds(1);
        assertTrue(world.home.has(event));
        world.relay.close(new SubscriptionId(world.relay.liveIds().getFirst()), "error: shutting down");
        world.seconds(17);
        assertEquals(LinkState.DISCONNECTING, world.state());
        world.seconds(5);
        assertFalse(world.isFollowed(world.relay));
    }

    /// It is still named, so nobody says of each thread that it is wanted no more (8.2).
    @Test
    void aRelayThatGivesWayLeavesNoThreadsBehind() {
        var world = new OneRelay().relaysFollowed(1).announce(1).root(10, 1).comment(11, 10);
        world.settled();
        assertTrue(world.core().picture().prefixes() > 0);
        var other = world.relay("other.example.com");
        world.announce(OneRelay.repo(2), other).announce(OneRelay.repo(3), other);
        world.run(Duration.ofMinutes(5));
        assertFalse(world.isFollowed(world.relay));
        assertEquals(0, world.core().picture().prefixes());
    }

    // ---- silence

    @Test
    void aConnectionThatIsHalfOpenIsGivenUpWithinNinetySeconds() {
        var world = new OneRelay().announce(1).settled();
        world.run(Duration.ofMinutes(10));
        world.relay.notice("hello");
        world.seconds(0.001);
        long last = world.now();
        world.relay.setDeaf(true);
        world.relay.pings.clear();
        world.seconds(31);
        assertTrue(world.relay.pings.size() >= 1, "after 30 s somebody asks");
        world.time.runUntil(last + 89_000_000_000L);
        assertTrue(world.relay.isConnected());
        world.time.runUntil(last + 90_100_000_000L);
        assertFalse(world.link().isUp());
        var lost = world.notes(SyncNote.Disconnected.class).getLast();
        assertEquals("it fell silent", lost.reason());
        assertFalse(lost.isPlanned());
    }

    /// R4.26: it may have said much.
    @Test
    void aRelayThatIsNotReadForWantOfRoomIsKept() {
        var world = new OneRelay().announce(1).settled();
        world.relay.setDeaf(true);
        world.relay.isUnread = true;
        world.run(Duration.ofMinutes(10));
        assertEquals(1, world.relay.opened());
        assertTrue(world.link().isUp());
    }

    @Test
    void aQuietRelayThatAnswersPingsIsKept() {
        var world = new OneRelay().announce(1).settled();
        world.relay.pings.clear();
        world.run(Duration.ofHours(3));
        assertTrue(world.relay.pings.size() >= 3 * 60, () -> world.relay.pings.size() + " pings");
        assertEquals(1, world.relay.opened());
    }
}
