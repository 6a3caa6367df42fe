package dev.grapnel.command;

import dev.grapnel.store.tool.ToolFailure;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/// Where a directory of the server's is, found as the server itself finds it: an option, a variable, a line of
/// the configuration file, or a place below the current directory. Other settings are not looked at.
final class SettingsOption {
    private static final List<String> PREFIXES = List.of("GRAPNEL_", "NGIT_");

    @Option(
            names = "--config",
            paramLabel = "<file>",
            description = "The server's configuration file; without it .env in the working directory, if there is one.")
    private Optional<Path> file = Optional.empty();

    /// @param given what the directory's own option says
    /// @param setting its name without prefix
    Path directory(Optional<Path> given, String setting, Map<String, String> environment, String fallback) {
        return given.filter(path -> !path.toString().isEmpty())
                .or(() -> find("the variable ", setting, environment))
                .or(() -> find("the configuration file's line ", setting, ConfigLoader.lines(file)))
                .orElse(Path.of(fallback));
    }

    /// The file that was named.
    Optional<Path> file() {
        return file;
    }

    private static Optional<Path> find(String where, String setting, Map<String, String> values) {
        return PREFIXES.stream()
                .map(prefix -> prefix + setting)
                .filter(name -> !values.getOrDefault(name, "").isEmpty())
                .findFirst()
                .map(name -> path(where + name, values.getOrDefault(name, "")));
    }

    private static Path path(String origin, String value) {
        try {
            return Arguments.path(value);
        } catch (TypeConversionException e) {
            throw new ToolFailure(origin + " is of no use: " + e.getMessage(), e);
        }
    }
}
