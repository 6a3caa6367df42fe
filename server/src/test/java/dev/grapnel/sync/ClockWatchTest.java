package dev.grapnel.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.grapnel.sync.world.VirtualScheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// When the clock of dates is set (R4.8).
final class ClockWatchTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final VirtualScheduler loop = new VirtualScheduler(Instant.parse("2026-01-01T00:00:00Z"));
    private final List<Long> jumps = new ArrayList<>();
    private boolean isFailing;

    private ClockWatchTest() {
        new ClockWatch(loop, this::hear).start();
    }

    private void hear(long seconds) {
        if (isFailing) {
            throw new IllegalStateException("failing, as the test wants");
        }
        jumps.add(seconds);
    }

    @Test
    void failureIsNotTheEndOfTheWatch() {
        isFailing = true;
        loop.jump(Duration.ofHours(1));
        assertThrows(IllegalStateException.class, () -> loop.runFor(MINUTE));
        isFailing = false;
        loop.runFor(MINUTE);
        assertEquals(List.of(), jumps, "it was told once");
        loop.jump(Duration.ofHours(-2));
        loop.runFor(MINUTE);
        assertEquals(List.of(-7_200L), jumps);
    }
}
