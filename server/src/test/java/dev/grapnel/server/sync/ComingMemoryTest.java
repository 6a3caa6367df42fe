package dev.grapnel.server.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.server.sync.ComingMemory.Share;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/// Who gets memory for messages that are still coming, and who has to go for it (R4.26).
final class ComingMemoryTest {
    private static final int MEBI = 1 << 20;

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger ended = new AtomicInteger();
    private final ComingMemory memory = new ComingMemory(16 * MEBI, 10 * MEBI, nanos::get);

    private Share link() {
        return memory.open(ended::incrementAndGet);
    }

    /// Twelve megabytes are for large messages, and somebody has them.
    private List<Share> fill() {
        var holders = new ArrayList<Share>();
        for (int i = 0; i < 3; i++) {
            var share = link();
            assertTrue(share.reserve(4 * MEBI));
            holders.add(share);
        }
        return holders;
    }

    private static CompletableFuture<Boolean> later(Share share, long bytes) {
        var answer = new CompletableFuture<Boolean>();
        Thread.ofVirtual().start(() -> answer.complete(share.reserve(bytes)));
        return answer;
    }

    private static boolean of(CompletableFuture<Boolean> answer) throws Exception {
        return answer.get(20, TimeUnit.SECONDS);
    }

    /// Until so many wait, and have seen how things are.
    private void awaitWaiting(int count) {
        while (memory.waiting() < count) {
            Thread.onSpinWait();
        }
    }

    @Test
    void anOrdinaryMessageNeverWaitsForLargeOnes() throws Exception {
        var holders = fill();
        var large = later(link(), 5 * MEBI);
        awaitWaiting(1);
        for (int i = 0; i < 40; i++) {
            assertTrue(of(later(link(), 64 << 10)));
        }
        assertFalse(large.isDone());
        holders.forEach(share -> share.release(4 * MEBI));
        assertTrue(of(large));
    }

    @Test
    void whoWouldHoldLessGoesFirst() throws Exception {
        var holders = fill();
        var large = later(link(), 5 * MEBI);
        awaitWaiting(1);
        var middling = later(link(), MEBI);
        awaitWaiting(2);
        holders.getFirst().release(4 * MEBI);
        assertTrue(of(middling));
        assertFalse(large.isDone());
        holders.getLast().release(4 * MEBI);
        assertTrue(of(large));
    }

    @Test
    void aLinkHoldsAsMuchAsItsShareAtMost() {
        var share = link();
        assertTrue(share.reserve(10 * MEBI));
        assertFalse(share.reserve(1));
        share.release(10 * MEBI);
        assertEquals(0, memory.used());
        assertTrue(share.reserve(1));
    }

    @Test
    void whoHoldsAnUnfinishedMessageTooLongEndsWhenOthersWait() throws Exception {
        var holders = fill();
        nanos.addAndGet(Duration.ofSeconds(6).toNanos());
        assertEquals(0, ended.get(), "nobody waits");
        var first = new AtomicInteger();
        holders.getFirst().release(4 * MEBI);
        var oldest = memory.open(first::incrementAndGet);
        nanos.addAndGet(-Duration.ofSeconds(7).toNanos());
        assertTrue(oldest.reserve(4 * MEBI));
        nanos.addAndGet(Duration.ofSeconds(7).toNanos());
        var large = later(link(), 4 * MEBI);
        while (first.get() == 0) {
            Thread.onSpinWait();
        }
        oldest.release(4 * MEBI);
        assertTrue(of(large));
        assertEquals(1, first.get());
    }

    /// A link that is ended while it waits for the rest of a large message leaves nothing behind.
    @Test
    void whoIsInterruptedWhileItWaitsGivesEverythingBack() throws Exception {
        var holders = fill();
        var share = link();
        var answer = new CompletableFuture<Boolean>();
        var waiting = Thread.ofVirtual().start(() -> answer.complete(share.reserve(4 * MEBI)));
        awaitWaiting(1);
        waiting.interrupt();
        assertFalse(of(answer));
        holders.forEach(holder -> holder.release(4 * MEBI));
        assertEquals(0, memory.used());
    }

    @Test
    void whoHoldsItForAMomentOnlyOrHasItWholeStays() throws Exception {
        var holders = fill();
        holders.forEach(Share::whole);
        nanos.addAndGet(Duration.ofSeconds(6).toNanos());
        var large = later(link(), 4 * MEBI);
        awaitWaiting(1);
        assertEquals(0, ended.get());
        nanos.addAndGet(Duration.ofSeconds(10).toNanos());
        assertFalse(of(large), "and nobody waits for ever");
    }
}
