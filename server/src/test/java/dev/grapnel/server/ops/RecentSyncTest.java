package dev.grapnel.server.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.sync.MadeUpSync;
import dev.grapnel.sync.SyncPicture;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Pictures for many cost the loop one a second.
@Timeout(30)
final class RecentSyncTest {
    private final AtomicLong nanos = new AtomicLong(-100);
    private final AtomicInteger asked = new AtomicInteger();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch answer = new CountDownLatch(1);
    private volatile boolean isSlow;
    private volatile Optional<SyncPicture> picture = Optional.of(MadeUpSync.picture());

    private final SyncView recent = new RecentSync(
            new SyncView() {
                @Override
                public boolean isOn() {
                    return true;
                }

                @Override
                public Optional<SyncPicture> picture() {
                    asked.incrementAndGet();
                    if (isSlow) {
                        begun.countDown();
                        awaitAnswer();
                    }
                    return picture;
                }

                @Override
                public int compareNow(Optional<RemoteUrl> one) {
                    return 3;
                }

                @Override
                public long inboundBytes() {
                    return 4;
                }
            },
            nanos::get);

    private void awaitAnswer() {
        try {
            answer.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    @Test
    void manyLooksWithinASecondAreOneQuestion() {
        for (int i = 0; i < 100; i++) {
            assertTrue(recent.picture().isPresent());
            pass(Duration.ofMillis(9));
        }
        assertEquals(1, asked.get());
        pass(Duration.ofMillis(200));
        assertTrue(recent.picture().isPresent());
        assertEquals(2, asked.get());
    }

    @Test
    void whoComesWhileSomebodyAsksGetsTheLastOneAtOnce() throws InterruptedException {
        recent.picture();
        pass(Duration.ofSeconds(2));
        isSlow = true;
        var asking = Thread.ofVirtual().start(recent::picture);
        begun.await();
        assertTrue(recent.picture().isPresent());
        answer.countDown();
        asking.join();
        assertEquals(2, asked.get());
    }

    @Test
    void aLoopThatDoesNotAnswerIsToldOfAfterAMinute() {
        recent.picture();
        picture = Optional.empty();
        pass(Duration.ofSeconds(59));
        assertTrue(recent.picture().isPresent());
        pass(Duration.ofSeconds(2));
        assertEquals(Optional.empty(), recent.picture());
    }

    @Test
    void everythingElseIsPassedOn() {
        assertTrue(recent.isOn());
        assertEquals(3, recent.compareNow(Optional.empty()));
        assertEquals(4, recent.inboundBytes());
    }
}
