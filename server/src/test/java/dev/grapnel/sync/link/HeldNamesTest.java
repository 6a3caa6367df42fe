package dev.grapnel.sync.link;

import static dev.grapnel.sync.link.OneRelay.id;
import static dev.grapnel.sync.link.OneRelay.repo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Relays that only held announcements name come thirty a minute (sync R1.16), and owners take turns.
final class HeldNamesTest {
    private static final int PER_ANNOUNCEMENT = 20;

    private final OneRelay world = new OneRelay();

    private void hold(int owner, int number, List<FarRelay> named) {
        var urls = named.stream().map(relay -> relay.url).toList();
        world.home.purgatory.hold(repo(owner, "x" + number), id(-1000L * owner - number), urls);
    }

    private List<FarRelay> invented(int number) {
        return IntStream.range(0, PER_ANNOUNCEMENT)
                .mapToObj(i -> world.relay("r" + number + "-" + i + ".example.com"))
                .toList();
    }

    @Test
    void whoNamesOneRelayDoesNotWaitForWhoNamesHundreds() {
        IntStream.range(0, 10).forEach(number -> hold(1, number, invented(number)));
        world.start();
        world.seconds(15);
        hold(2, 1, List.of(world.relay));
        world.seconds(70);
        assertTrue(world.isFollowed(world.relay));
        assertEquals(60, world.core().picture().order().followed());
    }

    /// Else it could be kept out by naming it, too.
    @Test
    void whoIsNamedByBothHasTheBetterTurn() {
        world.relay("r0-0.example.com");
        IntStream.range(0, 10).forEach(number -> hold(1, number, invented(number)));
        var last = world.relay("r9-19.example.com");
        world.start();
        world.seconds(15);
        hold(2, 1, List.of(last));
        world.seconds(70);
        assertTrue(world.isFollowed(last));
    }
}
