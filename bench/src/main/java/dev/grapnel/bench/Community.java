package dev.grapnel.bench;

import dev.grapnel.nostr.event.Event;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/// A made-up community of developers and all it writes to a GRASP relay in four years.
///
/// Repositories are announced, pushed to and talked about, a few of them much and most of them hardly;
/// sizes are those of relay 7.1. Every event names only earlier ones. The same seed and count give the same
/// bytes, however many cores there are, and memory does not grow with the count: events pass by, what later
/// ones refer to is bounded.
///
/// @param seed tells communities apart
/// @param count how many events; the more, the more people and repositories, up to a limit
public record Community(long seed, int count) {
    private static final int BATCH = 256;
    private static final int BATCHES_AHEAD_PER_WORKER = 4;

    /// @throws IllegalArgumentException if there are to be no events
    public Community {
        if (count < 1) {
            throw new IllegalArgumentException("a community writes at least one event");
        }
    }

    /// Hands over all events in the order in which they arrive at a relay, on the calling thread, and says
    /// what can be asked for afterwards.
    ///
    /// @throws InterruptedException if the thread is interrupted meanwhile
    public Landmarks forEach(Signatures signatures, Consumer<? super Event> sink) throws InterruptedException {
        return forEach(signatures, Runtime.getRuntime().availableProcessors(), sink);
    }

    /// The calling thread writes events in order, workers sign and read them, and the calling thread takes
    /// them back in the same order.
    Landmarks forEach(Signatures signatures, int workers, Consumer<? super Event> sink) throws InterruptedException {
        var chronicle = new Chronicle(seed, count);
        var ahead = new ArrayDeque<Future<List<Event>>>();
        var names = Thread.ofPlatform().daemon().name("signer-", 0).factory();
        try (var threads = Executors.newFixedThreadPool(workers, names)) {
            for (int done = 0; done < count; done += BATCH) {
                var batch = batch(chronicle, Math.min(BATCH, count - done));
                ahead.add(threads.submit(() ->
                        batch.stream().map(event -> event.sign(signatures)).toList()));
                if (ahead.size() > workers * BATCHES_AHEAD_PER_WORKER) {
                    finished(ahead.remove()).forEach(sink);
                }
            }
            while (!ahead.isEmpty()) {
                finished(ahead.remove()).forEach(sink);
            }
        }
        return chronicle.landmarks();
    }

    private static List<UnsignedEvent> batch(Chronicle chronicle, int size) {
        var batch = new ArrayList<UnsignedEvent>(size);
        for (int i = 0; i < size; i++) {
            batch.add(chronicle.next());
        }
        return batch;
    }

    private static List<Event> finished(Future<List<Event>> batch) throws InterruptedException {
        try {
            return batch.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("an event could not be signed", e.getCause());
        }
    }
}
