package dev.grapnel.server.git;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Who may work, who waits, and who is sent away.
final class PlacesTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    @Test
    void whoFindsNoPlaceInTimeIsSentAway() throws Exception {
        try (var places = new Places(1, 4, Duration.ofMillis(20), System::nanoTime)) {
            var begun = new CountDownLatch(1);
            var end = new CountDownLatch(1);
            var outcome = new CompletableFuture<String>();
            places.run(
                    _ -> {
                        begun.countDown();
                        await(end);
                    },
                    () -> {},
                    outcome::completeExceptionally);
            await(begun);
            places.run(
                    _ -> outcome.complete("worked"),
                    () -> outcome.complete("sent away"),
                    outcome::completeExceptionally);
            assertEquals("sent away", outcome.get(1, TimeUnit.MINUTES));
            end.countDown();
        }
    }

    @Test
    void whoFindsNoRoomInTimeIsSentAway() throws Exception {
        try (var places = new Places(1, 1, Duration.ofMillis(20), System::nanoTime)) {
            var begun = new CountDownLatch(1);
            var end = new CountDownLatch(1);
            var outcome = new CompletableFuture<String>();
            places.run(
                    _ -> {
                        begun.countDown();
                        await(end);
                    },
                    () -> {},
                    outcome::completeExceptionally);
            await(begun);
            places.run(
                    _ -> outcome.complete("worked"),
                    () -> outcome.complete("sent away"),
                    outcome::completeExceptionally);
            assertEquals("sent away", outcome.getNow("waits"));
            end.countDown();
        }
    }

    @Test
    void whoWaitsForItsClientHoldsNoPlace() throws Exception {
        try (var places = new Places(1, 4, LONG, System::nanoTime)) {
            var reading = new CountDownLatch(1);
            var client = new CountDownLatch(1);
            var slow = new CompletableFuture<Integer>();
            var quick = new CompletableFuture<String>();
            places.run(
                    place -> slow.complete(
                            place.reading(new Waiting(reading, client)).read()),
                    () -> {},
                    slow::completeExceptionally);
            await(reading);
            places.run(_ -> quick.complete("worked"), () -> {}, quick::completeExceptionally);
            assertEquals("worked", quick.get(1, TimeUnit.MINUTES));
            client.countDown();
            assertEquals(7, slow.get(1, TimeUnit.MINUTES));
        }
    }

    @Test
    void failuresReachWhoWaitsAndGiveThePlaceBack() throws Exception {
        try (var places = new Places(1, 4, LONG, System::nanoTime)) {
            var failed = new CompletableFuture<Throwable>();
            places.run(
                    _ -> {
                        throw new IOException("gone");
                    },
                    () -> {},
                    failed::complete);
            assertEquals("gone", failed.get(1, TimeUnit.MINUTES).getMessage());
            var next = new CompletableFuture<String>();
            places.run(_ -> next.complete("worked"), () -> {}, next::completeExceptionally);
            assertEquals("worked", next.get(1, TimeUnit.MINUTES));
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(1, TimeUnit.MINUTES));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /// A client that sends nothing for a while.
    private static final class Waiting extends ByteArrayInputStream {
        private final CountDownLatch reading;
        private final CountDownLatch client;

        Waiting(CountDownLatch reading, CountDownLatch client) {
            super(new byte[] {7});
            this.reading = reading;
            this.client = client;
        }

        @Override
        public synchronized int read(byte[] into, int from, int length) {
            reading.countDown();
            PlacesTest.await(client);
            return super.read(into, from, length);
        }
    }
}
