package dev.grapnel.server.git;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// The git of this machine, without anybody's configuration.
public final class GitClient {
    private static final long SECONDS_MAX = 180;

    private final Path home;
    private final long secondsMax;
    private final Map<String, String> environment = new HashMap<>();

    /// @param home an empty directory
    public GitClient(Path home) {
        this(home, SECONDS_MAX);
    }

    private GitClient(Path home, long secondsMax) {
        this.home = home;
        this.secondsMax = secondsMax;
        environment.put("HOME", home.toString());
        environment.put("GIT_CONFIG_NOSYSTEM", "1");
        environment.put("GIT_TERMINAL_PROMPT", "0");
        environment.put("GIT_AUTHOR_NAME", "Ann");
        environment.put("GIT_AUTHOR_EMAIL", "ann@example.com");
        environment.put("GIT_COMMITTER_NAME", "Ann");
        environment.put("GIT_COMMITTER_EMAIL", "ann@example.com");
        environment.put("LC_ALL", "C");
    }

    /// What a program said and how it ended.
    public record Result(int code, String out, String err) {
        /// Everything it said, if it went well.
        public String orFail() {
            if (code != 0) {
                throw new AssertionError("git ended with " + code + ":\n" + out + err);
            }
            return out;
        }

        /// Everything it complained about, if it went wrong.
        public String orSucceed() {
            if (code == 0) {
                throw new AssertionError("git did not complain:\n" + out + err);
            }
            return err;
        }
    }

    /// The same with another variable.
    public GitClient with(String name, String value) {
        var other = new GitClient(home, secondsMax);
        other.environment.putAll(environment);
        other.environment.put(name, value);
        return other;
    }

    /// The same, but waiting longer for git to end.
    GitClient withPatience(long seconds) {
        return new GitClient(home, seconds);
    }

    /// Runs git.
    public Result run(Path directory, String... arguments) {
        return run(directory, new byte[0], arguments);
    }

    /// Runs git with something on its standard input.
    public Result run(Path directory, byte[] input, String... arguments) {
        var command = new ArrayList<String>();
        command.add("git");
        command.addAll(List.of("-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always", "-c", "gc.auto=0"));
        command.addAll(List.of(arguments));
        try {
            var builder = new ProcessBuilder(command).directory(directory.toFile());
            builder.environment().keySet().removeIf(name -> name.startsWith("GIT_") || name.endsWith("_proxy"));
            builder.environment().putAll(environment);
            var process = builder.start();
            var err = new StringBuilder();
            var reader = Thread.ofVirtual().start(() -> readAll(process, err));
            Thread.ofVirtual().start(() -> writeAll(process, input));
            var out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(secondsMax, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("git does not end: " + command);
            }
            reader.join();
            return new Result(process.exitValue(), out, err.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static void readAll(Process process, StringBuilder into) {
        try {
            into.append(new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            into.append(e);
        }
    }

    private static void writeAll(Process process, byte[] input) {
        try (var stdin = process.getOutputStream()) {
            stdin.write(input);
        } catch (IOException _) {
            // git had read enough
        }
    }

    /// Runs git and expects that it goes well.
    public String ok(Path directory, String... arguments) {
        return run(directory, arguments).orFail();
    }

    /// A new repository with a working tree.
    public Path init(String name) {
        var directory = home.resolve(name);
        ok(home, "init", "--quiet", directory.toString());
        return directory;
    }

    /// Writes a file and commits it; returns the commit.
    public String commit(Path directory, String file, String content) {
        try {
            var path = directory.resolve(file);
            Files.createDirectories(path.getParent());
            Files.writeString(path, content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ok(directory, "add", "--all");
        ok(directory, "commit", "--quiet", "-m", "Change " + file);
        return ok(directory, "rev-parse", "HEAD").strip();
    }

    /// Whether everything in a repository is whole.
    public void assertSound(Path repository) {
        var result = run(repository, "fsck", "--full", "--strict", "--no-dangling");
        if (result.code() != 0 || result.err().contains("error") || result.out().contains("missing")) {
            throw new AssertionError("git fsck says:\n" + result.out() + result.err());
        }
    }
}
