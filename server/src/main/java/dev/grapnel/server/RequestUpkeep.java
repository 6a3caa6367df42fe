package dev.grapnel.server;

import dev.grapnel.store.engine.TableStore;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Looks through the deletion requests at the start and from then on in regular intervals (service 4.9.3), on
/// a thread of its own: a pass may take seconds in a large store.
final class RequestUpkeep implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RequestUpkeep.class);

    private final TableStore store;
    private final Duration every;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;

    RequestUpkeep(TableStore store, Duration every) {
        this.store = store;
        this.every = every;
        this.thread = Thread.ofPlatform().name("deletion-requests").daemon().start(this::run);
    }

    private void run() {
        try {
            do {
                pass();
            } while (!closing.await(every.toSeconds(), TimeUnit.SECONDS));
        } catch (InterruptedException _) {
            // it is being closed
        }
    }

    private void pass() throws InterruptedException {
        try {
            store.ageRequests();
        } catch (RuntimeException | Error problem) { // the next pass may go better
            LOG.error("pass over deletion requests failed", problem);
        }
    }

    /// Ends a pass between two of its steps. To be closed before the store.
    @Override
    public void close() {
        closing.countDown();
        thread.interrupt();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException _) {
                interrupted = true; // the store must not be closed under it
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
