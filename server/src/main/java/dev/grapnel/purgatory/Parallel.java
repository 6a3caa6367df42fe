package dev.grapnel.purgatory;

import java.util.Collection;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Does something for many things, a few at a time, so that those who wait for the store share its commits.
final class Parallel {
    private static final Logger LOG = LoggerFactory.getLogger(Parallel.class);
    private static final int AT_ONCE = 32;

    private Parallel() {}

    /// Returns when all are done. One that fails does not stop the others.
    static <T> void forEach(Collection<T> things, Consumer<T> action) {
        if (things.isEmpty()) {
            return;
        }
        var places = new Semaphore(AT_ONCE);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var thing : things) {
                places.acquireUninterruptibly();
                threads.execute(() -> {
                    try {
                        action.accept(thing);
                    } catch (RuntimeException e) {
                        LOG.error("housekeeping of purgatory failed", e);
                    } finally {
                        places.release();
                    }
                });
            }
        }
    }
}
