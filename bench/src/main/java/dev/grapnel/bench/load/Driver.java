package dev.grapnel.bench.load;

import dev.grapnel.bench.load.wire.Loop;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;

/// The tool's threads, and how to wait for what happens on them.
final class Driver implements AutoCloseable {
    private static final int GLANCE_MILLIS = 10;

    private final List<Loop> loops = new ArrayList<>();
    private final Duration patience;

    /// @param patience how long nothing may happen before a run is given up
    Driver(int threads, Duration patience) throws IOException {
        this.patience = patience;
        for (int i = 0; i < threads; i++) {
            loops.add(new Loop("load-" + i));
        }
    }

    /// One crew on each thread.
    <C extends Crew> List<C> crews(Function<Loop, C> crew) {
        return loops.stream().map(crew).toList();
    }

    /// Opens connections, spread over the crews, and waits until they are open.
    void open(List<? extends Crew> crews, int connections) throws IOException, InterruptedException {
        var opening = new ArrayList<CompletableFuture<Boolean>>();
        for (int i = 0; i < crews.size(); i++) {
            opening.add(crews.get(i).open(share(connections, i, crews.size())));
        }
        if (!await(crews, opening)) {
            throw new IOException("the relay stopped opening connections; "
                    + crews.stream().mapToInt(crew -> crew.connections().size()).sum() + " are open");
        }
        for (var one : opening) {
            result(one);
        }
    }

    /// How many of a number fall to one of several.
    static int share(int all, int index, int parts) {
        return all / parts + (index < all % parts ? 1 : 0);
    }

    /// Waits until all crews are done; false if nothing moved for too long.
    boolean await(List<? extends Crew> crews) throws InterruptedException {
        return await(crews, crews.stream().map(Crew::done).toList());
    }

    private boolean await(List<? extends Crew> crews, List<CompletableFuture<Boolean>> ends)
            throws InterruptedException {
        return await(
                () -> crews.stream().mapToLong(Crew::progressMade).sum(),
                _ -> ends.stream().allMatch(CompletableFuture::isDone)
                        || ends.stream().anyMatch(CompletableFuture::isCompletedExceptionally));
    }

    /// Waits until a number is high enough; false if it did not change for too long.
    boolean await(LongSupplier number, LongPredicate isEnough) throws InterruptedException {
        long seen = number.getAsLong();
        long since = System.nanoTime();
        while (!isEnough.test(seen)) {
            loops.forEach(Loop::requireRunning);
            long now = number.getAsLong();
            if (now != seen) {
                seen = now;
                since = System.nanoTime();
            } else if (System.nanoTime() - since > patience.toNanos()) {
                return false;
            }
            Thread.sleep(GLANCE_MILLIS);
        }
        return true;
    }

    Duration patience() {
        return patience;
    }

    /// Does something on the thread of every crew and waits for it.
    <C extends Crew> void onEach(List<C> crews, Function<C, Boolean> work) throws IOException, InterruptedException {
        var running = crews.stream()
                .map(crew -> crew.loop().call(() -> work.apply(crew)))
                .toList();
        for (var one : running) {
            result(one);
        }
    }

    /// Ends all connections.
    void hangUp() throws IOException, InterruptedException {
        for (var loop : loops) {
            Callable<Boolean> work = () -> {
                loop.turns(_ -> Loop.NEVER);
                loop.closeAll();
                return true;
            };
            result(loop.call(work));
        }
    }

    private static <T> T result(CompletableFuture<T> future) throws IOException, InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException io) {
                throw io;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    @Override
    public void close() {
        loops.forEach(Loop::close);
    }
}
