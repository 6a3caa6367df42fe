package dev.grapnel.store.engine;

import static dev.grapnel.store.engine.StoreFixture.NOW;
import static dev.grapnel.store.engine.StoreFixture.author;
import static dev.grapnel.store.engine.StoreFixture.countOf;
import static dev.grapnel.store.engine.StoreFixture.note;
import static dev.grapnel.store.engine.StoreFixture.tagged;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.filter.HyperLogLog;
import dev.grapnel.store.CountRequest;
import dev.grapnel.store.EventCount;
import dev.grapnel.store.ItemsOutcome;
import dev.grapnel.store.QueryLimits;
import dev.grapnel.store.QueryRequest;
import dev.grapnel.store.QueryStep;
import dev.grapnel.store.StoredEvent;
import dev.grapnel.store.Viewer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Answering filters (relay 2.6, 3, 5.3, 5.6).
public interface QueryContract extends StoreContract {
    /// The order of answers.
    Comparator<Event> ORDER = Comparator.comparing(Event::version).reversed();

    /// Events of which several share a second, served in no particular order.
    private List<Event> serveMany() {
        var events = new ArrayList<Event>();
        for (int i = 0; i < 60; i++) {
            events.add(note(i % 3, NOW - i / 7, "number " + i));
        }
        var shuffled = new ArrayList<>(events);
        Collections.shuffle(shuffled, new java.util.Random(1));
        fixture().serve(shuffled.toArray(Event[]::new));
        events.sort(ORDER);
        return events;
    }

    @Test
    default void answersAreNewestFirstAndTiesByLowerId() {
        var events = serveMany();
        assertEquals(events, fixture().all());
        assertTrue(events.stream().anyMatch(event -> event.id().a() < 0), "some id must begin with a byte above 0x7f");
    }

    @Test
    default void aLimitGivesTheNewest() {
        var events = serveMany();
        for (int limit : new int[] {1, 2, 8, 59, 60, 61}) {
            var filter = Filter.builder().limit(limit).build();
            assertEquals(events.subList(0, Math.min(limit, 60)), fixture().query(filter));
        }
    }

    @Test
    default void limitZeroGivesNothing() {
        serveMany();
        assertEquals(List.of(), fixture().query(Filter.builder().limit(0).build()));
    }

    @Test
    default void limitsAreClampedAndDefaulted() {
        var events = serveMany();
        var limits = new QueryLimits(10, 5, Long.MAX_VALUE);
        assertEquals(events.subList(0, 5), fixture().queryWithLimits(limits, Filter.ALL));
        assertEquals(
                events.subList(0, 10),
                fixture().queryWithLimits(limits, Filter.builder().limit(1_000).build()));
        var ids = events.stream().map(Event::id).toList();
        assertEquals(
                events,
                fixture().queryWithLimits(limits, Filter.builder().ids(ids).build()));
    }

    @Test
    default void filtersGiveTheUnionOfTheirOwnTops() {
        var events = serveMany();
        var first = Filter.builder().authors(List.of(author(0))).limit(2).build();
        var second =
                Filter.builder().authors(List.of(author(0), author(1))).limit(3).build();
        var expected = new ArrayList<Event>();
        expected.addAll(naive(events, first));
        naive(events, second).stream()
                .filter(event -> !expected.contains(event))
                .forEach(expected::add);
        expected.sort(ORDER);
        assertEquals(expected, fixture().query(first, second));
        assertEquals(expected, fixture().query(second, first));
        assertEquals(expected.size(), fixture().count(first, second));
    }

    private static List<Event> naive(List<Event> events, Filter filter) {
        return events.stream()
                .filter(filter::matches)
                .limit(filter.limit().orElse(Long.MAX_VALUE))
                .toList();
    }

    @Test
    default void sinceAndUntilAreInclusive() {
        var events = serveMany();
        for (var filter : List.of(
                Filter.builder().since(NOW - 3).build(),
                Filter.builder().until(NOW - 3).build(),
                Filter.builder().since(NOW - 3).until(NOW - 3).build(),
                Filter.builder().since(NOW - 2).until(NOW - 3).build(),
                Filter.builder().until(Long.MAX_VALUE).build(),
                Filter.builder().since(Long.MAX_VALUE).build())) {
            assertEquals(naive(events, filter), fixture().query(filter), filter.toString());
            assertEquals(naive(events, filter).size(), fixture().count(filter), filter.toString());
        }
    }

    @Test
    default void unknownIdsAreAbsent() {
        var events = serveMany();
        var unknown = EventId.parse("ab".repeat(32)).require();
        var known = events.get(5).id();
        var nearly = new EventId(known.a(), known.b(), known.c() + 1, known.d());
        var filter = Filter.builder().ids(List.of(unknown, nearly, known)).build();
        assertEquals(List.of(events.get(5)), fixture().query(filter));
    }

    @Test
    default void tagConditionsLookAtTheFirstValueOfExactlyThatLetter() {
        var a = tagged(0, 1, NOW, List.of(List.of("t", "x", "y"), List.of("T", "z")));
        var b = tagged(0, 1, NOW - 1, List.of(List.of("t"), List.of("tt", "x")));
        var c = tagged(0, 1, NOW - 2, List.of(List.of("t", "y"), List.of("t", "x")));
        var d = tagged(0, 1, NOW - 3, List.of(List.of("t", "a\0"), List.of("d", "")));
        fixture().serve(a, b, c, d);
        assertEquals(List.of(a, c), byTag('t', "x"));
        assertEquals(List.of(c), byTag('t', "y"));
        assertEquals(List.of(), byTag('t', "z"));
        assertEquals(List.of(a), byTag('T', "z"));
        assertEquals(List.of(), byTag('t', "a"));
        assertEquals(List.of(d), byTag('t', "a\0"));
        assertEquals(List.of(d), byTag('d', ""));
        assertEquals(List.of(a, c, d), byTag('t', "x", "y", "a\0"));
    }

    private List<Event> byTag(char letter, String... values) {
        return fixture().query(Filter.builder().tag(letter, List.of(values)).build());
    }

    @Test
    default void anImpliedIdentifierIsNotSeen() {
        var event = tagged(0, 30_000, NOW, List.of());
        fixture().serve(event);
        assertEquals(List.of(), byTag('d', ""));
        assertEquals(
                List.of(),
                fixture()
                        .query(Filter.builder()
                                .kinds(30_000)
                                .authors(List.of(author(0)))
                                .tag('d', List.of(""))
                                .build()));
    }

    @Test
    default void anAddressableEventIsFoundByEveryIdentifierTag() {
        var event = tagged(0, 30_000, NOW, List.of(List.of("d", "x"), List.of("d", "y"), List.of("d", "y")));
        var other = tagged(0, 30_000, NOW + 1, List.of(List.of("d", "z"), List.of("d", "y"), List.of("d", "x")));
        fixture().serve(event, other);
        for (var values : List.of(List.of("x"), List.of("y"), List.of("x", "y", "z"))) {
            var filter = Filter.builder()
                    .kinds(30_000)
                    .authors(List.of(author(0)))
                    .tag('d', values)
                    .build();
            assertEquals(List.of(other, event), fixture().query(filter));
            assertEquals(2, fixture().count(filter));
        }
    }

    @Test
    default void twoTagConditionsMustBothHold() {
        var both = tagged(0, 1, NOW, List.of(List.of("t", "x"), List.of("r", "y")));
        fixture().serve(both, tagged(0, 1, NOW - 1, List.of(List.of("t", "x"))));
        fixture().serve(tagged(0, 1, NOW - 2, List.of(List.of("r", "y"))));
        var filter =
                Filter.builder().tag('t', List.of("x")).tag('r', List.of("y")).build();
        assertEquals(List.of(both), fixture().query(filter));
        assertEquals(1, fixture().count(filter));
    }

    @Test
    default void emptyListsMatchNothingAndHarmNoOtherFilter() {
        var event = note(0, NOW, "x");
        fixture().serve(event);
        for (var filter : List.of(
                Filter.builder().ids(List.of()).build(),
                Filter.builder().authors(List.of()).build(),
                Filter.builder().kinds().build(),
                Filter.builder().tag('t', List.of()).build())) {
            assertEquals(List.of(), fixture().query(filter));
            assertEquals(
                    List.of(event),
                    fixture().query(filter, Filter.builder().kinds(1).build()));
            assertEquals(0, fixture().count(filter));
        }
    }

    @Test
    default void longValuesAreFoundExactly() {
        for (int length : new int[] {300, 399, 400, 401, 5_000}) {
            var value = "v".repeat(length);
            var event = tagged(0, 1, NOW, List.of(List.of("r", value)));
            fixture().serve(event, tagged(0, 1, NOW, List.of(List.of("r", value.substring(1) + "w"))));
            assertEquals(List.of(event), byTag('r', value));
            assertEquals(
                    1, fixture().count(Filter.builder().tag('r', List.of(value)).build()));
        }
    }

    @Test
    default void manyValuesAreAnswered() {
        var events = new ArrayList<Event>();
        var values = new ArrayList<String>();
        for (int i = 0; i < 2_000; i++) {
            var root = "%064x".formatted(i);
            values.add(root);
            if (i % 20 == 0) {
                events.add(tagged(0, 1_630 + i % 3, NOW - i, List.of(List.of("e", root))));
            }
        }
        fixture().serve(events.toArray(Event[]::new));
        var all = Filter.builder().tag('e', values).build();
        var some = Filter.builder()
                .kinds(1617, 5, 1619, 1630, 1631, 1633)
                .tag('e', values)
                .build();
        assertEquals(events, fixture().query(all));
        assertEquals(naive(events, some), fixture().query(some));
        assertEquals(naive(events, some).size(), fixture().count(some));
    }

    @Test
    default void answersComeInBlocksThatJoinExactly() {
        var events = serveMany();
        var blocks = new ArrayList<Event>();
        try (var query = fixture().store().query(QueryRequest.of(Filter.ALL))) {
            QueryStep step;
            do {
                step = query.next(1, Duration.ofDays(1));
                assertTrue(step.events().size() <= 8, "one second at most"); // ties are decided together
                step.events().stream().map(StoredEvent::read).forEach(blocks::add);
                query.pause();
            } while (step instanceof QueryStep.More);
        }
        assertEquals(events, blocks);
    }

    @Test
    default void anAnswerSpeaksOfOneCommitWhateverHappensMeanwhile() {
        var events = serveMany();
        try (var query = fixture().store().query(QueryRequest.of(Filter.ALL))) {
            assertEquals(60, query.commitNumber());
            var first = query.next(1, Duration.ofDays(1)).events();
            query.pause();
            fixture().serve(note(0, NOW - 100, "older than all, but later"));
            var rest = query.next(Integer.MAX_VALUE, Duration.ofDays(1)).events();
            assertEquals(60, first.size() + rest.size());
        }
        assertEquals(61, fixture().all().size());
        assertEquals(events, fixture().all().subList(0, 60));
    }

    @Test
    default void whatWasRemovedMeanwhileIsLeftOutWithoutComplaint() {
        var events = serveMany();
        try (var query = fixture().store().query(QueryRequest.of(Filter.ALL))) {
            query.next(1, Duration.ofDays(1));
            query.pause();
            for (var event : events) {
                fixture().write(transaction -> transaction.withdraw(event.id()));
            }
            assertEquals(
                    List.of(), query.next(Integer.MAX_VALUE, Duration.ofDays(1)).events());
        }
        assertEquals(List.of(), fixture().problems);
    }

    @Test
    default void theLastBlockSaysWhetherALimitCutSomethingOff() {
        serveMany();
        assertTrue(lastOf(Filter.builder().limit(60).build()).exhausted());
        assertFalse(lastOf(Filter.builder().limit(59).build()).exhausted());
        assertTrue(lastOf(Filter.ALL).exhausted());
    }

    private QueryStep.Done lastOf(Filter filter) {
        try (var query = fixture().store().query(QueryRequest.of(filter))) {
            return assertInstanceOf(QueryStep.Done.class, query.next(Integer.MAX_VALUE, Duration.ofDays(1)));
        }
    }

    @Test
    default void aQuestionThatCostsTooMuchIsGivenUp() {
        for (int i = 0; i < 300; i++) {
            fixture().serve(tagged(0, 1, NOW - 2L * i, List.of(List.of("t", "even"))));
            fixture().serve(tagged(0, 1, NOW - 2L * i - 1, List.of(List.of("r", "odd"))));
        }
        var rare = Filter.builder()
                .tag('t', List.of("even"))
                .tag('r', List.of("odd"))
                .build();
        var limits = new QueryLimits(5_000, 5_000, 100);
        try (var query = fixture().store().query(new QueryRequest(List.of(rare), Viewer.ALL, limits))) {
            assertInstanceOf(QueryStep.TookTooLong.class, query.next(1 << 20, Duration.ofDays(1)));
        }
        assertInstanceOf(
                EventCount.TookTooLong.class,
                fixture().store().count(new CountRequest(List.of(rare), Viewer.ALL, 10, 100, false)));
        assertEquals(List.of(), fixture().query(rare));
    }

    @Test
    default void aTurnThatIsOverIsContinued() {
        for (int i = 0; i < 1_000; i++) {
            fixture().serve(tagged(0, 1, NOW - 2L * i, List.of(List.of("t", "even"))));
            fixture().serve(tagged(0, 1, NOW - 2L * i - 1, List.of(List.of("r", "odd"))));
        }
        var last = tagged(0, 1, NOW - 9_999, List.of(List.of("t", "even"), List.of("r", "odd")));
        fixture().serve(last);
        var rare = Filter.builder()
                .tag('t', List.of("even"))
                .tag('r', List.of("odd"))
                .build();
        var found = new ArrayList<Event>();
        int turns = 0;
        try (var query = fixture().store().query(QueryRequest.of(rare))) {
            QueryStep step;
            do {
                step = query.next(1 << 20, Duration.ZERO);
                step.events().stream().map(StoredEvent::read).forEach(found::add);
                turns++;
                if (turns % 2 == 0) {
                    query.pause();
                }
            } while (step instanceof QueryStep.More);
        }
        assertEquals(List.of(last), found);
        assertTrue(turns > 3, "took " + turns + " turns");
    }

    @Test
    default void restrictedKindsAreShownToThoseTheyAreFor() {
        var open = note(0, NOW, "open");
        var letter = tagged(0, 4, NOW - 1, List.of(List.of("p", author(1).toString())));
        fixture().serve(open, letter);
        var nobody = new Viewer(Set.of(4, 1_059), Set.of());
        var sender = new Viewer(Set.of(4, 1_059), Set.of(author(0)));
        var recipient = new Viewer(Set.of(4, 1_059), Set.of(author(1)));
        var other = new Viewer(Set.of(4, 1_059), Set.of(author(2)));
        assertEquals(List.of(open), fixture().queryAs(nobody, Filter.ALL));
        assertEquals(List.of(open), fixture().queryAs(other, Filter.ALL));
        assertEquals(List.of(open, letter), fixture().queryAs(sender, Filter.ALL));
        assertEquals(List.of(open, letter), fixture().queryAs(recipient, Filter.ALL));
        assertEquals(1, counted(nobody).count());
        assertEquals(2, counted(recipient).count());
        assertEquals(1, items(Filter.ALL, nobody).size());
    }

    private EventCount.Counted counted(Viewer viewer) {
        return (EventCount.Counted)
                fixture().store().count(new CountRequest(List.of(Filter.ALL), viewer, 100, 1_000, false));
    }

    private dev.grapnel.nostr.negentropy.NegentropyItems items(Filter filter, Viewer viewer) {
        return assertInstanceOf(ItemsOutcome.Items.class, fixture().store().items(filter, viewer, 1_000))
                .items();
    }

    @Test
    default void hiddenEventsDoNotUseUpALimit() {
        var open = note(0, NOW - 1, "open");
        fixture().serve(tagged(0, 4, NOW, List.of()), open);
        var nobody = new Viewer(Set.of(4), Set.of());
        assertEquals(
                List.of(open),
                fixture().queryAs(nobody, Filter.builder().limit(1).build()));
    }

    @Test
    default void countsStopAtTheirLimit() {
        serveMany();
        var request = new CountRequest(List.of(Filter.ALL), Viewer.ALL, 59, Long.MAX_VALUE, false);
        var counted = (EventCount.Counted) fixture().store().count(request);
        assertEquals(59, counted.count());
        assertTrue(counted.approximate());
        var exact = new CountRequest(List.of(Filter.ALL), Viewer.ALL, 60, Long.MAX_VALUE, false);
        assertFalse(((EventCount.Counted) fixture().store().count(exact)).approximate());
    }

    @Test
    default void authorsAreEstimatedWhereTheFilterAllows() {
        var root = "5c83da77af1dec6d7289834998ad7aafbd9e2191396d75ec3cc27f5a77226f36";
        var filter = Filter.builder().kinds(7).tag('e', List.of(root)).build();
        var expected = HyperLogLog.findFor(filter).orElseThrow();
        for (int i = 0; i < 30; i++) {
            fixture().serve(tagged(i, 7, NOW, List.of(List.of("e", root))));
            expected.add(author(i));
        }
        var counted = (EventCount.Counted) fixture().store().count(countOf(filter));
        assertEquals(30, counted.count());
        assertEquals(expected.registers(), counted.registers().orElseThrow());
        var plain = (EventCount.Counted) fixture().store().count(countOf(Filter.ALL));
        assertTrue(plain.registers().isEmpty());
    }

    @Test
    default void theItemsOfAFilterAreItsEvents() {
        var events = serveMany();
        var filter = Filter.builder()
                .authors(List.of(author(1)))
                .since(NOW - 5)
                .until(NOW - 1)
                .build();
        var items = items(filter, Viewer.ALL);
        var expected = naive(events, filter);
        assertEquals(expected.size(), items.size());
        var ids = new ArrayList<EventId>();
        for (int i = 0; i < items.size(); i++) {
            ids.add(items.id(i));
        }
        assertEquals(
                expected.stream().map(Event::id).sorted().toList(),
                ids.stream().sorted().toList());
        assertEquals(4, items(Filter.builder().limit(4).build(), Viewer.ALL).size());
    }

    @Test
    default void idsThatBeginAlikeAreInOrderToo() {
        var twins = StoreFixture.TWINS.getFirst().stream()
                .map(content -> note(0, NOW, content))
                .sorted(ORDER)
                .toList();
        assertEquals(twins.getFirst().id().a() >>> 32, twins.getLast().id().a() >>> 32);
        for (var events : List.of(twins, twins.reversed())) {
            fixture().serve(events.toArray(Event[]::new));
            var one = Filter.builder().limit(1).build();
            assertEquals(twins, fixture().all());
            assertEquals(List.of(twins.getFirst()), fixture().query(one));
            var items =
                    assertInstanceOf(ItemsOutcome.Items.class, fixture().store().items(one, Viewer.ALL, 10));
            assertEquals(twins.getFirst().id(), items.items().id(0));
            fixture().write(transaction -> {
                events.forEach(event -> transaction.withdraw(event.id()));
                return true;
            });
        }
    }

    @Test
    default void tooManyItemsAreRefused() {
        serveMany();
        assertEquals(new ItemsOutcome.TooMany(59), fixture().store().items(Filter.ALL, Viewer.ALL, 59));
        assertInstanceOf(ItemsOutcome.Items.class, fixture().store().items(Filter.ALL, Viewer.ALL, 60));
    }

    /// Enough kinds and values that lists of the values alone are opened, as few events have any of them.
    @Test
    default void manyKindsWithManyRareValuesGiveOnlyThoseKinds() {
        var wanted = tagged(0, 1_630, NOW, List.of(List.of("r", "value 3")));
        var older = tagged(0, 1_633, NOW - 1, List.of(List.of("r", "value 9")));
        var otherKind = tagged(0, 1_111, NOW, List.of(List.of("r", "value 3")));
        var otherValue = tagged(0, 1_630, NOW, List.of(List.of("r", "value 99")));
        fixture().serve(wanted, older, otherKind, otherValue);
        var values = IntStream.range(0, 20).mapToObj(i -> "value " + i).toList();
        var filter = Filter.builder()
                .kinds(1_630, 1_631, 1_632, 1_633)
                .tag('r', values)
                .build();
        assertEquals(List.of(wanted, older), fixture().query(filter));
        assertEquals(2, fixture().count(filter));
        var items = assertInstanceOf(ItemsOutcome.Items.class, fixture().store().items(filter, Viewer.ALL, 10));
        assertEquals(2, items.items().size());
    }
}
