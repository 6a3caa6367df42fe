package dev.grapnel.sync.link;

import static dev.grapnel.sync.link.OneRelay.repo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.sync.link.FarRelay.Asked;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The first connection to a relay, and what comes before what (sync R4.6, R4.9, R3.11; tests 56 and 57).
final class FirstConnectTest {
    @Test
    void announcementsComeFirstThenChunksAndNothingHasSince() {
        var world = new OneRelay().announce(1).root(10, 1).comment(11, 10).start();
        world.seconds(30);
        var asked = world.relay.asked();
        assertEquals(
                List.of("a ", "ldaAqeEq", "h ", "hd", "ha", "hA", "hq", "he", "hE", "hq", "leq", "he", "hq"),
                asked.stream().map(one -> one.role() + one.letters()).toList());
        assertTrue(asked.stream()
                .flatMap(one -> one.filters().stream())
                .allMatch(filter -> filter.since().isEmpty()));
        assertEquals(
                List.of("fresh"),
                world.linkNotes(LinkNote.Connected.class).stream()
                        .map(LinkNote.Connected::strategy)
                        .toList());
    }

    private static double firstHistoric(OneRelay world) {
        return world.relay.asked(Asked::isHistoric).getFirst().second();
    }

    /// Test 28: what an announcement names besides the operator is the same entry.
    @Test
    void theBootstrapRelayThatAnAnnouncementNamesTooIsDialledOnce() {
        var world = new OneRelay().bootstrapped().announce(1).settled();
        assertEquals(1, world.relay.dials.size());
        assertTrue(world.picture().isBootstrap());
        assertTrue(world.relay.asked(Asked::isHistoric).stream()
                .anyMatch(one -> one.names(OneRelay.repo(1).toString())));
    }

    @Test
    void nothingStoredIsAskedForBeforeLiveFiltersAreAcknowledged() {
        var world = new OneRelay().announce(1);
        world.relay.manner(one -> world.relay.serveAfter(Duration.ofSeconds(one.role() == 'l' ? 3 : 0), one));
        world.start();
        world.seconds(20);
        assertEquals(3, firstHistoric(world), 0.01);
    }

    @Test
    void liveFiltersThatAreNeverAcknowledgedAreWaitedForFiveSeconds() {
        var world = new OneRelay().announce(1);
        world.relay.servesOnly(Asked::isHistoric);
        world.start();
        world.seconds(20);
        assertEquals(5, firstHistoric(world), 0.01);
        assertEquals(LinkState.CONNECTED, world.state());
    }

    @Test
    void whatIsWantedLaterIsAlsoStreamedBeforeItIsAskedFor() {
        var world = new OneRelay().announce(1).settled();
        world.relay.manner(one -> world.relay.serveAfter(Duration.ofSeconds(one.isLive() ? 2 : 0), one));
        world.relay.forget();
        world.announce(2);
        world.seconds(20);
        var live = world.relay.asked(Asked::isLive).getFirst();
        assertTrue(live.names(repo(2).toString()));
        assertEquals(live.second() + 2, firstHistoric(world), 0.01);
    }
}
