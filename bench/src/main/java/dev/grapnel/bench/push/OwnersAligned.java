package dev.grapnel.bench.push;

import dev.grapnel.bench.git.GitProgram;
import dev.grapnel.bench.git.Push;
import dev.grapnel.bench.purgatory.Report;
import dev.grapnel.bench.purgatory.Rounds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/// The same pushes into a repository of one owner and into one of several owners who maintain it together, in turns.
/// Each owner's repository must have the ref when the push has ended.
final class OwnersAligned {
    /// No owner of other parts.
    private static final int OWNER = 2_000;

    private OwnersAligned() {}

    static void print(GraspSide grasp, Path source, Sizes sizes) throws IOException, InterruptedException {
        var tip = GitProgram.run(source, "rev-parse", SignedRepository.MAIN);
        var repositories = List.of(
                new SignedRepository("alone", OWNER, 1, tip),
                new SignedRepository("shared", OWNER + 1, sizes.owners(), tip));
        for (var repository : repositories) {
            grasp.found(repository, source);
        }
        var series = List.of(new Series(), new Series());
        var pushes = Push.make(source, "aligned", sizes.allRounds() * sizes.pushes());
        for (int i = 0; i < pushes.size(); i++) {
            int round = i / sizes.pushes() - sizes.warmups();
            for (int turn = 0; turn < 2; turn++) {
                int which = (i + turn) % 2;
                var served = grasp.push(repositories.get(which), pushes.get(i), TimedPush::alone);
                series.get(which).add(round, served.untilServed());
            }
        }
        print(series.getFirst(), series.getLast(), sizes.owners());
    }

    private static void print(Series one, Series several, int owners) {
        Report.line("%n## Push until delivered and visible, one owner and %d, ms%n", owners);
        Report.line("| Owners | p50 | p90 | p50 of each round |%n|--:|--:|--:|--:|");
        print(1, one);
        print(owners, several);
        var differences = IntStream.range(0, one.medians().size())
                .mapToDouble(i -> several.medians().get(i) - one.medians().get(i))
                .toArray();
        Report.line(
                "| more | %.2f | %.2f | %s |",
                several.percentile(0.5) - one.percentile(0.5),
                several.percentile(0.9) - one.percentile(0.9),
                Rounds.of(differences).shown(2));
    }

    private static void print(int owners, Series series) {
        Report.line(
                "| %d | %.2f | %.2f | %s |",
                owners,
                series.percentile(0.5),
                series.percentile(0.9),
                series.spread().shown(2));
    }
}
