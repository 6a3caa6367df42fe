package dev.grapnel.server.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.server.ops.Readiness.Reason;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What stands in the way of being ready.
final class ReadinessTest {
    @Test
    void newOneIsStarting() {
        var readiness = new Readiness();
        assertTrue(readiness.has(Reason.STARTING));
        readiness.end(Reason.STARTING);
        assertEquals(List.of(), readiness.reasons());
    }

    @Test
    void reasonsComeAndGoOneByOneAndAreToldInOrder() {
        var readiness = new Readiness();
        readiness.begin(Reason.STORE_READ_ONLY);
        readiness.begin(Reason.IMPORTING);
        readiness.begin(Reason.IMPORTING);
        assertEquals(List.of(Reason.STARTING, Reason.IMPORTING, Reason.STORE_READ_ONLY), readiness.reasons());
        readiness.end(Reason.IMPORTING);
        readiness.end(Reason.DISK_FLOOR);
        assertFalse(readiness.has(Reason.IMPORTING));
        assertEquals(List.of(Reason.STARTING, Reason.STORE_READ_ONLY), readiness.reasons());
    }

    @Test
    void wordsAreThoseThatMonitorsRead() {
        assertEquals(
                List.of("starting", "importing", "disk floor", "store read-only"),
                List.of(Reason.values()).stream().map(Reason::words).toList());
    }

    @Test
    void threadsDoNotUndoEachOther() throws InterruptedException {
        var readiness = new Readiness();
        var threads = new ArrayList<Thread>();
        for (var reason : Reason.values()) {
            threads.add(Thread.ofPlatform().start(() -> {
                for (int i = 0; i < 10_000; i++) {
                    readiness.end(reason);
                    readiness.begin(reason);
                }
            }));
        }
        for (var thread : threads) {
            thread.join();
        }
        assertEquals(List.of(Reason.values()), readiness.reasons());
    }
}
