package dev.grapnel.store.tool;

import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.store.QueryLimits;
import dev.grapnel.store.QueryRequest;
import dev.grapnel.store.QueryStep;
import dev.grapnel.store.StoredEvent;
import dev.grapnel.store.Viewer;
import dev.grapnel.store.engine.EventLog;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// Writes events as JSON lines: each its normalised JSON and a line feed. However many there are, only a block
/// of them is in memory.
public final class EventExport {
    private static final int BLOCK_BYTES = 1 << 20;

    private final OpenStore store;
    private final InstantSource clock;
    private final Consumer<String> damages;
    private final BooleanSupplier stop;
    private long events;

    /// An export of what is in the store.
    ///
    /// @param damages hears of what cannot be read and is left out
    /// @param stop whether to end early
    public EventExport(OpenStore store, InstantSource clock, Consumer<String> damages, BooleanSupplier stop) {
        this.store = store;
        this.clock = clock;
        this.damages = damages;
        this.stop = stop;
    }

    /// How many events were written so far.
    public long events() {
        return events;
    }

    /// Everything that is served, in the order in which it came.
    public void writeAll(OutputStream out) throws IOException {
        try (var log = new EventLog(store.engine(), clock, damages)) {
            while (!stop.getAsBoolean()) {
                var event = log.next();
                if (event.isEmpty()) {
                    return;
                }
                write(event.get(), out);
            }
        }
    }

    /// What matches any of the filters, newest first, each filter up to the limit it names.
    public void write(List<Filter> filters, OutputStream out) throws IOException {
        try (var query = store.store().query(new QueryRequest(filters, Viewer.ALL, QueryLimits.NONE))) {
            while (!stop.getAsBoolean()) {
                var step = query.next(BLOCK_BYTES, Duration.ofSeconds(1));
                for (var event : step.events()) {
                    write(event, out);
                }
                if (!(step instanceof QueryStep.More)) {
                    return;
                }
            }
        }
    }

    private void write(StoredEvent event, OutputStream out) throws IOException {
        event.writeJson(out);
        out.write('\n');
        events++;
    }
}
