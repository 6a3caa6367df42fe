package dev.grapnel.sync.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.message.ClientMessage;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.sync.sim.Lies;
import dev.grapnel.sync.sim.RelayModels;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// How everything is read that a relay has for a filter, whatever its pages hold (R4.19, tests 87 to 92).
final class PagingTest {
    private static final int PAGE = 20;

    private List<Filter> pages(OneLink link, char letter) {
        return link.relay().requests('h').stream()
                .filter(frame -> frame.asksBy(letter))
                .map(Ear.Frame::filter)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 75, 74, 20, 19, 1})
    void aThousandEventsComeWhateverAPageHolds(int cap) {
        try (var link = new OneLink(RelayModels.plain(cap))) {
            var root = link.issue(link.repository("paged"), "much to say");
            var many = Samples.reactions(root, link.wall());
            many.forEach(link.relay().relay()::put);
            link.settle(Duration.ofHours(1));
            link.assertHas(many);
            assertTrue(pages(link, 'e').size() >= 1_000 / cap);
        }
    }

    /// Signing takes longer than everything else; the worlds above are all the same.
    private static final class Samples {
        private static List<Event> reactions = List.of();

        private static List<Event> reactions(Event root, long now) {
            if (reactions.isEmpty()) {
                reactions = IntStream.range(0, 1_000)
                        .mapToObj(number -> OneLink.reaction(root, now - 2_000 + number, number))
                        .toList();
            }
            return reactions;
        }
    }

    @Test
    void aPageOfNothingButRefusedEventsIsNotTheLast() {
        try (var link = new OneLink(RelayModels.plain(PAGE))) {
            link.repository("known");
            var ours = link.announcement("wanted", link.wall() - 1_000);
            var strangers = IntStream.range(0, 2 * PAGE)
                    .mapToObj(number -> StoreSamples.event(
                            number, Kinds.ANNOUNCEMENT, link.wall() - number, List.of(List.of("d", "elsewhere")), ""))
                    .toList();
            Stream.concat(strangers.stream(), Stream.of(ours))
                    .forEach(link.relay().relay()::put);
            link.settle();
            assertTrue(link.node().heldIds().contains(ours.id()));
            assertEquals(
                    0,
                    strangers.stream().filter(event -> link.has(List.of(event))).count());
        }
    }

    @Test
    void aPageOfNothingButKnownEventsIsNotTheLast() {
        try (var link = new OneLink(RelayModels.plain(PAGE))) {
            var root = link.issue(link.repository("known"), "much to say");
            var all = link.reactions(root, 3 * PAGE);
            all.subList(PAGE, 3 * PAGE).forEach(link::serve);
            all.forEach(link.relay().relay()::put);
            link.settle();
            link.assertHas(all);
        }
    }

    @Test
    void aSecondThatFillsAPageIsReadInParts() {
        try (var link = new OneLink(RelayModels.plain(50))) {
            var roots = link.issues(link.repository("busy"), 4);
            long second = link.wall() - 500;
            var all = new ArrayList<Event>();
            roots.forEach(
                    root -> IntStream.range(0, 15).forEach(number -> all.add(OneLink.reaction(root, second, number))));
            all.add(OneLink.reaction(roots.getFirst(), second + 1, 0));
            all.add(OneLink.reaction(roots.getFirst(), second - 1, 0));
            all.forEach(link.relay().relay()::put);
            link.settle();
            link.assertHas(all);
            var parts = pages(link, 'e').stream()
                    .filter(filter -> filter.since().equals(OptionalLong.of(second)))
                    .toList();
            assertEquals(
                    List.of(2, 2),
                    parts.stream()
                            .map(filter -> OneLink.values(filter, 'e').size())
                            .toList());
            assertTrue(parts.stream().allMatch(filter -> filter.until().equals(OptionalLong.of(second))));
            assertEquals(LinkState.CONNECTED, link.state());
        }
    }

    @Test
    void aSecondOfSixHundredIsReadInPartsOfParts() {
        try (var link = new OneLink(RelayModels.plain(500))) {
            var roots = link.issues(link.repository("busy"), 8);
            long second = link.wall() - 500;
            var counts = List.of(300, 250, 10, 10, 10, 10, 5, 5);
            var all = new ArrayList<Event>();
            for (int at = 0; at < counts.size(); at++) {
                var root = roots.get(at);
                IntStream.range(0, counts.get(at)).forEach(number -> all.add(OneLink.reaction(root, second, number)));
            }
            all.forEach(link.relay().relay()::put);
            link.settle();
            link.assertHas(all);
            assertEquals(
                    List.of(4, 4, 2, 2, 1, 1),
                    pages(link, 'e').stream()
                            .filter(filter -> filter.since().equals(OptionalLong.of(second)))
                            .map(filter -> OneLink.values(filter, 'e').size())
                            .toList());
            assertEquals(LinkState.CONNECTED, link.state());
        }
    }

    @Test
    void aSecondIsReadInPartsThoughTheRelayTakesFewerValues() {
        try (var link = new OneLink(RelayModels.plain(50))) {
            var roots = link.issues(link.repository("busy"), 60);
            long second = link.wall() - 500;
            var all = roots.stream()
                    .map(root -> OneLink.reaction(root, second, 1))
                    .toList();
            all.forEach(link.relay().relay()::put);
            link.relay()
                    .play(Grudge.closing(
                            1,
                            "invalid: not like that",
                            message -> Grudge.isPageBy(message, 'e')
                                    && message instanceof ClientMessage.Subscribe(var _, var filters)
                                    && filters.getFirst().since().isPresent()));
            link.settle();
            link.assertHas(all);
        }
    }

    @Test
    void aValueThatAloneFillsAPageInOneSecondLeavesADoubt() {
        try (var link = new OneLink(RelayModels.plain(50))) {
            var root = link.issue(link.repository("busy"), "too much to say");
            long second = link.wall() - 500;
            IntStream.range(0, 60).forEach(number -> link.relay().relay().put(OneLink.reaction(root, second, number)));
            var before = OneLink.reaction(root, second - 100, 0);
            link.relay().relay().put(before);
            link.settle();
            link.assertHas(List.of(before));
            assertEquals(1, link.notes(LinkNote.PageOverflow.class).size());
            assertEquals(LinkState.WITH_FAILURES, link.state());
        }
    }

    @Test
    void pagesThatMeetWithinASecondLoseNothingAndTellNothingTwice() {
        try (var link = new OneLink(RelayModels.plain(PAGE))) {
            Map<EventId, Integer> judged = new HashMap<>();
            link.node().watchRulings(ruled -> judged.merge(ruled.event().id(), 1, Integer::sum));
            var root = link.issue(link.repository("crowded"), "three each second");
            var all = IntStream.range(0, 5 * PAGE)
                    .mapToObj(number -> OneLink.reaction(root, link.wall() - 1_000 + number / 3, number))
                    .toList();
            all.forEach(link.relay().relay()::put);
            link.settle();
            link.assertHas(all);
            assertTrue(all.stream().allMatch(event -> judged.getOrDefault(event.id(), 0) == 1), judged::toString);
        }
    }

    @Test
    void aRelayThatDoesNotHeedUntilIsNotAskedForEver() {
        try (var link = new OneLink(RelayModels.plain(500))) {
            link.relay().relay().lie(Lies.UNTIL_IGNORED.make());
            var root = link.issue(link.repository("deaf"), "the same again and again");
            var all = link.reactions(root, 30);
            all.forEach(link.relay().relay()::put);
            link.settle();
            link.assertHas(all);
            assertEquals(2, pages(link, 'e').size());
            assertEquals(29, link.notes(LinkNote.Junk.class).size());
            assertEquals(LinkState.CONNECTED, link.state());
        }
    }
}
