package dev.grapnel.command;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `grapnel repo`, which only groups commands.
@Command(
        name = "repo",
        synopsisSubcommandLabel = "COMMAND",
        description = "Publishes the git repository you are in, so that it can be pushed.")
final class RepoCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        throw new ParameterException(
                spec.commandLine(),
                "what to do with the repository is missing: one of "
                        + String.join(", ", spec.subcommands().keySet()));
    }
}
