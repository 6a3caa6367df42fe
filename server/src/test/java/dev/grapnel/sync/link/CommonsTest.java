package dev.grapnel.sync.link;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.sync.world.VirtualScheduler;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/// Memory that links share (sync 8.1, 8.2).
final class CommonsTest {
    private static final long MEBIBYTE = 1L << 20;

    private static Commons besideTablesOf(long bytes) {
        return new Commons(new VirtualScheduler(Instant.EPOCH), 10, () -> bytes);
    }

    @Test
    void comparisonsTake256MebibytesTogetherAndTheNextWaits() {
        var commons = besideTablesOf(0);
        assertTrue(commons.takeVector(200 * MEBIBYTE));
        assertTrue(commons.takeVector(56 * MEBIBYTE));
        assertFalse(commons.takeVector(1));
        commons.releaseVector(56 * MEBIBYTE);
        assertTrue(commons.takeVector(1));
    }

    @Test
    void besideTablesOfAFullLoadComparisonsTakeWhatIsLeftOfTwoGibibytes() {
        var commons = besideTablesOf(1_300 * MEBIBYTE);
        assertTrue(commons.takeVector(54 * MEBIBYTE));
        assertFalse(commons.takeVector(1));
    }

    @Test
    void comparisonsGoOnHoweverLargeTheTablesAre() {
        var commons = besideTablesOf(1L << 40);
        assertTrue(commons.takeVector(32 * MEBIBYTE));
        assertFalse(commons.takeVector(1));
        commons.releaseVector(32 * MEBIBYTE);
        assertTrue(commons.takeVector(100 * MEBIBYTE), "one runs, whatever it takes");
    }
}
