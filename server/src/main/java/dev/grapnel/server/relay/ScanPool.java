package dev.grapnel.server.relay;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Where long questions are answered, a slice at a time in turn, so that one does not keep the others waiting.
/// As many threads as cores: reading the store is work, and page faults of cold data stop these threads and not
/// those of connections. What waits is bounded by what each connection may have (relay 6.6).
public final class ScanPool implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ScanPool.class);

    private final ExecutorService threads;
    private final RelayMeter meter;

    public ScanPool(int threadCount, RelayMeter meter) {
        this.threads = Executors.newFixedThreadPool(
                threadCount, Thread.ofPlatform().name("scan-", 0).daemon().factory());
        this.meter = meter;
    }

    /// Does some work after what came before it.
    void execute(Runnable work) {
        try {
            threads.execute(() -> run(work));
        } catch (RejectedExecutionException _) {
            // the server has stopped: nobody is left to be answered
        }
    }

    private void run(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException | Error problem) { // the thread's top
            meter.failed();
            LOG.error("answering a question failed", problem);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
