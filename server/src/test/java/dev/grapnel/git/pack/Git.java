package dev.grapnel.git.pack;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The machine's own git.
final class Git {
    private Git() {}

    /// Runs a command; what it says, without the last newline.
    static String run(Path directory, String... arguments) {
        return new String(feed(directory, new byte[0], arguments), StandardCharsets.UTF_8).strip();
    }

    /// Runs a command with input.
    static byte[] feed(Path directory, byte[] input, String... arguments) {
        var command = new ArrayList<>(List.of("git", "-c", "user.name=A", "-c", "user.email=a@example.org"));
        command.addAll(List.of("-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always"));
        command.addAll(List.of(arguments));
        try {
            var builder = new ProcessBuilder(command).directory(directory.toFile());
            builder.environment().put("GIT_CONFIG_NOSYSTEM", "1");
            builder.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
            builder.redirectError(ProcessBuilder.Redirect.DISCARD);
            var process = builder.start();
            var writer = Thread.ofVirtual().start(() -> write(process, input));
            var output = new ByteArrayOutputStream();
            process.getInputStream().transferTo(output);
            writer.join();
            assertEquals(0, process.waitFor(), String.join(" ", command));
            return output.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private static void write(Process process, byte[] input) {
        try (var stream = process.getOutputStream()) {
            stream.write(input);
        } catch (IOException _) {
            // it ended without reading everything; its exit code tells
        }
    }
}
