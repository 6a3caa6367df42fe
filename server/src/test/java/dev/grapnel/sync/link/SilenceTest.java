package dev.grapnel.sync.link;

import static dev.grapnel.sync.link.OneRelay.event;
import static dev.grapnel.sync.link.OneRelay.id;
import static dev.grapnel.sync.link.OneRelay.repo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.message.ClientMessage;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.sync.SyncNote;
import dev.grapnel.sync.health.Learned.Trait;
import dev.grapnel.sync.link.FarRelay.Asked;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What follows when a relay does not end its answers (sync R4.17; test 71).
final class SilenceTest {
    private static OneRelay busy() {
        return new OneRelay().announce(1).root(10, 1);
    }

    private static boolean isOdd(Asked one) {
        return one.isHistoric() && one.values('A').contains(repo(1).toString());
    }

    private static List<Integer> times(OneRelay world) {
        return world.relay.asked(SilenceTest::isOdd).stream()
                .map(one -> (int) one.second())
                .toList();
    }

    /// When our CLOSE of a request came, in seconds.
    private static double closedAt(OneRelay world, Asked asked) {
        return world.relay.frames.stream()
                .filter(frame -> frame.message().equals(new ClientMessage.Unsubscribe(asked.id())))
                .findFirst()
                .orElseThrow(() -> new AssertionError("not closed: " + asked))
                .second();
    }

    @Test
    void withoutAnyAnswerARequestIsClosedAfterTwoMinutesAndTriedTwiceAgain() {
        var world = busy();
        world.relay.servesOnly(one -> !isOdd(one));
        world.start();
        world.run(Duration.ofHours(1));
        assertEquals(List.of(0, 180, 900), times(world));
        for (var one : world.relay.asked(SilenceTest::isOdd)) {
            assertEquals(one.second() + 120, closedAt(world, one), 0.01);
        }
        assertEquals(0, world.picture().link().batches(), "it is taken to be empty");
        assertEquals(LinkState.WITH_FAILURES, world.state(), "but that is in doubt");
        assertEquals(1, world.relay.opened());
    }

    @Test
    void whatIsMissedAndNotAnsweredToTheEndIsAskedForAloneAndCounted() {
        var world = busy().settled();
        var late = event(1111, world.wall(), "E", OneRelay.id(10).toString());
        world.relay.keep(late);
        world.relay.manner(one -> {
            world.relay.deliver(one);
            if (!one.isCatchUp() || one.filters().size() == 1) {
                world.relay.eose(one.id());
            }
        });
        world.relay.drop();
        world.seconds(60);
        assertTrue(world.home.has(late));
        assertEquals(
                List.of("catchup"),
                world.linkNotes(LinkNote.Watchdog.class).stream()
                        .map(LinkNote.Watchdog::kind)
                        .toList());
        assertTrue(world.relay
                        .asked(one -> one.isCatchUp() && one.filters().size() == 1)
                        .size()
                > 1);
    }

    @Test
    void aRelayThatAnswersNoRequestAtAllIsLeft() {
        var world = busy();
        world.relay.servesOnly(Asked::isLive);
        world.start();
        world.seconds(1_019);
        assertEquals(1, world.relay.opened());
        assertEquals(3, world.picture().link().batches());
        world.seconds(2);
        var lost = world.notes(SyncNote.Disconnected.class).getFirst();
        assertEquals("it answers no request", lost.reason());
        assertEquals(1, world.picture().failures());
    }

    @Test
    void aDayLaterWhatWasTakenToBeEmptyIsAskedForAgain() {
        var world = busy();
        world.relay.servesOnly(one -> !isOdd(one));
        world.start();
        world.run(Duration.ofHours(1));
        world.relay.honest();
        world.run(Duration.ofHours(25));
        assertEquals(4, times(world).size());
        assertEquals(LinkState.CONNECTED, world.state());
    }

    @Test
    void aPageThatTakesHundredSecondsIsNotDoubted() {
        var world = busy();
        var event = event(1111, 1_000_000, "A", repo(1).toString());
        world.relay.keep(event);
        world.relay.manner(one -> world.relay.serveAfter(Duration.ofSeconds(isOdd(one) ? 100 : 0), one));
        world.start();
        world.seconds(400);
        assertTrue(world.home.has(event));
        assertEquals(LinkState.CONNECTED, world.state());
        assertEquals(List.of(), world.linkNotes(LinkNote.Watchdog.class));
    }

    /// Events of the repository, the newest first.
    private static List<Event> comments(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> event(1111, 1_000_000 - i, "A", repo(1).toString()))
                .toList();
    }

    /// Sends one event after the other at intervals, and no EOSE; then only what `until` lets through.
    private static void trickle(OneRelay world, List<Event> events, Duration every) {
        world.relay.manner(one -> {
            if (!isOdd(one)) {
                world.relay.serve(one);
                return;
            }
            var left = events.stream().filter(one.filters().getFirst()::matches).toList();
            for (int i = 0; i < left.size(); i++) {
                var event = left.get(i);
                world.time.after(every.multipliedBy(i), () -> {
                    if (world.relay.connection().open.containsKey(one.id())) {
                        world.relay.say(new RelayMessage.Delivery(one.id(), event));
                    }
                });
            }
        });
    }

    @Test
    void aPauseOfThirtySecondsEndsAPageAndTheWalkGoesOnFromThere() {
        var world = busy();
        var events = comments(3);
        trickle(world, events, Duration.ofSeconds(10));
        world.start();
        world.seconds(60);
        var pages = world.relay.asked(SilenceTest::isOdd);
        assertEquals(20 + 30, closedAt(world, pages.getFirst()), 0.01);
        assertEquals(
                OptionalLong.of(1_000_000 - 2),
                pages.get(1).filters().getFirst().until());
        events.forEach(event -> assertTrue(world.home.has(event)));
        world.run(Duration.ofHours(1));
        assertEquals(0, world.picture().link().batches());
        assertEquals(LinkState.WITH_FAILURES, world.state(), "in doubt");
    }

    @Test
    void aPageEndsAfterFiveMinutesAtTheLatest() {
        var world = busy();
        var events = comments(30);
        trickle(world, events, Duration.ofSeconds(20));
        world.start();
        world.seconds(310);
        var pages = world.relay.asked(SilenceTest::isOdd);
        assertEquals(300, closedAt(world, pages.getFirst()), 0.01);
        assertEquals(2, pages.size());
        world.run(Duration.ofHours(2));
        events.forEach(event -> assertTrue(world.home.has(event)));
    }

    /// Delivers what it has and never says EOSE for anything stored.
    private static OneRelay endless() {
        var world = busy();
        for (int i = 0; i < 3; i++) {
            world.relay.keep(event(1111, 1_000_000 - i, "E", id(10).toString()));
            world.relay.keep(event(1621, 1_000_000 - i, "a", repo(1).toString()));
        }
        world.relay.manner(one -> {
            if (one.isLive()) {
                world.relay.serve(one);
            } else {
                world.relay.deliver(one);
            }
        });
        return world;
    }

    @Test
    void aRelayThatNeverSaysEoseIsKnownAfterThreeTimesAndWaitedForLess() {
        var world = endless().start();
        world.run(Duration.ofHours(2));
        assertTrue(world.picture().learned().containsKey(Trait.NO_EOSE));
        assertEquals(0, world.picture().link().batches());
        assertEquals(LinkState.WITH_FAILURES, world.state());
        assertEquals(6, world.home.admitted.size());
        world.relay.forget();
        world.announce(2);
        world.seconds(6);
        var asked = world.relay
                .asked(one -> one.isHistoric() && one.letters().equals("a"))
                .getFirst();
        world.seconds(10);
        assertEquals(asked.second() + 5, closedAt(world, asked), 0.01);
    }

    @Test
    void thatARelayNeverSaysEoseIsForgottenAfterADay() {
        var world = endless().start();
        world.run(Duration.ofHours(2));
        assertTrue(world.picture().learned().containsKey(Trait.NO_EOSE));
        world.relay.honest();
        world.run(Duration.ofHours(30));
        assertEquals(LinkState.CONNECTED, world.state());
        assertFalse(world.link().bearing().neverEnds());
    }
}
