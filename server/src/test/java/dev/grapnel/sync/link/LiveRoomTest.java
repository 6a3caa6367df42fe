package dev.grapnel.sync.link;

import static dev.grapnel.sync.link.OneRelay.event;
import static dev.grapnel.sync.link.OneRelay.id;
import static dev.grapnel.sync.link.OneRelay.repo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.message.SubscriptionId;
import dev.grapnel.sync.health.Learned.Trait;
import dev.grapnel.sync.world.Mutation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What is streamed where there is hardly room for it, and when that changes (sync R3.6, R3.14, R3.20, R3.24).
final class LiveRoomTest {
    private static boolean streams(OneRelay world, String value) {
        return world.relay.liveFilters().stream()
                .anyMatch(filter -> filter.tags().stream()
                        .anyMatch(tag -> tag.values().toList().contains(value)));
    }

    /// What took its place kept it, and nobody was told.
    @Test
    void aGroupThatTheRelayClosedFindsItsSlotAgain() {
        var world = new OneRelay().announce(1).roots(1_000, 300, 1);
        world.relay.subscriptionsMax(10);
        world.settled();
        int number = 1;
        for (; world.relay.liveIds().size() < 7; number++) {
            world.root(number, 1);
            world.seconds(6);
        }
        world.root(number, 1);
        world.seconds(3);
        world.relay.close(new SubscriptionId(world.relay.liveIds().getLast()), "error: live event buffer overflow");
        world.run(Duration.ofMinutes(3));
        var missing = new ArrayList<Integer>();
        for (int root = 1; root <= number; root++) {
            if (!streams(world, id(root).toString())) {
                missing.add(root);
            }
        }
        assertEquals(List.of(), missing);
    }

    /// R3.17: the old groups are open until the new ones deliver, and have their slots until then.
    @Test
    void whatIsNewWaitsForASlotWhileEverythingIsPackedAnew() {
        var world = new OneRelay().announce(1).root(1_000, 1);
        world.relay.subscriptionsMax(10);
        world.settled();
        int number = 1;
        for (; world.relay.liveIds().size() < 6; number++) {
            world.root(number, 1);
            world.seconds(6);
        }
        world.root(number, 1);
        world.seconds(3);
        world.link().plan().replan();
        int most = 0;
        for (int second = 0; second < 5; second++) {
            world.seconds(1);
            most = Math.max(most, world.relay.liveIds().size());
        }
        assertEquals(7, most);
        world.run(Duration.ofMinutes(2));
        assertTrue(streams(world, id(number).toString()));
    }

    private static boolean isStreamed(OneRelay world, Event event) {
        world.relay.publish(event);
        world.seconds(1);
        return world.home.has(event);
    }

    /// Until the next connection it was neither streamed nor asked for now and then.
    @Test
    void whatDidNotFitIsStreamedWhenTheLimitThatWasLearnedIsForgotten() {
        var world = new OneRelay().announce(1).root(1, 1).settled();
        world.link().bearing().learn(Trait.SUBSCRIPTIONS, 3);
        world.link().plan().replan();
        world.run(Duration.ofHours(23).plusMinutes(50));
        assertEquals(1, world.relay.liveIds().size());
        world.run(Duration.ofMinutes(20));
        assertTrue(streams(world, id(1).toString()));
        assertTrue(isStreamed(world, event(1111, world.wall(), "E", id(1).toString())));
    }

    @Test
    void whatIsNewIsStreamedWhenTheLimitThatWasLearnedIsForgotten() {
        var world = new OneRelay().announce(1).root(1, 1).settled();
        world.link().bearing().learn(Trait.SUBSCRIPTIONS, 3);
        world.link().plan().replan();
        world.seconds(10);
        world.link().bearing().forget(Trait.SUBSCRIPTIONS);
        world.root(2, 1);
        world.seconds(10);
        assertTrue(streams(world, id(1).toString()));
        assertTrue(streams(world, id(2).toString()));
    }

    private static void inform(OneRelay world, int subscriptions) {
        world.relay.subscriptionsMax(subscriptions);
        world.link().inform(world.relay.information);
        world.seconds(10);
    }

    @Test
    void announcementsAreStreamedWhenThereIsASlotForThem() {
        var world = new OneRelay().announce(1).root(1, 1);
        world.relay.subscriptionsMax(1);
        world.settled();
        assertEquals(List.of(), world.relay.liveIds());
        inform(world, 3);
        assertEquals(1, world.relay.liveIds().size());
        assertTrue(isStreamed(world, event(30_617, world.wall(), "d", "new")));
        inform(world, 20);
        assertEquals(2, world.relay.liveIds().size());
        assertTrue(isStreamed(world, event(1111, world.wall(), "E", id(1).toString())));
    }

    /// They kept the only slot, so nothing at all was asked for.
    @Test
    void announcementsAreSweptWhenThereIsNoSlotForThemAnyMore() {
        var world = new OneRelay().announce(1).root(1, 1).settled();
        inform(world, 1);
        assertEquals(List.of(), world.relay.liveIds());
        var announcement = event(30_617, world.wall(), "d", "new");
        var comment = event(1111, world.wall(), "E", id(1).toString());
        world.relay.publish(announcement);
        world.relay.publish(comment);
        world.run(Duration.ofMinutes(6));
        assertTrue(world.home.has(announcement));
        assertTrue(world.home.has(comment));
        assertEquals(List.of(), world.relay.liveIds());
    }

    private static int widest(OneRelay world) {
        return world.relay.asked(FarRelay.Asked::isHistoric).stream()
                .mapToInt(one -> one.values('e').size())
                .max()
                .orElse(0);
    }

    @Test
    void whereNothingButAnnouncementsIsStreamedFiltersAreWideIfThereWouldBeTooMany() {
        var world = new OneRelay().announce(1).roots(1, 2_300, 1);
        world.relay.subscriptionsMax(4);
        world.settled();
        assertEquals(450, world.picture().link().width());
        assertEquals(450, widest(world));
    }

    @Test
    void whereNothingButAnnouncementsIsStreamedFiltersGetWideAndNarrowAgain() {
        var world = new OneRelay().announce(1).roots(1, 10, 1);
        world.relay.subscriptionsMax(4);
        world.settled();
        assertEquals(100, world.picture().link().width());
        world.roots(101, 2_300, 1);
        world.run(Duration.ofMinutes(11));
        assertEquals(450, world.picture().link().width());
        world.relay.forget();
        world.run(Duration.ofMinutes(6));
        assertEquals(450, widest(world), "what is swept");
        for (long number = 101; number < 2_401; number++) {
            world.home.serve(new Mutation.Left(id(number)));
        }
        world.run(Duration.ofMinutes(6));
        assertEquals(100, world.picture().link().width());
    }

    private static long merged(OneRelay world) {
        return world.linkNotes(LinkNote.Consolidated.class).stream()
                .filter(note -> note.result().equals("merged"))
                .count();
    }

    /// It was looked at a thousand times a second.
    @Test
    void whatIsNewWaitsForARelayThatReadsSlowly() {
        var world = new OneRelay().announce(1, 2).roots(1, 1_500, 1);
        world.relay.subscriptionsMax(200);
        world.settled();
        world.relay.writing = Duration.ofMinutes(10);
        world.unannounce(2);
        world.announce(3);
        world.seconds(70);
        assertEquals(0, merged(world));
        world.unannounce(3);
        world.announce(4);
        world.seconds(25);
        assertTrue(merged(world) > 10 && merged(world) < 30, () -> merged(world) + " times");
        world.relay.writing = Duration.ZERO;
        world.run(Duration.ofHours(1));
        assertTrue(streams(world, repo(4).toString()));
    }
}
