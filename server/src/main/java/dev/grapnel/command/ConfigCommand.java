package dev.grapnel.command;

import dev.grapnel.config.ConfigReader;
import dev.grapnel.config.ConfigReference;
import dev.grapnel.config.OwnerKey;
import dev.grapnel.nostr.Parsed;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
        var loaded = ConfigLoader.load(flags, invocation.environment());
        var problems = new ArrayList<String>();
        var lines = new StringBuilder();
        switch (loaded.outcome()) {
            case ConfigReader.Outcome.Good(var configuration) -> {
                configuration.warnings().forEach(this::tell);
                lines.append(ConfigReference.effective(configuration));
            }
            case ConfigReader.Outcome.Bad(var found) -> problems.addAll(found);
        }
        switch (new OwnerKey(loaded.sources(), Path.of(""), new SecureRandom()).find()) {
            case Parsed.Valid<Optional<OwnerKey.Found>>(var owner) -> lines.append(ConfigReference.effective(owner));
            case Parsed.Invalid<Optional<OwnerKey.Found>>(var reason) -> problems.add(reason);
        }
        if (!problems.isEmpty()) {
            problems.forEach(this::tell);
            return ExitCode.USAGE;
        }
        new StandardOutput(invocation).print(lines.toString().stripTrailing());
        return ExitCode.OK;
    }

    private void tell(String sentence) {
        spec.commandLine().getErr().println("grapnel: " + sentence);
    }
}
