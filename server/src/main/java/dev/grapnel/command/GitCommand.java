package dev.grapnel.command;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `grapnel git`, which only groups commands.
@Command(name = "git", synopsisSubcommandLabel = "COMMAND", description = "Looks after the git repositories.")
final class GitCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        throw new ParameterException(
                spec.commandLine(),
                "what to do with the repositories is missing: one of "
                        + String.join(", ", spec.subcommands().keySet()));
    }
}
