package dev.grapnel.git.maintenance;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The git of this machine, without anybody's settings.
public final class GitProgram {
    private GitProgram() {}

    /// What a command printed, which must have ended well.
    static String run(Path directory, String... arguments) {
        return new String(runWith(new byte[0], directory, arguments), StandardCharsets.ISO_8859_1).strip();
    }

    static byte[] runWith(byte[] input, Path directory, String... arguments) {
        var command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command).directory(directory.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
        builder.environment().put("GIT_CONFIG_NOSYSTEM", "1");
        builder.environment().put("HOME", directory.toString());
        var errors =
                directory.resolveSibling("git-errors-" + Thread.currentThread().threadId());
        builder.redirectError(errors.toFile());
        try {
            var process = builder.start();
            var feeder = Thread.ofVirtual().start(() -> feed(process, input));
            var output = process.getInputStream().readAllBytes();
            feeder.join();
            int code = process.waitFor();
            if (code != 0) {
                throw new AssertionError("git " + String.join(" ", arguments) + " ended with " + code + ": "
                        + java.nio.file.Files.readString(errors, StandardCharsets.ISO_8859_1)
                        + new String(output, StandardCharsets.ISO_8859_1));
            }
            return output;
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void feed(Process process, byte[] input) {
        try (var out = process.getOutputStream()) {
            new ByteArrayInputStream(input).transferTo(out);
        } catch (IOException _) {
            // it read as much as it wanted, and its exit code tells the rest
        }
    }
}
