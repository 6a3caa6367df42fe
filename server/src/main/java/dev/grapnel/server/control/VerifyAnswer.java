package dev.grapnel.server.control;

import dev.grapnel.nostr.json.JsonWriter;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.tool.EventFault;
import dev.grapnel.store.tool.EventRemoval;
import dev.grapnel.store.tool.EventVerification;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Checks all stored events while the server serves them. One such check at a time: it is heavy.
public final class VerifyAnswer implements ControlCommand {
    /// What it is asked for by.
    public static final String NAME = "verify-events";

    private static final Logger LOG = LoggerFactory.getLogger(VerifyAnswer.class);
    private static final Duration PROGRESS_EVERY = Duration.ofMillis(200);

    private final EventStore store;
    private final EventRemoval removal;
    private final int threads;
    private final LongSupplier nanoTime;
    private final Semaphore turn = new Semaphore(1);

    /// @param removal removes what fails, if the operator wants that
    /// @param threads that check signatures, fewer than there are processors: clients come first
    /// @param nanoTime a clock that only runs forward
    public VerifyAnswer(EventStore store, EventRemoval removal, int threads, LongSupplier nanoTime) {
        this.store = store;
        this.removal = removal;
        this.threads = threads;
        this.nanoTime = nanoTime;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void run(ControlRequest request, ControlOutput output) throws ControlRefusal, IOException {
        if (!turn.tryAcquire()) {
            throw new ControlRefusal("events are being verified already; wait until that is done");
        }
        try {
            verify(request.arguments().isTrue("execute"), output);
        } finally {
            turn.release();
        }
    }

    private void verify(boolean execute, ControlOutput output) throws IOException {
        var report = new EventVerification(
                        store, execute ? Optional.of(removal) : Optional.empty(), new Teller(output), threads)
                .run();
        LOG.info("events verified events={} faults={} removed={}", report.events(), report.faults(), report.removed());
        output.line(new JsonWriter(128)
                .raw("{\"served\":")
                .number(report.served())
                .raw(",\"held\":")
                .number(report.held())
                .raw(",\"gates\":")
                .number(report.gates())
                .raw(",\"faults\":")
                .number(report.faults())
                .raw(",\"removed\":")
                .number(report.removed())
                .raw("}"));
    }

    private final class Teller implements EventVerification.Watcher {
        private final ControlOutput output;
        private long toldAt = nanoTime.getAsLong();

        Teller(ControlOutput output) {
            this.output = output;
        }

        @Override
        public void fault(EventFault fault) throws IOException {
            if (fault.isRemoved()) {
                LOG.warn("stored event removed event={} reason={}", fault.id(), fault.problem());
            }
            output.line(fault.json());
        }

        @Override
        public void progress(long events, long total) throws IOException {
            output.requireWanted();
            long now = nanoTime.getAsLong();
            if (now - toldAt >= PROGRESS_EVERY.toNanos()) {
                toldAt = now;
                output.progress(new JsonWriter(64)
                        .raw("{\"events\":")
                        .number(events)
                        .raw(",\"total\":")
                        .number(total)
                        .raw("}"));
            }
        }
    }
}
