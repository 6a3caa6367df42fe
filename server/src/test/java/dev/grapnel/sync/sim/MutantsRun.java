package dev.grapnel.sync.sim;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.tools.ToolProvider;

/// Shows that the simulation finds bugs: each of [Mutants#ALL] is put into the core, and scenes are run against it
/// until one of them fails. Whoever survives is a hole in the simulation. The scenes must pass without any, or their
/// failing means nothing.
final class MutantsRun {
    private static final Duration TRIAL_MAX = Duration.ofMinutes(10);

    private final List<Mutant> mutants;
    private final Path folder;
    private final PrintStream out;
    private final List<Result> results = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger done = new AtomicInteger();

    /// @param word by what it was found, after how many worlds; or what went wrong
    private record Result(int place, String name, String rule, MutantTrial.Verdict verdict, String word) {}

    private MutantsRun(List<Mutant> mutants, Path folder, PrintStream out) {
        this.mutants = mutants;
        this.folder = folder;
        this.out = out;
    }

    /// Argument: the beginning of the names of mutants; `all` is all.
    static void main(String... names) throws IOException, InterruptedException {
        var chosen = Mutants.ALL.stream()
                .filter(mutant -> names[0].equals("all") || mutant.name().startsWith(names[0]))
                .toList();
        var folder = Files.createTempDirectory("mutants");
        boolean isRight = new MutantsRun(chosen, folder, System.out).run();
        delete(folder);
        System.exit(isRight ? 0 : 1);
    }

    private static void delete(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private boolean run() throws InterruptedException {
        int cores = Runtime.getRuntime().availableProcessors();
        try (var threads = Executors.newFixedThreadPool(cores)) {
            threads.execute(this::tryWithout);
            for (int place = 0; place < mutants.size(); place++) {
                int number = place;
                threads.execute(() -> note(number + 1, tryOne(number + 1, mutants.get(number))));
            }
        }
        results.sort(Comparator.comparingInt(Result::place));
        long caught = results.stream()
                .filter(result -> result.place > 0 && result.verdict == MutantTrial.Verdict.FOUND)
                .count();
        boolean isSound = results.stream()
                .anyMatch(result -> result.place == 0 && result.verdict == MutantTrial.Verdict.SURVIVED);
        out.println();
        results.forEach(result -> out.println(line(result)));
        out.println((isSound ? "the core as it is passes; " : "THE CORE AS IT IS DOES NOT PASS; ") + caught + " of "
                + mutants.size() + " mutants were found");
        return isSound && caught == mutants.size();
    }

    private void note(int place, Result result) {
        results.add(result);
        out.println(done.incrementAndGet() + " of " + (mutants.size() + 1) + ": " + (place == 0 ? "without any: " : "")
                + line(result));
    }

    private static String line(Result result) {
        return "%-24s %-6s %-8s %s".formatted(result.name, result.rule, result.verdict, result.word);
    }

    /// Every scene that a mutant is found by, with the core as it is.
    private void tryWithout() {
        var scenes = mutants.stream()
                .flatMap(mutant -> mutant.shownBy().stream())
                .distinct()
                .toList();
        note(0, start(0, "no mutant", "", List.of(), scenes));
    }

    private Result tryOne(int place, Mutant mutant) {
        try {
            var own = Files.createDirectories(folder.resolve(mutant.name()));
            var classes = Files.createDirectories(own.resolve("classes"));
            var complaint = compile(mutant.write(own), classes);
            return complaint.isEmpty()
                    ? start(place, mutant.name(), mutant.rule(), List.of(classes), mutant.shownBy())
                    : new Result(place, mutant.name(), mutant.rule(), MutantTrial.Verdict.BROKEN, complaint);
        } catch (IOException e) {
            return new Result(place, mutant.name(), mutant.rule(), MutantTrial.Verdict.BROKEN, String.valueOf(e));
        }
    }

    /// @return what the compiler does not like; empty if it compiles
    private static String compile(Path source, Path classes) throws IOException {
        var compiler = ToolProvider.getSystemJavaCompiler();
        var words = new StringWriter();
        try (var files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            var options = List.of("-nowarn", "-proc:none", "-d", classes.toString(), "-cp", classPath());
            var task = compiler.getTask(words, files, null, options, null, files.getJavaFileObjects(source));
            return task.call() ? "" : "it does not compile: " + words;
        }
    }

    private static String classPath() {
        return System.getProperty("java.class.path");
    }

    private Result start(int place, String name, String rule, List<Path> before, List<String> scenes) {
        var path = new ArrayList<>(before.stream().map(Path::toString).toList());
        path.add(classPath());
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseCompactObjectHeaders",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx1g",
                "-cp",
                String.join(File.pathSeparator, path),
                MutantTrial.class.getName()));
        command.addAll(scenes);
        try {
            var words = folder.resolve(place + ".txt");
            var process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(words.toFile())
                    .start();
            if (!process.waitFor(TRIAL_MAX.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return new Result(place, name, rule, MutantTrial.Verdict.BROKEN, "it does not end");
            }
            var verdict = MutantTrial.Verdict.of(process.exitValue());
            return new Result(place, name, rule, verdict, said(words, verdict));
        } catch (IOException e) {
            return new Result(place, name, rule, MutantTrial.Verdict.BROKEN, String.valueOf(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Result(place, name, rule, MutantTrial.Verdict.BROKEN, String.valueOf(e));
        }
    }

    /// The last words of a trial; all of them if they are needed.
    private static String said(Path words, MutantTrial.Verdict verdict) throws IOException {
        var lines = Files.readString(words).lines().toList();
        return verdict == MutantTrial.Verdict.FOUND ? lines.getLast() : String.join("\n", lines);
    }
}
