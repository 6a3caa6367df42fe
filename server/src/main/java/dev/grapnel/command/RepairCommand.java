package dev.grapnel.command;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `grapnel repair`, which only groups commands.
@Command(
        name = "repair",
        synopsisSubcommandLabel = "COMMAND",
        description = "Asks a running server about repositories that may not be what their events say.")
final class RepairCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        throw new ParameterException(
                spec.commandLine(),
                "what to do with the repair ledger is missing: one of "
                        + String.join(", ", spec.subcommands().keySet()));
    }
}
