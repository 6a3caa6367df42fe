package dev.grapnel.command;

import dev.grapnel.server.control.ControlClient;
import dev.grapnel.server.control.ControlRequest;
import dev.grapnel.server.control.JsonValue;
import dev.grapnel.server.control.JsonValue.Fields;
import dev.grapnel.store.tool.ToolFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Mixin;

/// Which running server is asked: the one whose events are in a directory.
final class ServerOption {
    private static final Duration SILENCE_MAX = Duration.ofSeconds(30);

    @Mixin
    private StoreOption store = new StoreOption();

    /// @throws ToolFailure if none runs
    ControlClient connect(Map<String, String> environment) {
        var directory = store.directory(environment);
        return ControlClient.connect(directory)
                .orElseThrow(() -> new ToolFailure("no server runs with the data in " + directory
                        + "; name its directory with --relay-data-path, or its configuration file with --config (one that keeps its events in memory can be asked"
                        + " only if it was started with that flag, too)"));
    }

    /// Asks, and gathers the answer.
    ///
    /// @throws ToolFailure if none runs, or it does not do what is asked
    List<Fields> ask(Map<String, String> environment, String command, Map<String, JsonValue> arguments) {
        var lines = new ArrayList<Fields>();
        try (var client = connect(environment)) {
            client.ask(new ControlRequest(command, arguments), lines::add);
        }
        return lines;
    }

    /// The same for what a server answers at once, unless it is stopped.
    List<Fields> look(Map<String, String> environment, String command, Map<String, JsonValue> arguments) {
        var lines = new ArrayList<Fields>();
        try (var client = connect(environment)) {
            client.ask(new ControlRequest(command, arguments), lines::add, SILENCE_MAX);
        }
        return lines;
    }
}
