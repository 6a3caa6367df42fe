package dev.grapnel.command;

import dev.grapnel.config.ConfigFile;
import dev.grapnel.config.ConfigReader;
import dev.grapnel.config.ConfigReader.Outcome;
import dev.grapnel.config.ConfigSources;
import dev.grapnel.config.FlagReader;
import dev.grapnel.nostr.Parsed;
import dev.grapnel.store.tool.ToolFailure;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads the configuration of this process: flags, variables, and the file.
final class ConfigLoader {
    private static final String FILE_FLAG = "--config";
    private static final Path DEFAULT_FILE = Path.of(".env");

    private ConfigLoader() {}

    /// @param arguments flags, `--config` among them
    /// @throws ToolFailure if the file cannot be read
    static Outcome load(List<String> arguments, Map<String, String> variables) {
        var flags = new ArrayList<>(arguments);
        var wanted = takeFile(flags);
        var file = wanted.orElse(DEFAULT_FILE);
        var lines = wanted.isPresent() || Files.exists(file) ? read(file) : Map.<String, String>of();
        return ConfigReader.read(
                FlagReader.read(flags), new ConfigSources(Map.of(), variables, lines, file.toString()));
    }

    private static Optional<Path> takeFile(List<String> flags) {
        for (int i = 0; i < flags.size(); i++) {
            var flag = flags.get(i);
            if (flag.startsWith(FILE_FLAG + "=")) {
                flags.remove(i);
                return Optional.of(Arguments.path(flag.substring(FILE_FLAG.length() + 1)));
            }
            if (flag.equals(FILE_FLAG) && i + 1 < flags.size()) {
                flags.remove(i);
                return Optional.of(Arguments.path(flags.remove(i)));
            }
        }
        return Optional.empty();
    }

    private static Map<String, String> read(Path file) {
        try {
            return switch (ConfigFile.parse(Files.readString(file))) {
                case Parsed.Valid<Map<String, String>>(var values) -> values;
                case Parsed.Invalid<Map<String, String>>(var reason) ->
                    throw new ToolFailure("the configuration file " + file + " cannot be used: " + reason);
            };
        } catch (MalformedInputException e) {
            throw new ToolFailure("the configuration file " + file + " is not UTF-8", e);
        } catch (IOException e) {
            throw ToolFailure.of("read", file, e);
        }
    }
}
