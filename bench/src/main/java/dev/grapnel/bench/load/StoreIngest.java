package dev.grapnel.bench.load;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.SaveOutcome;
import dev.grapnel.store.Urgency;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// What [Ingest] does, without a relay: as many writers read the same events, check their signatures and store
/// them, each with as many on their way. A relay on the same store cannot do more.
///
/// @param rate events a second, or 0 for as many as possible
/// @param expected prefixes of refusals that are no surprise
record StoreIngest(
        EventStore store, EventFile events, int rounds, int writers, int window, double rate, Set<String> expected)
        implements Entrant.Measurement {
    private static final double MEGA = 1e6;

    @Override
    public Outcome run(int round) throws InterruptedException {
        int part = round % rounds;
        int from = (int) ((long) events.count() * part / rounds);
        int to = (int) ((long) events.count() * (part + 1) / rounds);
        var shares = Shares.of(events, from, to, writers);
        var meter = Meter.startOwn();
        var work = new Work(from, System.nanoTime());
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var share : shares) {
                threads.execute(() -> work.store(share));
            }
        }
        return work.outcome(to - from, meter);
    }

    /// One round.
    private final class Work {
        private final int from;
        private final long start;
        private final ReentrantLock lock = new ReentrantLock();
        private final Histogram latency = new Histogram();
        private final Surprises surprises = new Surprises();
        private long bytes;

        Work(int from, long start) {
            this.from = from;
            this.start = start;
        }

        void store(int[] share) {
            var room = new Semaphore(window);
            try {
                for (int number : share) {
                    long due = awaitDue(number);
                    room.acquire();
                    store(number, rate == 0 ? System.nanoTime() : due, room);
                }
                room.acquire(window);
            } catch (IOException e) {
                surprises.add("no event", String.valueOf(e.getMessage()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                surprises.add("interrupted", "the round has no end");
            }
        }

        private long awaitDue(int number) {
            long due = start + (rate == 0 ? 0 : (long) ((number - from) * 1e9 / rate));
            for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            return due;
        }

        private void store(int number, long sent, Semaphore room) throws IOException {
            Event event = Questions.event(events, number);
            if (!event.isSigned()) {
                surprises.add("wrong signature", event.id().toString());
            }
            var _ = store.write(Urgency.WAITING, events.length(number), transaction -> transaction.save(event))
                    .whenComplete((outcome, problem) -> {
                        stored(number, sent, outcome, problem);
                        room.release();
                    });
        }

        private void stored(int number, long sent, @Nullable SaveOutcome outcome, @Nullable Throwable problem) {
            long now = System.nanoTime();
            lock.lock();
            try {
                latency.record(now - sent);
                bytes += events.length(number);
            } finally {
                lock.unlock();
            }
            if (!isExpected(outcome)) {
                surprises.add("not stored", problem == null ? String.valueOf(outcome) : problem.toString());
            }
        }

        private boolean isExpected(@Nullable SaveOutcome outcome) {
            return outcome instanceof SaveOutcome.Served
                    || outcome instanceof SaveOutcome.Gated // a deletion request that came before its author is known
                    || (outcome instanceof SaveOutcome.Refused(var refusal, var _)
                            && expected.contains(refusal.prefix().word()));
        }

        Outcome outcome(int count, Meter meter) {
            double seconds = (System.nanoTime() - start) / 1e9;
            var figures = new Figures()
                    .put("events/s", count / seconds)
                    .put("MB/s", bytes / seconds / MEGA)
                    .put("OK", latency)
                    .put("events", count)
                    .put("seconds", seconds);
            meter.finishOwn(count, "events").addTo(figures);
            return new Outcome(figures, surprises);
        }
    }
}
