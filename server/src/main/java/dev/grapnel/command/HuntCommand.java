package dev.grapnel.command;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `grapnel hunt`, which only groups commands.
@Command(
        name = "hunt",
        synopsisSubcommandLabel = "COMMAND",
        description = "Asks a running server about git data that it fetches from elsewhere.")
final class HuntCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        throw new ParameterException(
                spec.commandLine(),
                "what to do about hunting is missing: one of "
                        + String.join(", ", spec.subcommands().keySet()));
    }
}
