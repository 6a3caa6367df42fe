package dev.grapnel.command;

import dev.grapnel.config.ConfigFile;
import dev.grapnel.config.ConfigReader;
import dev.grapnel.config.ConfigReader.Outcome;
import dev.grapnel.config.ConfigSources;
import dev.grapnel.config.Configuration;
import dev.grapnel.config.FlagReader;
import dev.grapnel.config.OwnerKey;
import dev.grapnel.nostr.Parsed;
import dev.grapnel.store.tool.ToolFailure;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads the configuration of this process: flags, variables, and the file.
final class ConfigLoader {
    private static final String FILE_FLAG = FlagReader.FILE;
    private static final Path DEFAULT_FILE = Path.of(".env");

    private ConfigLoader() {}

    /// What was read.
    ///
    /// @param sources with variables and lines of the file, where the operator's key may be
    record Loaded(Outcome outcome, ConfigSources sources) {}

    /// All that is needed to start.
    sealed interface Start {
        /// Everything is good.
        record Ready(Configuration configuration, OwnerKey.Found owner) implements Start {}

        /// Something is not.
        ///
        /// @param problems each a sentence
        record Refused(List<String> problems) implements Start {
            public Refused {
                problems = List.copyOf(problems);
            }
        }
    }

    /// Reads everything that is needed to start. A key is made only if nothing else is wrong.
    ///
    /// @param arguments flags, `--config` among them
    /// @param directory where the operator's key is kept
    /// @throws ToolFailure if the file cannot be read
    static Start loadStart(List<String> arguments, Map<String, String> variables, Path directory, SecureRandom random) {
        var loaded = load(arguments, variables);
        var key = new OwnerKey(loaded.sources(), directory, random);
        return switch (loaded.outcome()) {
            case Outcome.Good(var configuration) -> start(configuration, key);
            case Outcome.Bad(var problems) -> new Start.Refused(with(problems, key.find()));
        };
    }

    private static Start start(Configuration configuration, OwnerKey key) {
        var problems = DirectoryProblems.in(configuration);
        if (!problems.isEmpty()) {
            return new Start.Refused(with(problems, key.find()));
        }
        return switch (key.findOrMake()) {
            case Parsed.Valid<OwnerKey.Found>(var owner) -> new Start.Ready(configuration, owner);
            case Parsed.Invalid<OwnerKey.Found>(var reason) -> new Start.Refused(List.of(reason));
        };
    }

    private static List<String> with(List<String> problems, Parsed<?> further) {
        var all = new ArrayList<>(problems);
        if (further instanceof Parsed.Invalid<?>(var reason)) {
            all.add(reason);
        }
        return all;
    }

    /// @param arguments flags, `--config` among them
    /// @throws ToolFailure if the file cannot be read
    static Loaded load(List<String> arguments, Map<String, String> variables) {
        var flags = new ArrayList<>(arguments);
        var wanted = takeFile(flags);
        var file = wanted.orElse(DEFAULT_FILE);
        var sources = new ConfigSources(Map.of(), variables, lines(wanted), file.toString());
        return new Loaded(ConfigReader.read(FlagReader.read(flags), sources), sources);
    }

    /// What the configuration file says; nothing if there is none and none was asked for.
    ///
    /// @throws ToolFailure if it cannot be read
    static Map<String, String> lines(Optional<Path> wanted) {
        var file = wanted.orElse(DEFAULT_FILE);
        return wanted.isPresent() || Files.exists(file) ? read(file) : Map.of();
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
