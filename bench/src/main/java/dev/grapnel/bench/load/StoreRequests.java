package dev.grapnel.bench.load;

import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.QueryLimits;
import dev.grapnel.store.QueryRequest;
import dev.grapnel.store.QueryStep;
import dev.grapnel.store.Viewer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/// What [Requests] does, without a relay: the same questions, asked of the store by as many threads, one after
/// the other.
///
/// @param warmup how long it goes on before it counts
record StoreRequests(EventStore store, List<Filter> filters, int askers, Duration warmup, Duration duration)
        implements Entrant.Measurement {
    private static final int BLOCK = 1 << 20;
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final double MEGA = 1e6;

    @Override
    public Outcome run(int round) throws InterruptedException {
        var begun = new CountDownLatch(1);
        try (var threads = Executors.newFixedThreadPool(askers)) {
            var asking = IntStream.range(0, askers)
                    .mapToObj(asker -> threads.submit(() -> ask(asker, begun)))
                    .toList();
            begun.countDown();
            Thread.sleep(warmup);
            var meter = Meter.startOwn();
            return outcome(asking, meter);
        }
    }

    private Outcome outcome(List<Future<Tally>> asking, Meter meter) throws InterruptedException {
        var latency = new Histogram();
        var surprises = new Surprises();
        long answered = 0;
        long bytes = 0;
        for (var each : asking) {
            try {
                var tally = each.get();
                latency.add(tally.latency);
                answered += tally.events;
                bytes += tally.bytes;
            } catch (ExecutionException e) {
                surprises.add("not answered", String.valueOf(e.getCause()));
            }
        }
        double seconds = duration.toNanos() / 1e9;
        var figures = new Figures()
                .put("requests/s", latency.count() / seconds)
                .put("events/s", answered / seconds)
                .put("MB/s", bytes / seconds / MEGA)
                .put("EOSE", latency)
                .put("events per request", latency.count() == 0 ? 0 : (double) answered / latency.count());
        meter.finishOwn(latency.count(), "requests").addTo(figures);
        return new Outcome(figures, surprises);
    }

    private Tally ask(int asker, CountDownLatch begun) throws InterruptedException {
        begun.await();
        long counted = System.nanoTime() + warmup.toNanos();
        long end = counted + duration.toNanos();
        var tally = new Tally();
        int next = asker % filters.size();
        for (long now = System.nanoTime(); now - end < 0; ) {
            long began = now;
            var filter = filters.get(next);
            next = (next + 1) % filters.size();
            boolean counts = now - counted >= 0;
            answer(filter, counts ? tally : new Tally());
            now = System.nanoTime();
            if (counts) {
                tally.latency.record(now - began);
            }
        }
        return tally;
    }

    private void answer(Filter filter, Tally tally) {
        try (var query = store.query(new QueryRequest(List.of(filter), Viewer.ALL, QueryLimits.DEFAULTS))) {
            QueryStep step;
            do {
                step = query.next(BLOCK, LONG);
                for (var event : step.events()) {
                    tally.events++;
                    tally.bytes += event.json().remaining();
                }
            } while (step instanceof QueryStep.More);
        }
    }

    private static final class Tally {
        private final Histogram latency = new Histogram();
        private long events;
        private long bytes;
    }
}
