package dev.grapnel.purgatory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.store.StoreSamples;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Whoever tells the log never waits for those who read it.
final class PurgatoryLogTest {
    private final List<String> written = new CopyOnWriteArrayList<>();
    private final Semaphore reads = new Semaphore(0);
    private final Semaphore writes = new Semaphore(0);

    private void write(PurgatoryLog.Line line) {
        reads.acquireUninterruptibly();
        written.add(line.text());
        writes.release();
    }

    private static Happening expired(String identifier) {
        return new Happening.SoftExpired(new RepositoryAddress(StoreSamples.author(1), new Identifier(identifier)));
    }

    @Test
    void aLogThatNobodyReadsHoldsNobodyUp() throws InterruptedException {
        try (var log = new PurgatoryLog(2, _ -> true, this::write)) {
            for (int i = 0; i < 100; i++) {
                log.accept(expired("x" + i));
            }
            reads.release(100);
            assertTrue(writes.tryAcquire(2, 1, TimeUnit.MINUTES));
            assertEquals("purgatory.soft_expired identifier=x0 owner=" + StoreSamples.author(1), written.getFirst());
            assertTrue(written.get(1).matches("purgatory.log_lost lines=9[78]"), written.get(1));
        }
    }

    @Test
    void whatWaitsIsWrittenAtTheEnd() {
        reads.release(10);
        var log = new PurgatoryLog(10, _ -> true, this::write);
        log.accept(expired("a"));
        log.accept(expired("b"));
        log.close();
        assertEquals(2, written.size());
    }
}
