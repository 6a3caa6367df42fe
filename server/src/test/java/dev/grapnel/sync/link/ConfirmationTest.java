package dev.grapnel.sync.link;

import static dev.grapnel.sync.link.OneRelay.event;
import static dev.grapnel.sync.link.OneRelay.id;
import static dev.grapnel.sync.link.OneRelay.repo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.nostr.message.RelayMessage.Completeness;
import dev.grapnel.nostr.message.SubscriptionId;
import dev.grapnel.sync.link.FarRelay.Asked;
import dev.grapnel.sync.world.Gate.Ruling;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// When something counts as completely delivered, and when a link is complete (sync R4.1, R4.2, R4.15, R4.16; tests 65
/// to 70).
final class ConfirmationTest {
    private static OneRelay busy() {
        return new OneRelay().announce(1).root(10, 1);
    }

    private static int batches(OneRelay world) {
        return world.picture().link().batches();
    }

    @Test
    void anEndOfAnOldConnectionConfirmsNothing() {
        var world = busy();
        world.relay.servesOnly(Asked::isLive);
        world.start();
        world.seconds(10);
        var old = world.relay.connection();
        var ids = List.copyOf(old.open.keySet());
        world.relay.drop();
        world.seconds(20);
        assertEquals(ids, List.copyOf(world.relay.connection().open.keySet()), "ids are the same again");
        assertEquals(3, batches(world));
        ids.forEach(id -> old.say(new RelayMessage.EndOfStored(id, Completeness.UNSTATED)));
        world.seconds(1);
        assertEquals(3, batches(world));
        world.relay.asked(one -> one.connection() == 2 && one.isHistoric()).forEach(world.relay::serve);
        world.seconds(1);
        assertEquals(0, batches(world));
    }

    @Test
    void endsThatComeTwiceOrForNothingAreHarmless() {
        var world = busy();
        world.relay.manner(one -> {
            world.relay.serve(one);
            world.relay.eose(one.id());
            world.relay.eose(new SubscriptionId("nobody"));
        });
        world.settled();
        assertEquals(LinkState.CONNECTED, world.state());
        assertEquals(1, world.relay.opened());
        world.relay.forget();
        for (var id : List.of("a1", "l2", "h3", "h4", "c9", "")) {
            world.relay.eose(new SubscriptionId(id));
        }
        world.seconds(60);
        assertEquals(LinkState.CONNECTED, world.state());
        assertEquals(List.of(), world.relay.frames);
        assertEquals(List.of(), world.linkNotes(LinkNote.Junk.class));
    }

    @Test
    void anEndThatComesTwiceDoesNotEndTheNextPage() {
        var world = busy();
        world.relay.pageMax = 20;
        for (int i = 0; i < 60; i++) {
            world.relay.keep(event(1111, 1_000_000 + i, "E", id(10).toString()));
        }
        world.relay.manner(one -> {
            world.relay.serve(one);
            world.relay.eose(one.id());
        });
        world.settled();
        assertEquals(60, world.home.admitted.size());
    }

    @Test
    void aBatchIsConfirmedOnlyWhenAllItsRequestsAreDone() {
        var world = busy();
        world.relay.servesOnly(one -> one.isLive() || !one.values('q').contains(repo(1).toString()));
        world.start();
        world.seconds(20);
        assertEquals(1, batches(world));
        world.relay.honest();
        world.relay.drop();
        world.seconds(20);
        var again = world.relay.asked(one -> one.connection() == 2 && one.isHistoric());
        assertEquals(
                List.of("d", "a", "A", "q"), again.stream().map(Asked::letters).toList(), "nothing of it is confirmed");
    }

    @Test
    void anEndCountsOnlyAfterEverythingBeforeItIsDecided() {
        var world = busy();
        world.relay.keep(event(1621, 1_000_000, "a", repo(1).toString()));
        world.home.isShut = true;
        world.start();
        world.seconds(60);
        assertTrue(batches(world) > 0);
        assertEquals(LinkState.SYNCING, world.state());
        assertEquals(1, world.home.admitted.size());
        world.home.open();
        world.seconds(10);
        assertEquals(0, batches(world));
        assertEquals(LinkState.CONNECTED, world.state());
    }

    @Test
    void anEventThatCouldNotBeStoredConfirmsNothing() {
        var world = busy();
        var event = event(1621, 1_000_000, "a", repo(1).toString());
        world.relay.keep(event);
        world.home.policy = _ -> new Ruling.Failed("the disk is full");
        world.start();
        world.seconds(30);
        assertEquals(1, world.picture().link().parked());
        assertEquals(LinkState.WITH_FAILURES, world.state());
        world.home.policy = _ -> new Ruling.Stored();
        world.seconds(60);
        assertTrue(world.home.has(event));
        assertEquals(LinkState.CONNECTED, world.state());
    }

    // ---- states

    @Test
    void aLinkIsCompleteAfterSixQuietSeconds() {
        var world = busy().start();
        world.seconds(0.1);
        double last = world.relay.asked().getLast().second();
        assertEquals(0, batches(world));
        world.seconds(last + 5.9 - world.now() / 1e9);
        assertEquals(LinkState.SYNCING, world.state());
        world.seconds(0.2);
        assertEquals(LinkState.CONNECTED, world.state());
    }

    @Test
    void workThatComesMeanwhileMakesTheSixSecondsBeginAnew() {
        var world = busy().start();
        world.seconds(0.5);
        world.root(11, 1); // looked at 5 s later
        world.seconds(5.2);
        assertTrue(world.relay.asked().getLast().names(id(11).toString()));
        world.seconds(5.5);
        assertEquals(LinkState.SYNCING, world.state());
        world.seconds(0.5);
        assertEquals(LinkState.CONNECTED, world.state());
    }

    @Test
    void aRootThatComesLaterDoesNotMakeALinkIncomplete() {
        var world = busy().settled();
        world.relay.servesOnly(Asked::isLive);
        world.root(11, 1);
        for (int second = 0; second < 60; second++) {
            world.seconds(1);
            assertEquals(LinkState.CONNECTED, world.state());
        }
        assertEquals(1, batches(world));
    }

    // ---- failures

    @Test
    void aFilterThatFailsParksItsBatchOnlyAndIsTriedAgainAfterAMinute() {
        var world = busy();
        world.relay.closes(one -> one.isHistoric() && one.values('A').contains(repo(1).toString()), "error: something");
        world.start();
        world.seconds(30);
        assertEquals(LinkState.WITH_FAILURES, world.state());
        assertEquals(1, world.picture().link().parked());
        assertEquals(1, batches(world), "announcements and roots are confirmed");
        world.relay.honest();
        world.relay.forget();
        world.seconds(34.9);
        assertEquals(List.of(), world.relay.asked());
        world.seconds(0.2);
        assertEquals(
                List.of("A"), world.relay.asked().stream().map(Asked::letters).toList(), "only what failed");
        assertEquals(LinkState.CONNECTED, world.state());
        assertEquals(0, batches(world));
    }

    @Test
    void aFilterThatFailsAgainAndAgainWaitsLongerAndThenForTheNextDay() {
        var world = busy();
        world.relay.closes(one -> one.isHistoric() && one.values('A').contains(repo(1).toString()), "error: something");
        world.start();
        world.run(Duration.ofHours(20));
        var times = world.relay.asked(one -> one.isHistoric() && one.letters().equals("A")).stream()
                .map(one -> (int) one.second())
                .toList();
        assertEquals(List.of(0, 5, 65, 185, 425, 905, 1865), times);
        assertEquals(LinkState.WITH_FAILURES, world.state());
        world.relay.honest();
        world.relay.forget();
        world.run(Duration.ofHours(6));
        assertFalse(world.relay.asked(one -> one.letters().equals("A")).isEmpty());
        assertEquals(LinkState.CONNECTED, world.state());
    }

    // ---- much that fails

    /// Of more batches than may wait, the relay answers all but one filter.
    private static OneRelay failing(String text) {
        var world = new OneRelay().narrow(1).announce(1).roots(1, 600, 1);
        world.relay.closes(one -> one.isHistoric() && one.letters().equals("q"), text);
        return world.start();
    }

    private static boolean isAskedFor(OneRelay world, long root) {
        return !world.relay
                .asked(one -> one.isHistoric() && one.names(id(root).toString()))
                .isEmpty();
    }

    @Test
    void aLinkWithMoreRefusedThanMayWaitIsAsCompleteAsItCanBe() {
        var world = failing("restricted: no quotes");
        world.run(Duration.ofMinutes(30));
        assertEquals(LinkState.WITH_FAILURES, world.state());
        assertFalse(isAskedFor(world, 600), "so much waits that no more is asked");
        assertTrue(world.link().beginDaily());
        world.relay.honest();
        world.run(Duration.ofHours(25));
        assertTrue(isAskedFor(world, 600));
        assertEquals(LinkState.CONNECTED, world.state());
    }

    @Test
    void whatWasGivenUpTakesNoRoomFromWhatIsWanted() {
        var world = failing("error: no index");
        world.run(Duration.ofHours(4));
        assertEquals(LinkState.WITH_FAILURES, world.state());
        assertTrue(isAskedFor(world, 600));
        assertTrue(batches(world) < 100, () -> batches(world) + " are remembered");
    }
}
