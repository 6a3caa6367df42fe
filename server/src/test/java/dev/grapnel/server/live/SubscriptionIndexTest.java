package dev.grapnel.server.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.server.live.SubscriptionIndex.Registered;
import dev.grapnel.store.StoreSamples;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// Relay 7.5: the index finds the same subscriptions as asking each of them.
final class SubscriptionIndexTest {
    private static final long NOW = 1_700_000_000;
    private static final int AUTHORS = 5;
    private static final int[] KINDS = {0, 1, 5, 7, 1617, 30_617};
    private static final String LETTERS = "daAeEqrcpPKktZz";
    private static final List<String> VALUES = List.of(
            "", "x", "y", "X", "x\u0000", "\"quoted\"", "tab\t", "ü😀", "30617:ab:c", "ab".repeat(32), "v".repeat(300));

    /// What `#e` and `#p` take.
    private static final List<String> HEX_VALUES = List.of("ab".repeat(32), "cd".repeat(32), "00".repeat(32));

    private final SubscriptionIndex index = new SubscriptionIndex();

    private static List<String> tag(char letter, String value) {
        return List.of(String.valueOf(letter), value);
    }

    /// Events and filters that often meet.
    private static final class Chance {
        private final Random random;
        private final List<EventId> ids = new ArrayList<>();

        Chance(long seed) {
            random = new Random(seed);
        }

        private <T> List<T> some(List<T> from) {
            var some = new ArrayList<T>();
            int count = random.nextInt(20) == 0 ? 0 : 1 + random.nextInt(4);
            for (int i = 0; i < count; i++) {
                some.add(from.get(random.nextInt(from.size())));
            }
            return some;
        }

        private char letter() {
            return LETTERS.charAt(random.nextInt(LETTERS.length()));
        }

        private static List<String> valuesOf(char letter) {
            return letter == 'e' || letter == 'p' ? HEX_VALUES : VALUES;
        }

        Event event() {
            var tags = new ArrayList<List<String>>();
            for (int i = random.nextInt(6); i > 0; i--) {
                switch (random.nextInt(8)) {
                    case 0 -> tags.add(List.of(String.valueOf(letter())));
                    case 1 -> tags.add(List.of("word", VALUES.get(random.nextInt(VALUES.size()))));
                    default -> {
                        char letter = letter();
                        var values = valuesOf(letter);
                        tags.add(tag(letter, values.get(random.nextInt(values.size()))));
                    }
                }
            }
            var event = StoreSamples.event(
                    random.nextInt(AUTHORS),
                    KINDS[random.nextInt(KINDS.length)],
                    NOW + random.nextInt(10),
                    tags,
                    "" + random.nextInt());
            ids.add(event.id());
            return event;
        }

        Filter filter() {
            var builder = Filter.builder();
            if (!ids.isEmpty() && random.nextInt(6) == 0) {
                builder.ids(some(ids));
            }
            if (random.nextInt(4) == 0) {
                builder.authors(some(authors()));
            }
            if (random.nextInt(3) == 0) {
                builder.kinds(some(IntStream.of(KINDS).boxed().toList()).stream()
                        .mapToInt(kind -> kind)
                        .toArray());
            }
            var letters = new HashSet<Character>();
            for (int i = random.nextInt(3); i > 0; i--) {
                char letter = letter();
                if (letters.add(letter)) {
                    builder.tag(letter, some(valuesOf(letter)));
                }
            }
            if (random.nextInt(5) == 0) {
                builder.since(NOW + random.nextInt(10));
            }
            if (random.nextInt(5) == 0) {
                builder.until(NOW + random.nextInt(10));
            }
            return builder.build();
        }

        private static List<PublicKey> authors() {
            return IntStream.range(0, AUTHORS).mapToObj(StoreSamples::author).toList();
        }

        List<Filter> filters() {
            return IntStream.range(0, 1 + random.nextInt(4))
                    .mapToObj(_ -> filter())
                    .toList();
        }
    }

    /// A subscriber that is nobody else.
    private static LiveSubscriber somebody() {
        return new LiveSubscriber() {
            @Override
            public void deliver(LiveEvent event) {
                throw new AssertionError("only asked for");
            }
        };
    }

    private record Known(LiveSubscriber subscriber, List<Filter> filters, Registered registered) {}

    private Known register(List<Filter> filters) {
        var subscriber = somebody();
        return new Known(subscriber, filters, index.register(subscriber, filters));
    }

    private static Set<LiveSubscriber> identities() {
        return Collections.newSetFromMap(new IdentityHashMap<>());
    }

    /// The subscribers of an event, none of them twice.
    private Set<LiveSubscriber> match(Event event) {
        var found = identities();
        for (var subscriber : index.match(event)) {
            assertTrue(found.add(subscriber), "told twice");
        }
        return found;
    }

    private static Set<LiveSubscriber> scan(List<Known> all, Event event) {
        var found = identities();
        for (var known : all) {
            if (known.filters().stream().anyMatch(filter -> filter.matches(event))) {
                found.add(known.subscriber());
            }
        }
        return found;
    }

    private void assertEmpty() {
        assertEquals(0, index.count());
        assertEquals(0, index.entryCount());
    }

    @Test
    void findsWhatAskingEachOneFinds() {
        for (long seed = 1; seed <= 3; seed++) {
            var chance = new Chance(seed);
            var open = new ArrayList<Known>();
            long matches = 0;
            for (int step = 0; step < 400; step++) {
                for (int i = 0; i < 3; i++) {
                    open.add(register(chance.filters()));
                }
                if (step % 2 == 0) {
                    open.remove(chance.random.nextInt(open.size())).registered().close();
                }
                var event = chance.event();
                var expected = scan(open, event);
                matches += expected.size();
                assertEquals(expected, match(event), "seed " + seed + " step " + step + ": " + event);
            }
            assertTrue(matches > 1_000, "seed " + seed + " proves little: " + matches);
            assertEquals(open.size(), index.count());
            Collections.shuffle(open, chance.random);
            open.forEach(known -> known.registered().close());
            assertEmpty();
        }
    }

    @Test
    void endingTwiceDoesNoHarm() {
        var one = register(List.of(Filter.builder().kinds(1, 7).build()));
        var other = register(List.of(Filter.builder().kinds(1).build()));
        one.registered().close();
        one.registered().close();
        assertEquals(1, index.count());
        assertEquals(1, index.entryCount());
        other.registered().close();
        assertEmpty();
    }

    @Test
    void whatCanNeverMatchTakesNoPlace() {
        var never = register(List.of(
                Filter.builder().kinds().build(),
                Filter.builder().ids(List.of()).kinds(1).build(),
                Filter.builder().tag('t', List.<String>of()).build(),
                Filter.builder().since(2).until(1).build()));
        assertEquals(1, index.count());
        assertEquals(0, index.entryCount());
        never.registered().close();
        assertEmpty();
    }

    /// Each filter has one anchor, so a value of another condition costs nothing.
    @Test
    void filterIsFoundUnderItsRarestConditionOnly() {
        var authors = IntStream.range(0, 50).mapToObj(StoreSamples::author).toList();
        var event = StoreSamples.event(0, 1, NOW, List.of(tag('d', "x"), tag('t', "y")), "");
        var cases = Map.of(
                Filter.builder()
                                .ids(List.of(event.id()))
                                .authors(authors)
                                .kinds(1)
                                .build(),
                        1L,
                Filter.builder()
                                .tag('d', List.of("x", "z"))
                                .tag('t', List.of("y"))
                                .build(),
                        2L,
                Filter.builder()
                                .tag('t', List.of("y"))
                                .authors(authors)
                                .kinds(1)
                                .build(),
                        1L,
                Filter.builder().authors(authors).kinds(1, 2, 3).build(), 50L,
                Filter.builder().kinds(1, 2, 3).build(), 3L,
                Filter.builder().since(NOW).build(), 1L);
        cases.forEach((filter, entries) -> {
            var known = register(List.of(filter));
            assertEquals(entries, index.entryCount(), filter.toString());
            assertEquals(1, match(event).size(), filter.toString());
            known.registered().close();
        });
        assertEmpty();
    }

    /// Relay test 92: no key of theirs is a key of the event, so they are not even looked at.
    @Test
    void idleSubscriptionsAddNoCandidates() {
        var event = StoreSamples.event(0, 1, NOW, List.of(tag('t', "busy"), tag('e', "x")), "");
        var keys = new HashSet<Long>();
        Anchors.forEach(event, keys::add);
        var all = new ArrayList<Known>();
        for (int i = 0; i < 10_000; i++) {
            var filter = switch (i % 4) {
                case 0 ->
                    Filter.builder().kinds(1).tag('t', List.of("idle " + i)).build();
                case 1 ->
                    Filter.builder()
                            .kinds(1)
                            .authors(List.of(StoreSamples.author(1 + i % 100)))
                            .build();
                case 2 -> Filter.builder().kinds(2 + i).build();
                default ->
                    Filter.builder()
                            .tag('a', List.of("30617:" + i, "30618:" + i))
                            .kinds(1)
                            .build();
            };
            assertTrue(LongStream.of(Anchors.of(filter)).noneMatch(keys::contains), filter.toString());
            all.add(register(List.of(filter)));
        }
        assertEquals(identities(), match(event));
        var busy = register(List.of(Filter.builder().tag('t', List.of("busy")).build()));
        assertEquals(1, match(event).size());
        busy.registered().close();
        all.forEach(known -> known.registered().close());
        assertEmpty();
    }

    /// A stranger writes one tag as often as an event may have tags, and many wait for just this tag.
    @Test
    void repeatedTagsOfAnEventCostNothing() {
        var filter = Filter.builder().tag('t', List.of("hot")).build();
        var all = new ArrayList<Known>();
        for (int i = 0; i < 20_000; i++) {
            all.add(register(List.of(filter)));
        }
        var event = StoreSamples.event(0, 1, NOW, Collections.nCopies(25_000, tag('t', "hot")), "");
        assertEquals(20_000, match(event).size());
        all.forEach(known -> known.registered().close());
        assertEquals(0, match(event).size());
        assertEmpty();
    }

    /// One filter that is found by each of an event's many values is looked at once.
    @Test
    void filterWithManyValuesOfAnEventIsFoundOnce() {
        var values = IntStream.range(0, 25_000).mapToObj(i -> "v" + i).toList();
        var filter = Filter.builder().tag('r', values).build();
        var known = IntStream.range(0, 20)
                .mapToObj(_ -> register(List.of(filter, filter)))
                .toList();
        assertEquals(20L * 2 * values.size(), index.entryCount());
        var event = StoreSamples.event(
                0, 1, NOW, values.stream().map(value -> tag('r', value)).toList(), "");
        assertEquals(20, match(event).size());
        known.forEach(one -> one.registered().close());
        assertEmpty();
    }

    /// Others come and go all the time; those that stay are found each time, and those that left are not.
    @Test
    void findsThoseThatStayWhileOthersComeAndGo() throws Exception {
        var chance = new Chance(77);
        var events = IntStream.range(0, 50).mapToObj(_ -> chance.event()).toList();
        var staying = IntStream.range(0, 300)
                .mapToObj(_ -> register(chance.filters()))
                .toList();
        var gone = identities();
        for (int i = 0; i < 300; i++) {
            var known = register(chance.filters());
            known.registered().close();
            gone.add(known.subscriber());
        }
        var over = new AtomicBoolean();
        try (var threads = Executors.newFixedThreadPool(4)) {
            var tasks = new ArrayList<Callable<Boolean>>();
            for (int i = 0; i < 4; i++) {
                tasks.add(() -> comeAndGo(new Chance(Thread.currentThread().threadId()), over));
            }
            var running = tasks.stream().map(threads::submit).toList();
            try {
                for (int round = 0; round < 40; round++) {
                    for (var event : events) {
                        var found = match(event);
                        for (var subscriber : scan(staying, event)) {
                            assertTrue(found.contains(subscriber));
                        }
                        assertTrue(Collections.disjoint(found, gone));
                    }
                }
            } finally {
                over.set(true);
            }
            for (var task : running) {
                assertFalse(task.get());
            }
        }
        assertEquals(staying.size(), index.count());
        staying.forEach(known -> known.registered().close());
        assertEmpty();
    }

    private boolean comeAndGo(Chance chance, AtomicBoolean over) {
        var open = new ArrayList<Known>();
        while (!over.get()) {
            open.add(register(chance.filters()));
            if (open.size() > 200 || chance.random.nextInt(3) == 0) {
                open.remove(chance.random.nextInt(open.size())).registered().close();
            }
        }
        open.forEach(known -> known.registered().close());
        return false;
    }
}
