package dev.grapnel;

import dev.grapnel.command.Commands;
import dev.grapnel.command.Invocation;
import dev.grapnel.command.Serve;
import dev.grapnel.config.Nearest;
import dev.grapnel.server.ops.Build;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/// The command line. Exit codes: 0 done, 1 failed, 2 the command line was not understood.
@Command(
        name = "grapnel",
        description = "A GRASP server: Nostr relay and git host on one port.",
        mixinStandardHelpOptions = true,
        versionProvider = Grapnel.Version.class)
public final class Grapnel {
    private static final String HOME_PAGE = "https://grapnel.dev";
    private static final String SERVE = "serve";
    private static final Set<String> HELP_OPTIONS = Set.of("-h", "--help");
    private static final Set<String> ROOT_OPTIONS = Set.of("-h", "--help", "-V", "--version");

    /// Runs a command and ends the process with its exit code.
    public static void main(String[] arguments) {
        System.exit(run(Invocation.ofProcess(), arguments));
    }

    /// A server starts without what only the other commands need.
    private static int run(Invocation invocation, String[] arguments) {
        var words = List.of(withCommand(arguments));
        boolean serves = words.getFirst().equals(SERVE) && words.stream().noneMatch(HELP_OPTIONS::contains);
        return serves
                ? Serve.run(invocation, build(), words.subList(1, words.size()))
                : commandLine(invocation).execute(words.toArray(String[]::new));
    }

    /// Who names no command means the server, whose flags these are then.
    static String[] withCommand(String... arguments) {
        boolean named = arguments.length > 0 && (!arguments[0].startsWith("-") || ROOT_OPTIONS.contains(arguments[0]));
        return named
                ? arguments
                : Stream.concat(Stream.of(SERVE), Arrays.stream(arguments)).toArray(String[]::new);
    }

    /// The whole command line, ready to run; tests give it their own streams.
    public static CommandLine commandLine(Invocation invocation) {
        return Commands.addTo(new CommandLine(new Grapnel()), invocation, build())
                .setParameterExceptionHandler(Grapnel::explain);
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

    /// Which build this is.
    public static Build build() {
        return new Build(version(), "", HOME_PAGE);
    }

    /// The version as the pom states it, written into a resource by the build.
    private static String version() {
        try (var text = Objects.requireNonNull(Grapnel.class.getResourceAsStream("version.txt"))) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// For `--version`.
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"grapnel " + version()};
        }
    }
}
