package dev.grapnel.sync.link;

import static dev.grapnel.sync.link.OneRelay.repo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.sync.link.FarRelay.Asked;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// How many filters there are, and how long they and their requests get (sync R3.5, R3.6, R3.8; tests 41 to 43, 46,
/// 47).
final class FilterCountsTest {
    /// @param filters of each letter, those of announcements left out
    record Example(String name, UnaryOperator<OneRelay> what, String filters) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Example> examples() {
        return Stream.of(
                new Example("nothing", OneRelay::bootstrapped, ""),
                new Example("1 repository", world -> world.announce(1), "daAq"),
                new Example("250 repositories", world -> world.announceMany(250), "dddaAqaAqaAq"),
                new Example("250 roots", world -> world.announce(1).roots(10, 250, 1), "daAq" + "eEq".repeat(3)),
                new Example("3 repositories of one name", FilterCountsTest::namesakes, "daAq"),
                new Example("1 repository, 1 root", world -> world.announce(1).root(10, 1), "daAqeEq"),
                new Example(
                        "1 repository with a state", world -> world.announce(1).state(1), "daAq"),
                new Example(
                        "1 root with a comment",
                        world -> world.announce(1).state(1).root(10, 1).comment(11, 10),
                        "daAqeEqeq"));
    }

    private static OneRelay namesakes(OneRelay world) {
        for (int owner = 1; owner <= 3; owner++) {
            world.announce(repo(owner, "dotfiles"), world.relay);
        }
        return world;
    }

    @ParameterizedTest
    @MethodSource("examples")
    void thereAreAsManyFiltersAsTheRuleSays(Example example) {
        var world = example.what().apply(new OneRelay()).start();
        world.seconds(60);
        world.relay.drop(); // so that everything is packed anew
        world.seconds(10);
        var live = lettersOf(world.relay.liveFilters());
        assertEquals(sorted(" " + example.filters()), sorted(live));
        var historic = new StringBuilder();
        world.relay.asked(Asked::isHistoric).forEach(one -> historic.append(one.letters()));
        assertEquals(sorted(" " + example.filters()), sorted(historic.toString()));
    }

    private static String lettersOf(List<Filter> filters) {
        var letters = new StringBuilder();
        filters.forEach(filter -> letters.append(
                filter.tags().isEmpty() ? " " : filter.tags().getFirst().letter()));
        return letters.toString();
    }

    private static String sorted(String letters) {
        return letters.chars().sorted().mapToObj(letter -> "" + (char) letter).reduce("", String::concat);
    }

    @Test
    void whatIsWantedForItsStatesOnlyIsAskedForByNoOtherTag() {
        var world = new OneRelay().hold(1).hold(2).announce(3).root(10, 1).start();
        world.seconds(60);
        world.relay.drop();
        world.seconds(30);
        var asked = world.relay.asked();
        assertTrue(asked.stream()
                .anyMatch(one -> one.isCatchUp() && one.values('d').contains("repo-1")));
        for (var one : asked) {
            for (char letter : "aAq".toCharArray()) {
                assertTrue(
                        Set.of(repo(3).toString()).containsAll(one.values(letter)),
                        () -> one.filters().toString());
            }
            assertEquals("", one.letters().replaceAll("[^eE]", ""));
        }
    }

    @Test
    void identifiersAreChunkedByHundredAndEachIsAskedForOnce() {
        var world = new OneRelay();
        for (int number = 1; number <= 250; number++) {
            world.announce(number);
            world.announce(repo(1_000 + number, "repo-" + number), world.relay);
        }
        world.settled();
        for (boolean isLive : new boolean[] {true, false}) {
            var chunks = world.relay.asked(one -> isLive ? one.isLive() : one.isHistoric()).stream()
                    .flatMap(one -> one.filters().stream())
                    .map(filter -> FarRelay.valuesOf(filter, 'd'))
                    .filter(values -> !values.isEmpty())
                    .toList();
            assertEquals(List.of(100, 100, 50), chunks.stream().map(List::size).toList(), "live: " + isLive);
            assertEquals(250, chunks.stream().flatMap(List::stream).distinct().count());
        }
    }

    // ---- bytes

    private static OneRelay longNames(int count, String filling) {
        var world = new OneRelay();
        for (int number = 1; number <= count; number++) {
            world.announce(repo(number, filling + number), world.relay);
        }
        return world;
    }

    private static final String LONG = "x".repeat(190);

    private static int longestLive(OneRelay world) {
        return world.relay.asked(Asked::isLive).stream()
                .mapToInt(one -> one.frame().bytes())
                .max()
                .orElseThrow();
    }

    /// Whether all repositories are asked for by each tag, live and historic.
    private static void assertCovered(OneRelay world, int count) {
        for (boolean isLive : new boolean[] {true, false}) {
            for (char letter : "daAq".toCharArray()) {
                var values = new TreeSet<String>();
                world.relay
                        .asked(one -> isLive ? one.isLive() : one.isHistoric())
                        .forEach(one -> values.addAll(one.values(letter)));
                assertEquals(count, values.size(), "by " + letter);
            }
        }
    }

    @Test
    void aLiveRequestHasAtMostTenFilters() {
        var world = new OneRelay().announceMany(500).settled();
        var sizes = world.relay.asked(Asked::isLive).stream()
                .map(one -> one.filters().size())
                .toList();
        assertEquals(List.of(1, 10, 10), sizes);
    }

    @Test
    void aLiveRequestHasAtMost96000Bytes() {
        var world = longNames(300, LONG).settled();
        assertTrue(longestLive(world) <= 96_000 && longestLive(world) > 60_000, () -> "" + longestLive(world));
        assertCovered(world, 300);
    }

    @Test
    void bytesAreThoseOfTheWireWhateverIsInAName() {
        for (var filling : List.of("\u8239".repeat(60), "\ud83d\udea2".repeat(45), "\"".repeat(180))) {
            var world = longNames(300, filling).settled();
            assertTrue(longestLive(world) <= 96_000, () -> filling.substring(0, 2) + " " + longestLive(world));
            assertTrue(
                    world.relay.asked(Asked::isHistoric).stream()
                            .allMatch(one -> one.frame().bytes() <= 32_000 + 512),
                    filling.substring(0, 2));
            assertCovered(world, 300);
        }
    }

    @Test
    void aLiveRequestStaysBelowWhatTheRelayTakes() {
        var world = longNames(60, LONG);
        world.relay.messageMax(16_384);
        world.settled();
        assertTrue(longestLive(world) <= 16_384 - 4_096, () -> "" + longestLive(world));
        assertCovered(world, 60);
    }

    @Test
    void aLiveRequestMayBeLongWhereTheRelayTakesMuch() {
        var world = longNames(300, LONG);
        world.relay.messageMax(5 << 20);
        world.settled();
        assertTrue(longestLive(world) <= 400_000 && longestLive(world) > 96_000, () -> "" + longestLive(world));
        assertCovered(world, 300);
    }

    @Test
    void chunksShrinkWhereTheRelayTakesShortMessages() {
        var world = longNames(100, LONG);
        world.relay.messageMax(16_384);
        world.settled();
        var longest = world.relay.asked().stream()
                .flatMap(one -> one.filters().stream())
                .mapToInt(filter -> filter.json().length())
                .max()
                .orElseThrow();
        assertTrue(longest <= 16_384 - 512 && longest > 8_000, () -> "" + longest);
        assertTrue(world.relay.asked().stream().allMatch(one -> one.frame().bytes() <= 16_384));
        assertCovered(world, 100);
    }

    @Test
    void aValueThatIsTooLongStandsAlone() {
        var world = longNames(3, LONG);
        world.relay.messageMax(512 + 256);
        world.settled();
        assertTrue(world.relay.asked().stream()
                .flatMap(one -> one.filters().stream())
                .flatMap(filter -> filter.tags().stream())
                .allMatch(tag -> tag.values().toList().size() == 1));
        assertCovered(world, 3);
    }

    @Test
    void equalTargetsGiveEqualFilters() {
        var filters = IntStream.range(0, 2)
                .mapToObj(_ ->
                        new OneRelay().announceMany(150).roots(1_000, 150, 3).settled())
                .map(world -> world.relay.asked().stream().map(Asked::filters).toList())
                .toList();
        assertEquals(filters.getFirst(), filters.getLast());
    }
}
