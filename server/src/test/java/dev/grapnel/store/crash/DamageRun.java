package dev.grapnel.store.crash;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// Lets a process of its own do [DamageRounds] and counts what comes of them. A round that ends the process, or
/// does not come to an end, is told with its seed.
final class DamageRun {
    private static final long PATIENCE_SECONDS = 120;
    private static final int PROGRESS = 100;
    private static final String END = "end of output";

    private final Path directory;
    private final PrintStream progress;
    private final Map<String, Integer> outcomes = new TreeMap<>();
    private String seed = "none yet";
    private int rounds;

    /// @param directory an empty directory
    DamageRun(Path directory, PrintStream progress) {
        this.directory = directory;
        this.progress = progress;
    }

    /// Arguments: rounds, first seed.
    static void main(String... arguments) throws IOException, InterruptedException {
        var directory = Files.createTempDirectory("grapnel-damage");
        var run = new DamageRun(directory, System.out);
        run.run(Integer.parseInt(arguments[0]), Long.parseLong(arguments[1]));
        System.out.println(run);
        CrashRun.deleteAll(directory);
    }

    /// @throws AssertionError if a round went wrong; what is left on disk stays there
    void run(int count, long firstSeed) throws IOException, InterruptedException {
        var errors = directory.resolve("errors.txt");
        var place = Files.createDirectory(directory.resolve("rounds"));
        var process = ChildJvm.start(
                DamageRounds.class,
                ChildJvm.Life.LONG,
                errors,
                List.of(place.toString(), Integer.toString(count), Long.toString(firstSeed)));
        try {
            var lines = new LinkedBlockingQueue<String>();
            Thread.ofVirtual().start(() -> pump(process, lines));
            boolean isComplete = false;
            while (true) {
                var line = lines.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
                if (line == null) {
                    throw new AssertionError("seed " + seed + " takes longer than " + PATIENCE_SECONDS + " s");
                }
                if (line.equals(END)) {
                    break;
                }
                isComplete = line.equals("complete");
                note(line);
            }
            if (!isComplete) {
                throw new AssertionError("seed " + seed + " ended the process with " + process.waitFor() + ", in "
                        + place + ":\n" + Files.readString(errors));
            }
        } finally {
            process.destroyForcibly();
        }
    }

    private static void pump(Process process, LinkedBlockingQueue<String> lines) {
        try (var reader = new BufferedReader(process.inputReader(StandardCharsets.US_ASCII))) {
            reader.lines().forEach(lines::add);
        } catch (IOException | java.io.UncheckedIOException e) {
            lines.add("output failed: " + e);
        }
        lines.add(END);
    }

    private void note(String line) {
        var words = line.split(" ", 4);
        switch (words[0]) {
            case "seed" -> seed = words[1];
            case "outcome" -> {
                if (words[1].equals(DamageRounds.Outcome.SILENT.name())) {
                    throw new AssertionError("seed " + seed + ", which nobody noticed: " + line);
                }
                outcomes.merge(words.length > 2 ? words[1] + " " + words[2] : words[1], 1, Integer::sum);
                if (++rounds % PROGRESS == 0) {
                    progress.println(this);
                }
            }
            default -> progress.println(line);
        }
    }

    /// How many rounds came to this.
    int count(DamageRounds.Outcome outcome) {
        return outcomes.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(outcome.name()))
                .mapToInt(Map.Entry::getValue)
                .sum();
    }

    @Override
    public String toString() {
        return rounds + " rounds " + outcomes;
    }
}
