package dev.grapnel.server.live;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.store.ServedFeed;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The one thread that takes new events to subscribers, in commit order. Subscribers only queue what they are
/// given, so no reader can keep it waiting.
///
/// Its own queue is bounded: ephemeral events are refused when it is full, and the store's writer waits, so
/// that nothing is lost.
public final class LiveMatcher implements ServedFeed, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LiveMatcher.class);

    private final SubscriptionIndex index;
    private final int eventsMax;
    private final long bytesMax;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition filled = lock.newCondition();
    private final Condition emptied = lock.newCondition();
    private final ArrayDeque<LiveEvent> queue = new ArrayDeque<>();
    private final AtomicLong failures = new AtomicLong();
    private final Thread thread;
    private int reserved;
    private long bytes;
    private boolean closed;

    /// @param eventsMax events that may wait
    /// @param bytesMax bytes of them
    public LiveMatcher(SubscriptionIndex index, int eventsMax, long bytesMax) {
        this.index = index;
        this.eventsMax = eventsMax;
        this.bytesMax = bytesMax;
        this.thread = Thread.ofPlatform().name("live-matcher").start(this::run);
    }

    @Override
    public void served(List<Fresh> events) {
        lock.lock();
        try {
            for (var fresh : events) {
                while (isFull() && !closed) {
                    filled.signal();
                    emptied.awaitUninterruptibly();
                }
                add(LiveEvent.of(fresh.number(), fresh.event()));
            }
            filled.signal();
        } finally {
            lock.unlock();
        }
    }

    /// Keeps room for an event that is not stored; nothing if there is none. What is returned takes it to
    /// subscribers, and must be run once.
    public Optional<Runnable> reserve(Event event) {
        lock.lock();
        try {
            if (isFull() || closed) {
                return Optional.empty();
            }
            var reserving = LiveEvent.of(LiveEvent.EPHEMERAL, event);
            reserved++;
            bytes += reserving.text().length();
            return Optional.of(() -> redeem(reserving));
        } finally {
            lock.unlock();
        }
    }

    private void redeem(LiveEvent event) {
        lock.lock();
        try {
            reserved--;
            queue.add(event);
            filled.signal();
        } finally {
            lock.unlock();
        }
    }

    private boolean isFull() {
        return queue.size() + reserved >= eventsMax || bytes >= bytesMax;
    }

    private void add(LiveEvent event) {
        queue.add(event);
        bytes += event.text().length();
    }

    private void run() {
        var batch = new ArrayList<LiveEvent>();
        while (take(batch)) {
            batch.forEach(this::match);
            batch.clear();
        }
    }

    private boolean take(List<LiveEvent> batch) {
        lock.lock();
        try {
            while (queue.isEmpty() && (!closed || reserved > 0)) {
                filled.awaitUninterruptibly();
            }
            batch.addAll(queue);
            queue.clear();
            batch.forEach(event -> bytes -= event.text().length());
            emptied.signalAll();
            return !batch.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    private void match(LiveEvent event) {
        try {
            index.match(event.event()).forEach(subscriber -> deliver(event, subscriber));
        } catch (RuntimeException | Error problem) { // the thread's top: the store waits for this thread
            fail("matching failed", problem);
        }
    }

    private void deliver(LiveEvent event, LiveSubscriber subscriber) {
        try {
            subscriber.deliver(event);
        } catch (RuntimeException | Error problem) { // one subscriber's trouble must not keep the others waiting
            fail("delivering failed", problem);
        }
    }

    private void fail(String what, Throwable problem) {
        failures.incrementAndGet();
        LOG.error(what, problem);
    }

    /// Events that wait.
    public int waiting() {
        lock.lock();
        try {
            return queue.size();
        } finally {
            lock.unlock();
        }
    }

    /// Deliveries that failed by a fault of ours.
    public long failures() {
        return failures.get();
    }

    /// Delivers what waits, then ends.
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            filled.signal();
            emptied.signalAll();
        } finally {
            lock.unlock();
        }
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException _) {
                interrupted = true; // what was taken is delivered first
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
