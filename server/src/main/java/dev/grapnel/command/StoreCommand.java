package dev.grapnel.command;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `grapnel store`, which only groups commands.
@Command(
        name = "store",
        synopsisSubcommandLabel = "COMMAND",
        description = "Looks after the event store while no server has it open.")
final class StoreCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        throw new ParameterException(
                spec.commandLine(),
                "what to do with the store is missing: one of "
                        + String.join(", ", spec.subcommands().keySet()));
    }
}
