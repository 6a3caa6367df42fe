package dev.grapnel.bench.hunt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The time in which hunting is measured.
final class VirtualClockTest {
    private final VirtualClock clock = new VirtualClock();
    private final List<String> seen = new ArrayList<>();

    @Test
    void tasksSleepWithoutKeepingEachOtherFromRunning() {
        clock.execute(() -> {
            clock.sleep(Duration.ofSeconds(2));
            seen.add("first at " + clock.now());
        });
        clock.execute(() -> {
            clock.sleep(Duration.ofSeconds(1));
            seen.add("second at " + clock.now());
        });
        var off = clock.after(Duration.ofSeconds(1), () -> seen.add("never"));
        off.run();
        clock.advanceTo(5_000);
        assertEquals(List.of("second at 1000", "first at 2000"), seen);
        assertEquals(0, clock.running());
        assertEquals(5_000, clock.now());
    }

    /// Otherwise what fails would look like what is fast.
    @Test
    void whatFailsIsTold() {
        clock.execute(() -> {
            throw new IllegalArgumentException("a fault");
        });
        var told = assertThrows(IllegalStateException.class, () -> clock.advanceTo(1));
        assertEquals("a fault", told.getCause() == null ? "" : told.getCause().getMessage());
    }
}
