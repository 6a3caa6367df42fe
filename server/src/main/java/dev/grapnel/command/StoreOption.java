package dev.grapnel.command;

import dev.grapnel.store.tool.ToolFailure;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/// Where the store is: the option, or the environment, or a place below the current directory.
final class StoreOption {
    private static final List<String> VARIABLES = List.of("GRAPNEL_RELAY_DATA_PATH", "NGIT_RELAY_DATA_PATH");
    private static final String DEFAULT = "./data/relay";

    @Option(
            names = "--relay-data-path",
            paramLabel = "<dir>",
            description = {
                "Directory of the event store. Without it the variable GRAPNEL_RELAY_DATA_PATH counts, then"
                        + " NGIT_RELAY_DATA_PATH, then " + DEFAULT + "."
            })
    private Optional<Path> given = Optional.empty();

    Path directory(Map<String, String> environment) {
        return given.filter(path -> !path.toString().isEmpty())
                .orElseGet(() -> VARIABLES.stream()
                        .filter(name -> !environment.getOrDefault(name, "").isEmpty())
                        .findFirst()
                        .map(name -> path(name, environment.getOrDefault(name, "")))
                        .orElse(Path.of(DEFAULT)));
    }

    private static Path path(String variable, String value) {
        try {
            return Arguments.path(value);
        } catch (TypeConversionException e) {
            throw new ToolFailure("the variable " + variable + " is of no use: " + e.getMessage(), e);
        }
    }
}
