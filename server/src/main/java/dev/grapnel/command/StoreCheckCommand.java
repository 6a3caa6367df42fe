package dev.grapnel.command;

import dev.grapnel.store.engine.StoreCheck;
import dev.grapnel.store.tool.OpenStore;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `grapnel store check`.
@Command(
        name = "check",
        description = {
            "Looks for damage.",
            "First in the structure of the file, then in what is stored in it. Nothing is changed.",
            "Each problem is told on standard error, up to " + Problems.PRINTED_MAX + ", and the exit code is 1 if"
                    + " there is any. A damaged store can be exported as far as it goes (grapnel export)."
        })
final class StoreCheckCommand implements Callable<Integer> {
    private final Invocation invocation;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private StoreOption store = new StoreOption();

    StoreCheckCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() {
        var problems = new Problems(spec.commandLine().getErr());
        try (var opened =
                OpenStore.forReading(store.directory(invocation.environment()), InstantSource.system(), problems)) {
            opened.engine().checkPages().forEach(problems);
            var report = StoreCheck.run(opened.engine(), problems, _ -> {});
            problems.finish();
            new StandardOutput(invocation)
                    .print("checked " + Figures.count(report.events(), "event") + ", "
                            + Figures.count(report.postings(), "posting") + " and "
                            + Figures.count(report.rows(), "row") + ": "
                            + (problems.count() == 0 ? "no problems" : Figures.count(problems.count(), "problem")));
        }
        return problems.count() == 0 ? ExitCode.OK : ExitCode.SOFTWARE;
    }
}
