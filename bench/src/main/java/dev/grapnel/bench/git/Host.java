package dev.grapnel.bench.git;

import dev.grapnel.Grapnel;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// A git host in a process of its own. What it logs is in the file `log` of its directory.
public record Host(Process process, String base) implements AutoCloseable {
    private static final Pattern PORT = Pattern.compile("listens on (http://127\\.0\\.0\\.1:\\d+)/");
    private static final double TICKS = 100;
    private static final String LOG = "log";

    /// Ours, to which everybody may push, with its data in a directory. Repositories lie below their owners.
    public static Host open(Path directory) throws IOException {
        return ours(directory, OpenGitHost.class, "--bind-address", "127.0.0.1:0");
    }

    /// The same; all repositories are those of one owner.
    static Host grapnel(Path directory, String npub) throws IOException {
        var host = open(directory);
        return new Host(host.process, host.base + "/" + npub);
    }

    /// Ours as it is for users: signed events say what may be pushed. Repositories lie below their owners.
    ///
    /// @param flags further ones of `grapnel serve`
    public static Host grasp(Path directory, String domain, String... flags) throws IOException {
        var arguments = new ArrayList<>(List.of("serve", "--bind-address", "127.0.0.1:0", "--domain", domain));
        arguments.addAll(List.of(flags));
        return ours(directory, Grapnel.class, arguments.toArray(String[]::new));
    }

    private static Host ours(Path directory, Class<?> main, String... arguments) throws IOException {
        var process = java(Files.createDirectories(directory), main, arguments);
        return new Host(process, awaitUrl(process, directory));
    }

    /// Stock git, with bare repositories in a directory.
    ///
    /// @param forces whether it forces to disk everything that it can
    public static Host backend(Path directory, boolean forces) throws IOException {
        var process = java(directory, BackendFront.class, directory.toString(), forces ? "force" : "leave");
        return new Host(process, awaitUrl(process, directory));
    }

    /// Packs all repositories of a host of ours that does not run.
    public static void maintain(Path directory) throws IOException, InterruptedException {
        var process = java(directory, Grapnel.class, "git", "gc", "--git-data-path", "data/git");
        process.getInputStream().readAllBytes();
        if (process.waitFor() != 0) {
            throw new IOException("the repositories could not be packed: see " + directory.resolve(LOG));
        }
    }

    private static Process java(Path directory, Class<?> main, String... arguments) throws IOException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:+UseCompactObjectHeaders",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Xmx2g",
                "-classpath",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectError(
                        ProcessBuilder.Redirect.appendTo(directory.resolve(LOG).toFile()))
                .start();
    }

    private static String awaitUrl(Process process, Path directory) throws IOException {
        var first = process.inputReader().readLine();
        var matcher = PORT.matcher(first == null ? "" : first);
        if (!matcher.find()) {
            process.destroy();
            throw new IOException("it said: " + first + "\n" + Files.readString(directory.resolve(LOG)));
        }
        return matcher.group(1);
    }

    /// Where a repository is.
    public String url(String repository) {
        return base + "/" + repository + ".git";
    }

    /// Something below its address.
    public URI uri(String path) {
        return URI.create(base + "/" + path);
    }

    /// CPU of the process and of those it has waited for.
    public double cpuSeconds() throws IOException {
        return cpuSeconds(Long.toString(process.pid()), 11, 14);
    }

    /// CPU of a process.
    ///
    /// @param first of the fields of its `stat` after its name; 11 and 12 are its own, 13 and 14 those of processes
    ///     it has waited for
    public static double cpuSeconds(String pid, int first, int last) throws IOException {
        var stat = Files.readString(Path.of("/proc", pid, "stat"));
        var fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        double ticks = 0;
        for (int i = first; i <= last; i++) {
            ticks += Double.parseDouble(fields[i]);
        }
        return ticks / TICKS;
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
