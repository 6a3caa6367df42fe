package dev.grapnel.git.maintenance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class BudgetPaceTest {
    private final AtomicLong now = new AtomicLong();
    private final AtomicLong rested = new AtomicLong();

    private BudgetPace pace(double workShare, long bytesPerSecond) {
        Pauser pauser = pause -> {
            now.addAndGet(pause.toNanos());
            rested.addAndGet(pause.toNanos());
        };
        return new BudgetPace(workShare, bytesPerSecond, pauser, now::get);
    }

    @Test
    void workerRestsAsLongAsItsShareSays() throws Exception {
        var pace = pace(0.25, Long.MAX_VALUE);
        for (int i = 0; i < 1_000; i++) {
            now.addAndGet(Duration.ofMillis(1).toNanos());
            pace.spend(0);
        }
        assertEquals(Duration.ofSeconds(3), Duration.ofNanos(rested.get()));
    }

    @Test
    void bytesArePacedEvenIfTheyTakeNoTime() throws Exception {
        var pace = pace(1, 1 << 20);
        for (int i = 0; i < 100; i++) {
            pace.spend(1 << 16);
        }
        assertEquals(6.25, rested.get() / 1e9, 0.1);
    }

    @Test
    void interruptEndsWork() {
        Thread.currentThread().interrupt();
        assertThrows(InterruptedIOException.class, () -> pace(0.5, 1).spend(1));
        assertTrue(Thread.interrupted());
    }
}
