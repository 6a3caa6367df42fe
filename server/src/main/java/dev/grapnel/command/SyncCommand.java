package dev.grapnel.command;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `grapnel sync`, which only groups commands.
@Command(
        name = "sync",
        synopsisSubcommandLabel = "COMMAND",
        description = "Asks a running server about the relays that it follows.")
final class SyncCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        throw new ParameterException(
                spec.commandLine(),
                "what to do about sync is missing: one of "
                        + String.join(", ", spec.subcommands().keySet()));
    }
}
