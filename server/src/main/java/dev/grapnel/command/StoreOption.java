package dev.grapnel.command;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Where the store is.
final class StoreOption {
    private static final String DEFAULT = "./data/relay";

    @Mixin
    private SettingsOption settings = new SettingsOption();

    @Option(
            names = "--relay-data-path",
            paramLabel = "<dir>",
            description = {
                "Directory of the event store. Without it the variable GRAPNEL_RELAY_DATA_PATH counts, then"
                        + " NGIT_RELAY_DATA_PATH, then a line of that name in the configuration file, then " + DEFAULT
                        + "."
            })
    private Optional<Path> given = Optional.empty();

    Path directory(Map<String, String> environment) {
        return settings.directory(given, "RELAY_DATA_PATH", environment, DEFAULT);
    }
}
