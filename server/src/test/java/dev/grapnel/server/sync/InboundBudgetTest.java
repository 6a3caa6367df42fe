package dev.grapnel.server.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/// How much may come at once (R4.26).
final class InboundBudgetTest {
    private static final int MESSAGE = 5 << 20;

    private static InboundBudget budget(long bytes) {
        return new InboundBudget(bytes, MESSAGE, () -> 0);
    }

    /// On a machine with half a gigabyte.
    @Test
    void aSmallHeapHasRoomForTheLargestMessageAsItCameAndInflated() {
        var budget = budget(16 << 20);
        var share = budget.open(() -> {});
        assertTrue(share.reserve(MESSAGE));
        assertTrue(share.reserve(MESSAGE));
        assertEquals(2 * MESSAGE, budget.used());
        assertFalse(share.reserve(1), "a link may have no more");
    }

    @Test
    void aQuarterOfALargeHeapIsForWhatIsStillComing() {
        var budget = budget(256 << 20);
        var shares = new ArrayList<ComingMemory.Share>();
        for (int i = 0; i < 4; i++) {
            var share = budget.open(() -> {});
            assertTrue(share.reserve(2 * MESSAGE));
            shares.add(share);
        }
        assertEquals(40 << 20, budget.used());
        shares.forEach(share -> share.release(2 * MESSAGE));
        assertEquals(0, budget.used());
    }
}
