package dev.grapnel.bench;

import dev.grapnel.bench.store.StoreBench;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/// Runs the benchmarks whose name matches, in fresh JVMs, and prints a table fit for a document.
public final class Benchmarks {
    /// Methods of these names are what the others of their class are compared with.
    private static final Set<String> BASELINES = Set.of("jackson", "bare");

    private static final List<String> JVM = List.of(
            "-XX:+UseCompactObjectHeaders",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Xms1g",
            "-Xmx1g");

    private Benchmarks() {}

    /// Runs them.
    ///
    /// @param args name pattern, forks, iterations of each fork (as many again warm up), seconds of an
    /// iteration, events
    ///     in a store
    public static void main(String[] args) throws RunnerException, IOException, InterruptedException {
        var pattern = Pattern.compile(args[0]);
        if (pattern.matcher("NegentropyBench").lookingAt()) {
            int sessions = Integer.parseInt(args[1]) * Integer.parseInt(args[2]);
            runApart(NegentropyBench.class, List.of(Integer.toString(sessions)));
        }
        if (pattern.matcher("StoreBench").lookingAt()) {
            var questions = Integer.toString(Integer.parseInt(args[1]) * Integer.parseInt(args[2]) * 100);
            runApart(StoreBench.class, List.of(System.getProperty("java.io.tmpdir"), args[4], questions));
        }
        if (!args[0].startsWith("Negentropy") && !args[0].startsWith("Store")) {
            runJmh(args);
        }
    }

    private static void runApart(Class<?> program, List<String> arguments) throws IOException, InterruptedException {
        var command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(JVM);
        command.addAll(List.of("-classpath", System.getProperty("java.class.path")));
        command.add(program.getName());
        command.addAll(arguments);
        int code = new ProcessBuilder(command).inheritIO().start().waitFor();
        if (code != 0) {
            throw new IllegalStateException(program.getSimpleName() + " ended with " + code);
        }
    }

    private static void runJmh(String... args) throws RunnerException {
        var options = new OptionsBuilder()
                .include("dev\\.grapnel\\.bench\\." + args[0])
                .mode(Mode.AverageTime)
                .timeUnit(TimeUnit.NANOSECONDS)
                .forks(Integer.parseInt(args[1]))
                .warmupIterations(Integer.parseInt(args[2]))
                .measurementIterations(Integer.parseInt(args[2]))
                .warmupTime(TimeValue.seconds(Long.parseLong(args[3])))
                .measurementTime(TimeValue.seconds(Long.parseLong(args[3])))
                .addProfiler(GCProfiler.class)
                .shouldFailOnError(true)
                .jvmArgs(JVM.toArray(String[]::new))
                .build();
        System.out.println(table(new Runner(options).run()));
    }

    private static String table(Collection<RunResult> results) {
        var rows = results.stream()
                .sorted(Comparator.comparing(Benchmarks::nameOf).thenComparing(Benchmarks::parametersOf))
                .map(result -> row(result, results))
                .collect(Collectors.joining("\n"));
        return """

                | Benchmark | Input | ns | ± (99.9 %%) | bytes allocated | times as fast | share of allocation |
                |---|---|--:|--:|--:|--:|--:|
                %s
                """.formatted(rows);
    }

    private static String row(RunResult result, Collection<RunResult> all) {
        var score = result.getPrimaryResult();
        var baseline = all.stream().filter(other -> isBaselineOf(result, other)).findFirst();
        return String.format(
                Locale.ROOT,
                "| %s | %s | %,.1f | %,.1f | %,.0f | %s | %s |",
                nameOf(result),
                parametersOf(result),
                score.getScore(),
                score.getScoreError(),
                allocation(result),
                baseline.map(other -> ratio(other.getPrimaryResult().getScore(), score.getScore()))
                        .orElse(""),
                baseline.map(other -> ratio(allocation(result), allocation(other)))
                        .orElse(""));
    }

    private static boolean isBaselineOf(RunResult result, RunResult other) {
        return !BASELINES.contains(methodOf(result))
                && BASELINES.contains(methodOf(other))
                && classOf(other).equals(classOf(result))
                && parametersOf(other).equals(parametersOf(result));
    }

    private static String ratio(double part, double whole) {
        return whole < 1 ? "" : String.format(Locale.ROOT, "%.2f", part / whole);
    }

    private static double allocation(RunResult run) {
        return Optional.ofNullable(run.getSecondaryResults().get("gc.alloc.rate.norm"))
                .map(result -> result.getScore())
                .orElse(Double.NaN);
    }

    private static String parametersOf(RunResult result) {
        var params = result.getParams();
        return params.getParamsKeys().stream()
                .map(params::getParam)
                .map(Benchmarks::withSize)
                .collect(Collectors.joining(" "));
    }

    private static String withSize(String parameter) {
        return Arrays.stream(Sample.values())
                .filter(sample -> sample.name().equals(parameter))
                .map(sample -> sample + " (" + sample.event().json().length() + " bytes)")
                .findFirst()
                .orElse(parameter);
    }

    private static String nameOf(RunResult result) {
        return classOf(result) + "." + methodOf(result);
    }

    private static String classOf(RunResult result) {
        var parts = parts(result);
        return parts.get(parts.size() - 2);
    }

    private static String methodOf(RunResult result) {
        return parts(result).getLast();
    }

    private static List<String> parts(RunResult result) {
        return List.of(result.getParams().getBenchmark().split("\\."));
    }
}
