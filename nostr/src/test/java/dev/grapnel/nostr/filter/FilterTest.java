package dev.grapnel.nostr.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.Samples;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Tag;
import dev.grapnel.nostr.key.PublicKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class FilterTest {
    private static final String HEX = "ab".repeat(32);

    @Test
    void everythingMatchesTheEmptyFilter() {
        assertTrue(filter("{}").matches(note()));
        assertEquals(Filter.ALL, filter("{}"));
    }

    @Test
    void tagNamesAreCaseSensitive() {
        assertMatch("{\"#e\":[\"" + HEX + "\"]}", note("e", HEX));
        assertNoMatch("{\"#E\":[\"" + HEX + "\"]}", note("e", HEX));
        assertMatch("{\"#A\":[\"x\"]}", note("A", "x"));
        assertNoMatch("{\"#a\":[\"x\"]}", note("A", "x"));
    }

    @Test
    void onlyTheSecondElementOfATagIsCompared() {
        assertNoMatch("{\"#t\":[\"y\"]}", note("t", "x", "y"));
        assertNoMatch("{\"#t\":[\"t\"]}", note("t"));
        assertNoMatch("{\"#t\":[\"\"]}", note("t"));
        assertMatch("{\"#d\":[\"\"]}", note("d", ""));
    }

    @Test
    void namesOfSeveralCharactersAreNotLetters() {
        assertNoMatch("{\"#t\":[\"x\"]}", note("tt", "x"));
        assertNoMatch("{\"#t\":[\"x\"]}", note("", "x"));
        assertNoMatch("{\"#t\":[\"x\"]}", note("\t", "x"));
    }

    @Test
    void nulAndLongValuesAreComparedToTheLastByte() {
        assertMatch("{\"#t\":[\"a\\u0000\"]}", note("t", "a\0"));
        assertNoMatch("{\"#t\":[\"a\"]}", note("t", "a\0"));
        assertNoMatch("{\"#t\":[\"a\\u0000\"]}", note("t", "a"));
        for (int length : new int[] {300, 5_000}) {
            var value = "v".repeat(length);
            assertMatch("{\"#t\":[\"" + value + "\"]}", note("t", value));
            assertNoMatch("{\"#t\":[\"" + value + "\"]}", note("t", "v".repeat(255) + "w" + "v".repeat(length - 256)));
        }
    }

    @Test
    void valuesInOtherSpellingsAreTheSame() {
        assertMatch("{\"#t\":[\"\\u0061\\/\\ud83d\\ude80\\u000a\"]}", note("t", "a/🚀\n"));
    }

    @Test
    void conditionsAreAllMetAndMayBeMetByDifferentTags() {
        var event = Samples.note("", List.of(List.of("t", "x"), List.of("t", "z"), List.of("r", "y")));

        assertMatch("{\"#t\":[\"x\"],\"#r\":[\"y\"]}", event);
        assertMatch("{\"#t\":[\"q\",\"z\"]}", event);
        assertNoMatch("{\"#t\":[\"x\"],\"#r\":[\"z\"]}", event);
    }

    @Test
    void emptyListsMatchNothing() {
        for (var key : List.of("ids", "authors", "kinds", "#t")) {
            var filter = filter("{\"" + key + "\":[]}");
            assertFalse(filter.matches(note("t", "x")), key);
            assertTrue(filter.isNever(), key);
        }
        assertFalse(Filter.ALL.isNever());
    }

    @Test
    void timesAreInclusive() {
        var event = Samples.event(100, 1, List.of(), "");

        assertMatch("{\"since\":100,\"until\":100}", event);
        assertNoMatch("{\"since\":101}", event);
        assertNoMatch("{\"until\":99}", event);
        assertMatch("{\"until\":99999999999999999999999999}", event);
        assertTrue(filter("{\"since\":5,\"until\":4}").isNever());
        assertFalse(filter("{\"since\":5,\"until\":5}").isNever());
        assertFalse(filter("{\"until\":0}").isNever());
        assertMatch("{\"until\":0}", Samples.event(0, 1, List.of(), ""));
    }

    @Test
    void limitIsNoCondition() {
        assertMatch("{\"limit\":0}", note());
        assertEquals(0, filter("{\"limit\":0}").limit().orElseThrow());
        assertTrue(filter("{}").limit().isEmpty());
    }

    @Test
    void buildersRefuseWhatNoFilterCanHold() {
        assertThrows(IllegalArgumentException.class, () -> Filter.builder().kinds(65_536));
        assertThrows(IllegalArgumentException.class, () -> Filter.builder().kinds(-1));
        assertThrows(IllegalArgumentException.class, () -> Filter.builder().since(-1));
        assertThrows(IllegalArgumentException.class, () -> Filter.builder().tag('e', List.of("foo")));
        assertThrows(IllegalArgumentException.class, () -> Filter.builder().tag('p', List.of(HEX, HEX + "a")));
        assertThrows(
                IllegalArgumentException.class, () -> Filter.builder().tag('e', List.of(HEX.substring(1) + "\uff10")));
        assertThrows(IllegalArgumentException.class, () -> Filter.builder().tag('1', List.of("x")));
    }

    @Test
    void aFilterIsChangedThroughItsBuilder() {
        var filter = filter("{\"kinds\":[1],\"#t\":[\"x\"],\"since\":3}");

        assertEquals(
                filter("{\"kinds\":[1],\"#t\":[\"x\"],\"since\":3,\"limit\":7}"),
                filter.toBuilder().limit(7).build());
        assertEquals("{\"kinds\":[1],\"#t\":[\"x\"],\"since\":3}", filter.toString());
    }

    @Test
    void filtersMatchWhatANaiveReadingMatches() {
        long seed = 20_261_117;
        var random = new Random(seed);
        var events = IntStream.range(0, 400).mapToObj(_ -> randomEvent(random)).toList();
        int matches = 0;
        for (int round = 0; round < 3_000; round++) {
            var filter = randomFilter(random, events);
            assertEquals(filter, filter(filter.toString()), "seed " + seed + " round " + round);
            for (var event : events) {
                boolean expected = naiveMatch(filter, event);
                matches += expected ? 1 : 0;
                assertEquals(expected, filter.matches(event), () -> "seed " + seed + ": " + filter + " on " + event);
                assertFalse(expected && filter.isNever(), () -> "seed " + seed + ": " + filter);
            }
        }
        assertTrue(matches > 10_000, "the random filters match too rarely to prove anything: " + matches);
    }

    private static Event randomEvent(RandomGenerator random) {
        var key = Samples.key(random.nextInt(5));
        var tags = new ArrayList<List<String>>();
        for (int i = random.nextInt(5); i > 0; i--) {
            var tag = new ArrayList<String>(
                    List.of(List.of("e", "E", "t", "d", "tt", "").get(random.nextInt(6))));
            for (int k = random.nextInt(3); k > 0; k--) {
                tag.add(value(random));
            }
            tags.add(tag);
        }
        return Samples.event(key, random.nextInt(6), random.nextInt(4), tags, "");
    }

    private static String value(RandomGenerator random) {
        return List.of("", "a", "a\0", "b\n", "é🚀", HEX, "cd".repeat(32), "x".repeat(70))
                .get(random.nextInt(8));
    }

    private static Filter randomFilter(RandomGenerator random, List<Event> events) {
        var builder = Filter.builder();
        if (random.nextInt(6) == 0) {
            builder.ids(pick(random, events.stream().map(Event::id).toList(), 100));
        }
        if (random.nextInt(3) == 0) {
            builder.authors(pick(random, events.stream().map(Event::author).toList(), 3));
        }
        if (random.nextInt(2) == 0) {
            builder.kinds(random.ints(random.nextInt(4), 0, 4).toArray());
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            char letter = "Etdx".charAt(random.nextInt(4));
            builder.tag(
                    letter,
                    IntStream.range(0, random.nextInt(5))
                            .mapToObj(_ -> value(random))
                            .toList());
        }
        if (random.nextInt(3) == 0) {
            builder.tag(
                    'e',
                    IntStream.range(0, random.nextInt(3)).mapToObj(_ -> HEX).toList());
        }
        if (random.nextInt(4) == 0) {
            builder.since(random.nextInt(7));
        }
        if (random.nextInt(4) == 0) {
            builder.until(random.nextInt(7));
        }
        if (random.nextInt(4) == 0) {
            builder.limit(random.nextInt(7));
        }
        return builder.build();
    }

    private static <T> List<T> pick(RandomGenerator random, List<T> from, int countMax) {
        return IntStream.range(0, random.nextInt(countMax + 1))
                .mapToObj(_ -> from.get(random.nextInt(from.size())))
                .toList();
    }

    /// Relay 3, word for word.
    private static boolean naiveMatch(Filter filter, Event event) {
        for (var condition : filter.tags()) {
            boolean met = false;
            for (Tag tag : event.tags()) {
                met |= tag.name().equals(String.valueOf(condition.letter()))
                        && tag.size() > 1
                        && condition.values().toList().contains(tag.element(1));
            }
            if (!met) {
                return false;
            }
        }
        return filter.ids()
                        .<Boolean>map((List<EventId> ids) -> ids.contains(event.id()))
                        .orElse(true)
                && filter.authors()
                        .<Boolean>map((List<PublicKey> authors) -> authors.contains(event.author()))
                        .orElse(true)
                && filter.kinds()
                        .<Boolean>map(kinds -> kinds.contains(event.kind()))
                        .orElse(true)
                && event.createdAt() >= filter.since().orElse(0)
                && event.createdAt() <= filter.until().orElse(Long.MAX_VALUE);
    }

    private static Event note(String... tag) {
        return Samples.note("", tag.length == 0 ? List.of() : List.of(List.of(tag)));
    }

    private static Filter filter(String json) {
        var parsed = FilterReader.read(Samples.utf8(json), FilterLimits.DEFAULTS, 32);
        return assertInstanceOf(ParsedFilter.Valid.class, parsed, json).filter();
    }

    private static void assertMatch(String filter, Event event) {
        assertTrue(filter(filter).matches(event), filter + " on " + event);
    }

    private static void assertNoMatch(String filter, Event event) {
        assertFalse(filter(filter).matches(event), filter + " on " + event);
    }

    @Test
    void valuesAreWrittenAsTheOneFormThatIsHashed() {
        var values = List.of("plain", "a \"quote\"", "back\\slash", "line\nbreak\u0001", "späß 🦀", "");
        assertEquals(
                "{\"#d\":[\"\",\"a \\\"quote\\\"\",\"back\\\\slash\",\"line\\nbreak\\u0001\",\"plain\",\"späß 🦀\"]}",
                Filter.builder().tag('d', values).build().toString());
    }
}
