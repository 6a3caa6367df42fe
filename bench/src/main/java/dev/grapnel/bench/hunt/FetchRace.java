package dev.grapnel.bench.hunt;

import dev.grapnel.bench.git.GitProgram;
import dev.grapnel.bench.git.Host;
import dev.grapnel.bench.purgatory.Report;
import dev.grapnel.bench.purgatory.Rounds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The same objects from the same servers, by hunting and by `git fetch`, in turns.
final class FetchRace {
    private static final int OURS = 0;
    private static final int AREA = 1;
    private static final int GIT = 2;
    private static final int CHECKED = 3;
    private static final int OUR_CPU = 4;
    private static final int GIT_CPU = 5;
    private static final int FIGURES = 6;

    private final Path directory;
    private final Elsewhere elsewhere;
    private final int rounds;

    FetchRace(Path directory, Elsewhere elsewhere, int rounds) {
        this.directory = directory;
        this.elsewhere = elsewhere;
        this.rounds = rounds;
    }

    /// Seconds of each figure in each round.
    private static final class Times {
        private final double[][] seconds;

        Times(double[][] seconds) {
            this.seconds = seconds;
        }

        Rounds of(int way) {
            return Rounds.of(seconds[way]);
        }

        /// Speed of ours against theirs, round by round: what disturbed one disturbed the other.
        Rounds speed(int ours, int theirs) {
            var ratios = new double[seconds[ours].length];
            for (int i = 0; i < ratios.length; i++) {
                ratios[i] = seconds[theirs][i] / seconds[ours][i];
            }
            return Rounds.of(ratios);
        }
    }

    void print() throws IOException, InterruptedException {
        Report.line(
                "%n## Fetching %,d objects, %.0f MB, over loopback, seconds%n",
                elsewhere.objects(), elsewhere.bytes() / 1e6);
        Report.line("| From | hunted, until served | until in the area | `git fetch` | with fsck and forced "
                + "| speed until served | until in the area | against checked: until served "
                + "| CPU of hunting | of `git fetch` |");
        Report.line("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
        try (var server = new HuntingServer(directory.resolve("hunting"));
                var stock = elsewhere.stock();
                var grapnel = elsewhere.grapnel()) {
            for (var source : List.of(stock, grapnel)) {
                var times = measure(server, source);
                Report.line(
                        "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |",
                        source.equals(stock) ? "`git http-backend`" : "Grapnel",
                        times.of(OURS).shown(2),
                        times.of(AREA).shown(2),
                        times.of(GIT).shown(2),
                        times.of(CHECKED).shown(2),
                        times.speed(OURS, GIT).shown(2),
                        times.speed(AREA, GIT).shown(2),
                        times.speed(OURS, CHECKED).shown(2),
                        times.of(OUR_CPU).shown(2),
                        times.of(GIT_CPU).shown(2));
            }
            Report.line("%nLeft where fetched data lies before it is served: %d bytes", server.hidden());
        }
    }

    /// The first round warms up.
    private Times measure(HuntingServer server, Host source) throws IOException, InterruptedException {
        var times = new double[FIGURES][rounds];
        var url = elsewhere.url(source);
        for (int round = -1; round < rounds; round++) {
            var took = new double[FIGURES];
            for (var way : order(round)) {
                server.awaitQuiet();
                switch (way) {
                    case OURS -> {
                        var name = "hunted-" + source.process().pid() + "-" + (round + 1);
                        var hunted = server.hunt(name, url, elsewhere.tip());
                        if (hunted.bytes() < elsewhere.bytes() / 2) {
                            throw new IOException("it came from somewhere else: " + hunted);
                        }
                        took[OURS] = hunted.served();
                        took[AREA] = hunted.fetched();
                        took[OUR_CPU] = hunted.cpu();
                    }
                    case GIT -> {
                        double before = childrenCpu();
                        took[GIT] = gitFetch(url);
                        took[GIT_CPU] = childrenCpu() - before;
                    }
                    default -> took[CHECKED] = gitFetch(url, "-c", "fetch.fsckObjects=true", "-c", "core.fsync=all");
                }
            }
            for (int way = 0; round >= 0 && way < FIGURES; way++) {
                times[way][round] = took[way];
            }
        }
        return new Times(times);
    }

    /// CPU of programs that this process has started and waited for.
    private static double childrenCpu() throws IOException {
        return Host.cpuSeconds("self", 13, 14);
    }

    /// Who goes first changes, so that nobody always finds the disk as the same other left it.
    private static List<Integer> order(int round) {
        return round % 2 == 0 ? List.of(OURS, GIT, CHECKED) : List.of(CHECKED, GIT, OURS);
    }

    private double gitFetch(String url, String... options) throws IOException, InterruptedException {
        var target = Files.createTempDirectory(directory, "fetch");
        GitProgram.run(target, "init", "--quiet", "--bare");
        var arguments = new ArrayList<>(List.of(options));
        arguments.addAll(List.of("fetch", "--quiet", "--no-tags", url, "main:main"));
        long begun = System.nanoTime();
        GitProgram.run(target, arguments.toArray(String[]::new));
        double seconds = (System.nanoTime() - begun) / 1e9;
        Elsewhere.remove(target);
        return seconds;
    }
}
