package dev.grapnel.store.engine;

import dev.grapnel.store.Urgency;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Transactions on their way to the writer, in order, bounded in number and bytes.
final class WriteQueue {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition filled = lock.newCondition();
    private final Condition emptied = lock.newCondition();
    private final ArrayDeque<Job<?>> jobs = new ArrayDeque<>();
    private final WriterConfig config;
    private long bytes;
    private boolean closed;

    WriteQueue(WriterConfig config) {
        this.config = config;
    }

    /// What became of an offer.
    enum Offer {
        TAKEN,
        FULL,
        CLOSED
    }

    /// Adds a job; waits for room unless the job may be refused.
    Offer offer(Job<?> job, Urgency urgency) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!closed && isFull(job)) {
                if (urgency == Urgency.REFUSABLE) {
                    return Offer.FULL;
                }
                emptied.await();
            }
            if (closed) {
                return Offer.CLOSED;
            }
            jobs.add(job);
            bytes += job.bytes();
            filled.signal();
            return Offer.TAKEN;
        } finally {
            lock.unlock();
        }
    }

    /// A job larger than the bound is let in alone, or it would wait for ever.
    private boolean isFull(Job<?> job) {
        return jobs.size() >= config.queueMax() || (!jobs.isEmpty() && bytes + job.bytes() > config.queueBytesMax());
    }

    /// Takes what one commit may hold; waits for the first job up to the given time. Empty when the time is
    /// over, or when the queue is closed and has run dry.
    List<Job<?>> takeBatch(long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = nanos;
            while (jobs.isEmpty() && !closed && left > 0) {
                left = filled.awaitNanos(left);
            }
            var batch = new ArrayList<Job<?>>();
            long batchBytes = 0;
            while (!jobs.isEmpty()
                    && batch.size() < config.batchMax()
                    && (batch.isEmpty() || batchBytes + jobs.peek().bytes() <= config.batchBytesMax())) {
                var job = jobs.remove();
                batchBytes += job.bytes();
                batch.add(job);
            }
            bytes -= batchBytes;
            emptied.signalAll();
            return batch;
        } finally {
            lock.unlock();
        }
    }

    /// Takes no more; what is inside is still handed out.
    void close() {
        lock.lock();
        try {
            closed = true;
            filled.signalAll();
            emptied.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Whether everything was handed out and nothing can come any more.
    boolean isDry() {
        lock.lock();
        try {
            return closed && jobs.isEmpty();
        } finally {
            lock.unlock();
        }
    }
}
