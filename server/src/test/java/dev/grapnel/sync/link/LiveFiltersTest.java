package dev.grapnel.sync.link;

import static dev.grapnel.sync.link.OneRelay.event;
import static dev.grapnel.sync.link.OneRelay.id;
import static dev.grapnel.sync.link.OneRelay.repo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.sync.link.FarRelay.Asked;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What live and historic filters look like, and that each tag is asked for by both (sync 3.1 to 3.3; tests 44, 53 to
/// 55).
final class LiveFiltersTest {
    private static OneRelay busy() {
        return new OneRelay().announce(1, 2).state(1).root(10, 1).comment(11, 10);
    }

    @Test
    void liveFiltersWantNothingStoredAndHaveNoSince() {
        var world = busy().settled();
        world.announce(3);
        world.seconds(10);
        world.relay.drop();
        world.seconds(30);
        var live = world.relay.asked(Asked::isLive);
        assertTrue(live.size() >= 5);
        for (var filter : live.stream().flatMap(one -> one.filters().stream()).toList()) {
            assertEquals(OptionalLong.of(0), filter.limit());
            assertEquals(OptionalLong.empty(), filter.since());
            assertEquals(OptionalLong.empty(), filter.until());
        }
    }

    @Test
    void historicRequestsHaveOneFilterAndAskForFiveHundred() {
        var world = busy().settled();
        var historic = world.relay.asked(Asked::isHistoric);
        assertEquals(
                List.of(" ", "d", "a", "A", "q", "e", "E", "q", "e", "q"),
                historic.stream().map(Asked::letters).toList());
        for (var one : historic) {
            assertEquals(1, one.filters().size());
            assertEquals(OptionalLong.of(500), one.filters().getFirst().limit());
            assertTrue(world.relay.closedSince(0).contains(one.id().text()));
        }
    }

    private static Set<List<Integer>> kindsOfFirstLayer(OneRelay world) {
        world.settled();
        world.relay.drop();
        world.seconds(30);
        var all = world.relay.asked().stream()
                .flatMap(one -> one.filters().stream())
                .filter(filter -> filter.tags().isEmpty())
                .toList();
        assertEquals(4, all.size(), "live, historic, live again, catch-up");
        return Set.copyOf(all.stream()
                .map(Filter::kinds)
                .map(kinds -> kinds.orElseThrow())
                .toList());
    }

    @Test
    void theFirstLayerAsksForAnnouncementsAndListsOnly() {
        assertEquals(Set.of(List.of(10_317, 30_617)), kindsOfFirstLayer(busy()));
    }

    @Test
    void theFirstLayerAsksForStatesEverywhereIfTheOperatorSaysSo() {
        assertEquals(Set.of(List.of(10_317, 30_617, 30_618)), kindsOfFirstLayer(busy().withStatesInFirstLayer()));
    }

    @Test
    void statesAreStillAskedForByNameIfTheyAreInTheFirstLayer() {
        var world = busy().withStatesInFirstLayer().settled();
        assertTrue(world.relay.asked(Asked::isLive).stream()
                .anyMatch(one -> one.values('d').contains("repo-1")));
        assertTrue(world.relay.asked(Asked::isHistoric).stream()
                .anyMatch(one -> one.values('d').contains("repo-1")));
    }

    @Test
    void aRelayThatTakesNoLimitOfZeroGetsOne() {
        var world = busy();
        world.relay.closes(
                one -> one.filters().getFirst().limit().orElse(9) == 0, "invalid: limit must be a positive number");
        world.settled();
        var letters = new StringBuilder();
        for (var filter : world.relay.liveFilters()) {
            assertEquals(OptionalLong.of(1), filter.limit());
            letters.append(
                    filter.tags().isEmpty() ? " " : filter.tags().getFirst().letter());
        }
        assertEquals(
                " AEadeeqqq",
                letters.chars().sorted().mapToObj(one -> "" + (char) one).reduce("", String::concat));
        world.relay.forget();
        world.relay.drop();
        world.seconds(30);
        assertTrue(world.relay.asked(Asked::isLive).stream()
                .flatMap(one -> one.filters().stream())
                .allMatch(filter -> filter.limit().orElse(0) == 1));
        var event = event(1111, world.wall(), "E", id(10).toString());
        world.relay.publish(event);
        world.seconds(1);
        assertTrue(world.home.has(event));
        world.relay.forget();
        world.run(Duration.ofHours(24));
        world.relay.drop();
        world.seconds(10);
        var later = world.relay.asked(Asked::isLive);
        assertEquals(
                OptionalLong.of(0), later.getFirst().filters().getFirst().limit(), "it is tried again after a day");
    }

    /// A tag, and what it names.
    record Tag(String name, String value) {}

    static Stream<Tag> tags() {
        return Stream.of(
                new Tag("a", repo(1).toString()),
                new Tag("A", repo(1).toString()),
                new Tag("q", repo(1).toString()),
                new Tag("e", id(10).toString()),
                new Tag("E", id(10).toString()),
                new Tag("q", id(10).toString()));
    }

    @ParameterizedTest
    @MethodSource("tags")
    void anEventWithOneSuchTagOnlyIsFetched(Tag tag) {
        var world = busy();
        var event = event(30_023, 1_600_000_000, tag.name(), tag.value());
        world.relay.keep(event);
        world.settled();
        assertEquals(1, world.home.timesAdmitted(event));
        assertTrue(world.home.has(event));
    }

    @ParameterizedTest
    @MethodSource("tags")
    void anEventWithOneSuchTagOnlyIsStreamed(Tag tag) {
        var world = busy().settled();
        var event = event(30_023, world.wall(), tag.name(), tag.value());
        assertFalse(world.home.has(event));
        world.relay.publish(event);
        world.seconds(1);
        assertEquals(1, world.home.timesAdmitted(event));
        assertTrue(world.home.has(event));
    }
}
