package dev.grapnel.store.crash;

import dev.grapnel.store.Urgency;
import dev.grapnel.store.engine.ManualTime;
import dev.grapnel.store.engine.TableStore;
import dev.grapnel.store.memory.MemoryEngine;
import dev.grapnel.store.table.TableEngine;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.CompletionException;

/// What a store must hold after so many steps of a [Workload]: the same steps, done in memory.
final class ExpectedStore implements AutoCloseable {
    private final MemoryEngine engine = new MemoryEngine(new Random(1), Long.MAX_VALUE);
    private final ManualTime time = new ManualTime(Workload.BEGIN);
    private final TableStore store =
            new TableStore(engine, Workload.RULES, CrashWriter.WRITER, time, new Complaints(ExpectedStore::fail));

    /// A writer began, with its clock at this second.
    void begin(long second) {
        time.advance(Duration.between(time.instant(), Instant.ofEpochSecond(second)));
    }

    /// What a writer does first.
    void sweep() {
        store.sweep().join();
    }

    /// Does a step, and says what is acknowledged for it; `failed` if it breaks off.
    String apply(Step step) {
        try {
            return store.write(Urgency.WAITING, 0, step.work()).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof IllegalStateException) {
                return "failed";
            }
            throw e;
        }
    }

    private static void fail(String complaint) {
        throw new IllegalStateException("a store in memory complains: " + complaint);
    }

    Instant now() {
        return time.instant();
    }

    TableEngine engine() {
        return engine;
    }

    @Override
    public void close() {
        store.close();
    }
}
