package dev.grapnel.server.relay;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Where long questions are answered, on a few threads of their own: reading the store is work, and page faults of cold
/// data stop these threads and not those of connections.
///
/// Askers take turns, however much each has asked: who floods the relay waits for himself. What waits is bounded by
/// what
/// each connection may have (relay 6.6).
public final class ScanPool implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ScanPool.class);

    private final RelayMeter meter;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition filled = lock.newCondition();
    private final Map<Object, ArrayDeque<Runnable>> askers = new LinkedHashMap<>();
    private final List<Thread> threads = new ArrayList<>();
    private boolean closed;

    /// @param name what its threads are called
    public ScanPool(String name, int threadCount, RelayMeter meter) {
        this.meter = meter;
        for (int i = 0; i < threadCount; i++) {
            threads.add(Thread.ofPlatform().name(name + "-" + i).daemon().start(this::run));
        }
    }

    /// Does some work when it is its asker's turn, after what that has asked before.
    void execute(Object asker, Runnable work) {
        lock.lock();
        try {
            if (!closed) { // else nobody is left to be answered
                askers.computeIfAbsent(asker, _ -> new ArrayDeque<>(2)).add(work);
                filled.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        for (var work = take(); work != null; work = take()) {
            try {
                work.run();
            } catch (RuntimeException | Error problem) { // the thread's top
                meter.failed();
                LOG.error("answering a question failed", problem);
            }
        }
    }

    /// The first work of the asker who has waited longest, who then waits behind all others. Nothing when it is over.
    private @Nullable Runnable take() {
        lock.lock();
        try {
            while (askers.isEmpty() && !closed) {
                filled.awaitUninterruptibly();
            }
            if (closed) {
                return null;
            }
            var next = askers.entrySet().iterator().next();
            var asker = next.getKey();
            var waiting = next.getValue();
            var work = waiting.remove();
            askers.remove(asker);
            if (!waiting.isEmpty()) {
                askers.put(asker, waiting);
            }
            return work;
        } finally {
            lock.unlock();
        }
    }

    /// Works that wait.
    public int waiting() {
        lock.lock();
        try {
            return askers.values().stream().mapToInt(ArrayDeque::size).sum();
        } finally {
            lock.unlock();
        }
    }

    /// Ends after what is being done now; what waits is forgotten.
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            filled.signalAll();
        } finally {
            lock.unlock();
        }
        boolean interrupted = false;
        for (var thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException _) {
                interrupted = true; // the store must not be closed under a scan
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
