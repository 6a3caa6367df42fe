package dev.grapnel.git.maintenance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class ChangeQueueTest {
    private static final RepositoryAddress A = address("a");
    private static final RepositoryAddress B = address("b");
    private static final RepositoryAddress C = address("c");

    private final ChangeQueue queue = new ChangeQueue(
            new MaintenanceConfig(Duration.ofNanos(10), 50, 2, Duration.ZERO, Duration.ofHours(1), 1, 1));

    private static RepositoryAddress address(String identifier) {
        return new RepositoryAddress(PublicKey.of(new byte[32], 0), new Identifier(identifier));
    }

    @Test
    void repositoryIsVisitedWhenItHasBeenQuietForWhile() {
        queue.note(A, 100);
        assertEquals(Optional.empty(), queue.poll(109));
        assertEquals(OptionalLong.of(1), queue.nextIn(109));
        queue.note(A, 109);
        assertEquals(Optional.empty(), queue.poll(118));
        assertEquals(Optional.of(A), queue.poll(119));
        assertEquals(Optional.empty(), queue.poll(119));
        assertEquals(OptionalLong.empty(), queue.nextIn(119));
    }

    @Test
    void repositoryThatNeverRestsIsVisitedAllTheSame() {
        for (long now = 0; now < 100; now++) {
            if (now % 5 == 0) {
                queue.note(A, now);
            }
            assertEquals(Optional.empty(), queue.poll(now));
        }
        assertEquals(Optional.of(A), queue.poll(100));
    }

    @Test
    void manyChangesBringVisitAtOnce() {
        for (int i = 0; i < 49; i++) {
            queue.note(A, 7);
        }
        assertEquals(Optional.empty(), queue.poll(7));
        queue.note(A, 7);
        assertEquals(Optional.of(A), queue.poll(7));
    }

    @Test
    void longestQuietIsForgottenWhenThereIsNoRoom() {
        queue.note(A, 1);
        queue.note(B, 2);
        queue.note(A, 3);
        queue.note(C, 4);
        assertEquals(2, queue.size());
        assertEquals(Optional.of(A), queue.poll(50));
        assertEquals(Optional.of(C), queue.poll(50));
    }
}
