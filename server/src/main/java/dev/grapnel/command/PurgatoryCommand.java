package dev.grapnel.command;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `grapnel purgatory`, which only groups commands.
@Command(
        name = "purgatory",
        synopsisSubcommandLabel = "COMMAND",
        description = "Asks a running server about events that wait for their git data.")
final class PurgatoryCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        throw new ParameterException(
                spec.commandLine(),
                "what to do with purgatory is missing: one of "
                        + String.join(", ", spec.subcommands().keySet()));
    }
}
