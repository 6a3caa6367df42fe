package dev.grapnel.command;

import dev.grapnel.config.ConfigReader;
import dev.grapnel.config.ConfigReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/// `grapnel config`.
@Command(
        name = "config",
        description = {
            "Prints every setting, its effective value and where that was set.",
            "Takes the flags of the server; reads the same variables and the same file (--config, or .env in the"
                    + " working directory). docs/reference/configuration.md lists what there is."
        })
final class ConfigCommand implements Callable<Integer> {
    private final Invocation invocation;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Unmatched
    private List<String> flags = new ArrayList<>();

    ConfigCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() {
        var err = spec.commandLine().getErr();
        switch (ConfigLoader.load(flags, invocation.environment())) {
            case ConfigReader.Outcome.Good(var configuration) -> {
                configuration.warnings().forEach(warning -> err.println("grapnel: " + warning));
                new StandardOutput(invocation)
                        .print(ConfigReference.effective(configuration).stripTrailing());
                return ExitCode.OK;
            }
            case ConfigReader.Outcome.Bad(var problems) -> {
                problems.forEach(problem -> err.println("grapnel: " + problem));
                return ExitCode.USAGE;
            }
        }
    }
}
