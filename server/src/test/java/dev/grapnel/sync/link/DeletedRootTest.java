package dev.grapnel.sync.link;

import static dev.grapnel.sync.link.OneRelay.id;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.sync.world.Mutation;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// What was said below an issue is still talked about when that is deleted (sync R1.13).
final class DeletedRootTest {
    private static boolean isStreamed(OneRelay world, long number) {
        return world.relay.liveFilters().stream()
                .anyMatch(filter ->
                        FarRelay.valuesOf(filter, 'e').contains(id(number).toString()));
    }

    private static boolean isAskedSince(OneRelay world, long nanos, long number) {
        return world.relay.askedSince(nanos).stream()
                .anyMatch(asked -> asked.isHistoric() && asked.names(id(number).toString()));
    }

    @Test
    void threadOfADeletedRootIsStreamedAndAskedForAsBefore() {
        var world = new OneRelay().announce(1).root(1, 1).comment(2, 1).settled();
        assertTrue(isStreamed(world, 1) && isStreamed(world, 2));
        world.home.serve(new Mutation.Left(id(1)));
        world.seconds(10);
        long then = world.now();
        world.comment(3, 2);
        world.seconds(10);
        assertTrue(isStreamed(world, 3) && isAskedSince(world, then, 3), "a new answer");
        long daily = world.now();
        world.run(Duration.ofHours(26));
        assertTrue(isAskedSince(world, daily, 2) && isAskedSince(world, daily, 3), "with the next epoch");
        assertFalse(isAskedSince(world, daily, 1));
        world.relay.drop();
        world.seconds(60);
        assertTrue(isStreamed(world, 2) && isStreamed(world, 3), "on the next connection");
        assertFalse(isStreamed(world, 1));
    }
}
