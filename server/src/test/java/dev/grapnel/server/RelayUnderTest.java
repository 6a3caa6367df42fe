package dev.grapnel.server;

import dev.grapnel.config.ConfigReader;
import dev.grapnel.config.ConfigSources;
import dev.grapnel.config.Configuration;
import dev.grapnel.config.RelaySettings;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.server.ops.Build;
import dev.grapnel.server.websocket.WebSocketConfig;
import dev.grapnel.store.StoreSamples;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A real server on a real port, with the settings of a test.
public final class RelayUnderTest implements AutoCloseable {
    private final Service service;

    private RelayUnderTest(Service service) {
        this.service = service;
    }

    /// In memory.
    ///
    /// @param settings names without prefix and values, in turn
    public static RelayUnderTest start(String... settings) {
        return start(WebSocketConfig.DEFAULTS, InstantSource.system(), System::nanoTime, null, settings);
    }

    /// On disk.
    public static RelayUnderTest startIn(Path directory, String... settings) {
        return start(WebSocketConfig.DEFAULTS, InstantSource.system(), System::nanoTime, directory, settings);
    }

    /// On disk, and with GRASP's rules for events and pushes.
    public static RelayUnderTest startGraspIn(Path directory, String... settings) {
        return start(
                GitRules.GRASP,
                WebSocketConfig.DEFAULTS,
                InstantSource.system(),
                System::nanoTime,
                directory,
                settings);
    }

    /// With a clock of the test's.
    public static RelayUnderTest startAt(InstantSource clock, String... settings) {
        return start(WebSocketConfig.DEFAULTS, clock, System::nanoTime, null, settings);
    }

    /// With a stop watch of the test's, whose leaps nobody takes for a dead connection.
    public static RelayUnderTest startTimedBy(LongSupplier nanoTime, String... settings) {
        var patient = Duration.ofDays(1);
        var times = new WebSocketConfig(
                WebSocketConfig.DEFAULTS.messageMax(), patient, patient, WebSocketConfig.DEFAULTS.closeMax(), patient);
        return start(times, InstantSource.system(), nanoTime, null, settings);
    }

    /// With other times.
    public static RelayUnderTest startWith(UnaryOperator<WebSocketConfig> times, String... settings) {
        return start(times.apply(WebSocketConfig.DEFAULTS), InstantSource.system(), System::nanoTime, null, settings);
    }

    private static RelayUnderTest start(
            WebSocketConfig times,
            InstantSource clock,
            LongSupplier nanoTime,
            @Nullable Path directory,
            String... settings) {
        return start(GitRules.OPEN, times, clock, nanoTime, directory, settings);
    }

    private static RelayUnderTest start(
            GitRules rules,
            WebSocketConfig times,
            InstantSource clock,
            LongSupplier nanoTime,
            @Nullable Path directory,
            String... settings) {
        var configuration = configuration(directory, settings);
        var connections = new WebSocketConfig(
                Math.toIntExact(configuration.require(RelaySettings.MAX_MESSAGE_LENGTH)),
                times.pingInterval(),
                times.idleMax(),
                times.closeMax(),
                times.stallMax());
        try {
            return new RelayUnderTest(Service.start(
                    configuration,
                    Operator.of(StoreSamples.author(999)),
                    new Build("0.0.0-test", "", "https://example.com/grapnel"),
                    rules,
                    Devices.REAL,
                    connections,
                    clock,
                    nanoTime));
        } catch (ServiceFailure e) {
            throw new AssertionError(e);
        }
    }

    static Configuration configuration(@Nullable Path directory, String... settings) {
        var variables = new HashMap<String, String>();
        variables.put("GRAPNEL_BIND_ADDRESS", "127.0.0.1:0");
        variables.put("GRAPNEL_HUNT_ENABLED", "false"); // names in events lead out of this machine
        variables.put("GRAPNEL_SYNC_ENABLED", "false");
        if (directory == null) {
            variables.put("GRAPNEL_DATABASE_BACKEND", "memory");
        } else {
            variables.put("GRAPNEL_RELAY_DATA_PATH", directory.resolve("relay").toString());
            variables.put("GRAPNEL_GIT_DATA_PATH", directory.resolve("git").toString());
        }
        for (int i = 0; i < settings.length; i += 2) {
            var name = settings[i].startsWith("NGIT_") ? settings[i] : "GRAPNEL_" + settings[i];
            variables.put(name, settings[i + 1]);
        }
        return switch (ConfigReader.read(new ConfigSources(Map.of(), variables, Map.of(), "no file"))) {
            case ConfigReader.Outcome.Good(var configuration) -> configuration;
            case ConfigReader.Outcome.Bad(var problems) -> throw new AssertionError(problems);
        };
    }

    public int port() {
        return service.port();
    }

    public Service service() {
        return service;
    }

    /// Connects.
    public RelayClient connect() throws IOException {
        return new RelayClient(WireClient.open(port()));
    }

    /// Connects as if from another address, through a proxy on this machine.
    public RelayClient connectFrom(String address) throws IOException {
        return new RelayClient(WireClient.open(port(), "X-Forwarded-For: " + address + "\r\n"));
    }

    /// The value of a metric without labels.
    public double metric(String name) {
        return service.metrics()
                .scrape()
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("there is no metric " + name));
    }

    /// A short text note of now.
    public static Event note(int author, String content) {
        return StoreSamples.event(author, 1, Instant.now().getEpochSecond(), List.of(), content);
    }

    @Override
    public void close() {
        service.close();
    }
}
