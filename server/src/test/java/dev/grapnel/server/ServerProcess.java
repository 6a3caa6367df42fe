package dev.grapnel.server;

import dev.grapnel.Grapnel;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/// `grapnel serve` as a process of its own, to be killed and stopped.
final class ServerProcess implements AutoCloseable {
    private static final Pattern PORT = Pattern.compile("listens on http://127\\.0\\.0\\.1:(\\d+)/");
    private static final List<String> FLAGS = List.of(
            "-XX:+UseCompactObjectHeaders",
            "--enable-native-access=ALL-UNNAMED",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "-Xshare:auto");

    private static final List<String> HEAP = List.of("-Xmx256m");

    private final Process process;

    private ServerProcess(Process process) {
        this.process = process;
    }

    /// Starts a server in a directory, where its data is, that takes every event.
    static ServerProcess start(Path directory) throws IOException {
        return new ServerProcess(
                runMain(directory, HEAP, "dev.grapnel.server.git.OpenServer", "--bind-address", "127.0.0.1:0"));
    }

    /// Starts a GRASP server in a directory, where its data is.
    static ServerProcess startGrasp(Path directory, String... flags) throws IOException {
        var arguments = new ArrayList<>(List.of("serve", "--bind-address", "127.0.0.1:0"));
        arguments.addAll(List.of(flags));
        return new ServerProcess(run(directory, arguments.toArray(String[]::new)));
    }

    /// Starts a GRASP server in a directory, where its data is, that has less memory than usual and ends when that is
    /// not enough.
    ///
    /// @param heap as Java is told it
    static ServerProcess startSmall(Path directory, String heap, String... flags) throws IOException {
        var arguments = new ArrayList<>(List.of("serve"));
        arguments.addAll(List.of(flags));
        var memory = List.of("-Xmx" + heap, "-XX:+ExitOnOutOfMemoryError");
        return new ServerProcess(runMain(directory, memory, Grapnel.class.getName(), arguments.toArray(String[]::new)));
    }

    /// Starts a GRASP server in a directory, where its data is, that ends when it is told to.
    static ServerProcess startDoomed(Path directory) throws IOException {
        return new ServerProcess(runMain(directory, HEAP, "dev.grapnel.server.DoomedServer"));
    }

    /// Starts any command.
    static Process run(Path directory, String... arguments) throws IOException {
        return runMain(directory, HEAP, Grapnel.class.getName(), arguments);
    }

    private static Process runMain(Path directory, List<String> memory, String main, String... arguments)
            throws IOException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(FLAGS);
        command.addAll(memory);
        command.addAll(List.of("-classpath", System.getProperty("java.class.path"), main));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command).directory(directory.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("GRAPNEL_") || name.startsWith("NGIT_"));
        return builder.start();
    }

    /// Waits until it says where it listens.
    int awaitPort() throws IOException {
        var first = process.inputReader().readLine();
        var matcher = PORT.matcher(first == null ? "" : first);
        if (!matcher.find()) {
            throw new AssertionError("it said: " + first + "\n"
                    + String.join("\n", process.errorReader().lines().toList()));
        }
        return Integer.parseInt(matcher.group(1));
    }

    /// Its log.
    BufferedReader log() {
        return process.errorReader();
    }

    /// Waits for a line of its log.
    void awaitLog(String phrase) throws IOException {
        for (var line = log().readLine(); line != null; line = log().readLine()) {
            if (line.contains(phrase)) {
                return;
            }
        }
        throw new AssertionError("it never said: " + phrase);
    }

    void signal(String name) throws IOException, InterruptedException {
        int result = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
        if (result != 0) {
            throw new AssertionError("kill ended with " + result);
        }
    }

    /// Bytes of the objects that are in use, after everything else was thrown away.
    long liveBytes() throws IOException {
        var jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        var asked = new ProcessBuilder(jcmd, Long.toString(process.pid()), "GC.class_histogram")
                .redirectErrorStream(true)
                .start();
        try (var answer = asked.inputReader()) {
            var said = answer.lines().toList();
            return said.stream()
                    .filter(line -> line.startsWith("Total "))
                    .mapToLong(line ->
                            new Scanner(line.substring(6)).skip(" *\\d+").nextLong())
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(String.join("\n", said)));
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /// kill -9.
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    /// Waits for its end and returns its exit code.
    int awaitEnd(long seconds) throws InterruptedException {
        if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
            throw new AssertionError("it does not end");
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
