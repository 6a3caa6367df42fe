package dev.grapnel.sync.link;

import static dev.grapnel.sync.link.OneRelay.repo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.sync.SyncNote;
import dev.grapnel.sync.health.HealthNote;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Announcements are anybody's, and so are the relays they name (R1.16): those beyond the cap cost no link and no line.
final class ManyRelaysTest {
    private static final int RELAYS_MAX = 2_000;
    private static final int NAMED = 20;

    /// Repositories that name relays of their own.
    private static OneRelay world(int repositories) {
        var world = new OneRelay();
        for (int number = 1; number <= repositories; number++) {
            var named = new FarRelay[NAMED];
            for (int i = 0; i < NAMED; i++) {
                named[i] = world.relay("r" + i + ".invented-" + number + ".example");
            }
            world.announce(repo(number), named);
        }
        return world;
    }

    private static long waiting(OneRelay world) {
        return world.notes(SyncNote.Health.class).stream()
                .filter(note -> note.note() instanceof HealthNote.KeptWaiting)
                .count();
    }

    @Test
    void relaysBeyondTheCapHaveNoLinkUntilOthersGo() {
        var world = world(RELAYS_MAX / NAMED + 5).start();
        world.seconds(1);
        assertEquals(RELAYS_MAX, world.core().links().size());
        assertEquals(RELAYS_MAX, world.core().picture().relays().size());
        assertEquals(RELAYS_MAX, world.notes(SyncNote.Registered.class).size());
        assertEquals(5 * NAMED, waiting(world));
        assertEquals(5 * NAMED, world.core().picture().order().waiting());

        world.unannounce(1);
        world.run(Duration.ofMinutes(4));
        assertEquals(NAMED, world.notes(SyncNote.Removed.class).size());
        assertEquals(RELAYS_MAX + NAMED, world.notes(SyncNote.Registered.class).size());
        assertEquals(RELAYS_MAX, world.core().links().size());
        assertEquals(4 * NAMED, world.core().picture().order().waiting());
    }

    @Test
    void relaysThatMoreRepositoriesNameTakeThePlaceOfOthers() {
        var world = world(RELAYS_MAX / NAMED + 1).start();
        world.seconds(1);
        var popular = world.relay("r0.invented-" + (RELAYS_MAX / NAMED + 1) + ".example");
        assertFalse(world.isFollowed(popular));
        world.announce(repo(900), popular);
        world.seconds(20);
        assertTrue(world.isFollowed(popular));
        assertEquals(RELAYS_MAX, world.core().links().size());
        var gone = world.notes(SyncNote.Removed.class);
        assertEquals(1, gone.size());
        assertTrue(gone.getFirst().isWaiting());
    }

    @Test
    void relaysThatWaitAndThatNobodyNamesAnyMoreWaitNoLonger() {
        var world = world(RELAYS_MAX / NAMED + 1).start();
        world.seconds(1);
        world.unannounce(RELAYS_MAX / NAMED + 1);
        world.seconds(10);
        assertEquals(0, world.core().picture().order().waiting());
    }
}
