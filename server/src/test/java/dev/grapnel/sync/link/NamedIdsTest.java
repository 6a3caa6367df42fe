package dev.grapnel.sync.link;

import static dev.grapnel.sync.link.OneRelay.repo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.message.ClientMessage;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.nostr.message.SubscriptionId;
import dev.grapnel.nostr.negentropy.NegentropyItems;
import dev.grapnel.nostr.negentropy.NegentropyResponder;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/// How many ids that comparisons named may wait (sync 8.2).
final class NamedIdsTest {
    private static final int MANY = 10_001;

    private static OneRelay settled() {
        var world = new OneRelay().comparing();
        world.relay.compares();
        return world.announce(1).settled();
    }

    private static void compare(OneRelay world) {
        world.relay.forget();
        world.core().compareNow(Optional.of(world.relay.url));
        world.seconds(30);
    }

    private static long comparisons(OneRelay world) {
        return world.relay.count(ClientMessage.NegOpen.class);
    }

    private static boolean isById(FarRelay.Asked one) {
        return one.role() == 'i';
    }

    /// Names thousands of events that there are nowhere.
    private static void invent(OneRelay world, SubscriptionId id, AtomicInteger serial) {
        var opening = (ClientMessage.NegOpen) world.relay.frames.getLast().message();
        var items = NegentropyItems.builder(0, 100_000);
        for (int i = 0; i < 12_000; i++) {
            items.add(1_000, OneRelay.id(1_000_000 + serial.getAndIncrement()));
        }
        var answer = new NegentropyResponder(items.seal(), 0).respond(opening.message());
        world.relay.say(new RelayMessage.NegMessage(id, answer.require()));
    }

    /// They were kept until memory was full: each comparison named up to 250,000 more.
    @Test
    void aRelayThatNamesThousandsAndGivesNoneIsNotAskedToNameMore() {
        var world = new OneRelay().comparing().announceMany(400);
        var serial = new AtomicInteger();
        world.relay.comparing(id -> invent(world, id, serial));
        world.relay.servesOnly(one -> !isById(one));
        world.settled();
        assertEquals(4, world.relay.asked(NamedIdsTest::isById).size());
        assertEquals(2, comparisons(world), "both began before either had named any");
    }

    @Test
    void comparisonsGoOnWhenWhatWasNamedHadItsTurn() {
        var world = settled();
        var named = world.link().work().ids().named().add(MANY);
        compare(world);
        assertEquals(0, comparisons(world));
        named.end();
        world.announce(2);
        world.seconds(20);
        assertTrue(comparisons(world) > 0);
        assertEquals(LinkState.CONNECTED, world.state());
    }

    @Test
    void aRelayThatRefusesThousandsItNamedIsReadByPages() {
        var world = settled();
        var issue = OneRelay.event(1621, world.wall() - 3_600, "a", repo(1).toString());
        world.relay.keep(issue);
        world.link().work().ids().named().add(MANY).setAside(true);
        compare(world);
        assertEquals(0, comparisons(world));
        assertTrue(world.home.has(issue));
        assertEquals(LinkState.CONNECTED, world.state());
    }

    @Test
    void whatIsNamedWhereAllLinksTogetherWaitForTooManyIsReadByPages() {
        var world = settled();
        var issue = OneRelay.event(1621, world.wall() - 3_600, "a", repo(1).toString());
        world.relay.keep(issue);
        world.link().commons().named().take(1_000_000);
        compare(world);
        assertTrue(comparisons(world) > 0);
        assertEquals(List.of(), world.relay.asked(NamedIdsTest::isById));
        assertTrue(world.home.has(issue));
        assertEquals(LinkState.CONNECTED, world.state());
        assertEquals(0, world.link().ledger().taken(Ledger.Use.COMPARISON));
    }

    @Test
    void whatWasNamedIsGivenBackWhenItIsOver() {
        var world = new OneRelay().comparing().announceMany(400);
        var serial = new AtomicInteger();
        world.relay.comparing(id -> invent(world, id, serial));
        world.relay.servesOnly(one -> !isById(one));
        world.settled();
        var room = world.link().commons().named();
        assertEquals(24_000, room.taken());
        world.relay.door(FarRelay.Door.AJAR);
        world.relay.drop();
        world.seconds(1);
        assertEquals(0, room.taken());
    }

    @Test
    void requestsThatMayNotBeginAreNotLookedThroughWheneverSomethingChanges() {
        var work = settled().link().work();
        var queues = new TaskQueues();
        var batch = work.newBatch(Purpose.REPOSITORIES, List.of());
        for (int i = 0; i < 1_000; i++) {
            queues.add(new IdFetch(work, batch, List.of(OneRelay.id(i)), Optional.empty(), true));
        }
        var looks = new AtomicInteger();
        Predicate<Task> never = _ -> looks.incrementAndGet() < 0;
        assertEquals(Optional.empty(), queues.first(List.of(never, never)));
        assertEquals(2, looks.get());
    }

    @Test
    void requestsOfOnePurposeHaveTheirTurnAsTheyCame() {
        var world = settled();
        var work = world.link().work();
        var queues = new TaskQueues();
        var batch = work.newBatch(Purpose.REPOSITORIES, List.of());
        var first = new IdFetch(work, batch, List.of(OneRelay.id(1)), Optional.empty(), true);
        var second = new GroupedCatchUp(work, batch, List.of(), 0);
        var third = new IdFetch(work, batch, List.of(OneRelay.id(3)), Optional.empty(), true);
        queues.add(second);
        queues.add(third);
        queues.addFirst(first);
        for (var task : List.of(first, second, third)) {
            assertEquals(Optional.of(task), queues.first(List.of(_ -> true)));
            queues.remove(task);
        }
        assertEquals(Optional.empty(), queues.first(List.of(_ -> true)));
    }

    /// They made their sets anew every five seconds, for as long as others kept that memory.
    @Test
    void whatWaitsTooLongForMemoryOfComparisonsIsReadByPages() {
        var world = settled();
        var issue = OneRelay.event(1621, world.wall() - 3_600, "a", repo(1).toString());
        world.relay.keep(issue);
        assertTrue(world.link().commons().takeVector(1L << 30));
        compare(world);
        assertEquals(LinkState.SYNCING, world.state());
        world.seconds(60);
        assertEquals(0, comparisons(world));
        assertTrue(world.home.has(issue));
        world.seconds(60);
        assertEquals(LinkState.CONNECTED, world.state());
    }
}
