package dev.grapnel.command;

import dev.grapnel.Grapnel;
import dev.grapnel.nostr.event.Event;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Where commands are typed: each test has one, with a store of its own.
final class Terminal {
    final Path directory;
    private byte[] input = {};

    Terminal(Path directory) {
        this.directory = directory;
    }

    /// What a command left behind.
    record Outcome(int code, String out, String err) {
        List<String> lines() {
            return out.lines().toList();
        }
    }

    /// What the next commands read from standard input.
    Terminal type(String text) {
        input = text.getBytes(StandardCharsets.UTF_8);
        return this;
    }

    Terminal type(byte[] bytes) {
        input = bytes.clone();
        return this;
    }

    /// Runs a command in this process, on this terminal's store.
    Outcome run(String... arguments) {
        return runWith(Map.of("GRAPNEL_RELAY_DATA_PATH", directory.toString()), arguments);
    }

    /// Runs a command on git repositories.
    Outcome runOnGit(Path data, String... arguments) {
        return runWith(Map.of("GRAPNEL_GIT_DATA_PATH", data.toString()), arguments);
    }

    Outcome runWith(Map<String, String> environment, String... arguments) {
        var out = new ByteArrayOutputStream();
        var text = new StringWriter();
        var err = new StringWriter();
        int code = Grapnel.commandLine(new Invocation(new ByteArrayInputStream(input), out, false, false, environment))
                .setOut(new PrintWriter(text, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
        return new Outcome(code, out.toString(StandardCharsets.UTF_8) + text, err.toString());
    }

    /// A command for a process of its own.
    List<String> command(String... arguments) {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:-UsePerfData",
                "-Xmx200m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Grapnel.class.getName()));
        command.addAll(Arrays.asList(arguments));
        return command;
    }

    /// Starts a command in a process of its own, on this terminal's store.
    Process start(String... arguments) throws IOException {
        var builder = new ProcessBuilder(command(arguments));
        builder.environment().put("GRAPNEL_RELAY_DATA_PATH", directory.toString());
        return builder.start();
    }

    /// Starts a command from a line of a shell, on this terminal's store; the command is `"$@"` there.
    Process startIn(String shellLine, String... arguments) throws IOException {
        var builder = new ProcessBuilder("sh", "-c", shellLine, "sh");
        builder.command().addAll(command(arguments));
        builder.environment().put("GRAPNEL_RELAY_DATA_PATH", directory.toString());
        return builder.start();
    }

    /// Starts an import, feeds it and waits until half of it is in the store for sure. Its input stays open.
    Process startImport(List<Event> events) throws IOException {
        var process = start("import");
        int half = events.size() / 2;
        feed(process, events.subList(0, half));
        feed(process, events.subList(half, events.size()));
        return process;
    }

    /// Waits until the last note is written. It may not be committed yet, but what was fed before is.
    private void feed(Process process, List<Event> events) throws IOException {
        process.getOutputStream().write(linesOf(events).getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
        var last = events.reversed().stream()
                .filter(event -> event.kind() == 1)
                .findFirst()
                .orElseThrow();
        while (process.isAlive() && !Damage.isWritten(directory, last.toString())) {
            Thread.onSpinWait();
        }
    }

    /// What is in the store's directory.
    List<String> files() throws IOException {
        try (var all = Files.list(directory)) {
            return all.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    /// The events as JSON lines.
    static String linesOf(List<Event> events) {
        return events.stream().map(event -> event + "\n").collect(Collectors.joining());
    }

    static String textOf(java.io.InputStream stream) throws IOException {
        return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }
}
