package dev.grapnel.sync.sim;

import dev.grapnel.sync.sim.Script.Tale;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Many worlds, each from its seed, on all cores (sync 10): random ones, those in which a node is killed at each
/// message, and large ones. Whatever is wrong is told with the seed and with the smallest world that shows it, as a
/// command that makes it happen again.
final class SimulationRun {
    private static final int SHRINKING_MAX = 200;
    private static final Duration SHRINKING_TIME = Duration.ofMinutes(3);
    private static final String ALL = "all";

    private final Consumer<String> progress;
    private final List<Runnable> worlds = new ArrayList<>();
    private final Map<String, String> failures = new ConcurrentSkipListMap<>();
    private final AtomicLong done = new AtomicLong();

    private SimulationRun(Consumer<String> progress) {
        this.progress = progress;
    }

    /// Arguments: how many seeds, the first of them, and the story, or all of them.
    static void main(String... arguments) throws InterruptedException {
        System.exit(run(System.out, Long.parseLong(arguments[0]), Long.parseLong(arguments[1]), arguments[2]) ? 0 : 1);
    }

    private static boolean run(PrintStream out, long count, long first, String story) throws InterruptedException {
        var run = new SimulationRun(out::println);
        if (story.equals(ALL)) {
            run.add(Tale.MIRROR, 0, Mirror.Make.all().size());
            run.add(Tale.CRASH, 1, Crashes.messages());
            Stream.of(Tale.values()).filter(Tale::isRandom).forEach(tale -> run.add(tale, first, count));
        } else {
            run.add(Tale.parse(story), first, count);
        }
        var wrong = run.tell();
        wrong.forEach(out::println);
        out.println((run.worlds.size() - wrong.size()) + " passed, " + wrong.size() + " failed");
        return wrong.isEmpty();
    }

    /// Runs some worlds of a story.
    ///
    /// @return what was wrong, each with how to see it again
    static Collection<String> failures(Tale tale, long first, long count) throws InterruptedException {
        return failures(tale, tale.cores(), first, count);
    }

    static Collection<String> failures(Tale tale, CoreFactory cores, long first, long count)
            throws InterruptedException {
        var run = new SimulationRun(_ -> {});
        run.add(tale, cores, first, count);
        return run.tell();
    }

    private void add(Tale tale, long first, long count) {
        add(tale, tale.cores(), first, count);
    }

    private void add(Tale tale, CoreFactory cores, long first, long count) {
        for (long seed = first; seed < first + count; seed++) {
            var script = Script.of(tale, seed);
            worlds.add(() -> tell(script, cores));
        }
    }

    private Collection<String> tell() throws InterruptedException {
        int cores = Runtime.getRuntime().availableProcessors();
        try (var threads = Executors.newFixedThreadPool(cores)) {
            worlds.forEach(threads::execute);
            threads.shutdown();
            if (!threads.awaitTermination(30, TimeUnit.DAYS)) {
                throw new IllegalStateException("it does not end");
            }
        }
        return failures.values();
    }

    /// What an invariant says is enough; what nobody foresaw is shown with its place.
    private static String shown(Throwable problem) {
        var text = new StringWriter();
        if (!(problem instanceof AssertionError)) {
            problem.printStackTrace(new PrintWriter(text, true));
        }
        return problem instanceof AssertionError ? String.valueOf(problem) : text.toString();
    }

    private void tell(Script script, CoreFactory cores) {
        var showing = script.show(cores);
        showing.problem().ifPresent(problem -> {
            progress.accept(script + " is wrong: " + showing.sort() + "; making it smaller");
            failures.put(script.toString(), story(script, cores, showing, problem));
        });
        ended();
    }

    private void ended() {
        long ended = done.incrementAndGet();
        if (ended % 10 == 0 || ended == worlds.size()) {
            progress.accept(ended + " of " + worlds.size() + " worlds, " + failures.size() + " wrong");
        }
    }

    private static String story(Script script, CoreFactory cores, Script.Showing showing, Throwable problem) {
        var shrinking = new Shrinking(cores, SHRINKING_MAX, SHRINKING_TIME);
        var small = showing.played().isEmpty() ? script : shrinking.shrink(script, showing);
        return script + " (" + showing.played().size() + " acts, smaller after " + shrinking.tries() + " tries): "
                + shown(problem) + "\nagain: " + small.command();
    }
}
