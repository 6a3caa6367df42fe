package dev.grapnel.git;

import dev.grapnel.nostr.repository.Oid;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// The real git client of this machine, in one directory, without anybody's configuration.
public final class GitProgram {
    private static final long SECONDS_MAX = 120;

    private final Path directory;

    public GitProgram(Path directory) {
        this.directory = directory;
    }

    /// What a run said.
    public record Run(int status, String output, String errors) {}

    /// Runs it and expects success.
    ///
    /// @return what it printed, without the end of the last line
    public String run(String... arguments) {
        return feed("", arguments);
    }

    /// The same with something to read.
    public String feed(String input, String... arguments) {
        var run = attempt(input, arguments);
        if (run.status() != 0) {
            throw new AssertionError("git " + String.join(" ", arguments) + ": " + run.errors() + run.output());
        }
        return run.output().stripTrailing();
    }

    /// The same with bytes.
    public byte[] pipe(byte[] input, String... arguments) {
        var run = execute(input, arguments);
        if (run.status() != 0) {
            throw new AssertionError("git " + String.join(" ", arguments) + ": " + run.errors());
        }
        return run.output();
    }

    /// Runs it, whatever comes of it.
    public Run attempt(String input, String... arguments) {
        var run = execute(input.getBytes(StandardCharsets.UTF_8), arguments);
        return new Run(run.status(), new String(run.output(), StandardCharsets.UTF_8), run.errors());
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Execution(int status, byte[] output, String errors) {}

    private Execution execute(byte[] input, String... arguments) {
        try {
            var in = Files.createTempFile("git", ".in");
            var out = Files.createTempFile("git", ".out");
            var errors = Files.createTempFile("git", ".err");
            try {
                Files.write(in, input);
                int status = wait(start(in, out, errors, arguments));
                return new Execution(status, Files.readAllBytes(out), Files.readString(errors, StandardCharsets.UTF_8));
            } finally {
                for (var file : List.of(in, out, errors)) {
                    Files.delete(file);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Process start(Path in, Path out, Path errors, String... arguments) throws IOException {
        var command = new ArrayList<>(List.of("git", "-c", "core.quotePath=false", "-c", "gc.auto=0"));
        command.addAll(List.of("-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always"));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectInput(in.toFile())
                .redirectOutput(out.toFile())
                .redirectError(errors.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
        builder.environment().put("GIT_CONFIG_NOSYSTEM", "1");
        builder.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
        for (var who : List.of("AUTHOR", "COMMITTER")) {
            builder.environment().put("GIT_" + who + "_NAME", "Someone");
            builder.environment().put("GIT_" + who + "_EMAIL", "someone@example.com");
            builder.environment().put("GIT_" + who + "_DATE", "2024-01-01T00:00:00Z");
        }
        return builder.start();
    }

    private static int wait(Process process) throws IOException {
        try {
            if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException("git did not end");
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    /// Writes a commit with one file in it, on top of others.
    public Oid commit(String text, Oid... parents) {
        var blob = feed(text, "hash-object", "-w", "--stdin");
        var tree = feed("100644 blob " + blob + "\tfile\n", "mktree");
        var arguments = new ArrayList<>(List.of("commit-tree", tree, "-m", "say " + text));
        for (var parent : parents) {
            arguments.addAll(List.of("-p", parent.toString()));
        }
        return oid(run(arguments.toArray(String[]::new)));
    }

    /// Writes an annotated tag.
    public Oid tag(String name, Oid target) {
        return oid(feed(
                "object " + target + "\ntype " + run("cat-file", "-t", target.toString()) + "\ntag " + name
                        + "\ntagger Someone <someone@example.com> 1700000000 +0000\n\ntext\n",
                "mktag"));
    }

    /// An id that it printed.
    public static Oid oid(String digits) {
        return Oid.parse(digits.strip()).require();
    }
}
