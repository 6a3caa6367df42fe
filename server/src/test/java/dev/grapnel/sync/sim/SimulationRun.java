package dev.grapnel.sync.sim;

import java.io.PrintStream;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// Many worlds, each from its seed, on all cores (sync 10). Whatever is wrong is told with the seed, which alone makes
/// it
/// happen again.
final class SimulationRun {
    private final long first;
    private final long count;
    private final Map<Long, String> failures = new ConcurrentSkipListMap<>();
    private final AtomicLong done = new AtomicLong();

    SimulationRun(long first, long count) {
        this.first = first;
        this.count = count;
    }

    /// Arguments: how many seeds, the first of them.
    static void main(String... arguments) throws InterruptedException {
        var run = new SimulationRun(Long.parseLong(arguments[1]), Long.parseLong(arguments[0]));
        run.tell(System.out);
        if (!run.failures.isEmpty()) {
            System.exit(1);
        }
    }

    private void tell(PrintStream out) throws InterruptedException {
        int cores = Runtime.getRuntime().availableProcessors();
        try (var threads = Executors.newFixedThreadPool(cores)) {
            for (long seed = first; seed < first + count; seed++) {
                long next = seed;
                threads.execute(() -> run(next, out));
            }
            threads.shutdown();
            if (!threads.awaitTermination(30, TimeUnit.DAYS)) {
                throw new IllegalStateException("it does not end");
            }
        }
        failures.forEach((seed, problem) -> out.println("seed " + seed + ": " + problem
                + "\nagain: ./mvnw -Psimulate -pl server -am test -Dseeds=1 -Dseed=" + seed));
        out.println((count - failures.size()) + " passed, " + failures.size() + " failed");
    }

    private void run(long seed, PrintStream out) {
        try {
            Story.SMALL.run(seed, JoinedCore.usual());
        } catch (RuntimeException | Error problem) { // told with its seed; the others go on
            failures.put(seed, String.valueOf(problem));
        }
        long ended = done.incrementAndGet();
        if (ended % 10 == 0 || ended == count) {
            out.println(ended + " of " + count + " worlds, " + failures.size() + " wrong");
        }
    }
}
