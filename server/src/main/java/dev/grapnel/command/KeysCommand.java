package dev.grapnel.command;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `grapnel keys`, which only groups commands.
@Command(
        name = "keys",
        synopsisSubcommandLabel = "COMMAND",
        description = "Makes and shows keys of people who publish repositories.")
final class KeysCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        throw new ParameterException(
                spec.commandLine(),
                "what to do with keys is missing: one of "
                        + String.join(", ", spec.subcommands().keySet()));
    }
}
