package dev.grapnel.bench.load;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/// Runs scenarios against targets in turn, A B A B, and prints a table fit for a document.
final class Contest {
    private final List<Target> targets;
    private final int warmups;
    private final int rounds;
    private final PrintStream out;
    private final Optional<Path> json;
    private final InstantSource clock;
    private boolean marked;

    /// @param warmups rounds before those that count
    /// @param json where to append a line for each run that counts
    Contest(List<Target> targets, int warmups, int rounds, PrintStream out, Optional<Path> json, InstantSource clock) {
        this.targets = List.copyOf(targets);
        this.warmups = warmups;
        this.rounds = rounds;
        this.out = out;
        this.json = json;
        this.clock = clock;
    }

    /// Whether any run was marked.
    boolean isMarked() {
        return marked;
    }

    void run(Scenario scenario) throws IOException, InterruptedException {
        run(scenario, List.of());
    }

    /// @param others who take their turn before the targets, and whom those are compared with
    void run(Scenario scenario, List<Entrant> others) throws IOException, InterruptedException {
        var entrants = Stream.concat(
                        others.stream(),
                        targets.stream()
                                .map(target -> new Entrant(target.name(), round -> scenario.run(target, round))))
                .toList();
        var comparison = new Comparison();
        var surprises = new LinkedHashMap<String, Surprises>();
        for (int round = 0; round < warmups + rounds; round++) {
            for (var entrant : entrants) {
                var outcome = entrant.measurement().run(round);
                outcome.surprises()
                        .sorts()
                        .forEach((sort, surprise) -> surprises
                                .computeIfAbsent(entrant.name(), _ -> new Surprises())
                                .add(sort, surprise.count(), surprise.example()));
                if (round >= warmups) {
                    comparison.add(entrant.name(), outcome.figures().values());
                    append(scenario, entrant, round - warmups, outcome);
                }
            }
        }
        marked |= !surprises.isEmpty();
        print(scenario.title(), comparison, surprises);
    }

    private void append(Scenario scenario, Entrant entrant, int round, Outcome outcome) throws IOException {
        if (json.isEmpty()) {
            return;
        }
        var line = new LinkedHashMap<String, Object>();
        line.put("time", clock.instant().toString());
        line.put("scenario", scenario.title());
        line.put("target", entrant.name());
        line.put("round", round);
        line.put("figures", outcome.figures().values());
        line.put("surprises", outcome.surprises().sorts());
        line.put("marked", outcome.isMarked());
        Files.writeString(
                json.get(),
                new JsonMapper().writeValueAsString(line) + "\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    private void print(String title, Comparison comparison, Map<String, Surprises> surprises) {
        var others = comparison.targets().stream().skip(1).toList();
        out.println("\n## " + title + (surprises.isEmpty() ? "" : ": NOT VALID, see below") + "\n");
        out.println("| |"
                + comparison.targets().stream().map(name -> " " + name + " |").collect(Collectors.joining())
                + others.stream()
                        .map(name -> " " + name + " / " + comparison.targets().getFirst() + " |")
                        .collect(Collectors.joining()));
        out.println("|---|" + "--:|".repeat(comparison.targets().size() + others.size()));
        for (var figure : comparison.figures()) {
            out.println("| " + figure + " |"
                    + comparison.targets().stream()
                            .map(name -> cell(comparison.spread(name, figure)))
                            .collect(Collectors.joining())
                    + others.stream()
                            .map(name -> cell(comparison.ratio(name, figure)))
                            .collect(Collectors.joining()));
        }
        surprises.forEach(this::print);
        out.flush();
    }

    private void print(String target, Surprises surprises) {
        out.println("\nUnexpected from " + target + ":\n");
        surprises
                .sorts()
                .forEach((sort, surprise) -> out.printf(
                        Locale.ROOT, "- %,d times %s, for example `%s`%n", surprise.count(), sort, surprise.example()));
    }

    private static String cell(Optional<Spread> spread) {
        return spread.map(found -> " " + text(found) + " |").orElse(" |");
    }

    private static String text(Spread spread) {
        var range = " (" + text(spread.least()) + " to " + text(spread.most()) + ")";
        return text(spread.median()) + (spread.least() == spread.most() ? "" : range);
    }

    /// Three digits are more than such a measurement is worth, but whole numbers stay whole.
    static String text(double value) {
        if (Math.rint(value) == value || Math.abs(value) >= 100) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        return String.format(Locale.ROOT, Math.abs(value) >= 10 ? "%.1f" : "%.2f", value);
    }
}
