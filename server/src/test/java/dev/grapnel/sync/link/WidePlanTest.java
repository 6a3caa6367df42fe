package dev.grapnel.sync.link;

import static dev.grapnel.sync.link.OneRelay.event;
import static dev.grapnel.sync.link.OneRelay.id;
import static dev.grapnel.sync.link.OneRelay.repo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.sync.world.RelayInformation;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Where too much is wanted to be named, one filter is for all, and some for what happens (sync R8.6; test 142).
final class WidePlanTest {
    private static final int COMMENT = 1111;
    private static final int NOTE = 1;

    /// With fewer filters than usual, so that less is too much.
    private static final int FEW = 20;

    private static final int ROOTS = 6_000;

    private static OneRelay crowded() {
        return crowded(Optional.empty(), FEW, ROOTS);
    }

    private static OneRelay crowded(Optional<Set<String>> grasps, int filters, int roots) {
        var world = new OneRelay().liveFilters(filters);
        world.relay.information = new RelayInformation(
                OptionalInt.empty(), OptionalInt.of(500), OptionalInt.empty(), OptionalInt.empty(), false, grasps);
        world.announce(1, 2).roots(1, roots, 1).root(500_000, 2).start();
        world.run(Duration.ofMinutes(5));
        assertEquals(GivenUp.WIDE_PLAN, world.picture().link().givenUp());
        return world;
    }

    private static List<Filter> named(OneRelay world) {
        return world.relay.liveFilters().stream()
                .filter(filter -> !filter.tags().isEmpty())
                .toList();
    }

    private static boolean names(OneRelay world, char letter, String value) {
        return named(world).stream()
                .anyMatch(filter -> FarRelay.valuesOf(filter, letter).contains(value));
    }

    @Test
    void commentsOfARelayThatNeeds750FiltersComeLive() {
        var world = crowded(Optional.empty(), LinkConfig.DEFAULTS.liveFiltersMax(), 113_000);
        var wide = world.relay.liveFilters().stream()
                .filter(filter -> filter.kinds().orElse(List.of()).contains(COMMENT))
                .toList();
        assertEquals(1, wide.size());
        var comment = event(COMMENT, world.wall(), "E", id(3).toString());
        world.relay.publish(comment);
        world.seconds(1);
        assertTrue(world.home.has(comment));
        var stranger = event(COMMENT, world.wall(), "E", id(-1).toString());
        world.relay.publish(stranger);
        world.seconds(1);
        assertEquals(0, world.home.timesAdmitted(stranger), "what touches nothing wanted is thrown away");
        assertEquals(List.of(), world.linkNotes(LinkNote.Junk.class));
        assertTrue(
                named(world).size() <= 60 && named(world).size() > 50,
                named(world).size() + " filters");
    }

    @Test
    void whatSomethingHappenedToLastIsNamed() {
        var world = crowded();
        assertTrue(names(world, 'e', id(500_000).toString()));
        assertTrue(names(world, 'q', id(ROOTS).toString()));
        assertTrue(names(world, 'A', repo(2).toString()));
        assertFalse(names(world, 'e', id(3).toString()));
        var note = event(NOTE, world.wall(), "e", id(ROOTS).toString());
        world.relay.publish(note);
        world.seconds(1);
        assertTrue(world.home.has(note), "a kind that no filter for all names");
    }

    @Test
    void whatComesToLifeIsNamedWithinMinutes() {
        var world = crowded();
        world.comment(900_000, 3);
        world.root(900_001, 2);
        world.run(Duration.ofMinutes(6));
        assertTrue(names(world, 'e', id(3).toString()), "by a comment");
        assertTrue(names(world, 'e', id(900_001).toString()));
        assertTrue(named(world).size() <= FEW, named(world).size() + " filters");
    }

    @Test
    void whatComesToLifeAfterAReconnectIsNamedToo() {
        var world = crowded();
        world.comment(900_000, 3);
        world.run(Duration.ofMinutes(3)); // it would be looked at in two minutes
        world.relay.drop();
        world.seconds(30);
        world.comment(900_001, 4);
        world.run(Duration.ofMinutes(7));
        assertTrue(names(world, 'e', id(4).toString()));
    }

    @Test
    void relayOfOurKindHasOneFilterForAll() {
        var world = crowded(Optional.of(Set.of("GRASP-01")), FEW, ROOTS);
        assertEquals(
                List.of("{\"kinds\":[10317,30617],\"limit\":0}", "{\"limit\":0}"),
                world.relay.liveFilters().stream()
                        .map(filter -> new String(filter.json().toArray(), StandardCharsets.UTF_8))
                        .toList());
    }

    @Test
    void whatAWideFilterMissedIsAskedForInTheUsualWay() {
        var world = crowded();
        long then = world.wall();
        world.relay.drop();
        var missed = event(COMMENT, then + 1, "E", id(3).toString());
        world.relay.keep(missed);
        world.run(Duration.ofMinutes(3));
        assertTrue(world.home.has(missed));
        assertEquals(1, world.home.timesAdmitted(missed));
        assertTrue(world.relay.asked(FarRelay.Asked::isCatchUp).stream()
                .allMatch(asked -> asked.since().getAsLong() >= then - 960));
    }

    @Test
    void wideFilterThatTheRelayClosesIsOpenedAgainAndCaughtUp() {
        var world = crowded();
        var wide = world.relay.connection().open.entrySet().stream()
                .filter(entry ->
                        entry.getValue().getFirst().kinds().orElse(List.of()).contains(COMMENT))
                .findFirst()
                .orElseThrow();
        var missed = event(COMMENT, world.wall() + 1, "E", id(3).toString());
        world.relay.close(wide.getKey(), "error: live event buffer overflow; resubscribe");
        world.relay.keep(missed);
        world.run(Duration.ofMinutes(3));
        assertTrue(world.home.has(missed));
    }
}
