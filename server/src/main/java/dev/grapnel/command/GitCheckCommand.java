package dev.grapnel.command;

import dev.grapnel.git.maintenance.GitCheck;
import dev.grapnel.git.repository.RepositoryPlace;
import java.io.IOException;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `grapnel git check`.
@Command(
        name = "check",
        description = {
            "Looks for damage in repositories.",
            "That packs can be read, that refs mean something and all they reach is there, and what was left behind."
                    + " Nothing is changed, and the server may run meanwhile.",
            "Each problem is told on standard error, up to " + Problems.PRINTED_MAX + ", and the exit code is 1 if"
                    + " there is any."
        })
final class GitCheckCommand implements Callable<Integer> {
    private final Invocation invocation;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private GitOption git = new GitOption();

    GitCheckCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() {
        var err = spec.commandLine().getErr();
        var problems = new Problems(err);
        var line = new CountLine(err, invocation.isErrTerminal(), System::nanoTime);
        var places = git.select(git.directory(invocation.environment()));
        for (int i = 0; i < places.size(); i++) {
            check(places.get(i), problems, line, i, places.size());
        }
        line.clear();
        problems.finish();
        new StandardOutput(invocation)
                .print("checked " + Figures.repositories(places.size()) + ": "
                        + (problems.count() == 0 ? "no problems" : Figures.count(problems.count(), "problem")));
        return problems.count() == 0 ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private static void check(RepositoryPlace place, Problems problems, CountLine line, int done, int total) {
        try {
            var findings = GitCheck.run(place.directory(), Instant.now(), objects -> line.show(done, total, objects));
            if (!findings.isEmpty()) {
                line.clear();
            }
            findings.forEach(finding -> problems.accept(place.directory() + ": " + finding.sentence()));
        } catch (IOException e) {
            line.clear();
            problems.accept(place.directory() + ": it cannot be read: " + e.getMessage());
        }
    }
}
