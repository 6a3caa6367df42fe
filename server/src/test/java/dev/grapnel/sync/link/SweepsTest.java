package dev.grapnel.sync.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.message.ClientMessage;
import dev.grapnel.sync.index.IndexLimits;
import dev.grapnel.sync.link.Ear.Frame;
import dev.grapnel.sync.sim.Endpoint;
import dev.grapnel.sync.sim.RelayModel;
import dev.grapnel.sync.sim.RelayModels;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What cannot be streamed is asked for now and then (R3.24, tests 158, 159 and 167).
final class SweepsTest {
    private static final Duration QUICK = Duration.ofMinutes(5);

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
        return frame.filters().stream()
                .anyMatch(filter ->
                        OneLink.values(filter, letter).contains(event.id().toHex()));
    }

    private static boolean isStreamed(OneLink link, char letter, Event event) {
        var open = link.relay().open();
        return link.relay().frames().stream()
                .anyMatch(frame -> frame.message() instanceof ClientMessage.Subscribe(var id, var _)
                        && open.contains(id.text())
                        && asks(frame, letter, event));
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
            link.run(Duration.ofSeconds(30));
            link.drop();
            link.run(Duration.ofMinutes(1));
            assertEquals(0, link.portrait().link().givenUp());
            assertTrue(isStreamed(link, 'q', roots.getFirst()));
            assertTrue(isStreamed(link, 'e', members.getFirst()));
        }
    }

    @Test
    void aSweepAsksFromTheBeginningOfTheLastCompleteOne() {
        try (var link = new OneLink(tenSlots(), OneLink.narrow(2))) {
            var roots = tooMuch(link);
            link.settle();
            link.relay().forget();
            link.run(QUICK.plusSeconds(30));
            var first = pages(link, 'q', roots.getFirst());
            assertEquals(1, first.size());
            assertEquals(OptionalLong.empty(), first.getFirst().filter().since());
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
