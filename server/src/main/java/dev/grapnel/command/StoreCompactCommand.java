package dev.grapnel.command;

import dev.grapnel.store.tool.Compaction;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;

/// `grapnel store compact`.
@Command(
        name = "compact",
        description = {
            "Gives back space that the store does not use.",
            "A copy without free pages takes the place of the file, which needs room for both meanwhile. Whenever this is"
                    + " interrupted, the store is whole."
        })
final class StoreCompactCommand implements Callable<Integer> {
    private final Invocation invocation;

    @Mixin
    private StoreOption store = new StoreOption();

    StoreCompactCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() {
        var directory = store.directory(invocation.environment());
        var outcome = Compaction.run(directory);
        new StandardOutput(invocation)
                .print("compacted " + directory + ": " + Figures.number(outcome.bytesBefore()) + " bytes before, "
                        + Figures.number(outcome.bytesAfter()) + " after");
        return ExitCode.OK;
    }
}
