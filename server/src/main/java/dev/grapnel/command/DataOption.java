package dev.grapnel.command;

import dev.grapnel.config.ConfigReader.Outcome;
import dev.grapnel.config.Configuration;
import dev.grapnel.config.FlagReader;
import dev.grapnel.store.tool.ToolFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Where events and repositories are.
final class DataOption {
    private static final String STORE_DEFAULT = "./data/relay";
    private static final String GIT_DEFAULT = "./data/git";

    @Mixin
    private SettingsOption settings = new SettingsOption();

    @Option(
            names = "--relay-data-path",
            paramLabel = "<dir>",
            description = {
                "Directory of the event store. Without it the variable GRAPNEL_RELAY_DATA_PATH counts, then"
                        + " NGIT_RELAY_DATA_PATH, then a line of that name in the configuration file, then "
                        + STORE_DEFAULT + "."
            })
    private Optional<Path> store = Optional.empty();

    @Option(
            names = "--git-data-path",
            paramLabel = "<dir>",
            description = {
                "Directory of the git repositories, if no server runs; found in the same way, else " + GIT_DEFAULT + "."
            })
    private Optional<Path> git = Optional.empty();

    Path store(Map<String, String> environment) {
        return settings.directory(store, "RELAY_DATA_PATH", environment, STORE_DEFAULT);
    }

    /// @throws ToolFailure if no server has ever kept repositories there: a directory that is empty because its disk
    ///     is not mounted looks as if all of them were lost
    Path git(Map<String, String> environment) {
        var directory = settings.directory(git, "GIT_DATA_PATH", environment, GIT_DEFAULT);
        if (!Files.isDirectory(directory.resolve(".grapnel"))) {
            throw new ToolFailure("no server has kept repositories in " + directory + ": name its directory with"
                    + " --git-data-path, or its configuration file with --config, and see that its disk is mounted");
        }
        return directory;
    }

    /// The server's settings: some of them say what is right.
    ///
    /// @throws ToolFailure if a server would not start with them
    Configuration configuration(Map<String, String> environment) {
        var flags = settings.file()
                .map(file -> List.of(FlagReader.FILE, file.toString()))
                .orElse(List.of());
        return switch (ConfigLoader.load(flags, environment).outcome()) {
            case Outcome.Good(var configuration) -> configuration;
            case Outcome.Bad(var problems) ->
                throw new ToolFailure("the server's settings are of no use: " + String.join("; ", problems));
        };
    }
}
