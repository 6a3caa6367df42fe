package dev.grapnel.server.hunt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Who computes, and who lets others.
final class DesksTest {
    private static final int PATIENCE = 10;

    private final Desks desks = new Desks(1);
    private final ExecutorService visitors = Executors.newVirtualThreadPerTaskExecutor();

    @AfterEach
    void close() {
        visitors.close();
        desks.close();
    }

    private <T> CompletableFuture<T> visit(Desks.Desk desk, Desks.Work<T> work) {
        var result = new CompletableFuture<T>();
        visitors.execute(() -> {
            try {
                result.complete(desk.work(work));
            } catch (IOException | RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    private static <T> T await(CompletableFuture<T> result)
            throws InterruptedException, ExecutionException, TimeoutException {
        return result.get(PATIENCE, TimeUnit.SECONDS);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(PATIENCE, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /// Otherwise a few large packs keep every request of a client waiting.
    @Test
    void packsAreTakenInOnThreadsOfTheSystem() throws Exception {
        assertFalse(await(visit(desks.newDesk(), () -> Thread.currentThread().isVirtual())));
    }

    @Test
    void onlyAsManyComputeAsThereAreDesksAndWhoWaitsHoldsNone() throws Exception {
        var hasBegun = new CountDownLatch(1);
        var comes = new CountDownLatch(1);
        var slow = new InputStream() {
            @Override
            public int read() {
                throw new AssertionError("bytes are read many at a time");
            }

            @Override
            public int read(byte[] bytes, int from, int length) {
                hasBegun.countDown();
                DesksTest.await(comes);
                return -1;
            }
        };
        var desk = desks.newDesk();
        var waiting = visit(desk, () -> desk.reading(slow).read());
        await(hasBegun);
        var isAtDesk = new CountDownLatch(1);
        var computing = new CountDownLatch(1);
        var first = visit(desks.newDesk(), () -> {
            isAtDesk.countDown();
            DesksTest.await(computing);
            return "computed";
        });
        await(isAtDesk);
        comes.countDown();
        assertFalse(waiting.isDone(), "the only desk is taken");
        computing.countDown();
        assertEquals("computed", await(first));
        assertEquals(-1, await(waiting));
    }

    /// P-666: what computes notices it as well as what reads.
    @Test
    void whatIsCancelledIsInterruptedAndGivesItsDeskBack() throws Exception {
        var hasBegun = new CountDownLatch(1);
        var desk = desks.newDesk();
        var ending = visit(desk, () -> {
            hasBegun.countDown();
            while (!Thread.currentThread().isInterrupted()) {
                Thread.onSpinWait();
            }
            throw new InterruptedIOException("noticed");
        });
        await(hasBegun);
        desk.cancel();
        var ended = assertThrows(ExecutionException.class, () -> await(ending));
        assertEquals("noticed", ended.getCause() == null ? "" : ended.getCause().getMessage());
        assertEquals(1, await(visit(desks.newDesk(), () -> 1)));
        var late = assertThrows(ExecutionException.class, () -> await(visit(desk, () -> 1)));
        assertEquals(
                "cancelled before it began",
                late.getCause() == null ? "" : late.getCause().getMessage());
    }

    @Test
    void faultsOfTheWorkAreToldAsTheyAre() {
        var fault = new IllegalStateException("a fault");
        var told = assertThrows(
                ExecutionException.class,
                () -> await(visit(desks.newDesk(), () -> {
                    throw fault;
                })));
        assertEquals(fault, told.getCause());
    }
}
