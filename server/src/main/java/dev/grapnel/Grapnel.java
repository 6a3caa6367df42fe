package dev.grapnel;

import dev.grapnel.command.Commands;
import dev.grapnel.command.Invocation;
import dev.grapnel.config.Nearest;
import dev.grapnel.nostr.key.Schnorr;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/// The command line. Exit codes: 0 done, 1 failed, 2 the command line was not understood.
@Command(
        name = "grapnel",
        description = "A GRASP server: Nostr relay and git host on one port.",
        mixinStandardHelpOptions = true,
        versionProvider = Grapnel.Version.class)
public final class Grapnel implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    /// Runs a command and ends the process with its exit code.
    public static void main(String[] arguments) {
        System.exit(commandLine(Invocation.ofProcess()).execute(arguments));
    }

    /// The whole command line, ready to run; tests give it their own streams.
    public static CommandLine commandLine(Invocation invocation) {
        return Commands.addTo(new CommandLine(new Grapnel()), invocation)
                .setParameterExceptionHandler(Grapnel::explain);
    }

    @Override
    public Integer call() {
        var problem = Schnorr.findProblem();
        if (problem.isPresent()) {
            spec.commandLine().getErr().println("grapnel: " + problem.get());
            return CommandLine.ExitCode.SOFTWARE;
        }
        spec.commandLine()
                .getOut()
                .println(
                        "The server is not part of this version yet: only the commands that grapnel --help lists are.");
        return CommandLine.ExitCode.OK;
    }

    private static int explain(ParameterException problem, String[] arguments) {
        var command = problem.getCommandLine();
        var nearest = problem instanceof UnmatchedArgumentException unmatched
                ? findNearest(
                        command,
                        unmatched.isUnknownOption(),
                        unmatched.getUnmatched().getFirst())
                : Optional.<String>empty();
        command.getErr()
                .println("grapnel: " + problem.getMessage()
                        + nearest.map(word -> "; did you mean " + word + "?").orElse("") + " ("
                        + command.getCommandSpec().qualifiedName() + " --help lists what there is)");
        return CommandLine.ExitCode.USAGE;
    }

    private static Optional<String> findNearest(CommandLine command, boolean isOption, String typed) {
        var words = isOption
                ? command.getCommandSpec().optionsMap().keySet()
                : command.getSubcommands().keySet();
        return Nearest.of(typed, words);
    }

    /// The version as the pom states it, written into a resource by the build.
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            try (var text = Objects.requireNonNull(Grapnel.class.getResourceAsStream("version.txt"))) {
                return new String[] {"grapnel " + new String(text.readAllBytes(), StandardCharsets.UTF_8).strip()};
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
