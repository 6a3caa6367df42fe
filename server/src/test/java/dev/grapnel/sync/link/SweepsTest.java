package dev.grapnel.sync.link;

import static dev.grapnel.sync.link.OneRelay.event;
import static dev.grapnel.sync.link.OneRelay.id;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.message.ClientMessage;
import dev.grapnel.sync.index.IndexLimits;
import dev.grapnel.sync.link.Ear.Frame;
import dev.grapnel.sync.link.FarRelay.Asked;
import dev.grapnel.sync.sim.Endpoint;
import dev.grapnel.sync.sim.RelayModel;
import dev.grapnel.sync.sim.RelayModels;
import dev.grapnel.sync.world.Mutation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What cannot be streamed is asked for now and then (R3.24, tests 158, 159 and 167).
final class SweepsTest {
    private static final Duration QUICK = Duration.ofMinutes(5);
    private static final int COMMENT = 1111;

    private static RelayModel tenSlots() {
        return RelayModels.plain(500)
                .subscriptions(10, "error: too many subscriptions")
                .disclosing();
    }

    /// With two values a filter this makes 61 filters and the one of announcements, where 60 fit.
    private static List<Event> tooMuch(OneLink link) {
        return link.issues(link.repository("large"), 38);
    }

    private static Event comment(OneLink link, Event root, int number) {
        var comment = OneLink.event(
                Kinds.COMMENT,
                link.wall(),
                List.of("E", root.id().toHex()),
                List.of("e", root.id().toHex()),
                List.of("n", "" + number));
        link.serve(comment);
        return comment;
    }

    private static boolean asks(Frame frame, char letter, Event event) {
        return asks(frame, letter, event.id().toHex());
    }

    private static boolean asks(Frame frame, char letter, String value) {
        return frame.filters().stream()
                .anyMatch(filter -> OneLink.values(filter, letter).contains(value));
    }

    private static boolean isStreamed(OneLink link, char letter, Event event) {
        return isStreamed(link, letter, event.id().toHex());
    }

    private static boolean isStreamed(OneLink link, char letter, String value) {
        var open = link.relay().open();
        return link.relay().frames().stream()
                .anyMatch(frame -> frame.message() instanceof ClientMessage.Subscribe(var id, var _)
                        && open.contains(id.text())
                        && asks(frame, letter, value));
    }

    private static List<Frame> pages(OneLink link, char letter, Event event) {
        return link.relay().frames(frame -> frame.isRequest('h') && asks(frame, letter, event));
    }

    @Test
    void threadsAreGivenUpFirstThenQuotesAndBothAreSwept() {
        try (var link = new OneLink(tenSlots(), OneLink.narrow(2))) {
            var roots = tooMuch(link);
            var members = IntStream.range(0, 3)
                    .mapToObj(number -> comment(link, roots.getFirst(), number))
                    .toList();
            link.settle();
            for (var root : List.of(roots.getFirst(), roots.getLast())) {
                assertTrue(isStreamed(link, 'e', root));
                assertTrue(isStreamed(link, 'E', root));
                assertFalse(isStreamed(link, 'q', root));
            }
            assertTrue(isStreamed(link, 'a', OneLink.coordinate("large")));
            assertTrue(isStreamed(link, 'A', OneLink.coordinate("large")));
            assertFalse(isStreamed(link, 'q', OneLink.coordinate("large")));
            assertFalse(isStreamed(link, 'e', members.getFirst()));
            assertEquals(2, link.portrait().link().givenUp());
            link.relay().forget();
            link.run(QUICK.plusSeconds(30));
            assertFalse(pages(link, 'q', roots.getLast()).isEmpty());
            assertEquals(List.of(), pages(link, 'e', roots.getLast()));
            assertEquals(List.of(), pages(link, 'e', members.getFirst()));
            link.run(Duration.ofHours(6));
            assertEquals(1, pages(link, 'e', members.getFirst()).size());
            assertEquals(1, pages(link, 'q', members.getFirst()).size());
            roots.stream()
                    .skip(22)
                    .forEach(root -> link.serve(OneLink.event(
                            Kinds.DELETION, link.wall(), List.of("e", root.id().toHex()))));
            link.run(Duration.ofMinutes(1));
            assertEquals(1, link.portrait().link().generation(), "without another connection");
            assertEquals(0, link.portrait().link().givenUp());
            for (char letter : new char[] {'a', 'A', 'q'}) {
                assertTrue(isStreamed(link, letter, OneLink.coordinate("large")));
            }
            for (char letter : new char[] {'e', 'E', 'q'}) {
                assertTrue(isStreamed(link, letter, roots.getFirst()));
            }
            assertTrue(isStreamed(link, 'e', members.getFirst()));
            assertTrue(isStreamed(link, 'q', members.getFirst()));
        }
    }

    @Test
    void aSweepAsksFromTheBeginningOfTheLastCompleteOne() {
        try (var link = new OneLink(tenSlots(), OneLink.narrow(2))) {
            long begun = link.wall();
            var roots = tooMuch(link);
            link.settle();
            link.relay().forget();
            link.run(QUICK.plusSeconds(30));
            var first = pages(link, 'q', roots.getFirst());
            assertEquals(1, first.size());
            // before, all of it was asked for in the ordinary way
            OneLink.assertAbout(begun - 900, first.getFirst().filter().since().orElseThrow());
            long firstAt = wallOf(link, link.relay().requests('h').getFirst());
            link.relay().forget();
            link.run(QUICK);
            var second = pages(link, 'q', roots.getFirst()).getFirst();
            OneLink.assertAbout(firstAt - 900, second.filter().since().orElseThrow());
            long secondAt = wallOf(link, link.relay().requests('h').getFirst());
            link.run(Duration.ofMinutes(1));
            link.relay().forget();
            link.relay().play(new Ear.Script() {
                @Override
                public boolean hears(ClientMessage message, Endpoint.Peer client) {
                    return Grudge.isPage(message); // and is never answered
                }
            });
            link.run(QUICK);
            assertFalse(pages(link, 'q', roots.getFirst()).isEmpty());
            link.relay().play(new Ear.Script() {});
            link.relay().forget();
            link.drop();
            link.run(Duration.ofMinutes(1)); // it is overdue by now, so it does not wait another five minutes
            var again = pages(link, 'q', roots.getFirst()).getFirst();
            OneLink.assertAbout(secondAt - 900, again.filter().since().orElseThrow());
        }
    }

    private static long wallOf(OneLink link, Frame frame) {
        return link.wall() - link.now().minus(frame.at()).toSeconds();
    }

    @Test
    void aFullComparisonInTheMiddleOfASweepDoesNotEndSweeping() {
        try (var link = new OneLink(tenSlots(), OneLink.narrow(2))) {
            var roots = tooMuch(link);
            link.settle();
            link.run(QUICK.minusSeconds(10));
            link.relay().forget();
            link.runUntil(() -> !pages(link, 'q', roots.getFirst()).isEmpty(), QUICK);
            link.core().compareNow(Optional.empty());
            link.run(Duration.ofMinutes(2));
            link.relay().forget();
            link.run(Duration.ofMinutes(12));
            assertFalse(pages(link, 'q', roots.getFirst()).isEmpty());
        }
    }

    @Test
    void aNewMemberOfAThreadThatIsOnlySweptIsAskedForOnceAtOnce() {
        try (var link = new OneLink(tenSlots(), OneLink.narrow(2))) {
            var root = tooMuch(link).getFirst();
            link.settle();
            link.relay().forget();
            var member = comment(link, root, 1);
            var older = OneLink.event(
                    OneLink.REACTION,
                    link.wall() - 1_000,
                    List.of("e", member.id().toHex()));
            link.relay().relay().put(older);
            link.run(Duration.ofSeconds(30));
            link.assertHas(List.of(older));
            assertFalse(isStreamed(link, 'e', member));
            var asked = pages(link, 'e', member);
            assertTrue(asked.stream().allMatch(frame -> frame.filter().since().isEmpty()));
            int before = asked.size();
            link.run(Duration.ofHours(5));
            assertEquals(before, pages(link, 'e', member).size());
            var later = OneLink.event(
                    OneLink.REACTION, link.wall(), List.of("e", member.id().toHex()));
            link.relay().relay().publish(later);
            link.run(Duration.ofMinutes(70));
            link.assertHas(List.of(later));
        }
    }

    // ---- what fails

    /// Four slots, so that all but announcements is swept.
    private static OneRelay withoutStream() {
        var world = new OneRelay().announce(1).roots(1, 3, 1);
        world.relay.subscriptionsMax(4);
        return world;
    }

    private static boolean isQuotePage(Asked one) {
        return one.isHistoric() && one.letters().equals("q") && one.names(id(1).toString());
    }

    /// Whether what comes to be at the relay from now on, far from anything that is streamed, comes here in time.
    private static boolean isSwept(OneRelay world, Duration within, String letter) {
        var event = event(COMMENT, world.wall(), letter, id(1).toString());
        world.relay.keep(event);
        world.run(within);
        return world.home.has(event);
    }

    @Test
    void aFilterThatIsRefusedKeepsNoOtherFromBeingSwept() {
        var world = withoutStream().settled();
        world.relay.closes(SweepsTest::isQuotePage, "restricted: no quotes");
        world.run(QUICK);
        long from = world.now();
        assertEquals(LinkState.WITH_FAILURES, world.state());
        assertTrue(isSwept(world, QUICK.plusSeconds(10), "E"));
        assertTrue(isSwept(world, QUICK.plusSeconds(10), "E"));
        assertTrue(world.relay.askedSince(from).stream().noneMatch(SweepsTest::isQuotePage), "for a day");
        assertEquals(1, world.picture().link().batches(), "it waits once");
        var quote = event(COMMENT, world.wall(), "q", id(1).toString());
        world.relay.keep(quote);
        world.relay.honest();
        world.run(Duration.ofHours(22));
        assertFalse(world.home.has(quote));
        world.run(Duration.ofHours(2));
        assertTrue(world.home.has(quote));
    }

    @Test
    void aFilterThatFailsAgainAndAgainKeepsNoOtherFromBeingSwept() {
        var world = withoutStream().settled();
        world.relay.closes(SweepsTest::isQuotePage, "error: no index");
        world.run(Duration.ofHours(1));
        assertTrue(isSwept(world, QUICK.plusSeconds(10), "E"));
        assertTrue(isSwept(world, QUICK.plusSeconds(10), "E"));
        assertEquals(1, world.picture().link().batches());
        world.relay.honest();
        assertTrue(isSwept(world, QUICK.plusSeconds(10), "q"));
    }

    @Test
    void whatFailedInASweepIsAskedForFromItsBeginningOnTheNextConnection() {
        var world = withoutStream().settled();
        world.run(QUICK.plusSeconds(10));
        long begun = world.wall() - 10;
        world.relay.closes(SweepsTest::isQuotePage, "error: no index");
        world.run(Duration.ofMinutes(25));
        world.relay.honest();
        world.relay.forget();
        world.relay.drop();
        world.run(Duration.ofMinutes(2));
        var again = world.relay.asked(SweepsTest::isQuotePage);
        OneLink.assertAbout(begun - 60 - 900, again.getFirst().since().orElseThrow());
    }

    @Test
    void whatIsNotConfirmedBecauseOfOneFilterIsSweptByTheOthers() {
        var world = withoutStream();
        world.relay.closes(SweepsTest::isQuotePage, "restricted: no quotes");
        world.settled();
        assertEquals(LinkState.WITH_FAILURES, world.state());
        assertTrue(isSwept(world, QUICK.plusSeconds(10), "E"));
        assertTrue(isSwept(world, QUICK.plusSeconds(10), "E"));
    }

    @Test
    void whatIsNewDoesNotWaitForSweeps() {
        var world = withoutStream().narrow(1).roots(10, 40, 1);
        for (int number = 0; number < 40; number++) {
            world.comment(500 + number, 10 + number);
        }
        world.start();
        world.run(Duration.ofHours(6).minusMinutes(1));
        world.relay.manner(one -> world.relay.serveAfter(Duration.ofSeconds(one.isLive() ? 0 : 20), one));
        world.run(Duration.ofMinutes(10));
        long from = world.now();
        world.announce(2);
        world.seconds(60);
        assertTrue(world.relay.askedSince(from).stream().anyMatch(one -> one.names("repo-2")));
    }

    // ---- what can be streamed again

    /// A thread that is one filter too many, until two of the roots are gone.
    private static OneRelay withTooManyRoots() {
        var world = new OneRelay()
                .liveFilters(12)
                .announce(1)
                .roots(1, 101, 1)
                .comment(500, 1)
                .settled();
        assertEquals(1, world.picture().link().givenUp());
        return world;
    }

    private static void makeRoom(OneRelay world) {
        world.home.serve(new Mutation.Left(id(100)));
        world.home.serve(new Mutation.Left(id(101)));
        world.root(102, 1);
        world.seconds(20);
        assertEquals(0, world.picture().link().givenUp());
    }

    private static List<Asked> threadPages(OneRelay world, long from) {
        return world.relay.askedSince(from).stream()
                .filter(one -> one.isHistoric() && one.names(id(500).toString()))
                .filter(one -> one.filters().getFirst().until().isEmpty())
                .toList();
    }

    @Test
    void whatIsStreamedAgainIsSweptOnceMore() {
        var world = withTooManyRoots();
        world.run(Duration.ofHours(6));
        var missed = event(OneLink.REACTION, world.wall(), "e", id(500).toString());
        world.relay.publish(missed);
        world.run(Duration.ofHours(3));
        assertFalse(world.home.has(missed));
        long from = world.now();
        double last = threadPages(world, 0).getLast().second();
        long begun = world.wall() - Math.round(from / 1e9 - last);
        makeRoom(world);
        assertTrue(world.home.has(missed));
        var pages = threadPages(world, from);
        assertEquals("eq", pages.stream().map(Asked::letters).sorted().collect(Collectors.joining()));
        pages.forEach(page -> OneLink.assertAbout(begun - 900, page.since().orElseThrow()));
        from = world.now();
        world.run(Duration.ofHours(10));
        assertEquals(List.of(), threadPages(world, from), "it is streamed");
    }

    @Test
    void whatIsStreamedAgainWhileItIsSweptIsSweptToTheEndAndOnceMore() {
        var world = withTooManyRoots();
        world.relay.servesOnly(one -> !one.isHistoric());
        world.run(Duration.ofHours(6));
        makeRoom(world);
        var missed = event(OneLink.REACTION, world.wall() - 60, "e", id(500).toString());
        world.relay.keep(missed);
        world.relay.honest();
        world.relay.asked(Asked::isHistoric).forEach(one -> world.relay.eose(one.id()));
        world.run(Duration.ofMinutes(5));
        assertTrue(world.home.has(missed));
    }

    // ---- threads without a prefix

    /// Room for how far two threads were asked for, of the three that there are.
    private static OneLink withTwoPrefixes() {
        return new OneLink(tenSlots(), UnaryOperator.identity(), new IndexLimits(20, 100, 100, 500, 8, 100, 100, 2));
    }

    private static List<Event> threeThreads(OneLink link) {
        return link.issues(link.repository("talk"), 3).stream()
                .map(root -> comment(link, root, 0))
                .toList();
    }

    private static long walks(OneLink link, Event member) {
        return pages(link, 'e', member).stream()
                .filter(page -> page.filter().until().isEmpty())
                .count();
    }

    private static Event onceMore(OneLink link, Event member, int number) {
        var reaction = OneLink.reaction(member, link.wall() - 2_000, number);
        link.relay().relay().put(reaction);
        return reaction;
    }

    @Test
    void threadsForWhosePrefixThereIsNoRoomAreAskedForAsAWholeOnceAndThenSwept() {
        try (var link = withTwoPrefixes()) {
            var members = threeThreads(link);
            var before =
                    members.stream().map(member -> onceMore(link, member, 0)).toList();
            link.settle();
            link.run(Duration.ofMinutes(1));
            link.assertHas(before);
            assertEquals(2, link.core().picture().prefixes());
            assertFalse(isStreamed(link, 'e', members.getFirst()), "there is no room to know what is streamed");
            link.relay().forget();
            link.run(Duration.ofHours(6));
            link.run(Duration.ofMinutes(1));
            for (var member : members) {
                assertEquals(1, walks(link, member), "one more time, with or without a prefix");
            }
            var late = pages(link, 'e', members.getLast()).getFirst();
            assertTrue(late.filter().since().isPresent());
        }
    }

    @Test
    void threadsWithoutAPrefixAreAskedForFromTheStartInEachEpochAndGetOneWhenThereIsRoom() {
        try (var link = withTwoPrefixes()) {
            var members = threeThreads(link);
            link.settle();
            link.run(Duration.ofMinutes(1));
            var missed =
                    members.stream().map(member -> onceMore(link, member, 1)).toList();
            link.relay().forget();
            link.core().compareNow(Optional.empty());
            link.run(Duration.ofMinutes(2));
            link.assertHas(missed);
            assertEquals(2, link.core().picture().prefixes());
            link.serve(OneLink.event(Kinds.DELETION, link.wall(), List.of("a", OneLink.coordinate("talk"))));
            link.run(Duration.ofMinutes(1));
            assertEquals(0, link.core().picture().prefixes());
        }
    }
}
