package dev.grapnel.server.git;

import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.outbound.PlainHttp;
import dev.grapnel.server.GitUnderTest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Pushes and clones a repository of incompressible files that is far larger than the heap of the server,
/// alone and two at once, and tells how much memory that took. Fails if anything comes back otherwise than
/// it was sent.
final class LargeRun {
    private static final Pattern PORT = Pattern.compile("listens on http://127\\.0\\.0\\.1:(\\d+)/");
    private static final int FILE_BYTES = 5 << 20;
    private static final String HEAP = "-Xmx256m";

    private final Path directory;
    private final GitClient git;
    private final AtomicLong heapPeak = new AtomicLong();
    private final AtomicLong residentPeak = new AtomicLong();
    private final HttpClient http = PlainHttp.client();

    private LargeRun(Path directory) throws IOException {
        this.directory = directory;
        this.git = new GitClient(Files.createDirectories(directory.resolve("home"))).withPatience(3600);
    }

    /// Runs once.
    ///
    /// @param arguments megabytes of the repository
    public static void main(String[] arguments) throws Exception {
        int megabytes = Integer.parseInt(arguments[0]);
        var run = new LargeRun(Files.createTempDirectory("grapnel-git-large-"));
        run.run(megabytes);
        delete(run.directory); // what failed can be looked at
    }

    private void run(int megabytes) throws Exception {
        var first = work("first", 1, megabytes);
        var second = work("second", 2, megabytes);
        var server = start();
        try {
            int port = awaitPort(server);
            var sampler = Thread.ofVirtual().start(() -> sample(port, server));
            measure(server, "push", () -> push(port, first, "a"));
            measure(server, "clone", () -> cloneAndCompare(port, first, "a"));
            measure(server, "two pushes", () -> both(() -> push(port, first, "b"), () -> push(port, second, "c")));
            measure(
                    server,
                    "two clones",
                    () -> both(() -> cloneAndCompare(port, first, "b"), () -> cloneAndCompare(port, second, "c")));
            sampler.interrupt();
        } finally {
            server.destroy();
            server.waitFor();
        }
    }

    private Path work(String name, long seed, int megabytes) throws IOException {
        var work = git.init(name);
        var random = new Random(seed);
        var noise = new byte[FILE_BYTES];
        for (int i = 0; i < megabytes / 5; i++) {
            random.nextBytes(noise);
            Files.write(work.resolve("file" + i + ".bin"), noise);
        }
        git.ok(work, "-c", "core.compression=0", "add", ".");
        git.ok(work, "commit", "--quiet", "-m", "Noise");
        return work;
    }

    private Process start() throws IOException {
        var command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                HEAP,
                "-XX:+UseSerialGC",
                "-XX:+UseCompactObjectHeaders",
                "-XX:+ExitOnOutOfMemoryError",
                "--enable-native-access=ALL-UNNAMED",
                "-classpath",
                System.getProperty("java.class.path"),
                OpenServer.class.getName(),
                "--bind-address",
                "127.0.0.1:0",
                "--max-push-bytes",
                Long.toString(8L << 30));
        var place = Files.createDirectories(directory.resolve("server"));
        return new ProcessBuilder(command)
                .directory(place.toFile())
                .redirectError(directory.resolve("server.log").toFile())
                .start();
    }

    private int awaitPort(Process process) throws IOException {
        var first = process.inputReader().readLine();
        var matcher = PORT.matcher(first == null ? "" : first);
        if (!matcher.find()) {
            throw new AssertionError("it said: " + first + "\n" + Files.readString(directory.resolve("server.log")));
        }
        return Integer.parseInt(matcher.group(1));
    }

    /// Looks at the heap while others work.
    private void sample(int port, Process server) {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                .build();
        try {
            while (server.isAlive()) {
                var used = http.send(request, BodyHandlers.ofString())
                        .body()
                        .lines()
                        .filter(line -> line.startsWith("jvm_memory_used_bytes{area=\"heap\""))
                        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                        .sum();
                heapPeak.accumulateAndGet((long) used, Math::max);
                residentPeak.accumulateAndGet(resident(server), Math::max);
                TimeUnit.MILLISECONDS.sleep(250);
            }
        } catch (IOException | InterruptedException _) {
            // the run is over
        }
    }

    private void measure(Process server, String what, Callable<@Nullable Void> work) throws Exception {
        heapPeak.set(0);
        residentPeak.set(0);
        long begun = System.nanoTime();
        work.call();
        double seconds = (System.nanoTime() - begun) / 1e9;
        System.out.printf(
                "%-11s %6.1f s, heap up to %4d MiB of %s, resident up to %4d MiB%n",
                what, seconds, heapPeak.get() >> 20, HEAP, Math.max(resident(server), residentPeak.get()) >> 10);
    }

    /// Kibibytes, as Linux counts them.
    private static long resident(Process server) throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(server.pid()), "status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                .findFirst()
                .orElse(0);
    }

    private static @Nullable Void both(Callable<@Nullable Void> one, Callable<@Nullable Void> other) throws Exception {
        try (var threads = Executors.newFixedThreadPool(2)) {
            for (var done : new ArrayList<>(threads.invokeAll(List.of(one, other)))) {
                done.get();
            }
        }
        return null;
    }

    private static String url(int port, String identifier) {
        return "http://127.0.0.1:" + port + "/" + new Npub(GitUnderTest.OWNER).text() + "/" + identifier + ".git";
    }

    private @Nullable Void push(int port, Path work, String identifier) {
        git.ok(
                work,
                "-c",
                "pack.compression=0",
                "-c",
                "core.bigFileThreshold=1m",
                "push",
                "--quiet",
                url(port, identifier),
                "main");
        return null;
    }

    private @Nullable Void cloneAndCompare(int port, Path work, String identifier) throws IOException {
        var clone = directory.resolve("clone-" + identifier);
        git.ok(directory, "clone", "--quiet", "--bare", url(port, identifier), clone.toString());
        var sent = git.ok(work, "rev-parse", "HEAD^{tree}");
        if (!sent.equals(git.ok(clone, "rev-parse", "HEAD^{tree}"))) {
            throw new AssertionError("something else came back");
        }
        git.assertSound(clone);
        delete(clone);
        return null;
    }

    /// Deletes everything below a directory, and itself.
    static void delete(Path tree) throws IOException {
        try (var paths = Files.walk(tree)) {
            for (var path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
