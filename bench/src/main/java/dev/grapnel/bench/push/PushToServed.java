package dev.grapnel.bench.push;

import dev.grapnel.bench.git.GitProgram;
import dev.grapnel.bench.git.Host;
import dev.grapnel.bench.git.Push;
import dev.grapnel.bench.purgatory.Report;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// The same pushes to a host where everybody may push and to a GRASP server, in turns: until the client has read `ok`,
/// and until the state is delivered to a subscriber and the ref visible.
final class PushToServed {
    /// No owner of other parts.
    private static final int OWNER = 1_000;

    private static final String NAME = "served";

    private final Host open;
    private final GraspSide grasp;
    private final Path source;
    private final Sizes sizes;
    private final SignedRepository repository;

    private PushToServed(Host open, GraspSide grasp, Path source, Sizes sizes)
            throws IOException, InterruptedException {
        this.open = open;
        this.grasp = grasp;
        this.source = source;
        this.sizes = sizes;
        this.repository =
                new SignedRepository(NAME, OWNER, 1, GitProgram.run(source, "rev-parse", SignedRepository.MAIN));
    }

    /// One way to push, at both.
    private record Measured(Series plain, Series publishing, Series untilOk, Series untilServed, Series whole) {
        Measured() {
            this(new Series(), new Series(), new Series(), new Series(), new Series());
        }

        void add(int round, TimedPush pushed, Served served) {
            plain.add(round, pushed.ok() - pushed.begun());
            publishing.add(round, served.publishing());
            untilOk.add(round, served.untilOk());
            untilServed.add(round, served.untilServed());
            whole.add(round, served.publishing() + served.untilServed());
        }
    }

    /// @param open takes every push
    static void print(Host open, GraspSide grasp, Path source, Sizes sizes) throws IOException, InterruptedException {
        new PushToServed(open, grasp, source, sizes).print();
    }

    private void print() throws IOException, InterruptedException {
        grasp.found(repository, source);
        GitProgram.run(source, "push", "--quiet", open.url(repository.path()), SignedRepository.MAIN);
        var alone = Push.make(source, "alone", sizes.allRounds() * sizes.pushes());
        var program = sizes.gitPushes() == 0
                ? List.<Push>of()
                : Push.make(source, "program", sizes.allRounds() * sizes.gitPushes());
        var measuredAlone = new Measured();
        var measuredProgram = new Measured();
        for (int round = 0; round < sizes.allRounds(); round++) {
            measure(measuredAlone, round, share(alone, round, sizes.pushes()), TimedPush::alone);
            measure(measuredProgram, round, share(program, round, sizes.gitPushes()), TimedPush.wholeGit(source));
        }
        Report.line("%n## Push to served, requests alone, ms%n");
        print(measuredAlone);
        printRounds(measuredAlone);
        if (sizes.gitPushes() > 0) {
            Report.line("%n## Push to served, whole git, ms%n");
            print(measuredProgram);
        }
    }

    private static List<Push> share(List<Push> pushes, int round, int count) {
        return pushes.subList(round * count, (round + 1) * count);
    }

    /// Who goes first changes with each push, so that neither always finds the disk as the other left it.
    private void measure(Measured measured, int round, List<Push> pushes, TimedPush.Way way)
            throws IOException, InterruptedException {
        for (int i = 0; i < pushes.size(); i++) {
            var push = pushes.get(i);
            if (i % 2 == 0) {
                var plain = way.push(open, repository.path(), push);
                measured.add(round - sizes.warmups(), plain, grasp.push(repository, push, way));
            } else {
                var served = grasp.push(repository, push, way);
                measured.add(round - sizes.warmups(), way.push(open, repository.path(), push), served);
            }
        }
    }

    private static void print(Measured measured) {
        Report.line("| | p50 | p90 | p50 of each round | against the plain push, p50 of all | of each round |");
        Report.line("|---|--:|--:|--:|--:|--:|");
        print("plain push, until `ok`", measured.plain(), measured.plain());
        print("push after its state, until `ok`", measured.untilOk(), measured.plain());
        print("the same, until delivered and visible", measured.untilServed(), measured.plain());
        print("publishing its state", measured.publishing(), measured.plain());
        print("publishing, and push until delivered and visible", measured.whole(), measured.plain());
    }

    private static void print(String what, Series series, Series plain) {
        Report.line(
                "| %s | %.2f | %.2f | %s | %.2f | %s |",
                what,
                series.percentile(0.5),
                series.percentile(0.9),
                series.spread().shown(2),
                series.percentile(0.5) / plain.percentile(0.5),
                series.against(plain).shown(2));
    }

    private static void printRounds(Measured measured) {
        Report.line("%n| Round | plain push, p50 | until delivered and visible, p50 | ratio |%n|--:|--:|--:|--:|");
        var plain = measured.plain().medians();
        var served = measured.untilServed().medians();
        for (int i = 0; i < plain.size(); i++) {
            Report.line(
                    "| %d | %.2f | %.2f | %.2f |", i + 1, plain.get(i), served.get(i), served.get(i) / plain.get(i));
        }
    }
}
