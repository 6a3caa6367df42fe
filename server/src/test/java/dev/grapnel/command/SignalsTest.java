package dev.grapnel.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Real signals to a real process.
@NullUnmarked
final class SignalsTest {
    private static final Map<String, Integer> NUMBERS = Map.of("HUP", 1, "INT", 2, "TERM", 15);

    private Optional<Process> started = Optional.empty();
    private Process process;
    private BufferedReader out;
    private BufferedReader err;

    private void start(String behaviour) throws IOException {
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:-UsePerfData",
                        "-Xmx200m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SignalledProgram.class.getName(),
                        behaviour)
                .start();
        started = Optional.of(process);
        out = process.inputReader();
        err = process.errorReader();
        assertEquals("level true", out.readLine());
    }

    @AfterEach
    void end() {
        started.ifPresent(Process::destroyForcibly);
    }

    private void send(String signal) throws Exception {
        var kill = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start();
        assertEquals(0, kill.waitFor());
    }

    /// Whether this process ignores a signal, and so does everything it starts.
    private static boolean isIgnored(String signal) throws IOException {
        var status = Path.of("/proc/self/status");
        if (!Files.isReadable(status)) {
            return false; // not Linux
        }
        var ignored = Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .map(line -> line.substring("SigIgn:".length()).strip())
                .findFirst()
                .orElseThrow();
        return (Long.parseUnsignedLong(ignored, 16) & (1L << (NUMBERS.get(signal) - 1))) != 0;
    }

    @Test
    void firstSignalStopsInOrder() throws Exception {
        for (var signal : List.of("TERM", "INT", "HUP")) {
            if (isIgnored(signal)) {
                continue; // whoever started this, with nohup for example, wants it so for everything below
            }
            start("stops");
            send(signal);
            assertEquals(List.of("stopping on stop", "hook"), out.lines().toList(), signal);
            assertEquals(3, process.waitFor());
            assertNull(err.readLine());
        }
    }

    @Test
    void secondSignalEndsWhatTheFirstDidNot() throws Exception {
        start("hangs");
        send("TERM");
        assertEquals("stopping on stop", out.readLine());
        send(isIgnored("INT") ? "TERM" : "INT");
        assertEquals(List.of(), out.lines().toList());
        assertEquals(Signals.HALTED, process.waitFor());
    }

    @Test
    void levelChangesWithEachSignal() throws Exception {
        start("stops");
        for (var level : List.of("debug", "trace", "info", "debug")) {
            send("USR1");
            var line = err.readLine();
            assertTrue(line.endsWith(" INFO  log.Logging log level changed level=" + level), line);
        }
    }

    @Test
    void signalThatDoesNotExistIsNotHandled() {
        assertEquals(false, ProcessSignals.handle("NOSUCH", () -> {}));
    }
}
