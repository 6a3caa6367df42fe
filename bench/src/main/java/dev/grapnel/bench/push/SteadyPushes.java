package dev.grapnel.bench.push;

import dev.grapnel.bench.git.GitProgram;
import dev.grapnel.bench.git.Push;
import dev.grapnel.bench.purgatory.Report;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/// States and their pushes at a steady rate over many repositories, whether or not the server keeps up: a push that
/// begins late because the one before it was not served counts from when it was due.
final class SteadyPushes {
    private static final int WORDS_MAX = 200;

    private final GraspSide grasp;
    private final Path source;
    private final Sizes sizes;

    private SteadyPushes(GraspSide grasp, Path source, Sizes sizes) {
        this.grasp = grasp;
        this.source = source;
        this.sizes = sizes;
    }

    /// One push.
    ///
    /// @param due when it should have begun, as of [System#nanoTime]
    /// @param end when it was served or had failed
    /// @param problem empty if it was served
    record Attempt(long due, long end, String problem) {}

    /// What came of it.
    ///
    /// @param perSecond pushes that were served
    /// @param latency of those, from when each was due until it was served
    /// @param problems how often each
    record Outcome(int offered, double perSecond, Series latency, Map<String, Integer> problems) {
        /// @param rate pushes a second that were offered
        /// @param start when the first of them was due
        static Outcome of(List<Attempt> attempts, double rate, long start) {
            var latency = new Series();
            var problems = new TreeMap<String, Integer>();
            // The last push stands for its share of time, too, however fast it was.
            long end = start + (long) (attempts.size() * 1e9 / rate);
            for (var attempt : attempts) {
                end = Math.max(end, attempt.end());
                if (attempt.problem().isEmpty()) {
                    latency.add(0, attempt.end() - attempt.due());
                } else {
                    problems.merge(attempt.problem(), 1, Integer::sum);
                }
            }
            return new Outcome(attempts.size(), latency.size() * 1e9 / (end - start), latency, problems);
        }

        int errors() {
            return problems.values().stream().mapToInt(Integer::intValue).sum();
        }
    }

    /// Measures, and prints a table.
    ///
    /// @return how many pushes failed
    static int print(GraspSide grasp, Path source, Sizes sizes) throws IOException, InterruptedException {
        var outcome = measure(grasp, source, sizes);
        Report.line(
                "%n## %.0f pushes per second over %d repositories for %d s%n",
                sizes.rate(), sizes.repositories(), sizes.seconds());
        Report.line("| offered | served | errors | served per second | p50, ms | p99, ms | most, ms |");
        Report.line("|--:|--:|--:|--:|--:|--:|--:|");
        var latency = outcome.latency();
        Report.line(
                "| %,d | %,d | %,d | %.1f | %.1f | %.1f | %.1f |",
                outcome.offered(),
                latency.size(),
                outcome.errors(),
                outcome.perSecond(),
                latency.percentile(0.5),
                latency.percentile(0.99),
                latency.percentile(1));
        outcome.problems().forEach((problem, count) -> Report.line("%n%,d times: %s", count, problem));
        return outcome.errors();
    }

    static Outcome measure(GraspSide grasp, Path source, Sizes sizes) throws IOException, InterruptedException {
        return new SteadyPushes(grasp, source, sizes).measure();
    }

    private Outcome measure() throws IOException, InterruptedException {
        int each = Math.max(1, (int) Math.ceil(sizes.rate() * sizes.seconds() / sizes.repositories()));
        var tip = GitProgram.run(source, "rev-parse", SignedRepository.MAIN);
        var pushes = Push.make(source, "steady", each);
        var repositories = new ArrayList<SignedRepository>();
        for (int i = 0; i < sizes.repositories(); i++) {
            repositories.add(new SignedRepository("steady-" + i, i, 1, tip));
            grasp.found(repositories.getLast(), source);
        }
        long start = System.nanoTime();
        return Outcome.of(pushAll(repositories, pushes, start), sizes.rate(), start);
    }

    private List<Attempt> pushAll(List<SignedRepository> repositories, List<Push> pushes, long start)
            throws IOException, InterruptedException {
        var tasks = new ArrayList<Callable<List<Attempt>>>();
        for (int i = 0; i < repositories.size(); i++) {
            int number = i;
            tasks.add(() -> pushTo(repositories.get(number), number, pushes, start));
        }
        var attempts = new ArrayList<Attempt>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var done : threads.invokeAll(tasks)) {
                attempts.addAll(done.get());
            }
        } catch (ExecutionException e) {
            throw new IOException("the measurement itself failed", e);
        }
        return attempts;
    }

    /// The pushes of a repository come one after the other, because each builds on the one before.
    private List<Attempt> pushTo(SignedRepository repository, int number, List<Push> pushes, long start)
            throws InterruptedException {
        var attempts = new ArrayList<Attempt>();
        for (int i = 0; i < pushes.size(); i++) {
            long due = start + (long) ((i * (double) sizes.repositories() + number) * 1e9 / sizes.rate());
            TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
            attempts.add(attempt(repository, pushes.get(i), due));
        }
        return attempts;
    }

    private Attempt attempt(SignedRepository repository, Push push, long due) throws InterruptedException {
        try {
            return new Attempt(
                    due, grasp.push(repository, push, TimedPush::alone).end(), "");
        } catch (IOException e) {
            var words = String.valueOf(e.getMessage()).replaceAll("[0-9a-f]{40,}", "…");
            return new Attempt(due, System.nanoTime(), words.substring(0, Math.min(WORDS_MAX, words.length())));
        }
    }
}
