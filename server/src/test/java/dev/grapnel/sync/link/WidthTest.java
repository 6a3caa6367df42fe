package dev.grapnel.sync.link;

import static dev.grapnel.sync.link.OneRelay.id;
import static dev.grapnel.sync.link.OneRelay.repo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.sync.world.Mutation;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// From how many filters on they are packed anew, and how wide they are then (sync R3.6, R3.16; test 48).
final class WidthTest {
    private static OneRelay roomy() {
        var world = new OneRelay();
        world.relay.subscriptionsMax(500);
        return world;
    }

    private static List<String> consolidations(OneRelay world) {
        return world.linkNotes(LinkNote.Consolidated.class).stream()
                .filter(note -> note.result().equals("done"))
                .map(note -> note.before() + " " + note.after())
                .toList();
    }

    private static int width(OneRelay world) {
        return world.picture().link().width();
    }

    private static int filters(OneRelay world) {
        return world.relay.liveFilters().size();
    }

    @Test
    void seventyFiltersAreStillAppended() {
        var world = roomy().announce(1).settled();
        for (int number = 2; number <= 3; number++) {
            world.announce(number);
            world.seconds(6);
        }
        for (int number = 1; number <= 19; number++) {
            world.root(number, 1);
            world.seconds(6);
        }
        assertEquals(70, filters(world));
        assertEquals(List.of(), consolidations(world));
        world.root(50, 1);
        world.seconds(12);
        assertEquals(List.of("70 8"), consolidations(world));
    }

    @Test
    void theSeventyFirstFilterMakesTheWidth450ByOneConsolidation() {
        var world = roomy().announce(1).roots(1, 2_100, 1).settled();
        assertEquals(68, filters(world));
        assertEquals(100, width(world));
        world.root(5_000, 1);
        world.seconds(20);
        assertEquals(20, filters(world));
        assertEquals(450, width(world));
        assertEquals(List.of("68 20"), consolidations(world));
        world.root(5_001, 1);
        world.seconds(100);
        assertEquals(1, consolidations(world).size());
    }

    @Test
    void theWidthReturnsOnlyBelowFiftyFilters() {
        var world = roomy().announce(1).roots(1, 2_200, 1).settled();
        assertEquals(450, width(world));
        leave(world, 1, 700); // 1,500 are left: 50 filters
        assertEquals(450, width(world));
        leave(world, 701, 1_100); // 1,100 are left: 38 filters
        assertEquals(100, width(world));
        assertEquals(38, filters(world));
    }

    private static void leave(OneRelay world, int from, int to) {
        for (int number = from; number <= to; number++) {
            world.home.serve(new Mutation.Left(id(number)));
        }
        world.seconds(100);
    }

    @Test
    void withEightyFiltersNothingIsPackedBeforeAQuarterIsWon() {
        var world = roomy().announceMany(300).roots(10_000, 11_000, 1).settled();
        world.run(Duration.ofMinutes(20));
        assertEquals(450, width(world));
        assertEquals(80, filters(world));
        for (int number = 1_001; number <= 1_019; number++) {
            world.hold(number);
            world.seconds(6);
        }
        assertEquals(99, filters(world));
        assertEquals(List.of(), consolidations(world));
        world.hold(1_020);
        world.seconds(20);
        assertEquals(List.of("99 80"), consolidations(world));
    }

    @Test
    void namesThatFillFiltersByBytesAreNotPackedAgainAndAgain() {
        var world = roomy();
        for (int number = 1; number <= 2_600; number++) {
            world.announce(repo(number, "z".repeat(190) + number), world.relay);
        }
        world.settled();
        world.run(Duration.ofMinutes(20));
        assertTrue(filters(world) > 70, () -> "" + filters(world));
        for (int number = 1; number <= 5; number++) {
            world.announce(10_000 + number);
            world.seconds(70);
        }
        assertEquals(List.of(), consolidations(world));
    }

    @Test
    void namesakesCountOnce() {
        var world = roomy();
        for (int owner = 1; owner <= 2_000; owner++) {
            world.announce(repo(owner, "dotfiles"), world.relay);
        }
        world.settled();
        assertEquals(1 + 1 + 60, filters(world));
        assertEquals(100, width(world));
    }
}
