package dev.grapnel.server.sync;

import dev.grapnel.store.EventQuery;
import dev.grapnel.store.QueryStep;
import dev.grapnel.store.StoredEvent;
import dev.grapnel.sync.home.ServedMeaning;
import dev.grapnel.sync.world.Archive.Slices;
import dev.grapnel.sync.world.Mutation;
import dev.grapnel.sync.world.Scheduler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads served events for the loop, a slice at a time. Between two slices it keeps neither a thread nor a snapshot, so
/// how long the loop takes costs nobody anything.
final class StoreScan {
    private static final Logger LOG = LoggerFactory.getLogger(StoreScan.class);
    private static final int BLOCK_BYTES = 1 << 20;
    private static final Duration BLOCK_TIME = Duration.ofMillis(50);

    private final EventQuery query;
    private final ServedMeaning meaning;
    private final int sliceMax;
    private final Slices slices;
    private final Executor threads;
    private final Scheduler loop;
    private final Deque<StoredEvent> read = new ArrayDeque<>();
    private boolean isDone;

    StoreScan(EventQuery query, ServedMeaning meaning, int sliceMax, Slices slices, Executor threads, Scheduler loop) {
        this.query = query;
        this.meaning = meaning;
        this.sliceMax = sliceMax;
        this.slices = slices;
        this.threads = threads;
        this.loop = loop;
    }

    void begin() {
        try {
            threads.execute(this::step);
        } catch (RejectedExecutionException _) {
            query.close(); // the server stops: never do so many wait otherwise
        }
    }

    /// Reads one slice and tells it; the next one is read when that was taken.
    private void step() {
        try {
            var slice = nextSlice();
            if (slice.isEmpty()) {
                end();
            } else {
                query.pause();
                loop.post(() -> slices.slice(slice, this::begin));
            }
        } catch (RuntimeException | Error e) { // the store is damaged or gone, which is told elsewhere as well
            LOG.error("what is stored could not be read to its end", e);
            loop.post(slices::failed);
            query.close();
        }
    }

    private List<Mutation> nextSlice() {
        var slice = new ArrayList<Mutation>();
        while (slice.size() < sliceMax && !(read.isEmpty() && isDone)) {
            if (read.isEmpty()) {
                readBlock();
            } else {
                meaning.ofServed(read.remove().read()).ifPresent(slice::add);
            }
        }
        return slice;
    }

    private void readBlock() {
        var block = query.next(BLOCK_BYTES, BLOCK_TIME);
        read.addAll(block.events());
        isDone = !(block instanceof QueryStep.More);
    }

    private void end() {
        query.close();
        loop.post(slices::done);
    }
}
