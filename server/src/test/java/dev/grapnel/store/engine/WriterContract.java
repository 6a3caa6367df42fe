package dev.grapnel.store.engine;

import static dev.grapnel.store.engine.StoreFixture.NOW;
import static dev.grapnel.store.engine.StoreFixture.note;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.grapnel.nostr.Refusal.Prefix;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.store.QueryRequest;
import dev.grapnel.store.StoreRefusal;
import dev.grapnel.store.StoreTransaction;
import dev.grapnel.store.StoreView;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.Viewer;
import dev.grapnel.store.table.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/// The writer's queue (relay 7.7).
public interface WriterContract extends StoreContract {
    private void bound(int queueMax, long bytesMax) {
        fixture()
                .reopen(new WriterConfig(
                        queueMax, bytesMax, 1_000, 8L << 20, Duration.ofHours(1), Duration.ofHours(1), 1_000));
    }

    /// Keeps the writer busy until the latch is counted down.
    private CompletableFuture<Boolean> block(CountDownLatch latch, CountDownLatch begun) {
        return fixture().store().write(Urgency.WAITING, 0, _ -> {
            begun.countDown();
            try {
                latch.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return true;
        });
    }

    private static StoreRefusal refusalOf(CompletableFuture<?> future) {
        var problem = assertThrows(CompletionException.class, future::join);
        return assertInstanceOf(StoreRefusal.class, problem.getCause());
    }

    @Test
    default void aFullQueueRefusesClientsAndMakesOthersWait() throws InterruptedException {
        bound(2, 1_000_000);
        var latch = new CountDownLatch(1);
        var begun = new CountDownLatch(1);
        var blocking = block(latch, begun);
        begun.await();
        var first = fixture().store().write(Urgency.REFUSABLE, 0, transaction -> transaction.save(note(0, NOW, "1")));
        var second = fixture().store().write(Urgency.REFUSABLE, 0, transaction -> transaction.save(note(0, NOW, "2")));
        var third = fixture().store().write(Urgency.REFUSABLE, 0, transaction -> transaction.save(note(0, NOW, "3")));
        assertEquals("rate-limited: slow down", refusalOf(third).refusal().toString());
        var waiting = CompletableFuture.supplyAsync(
                () -> fixture().write(transaction -> transaction.save(note(0, NOW, "4"))));
        assertFalse(waiting.isDone());
        latch.countDown();
        blocking.join();
        first.join();
        second.join();
        waiting.join();
        assertEquals(3, fixture().all().size());
    }

    @Test
    default void theQueueIsBoundedInBytesButTakesOneLargeJob() throws InterruptedException {
        bound(100, 1_000);
        var latch = new CountDownLatch(1);
        var begun = new CountDownLatch(1);
        var blocking = block(latch, begun);
        begun.await();
        var large =
                fixture().store().write(Urgency.REFUSABLE, 5_000, transaction -> transaction.save(note(0, NOW, "1")));
        var small = fixture().store().write(Urgency.REFUSABLE, 1, transaction -> transaction.save(note(0, NOW, "2")));
        assertEquals(Prefix.RATE_LIMITED, refusalOf(small).refusal().prefix());
        latch.countDown();
        blocking.join();
        large.join();
    }

    @Test
    default void aClosedStoreRefusesButFinishesWhatWaits() throws InterruptedException {
        var latch = new CountDownLatch(1);
        var begun = new CountDownLatch(1);
        var blocking = block(latch, begun);
        begun.await();
        var event = note(0, NOW, "x");
        var waiting = fixture().store().write(Urgency.WAITING, 0, transaction -> transaction.save(event));
        var old = fixture().store();
        var closing = Thread.ofVirtual().start(fixture()::reopen);
        latch.countDown();
        blocking.join();
        waiting.join();
        closing.join();
        assertEquals(
                "error: shutting down",
                refusalOf(old.write(Urgency.WAITING, 0, transaction -> transaction.save(event)))
                        .refusal()
                        .toString());
        fixture().assertServes(event);
    }

    @Test
    default void aClosedStoreAnswersNothing() {
        fixture().serve(note(0, NOW, "1"), note(1, NOW, "2"));
        var old = fixture().store();
        var begun = old.query(QueryRequest.of(Filter.ALL));
        var unread = old.query(QueryRequest.of(Filter.ALL));
        assertEquals(1, begun.next(1, Duration.ofDays(1)).events().size());
        var tail = old.tail(0);
        fixture().reopen();
        assertClosed(() -> old.query(QueryRequest.of(Filter.ALL)));
        assertClosed(() -> old.count(StoreFixture.countOf(Filter.ALL)));
        assertClosed(() -> old.items(Filter.ALL, Viewer.ALL, 10));
        assertClosed(() -> old.read(StoreView::commitNumber));
        assertClosed(() -> tail.next(10, Duration.ZERO));
        assertClosed(() -> begun.next(1_000, Duration.ofDays(1)));
        assertClosed(() -> unread.next(1_000, Duration.ofDays(1)));
    }

    private static void assertClosed(Executable reading) {
        assertEquals(
                "the store is closed",
                assertThrows(IllegalStateException.class, reading).getMessage());
    }

    @Test
    default void aTransactionIsOfNoUseAfterItsWork() {
        var event = note(0, NOW, "x");
        var kept = new ArrayList<StoreTransaction>();
        fixture().write(kept::add);
        assertThrows(
                CompletionException.class,
                () -> fixture().write(transaction -> {
                    kept.add(transaction);
                    throw new IllegalArgumentException("undone");
                }));
        for (var transaction : kept) {
            assertThrows(IllegalStateException.class, () -> transaction.save(event));
            assertThrows(IllegalStateException.class, () -> transaction.find(event.id()));
            assertThrows(IllegalStateException.class, () -> transaction.count(Table.EVENTS));
            var problem =
                    assertThrows(CompletionException.class, () -> fixture().write(_ -> transaction.save(event)));
            assertInstanceOf(IllegalStateException.class, problem.getCause());
        }
        fixture().assertServes();
    }

    /// It would change what the writer is reading, and the native library crashes on that.
    @Test
    default void aTransactionIsOfNoUseToAnotherThread() throws InterruptedException {
        var handed = new LinkedBlockingQueue<StoreTransaction>();
        var over = new CountDownLatch(1);
        var writing = fixture().store().write(Urgency.WAITING, 0, transaction -> {
            handed.add(transaction);
            try {
                over.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return transaction.save(note(0, NOW, "1"));
        });
        try {
            var borrowed = handed.take();
            assertThrows(IllegalStateException.class, () -> borrowed.count(Table.EVENTS));
            assertThrows(IllegalStateException.class, () -> borrowed.save(note(0, NOW, "2")));
        } finally {
            over.countDown();
        }
        writing.join();
        fixture().assertServes(note(0, NOW, "1"));
    }

    @Test
    default void aWorkThatInterruptsItselfHarmsNobody() {
        fixture().write(_ -> {
            Thread.currentThread().interrupt();
            return true;
        });
        var event = note(0, NOW, "x");
        fixture().serve(event);
        fixture().assertServes(event);
    }

    @Test
    default void aWorkCannotGiveTheStoreAnother() {
        var problem = assertThrows(
                CompletionException.class,
                () -> fixture().write(_ -> fixture().write(inner -> inner.save(note(0, NOW, "x")))));
        assertInstanceOf(IllegalStateException.class, problem.getCause());
        fixture().serve(note(0, NOW, "y"));
    }
}
