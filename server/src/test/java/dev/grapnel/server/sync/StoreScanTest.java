package dev.grapnel.server.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.outbound.Urls;
import dev.grapnel.store.EventQuery;
import dev.grapnel.store.QueryStep;
import dev.grapnel.sync.home.ServedMeaning;
import dev.grapnel.sync.world.Archive;
import dev.grapnel.sync.world.Mutation;
import dev.grapnel.sync.world.VirtualScheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What is read of the store for the loop (sync R1.11).
final class StoreScanTest {
    private final VirtualScheduler loop = new VirtualScheduler(Instant.EPOCH);
    private final List<String> told = new ArrayList<>();

    /// A store that cannot be read.
    private static final class Damaged implements EventQuery {
        private boolean isClosed;

        @Override
        public long commitNumber() {
            return 1;
        }

        @Override
        public QueryStep next(int bytesMax, Duration slice) {
            throw new IllegalStateException("damaged, as the test wants");
        }

        @Override
        public void pause() {
            // it has nothing to let go of
        }

        @Override
        public void close() {
            isClosed = true;
        }
    }

    private final class Told implements Archive.Slices {
        @Override
        public void slice(List<Mutation> found, Runnable taken) {
            told.add("slice");
            taken.run();
        }

        @Override
        public void done() {
            told.add("done");
        }

        @Override
        public void failed() {
            told.add("failed");
        }
    }

    @Test
    void whatCannotBeReadToItsEndIsNotDone() {
        var query = new Damaged();
        var meaning = new ServedMeaning(Urls.own("git.example.com"));
        new StoreScan(query, meaning, 10, new Told(), Runnable::run, loop).begin();
        loop.settle();
        assertEquals(List.of("failed"), told);
        assertTrue(query.isClosed);
    }
}
