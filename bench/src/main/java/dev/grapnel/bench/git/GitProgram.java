package dev.grapnel.bench.git;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;

/// The `git` program, and repositories made with it.
public final class GitProgram {
    private GitProgram() {}

    /// What is written to its standard input.
    public interface Input {
        void writeTo(OutputStream out) throws IOException;
    }

    /// Runs it to its end.
    ///
    /// @return what it said, without spaces around it
    /// @throws IOException with that, if it failed
    public static String run(Path directory, String... arguments) throws IOException, InterruptedException {
        var process = builder(directory, arguments).redirectErrorStream(true).start();
        process.getOutputStream().close();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        require(process, arguments, said);
        return said.strip();
    }

    /// Runs it with something to read.
    public static byte[] feed(Path directory, Input input, String... arguments)
            throws IOException, InterruptedException {
        var process =
                builder(directory, arguments).redirectError(Redirect.INHERIT).start();
        var sending = Thread.ofVirtual().start(() -> {
            try (var out = new BufferedOutputStream(process.getOutputStream(), 1 << 20)) {
                input.writeTo(out);
            } catch (IOException _) {
                // its exit code says more
            }
        });
        var output = process.getInputStream().readAllBytes();
        sending.join();
        require(process, arguments, "");
        return output;
    }

    private static ProcessBuilder builder(Path directory, String... arguments) {
        var command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command).directory(directory.toFile());
        builder.environment().put("GIT_TERMINAL_PROMPT", "0");
        return builder;
    }

    private static void require(Process process, String[] arguments, String said)
            throws IOException, InterruptedException {
        int code = process.waitFor();
        if (code != 0) {
            throw new IOException("git " + String.join(" ", arguments) + " ended with " + code + ": " + said.strip());
        }
    }

    /// A packed bare repository whose branch `main` has so many commits, each of which changes one of many files; the
    /// same one for the same numbers.
    ///
    /// @param bytes of each file
    public static void makeHistory(Path repository, int commits, int bytes) throws IOException, InterruptedException {
        run(Files.createDirectories(repository), "init", "--quiet", "--bare", "-b", "main");
        var _ = feed(repository, out -> writeCommits(out, commits, bytes), "fast-import", "--quiet");
        run(repository, "repack", "-a", "-d", "-q");
    }

    private static void writeCommits(OutputStream out, int commits, int bytes) throws IOException {
        var random = new Random(commits);
        for (int i = 0; i < commits; i++) {
            var noise = new byte[bytes * 3 / 4];
            random.nextBytes(noise);
            var text = Base64.getMimeEncoder().encode(noise);
            var head = "commit refs/heads/main\ncommitter A <a@b> " + (1_600_000_000 + i * 60L)
                    + " +0000\ndata 7\nChange\n\nM 100644 inline dir" + i % 50 + "/file" + i % 2000 + ".txt\ndata "
                    + text.length + "\n";
            out.write(head.getBytes(StandardCharsets.US_ASCII));
            out.write(text);
            out.write('\n');
        }
    }
}
