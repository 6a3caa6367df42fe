package dev.grapnel.bench.git;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/// Grapnel's git host beside stock `git http-backend`, in turns, with the same repositories and the same client.
public final class GitBench {
    private static final int ROUNDS = 5;
    private static final String NPUB = "npub1ccz8l9zpa47k6vz9gphftsrumpw80rjt3nhnefat4symjhrsnmjs38mnyd";

    /// A copy of the medium repository, into which things are pushed.
    private static final String PUSHED = "pushed";

    private final Path directory;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private GitBench(Path directory) {
        this.directory = directory;
    }

    /// A repository to measure with.
    private enum Size {
        TINY(20, 500),
        MEDIUM(5_000, 1_000),
        LARGE(50_000, 4_000);

        private final int commits;
        private final int bytes;

        Size(int commits, int bytes) {
            this.commits = commits;
            this.bytes = bytes;
        }

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// Measures everything once.
    ///
    /// @param arguments a directory for repositories, which are made if they are not there
    public static void main(String[] arguments) throws Exception {
        new GitBench(Files.createDirectories(Path.of(arguments[0]).toAbsolutePath())).run();
    }

    private void run() throws Exception {
        for (var size : Size.values()) {
            prepare(size);
        }
        preparePushes();
        try (var ours = Host.grapnel(directory.resolve("grapnel"), NPUB);
                var stock = Host.backend(directory.resolve("stock"), false);
                var forced = Host.backend(directory.resolve("forced"), true)) {
            var both = List.of(ours, stock);
            Figures.head();
            Replay.infoRefs(both, "tiny");
            Replay.clones(both, Size.TINY.word(), tip(Size.TINY));
            for (var size : Size.values()) {
                clones(both, size);
                Replay.cloneAlone(both, size.word(), tip(size), size == Size.LARGE ? 3 : 20);
            }
            for (var size : Size.values()) {
                fetchOne(both, size);
            }
            Replay.pushes(
                    ours, List.of(stock, forced), List.of("", ", both force"), PUSHED, directory.resolve("medium.git"));
            pushes(both, "");
            pushes(List.of(ours, forced), ", both force");
            manyClones(ours);
        }
    }

    /// Makes a repository, and a packed copy of it for each host.
    private void prepare(Size size) throws Exception {
        var source = directory.resolve(size.word() + ".git");
        if (!Files.exists(source)) {
            GitProgram.makeHistory(source, size.commits, size.bytes);
        }
        serve(source, directory.resolve("stock").resolve(size.word() + ".git"));
        host(source, size.word());
    }

    /// Fresh ones, so that nothing is left of an earlier run.
    private void preparePushes() throws Exception {
        var source = directory.resolve("medium.git");
        for (var stock : List.of("stock", "forced")) {
            var repository = directory.resolve(stock).resolve(PUSHED + ".git");
            remove(repository);
            serve(source, repository);
        }
        remove(hosted(PUSHED));
        host(source, PUSHED);
    }

    /// A packed copy for stock git.
    private void serve(Path source, Path stock) throws Exception {
        if (!Files.exists(stock)) {
            Files.createDirectories(stock.getParent());
            GitProgram.run(directory, "clone", "--quiet", "--mirror", source.toString(), stock.toString());
            GitProgram.run(stock, "config", "http.receivepack", "true");
            GitProgram.run(stock, "config", "uploadpack.allowAnySHA1InWant", "true");
            GitProgram.run(stock, "repack", "-a", "-d", "-b", "-q");
            GitProgram.run(stock, "commit-graph", "write", "--reachable");
        }
    }

    /// A packed copy for Grapnel.
    private void host(Path source, String name) throws Exception {
        if (!Files.exists(hosted(name))) {
            try (var host = Host.grapnel(directory.resolve("grapnel"), NPUB)) {
                GitProgram.run(source, "push", "--quiet", "--mirror", host.url(name));
            }
            Host.maintain(directory.resolve("grapnel"));
        }
    }

    private Path hosted(String name) {
        return directory.resolve("grapnel/data/git").resolve(NPUB).resolve(name + ".git");
    }

    private String tip(Size size) throws Exception {
        return GitProgram.run(directory.resolve(size.word() + ".git"), "rev-parse", "main");
    }

    private void clones(List<Host> hosts, Size size) throws Exception {
        int rounds = size == Size.LARGE ? 3 : ROUNDS;
        var seconds = new double[hosts.size()][rounds];
        var cpu = new double[hosts.size()][rounds];
        var disk = new double[rounds];
        for (int round = -1; round < rounds; round++) {
            for (int i = 0; i < hosts.size(); i++) {
                double before = hosts.get(i).cpuSeconds();
                double time = cloneFrom(hosts.get(i).url(size.word()));
                if (round >= 0) {
                    seconds[i][round] = time * 1000;
                    cpu[i][round] = (hosts.get(i).cpuSeconds() - before) * 1000;
                }
            }
            double time = cloneFrom("file://" + directory.resolve("stock").resolve(size.word() + ".git"));
            if (round >= 0) {
                disk[round] = time * 1000;
            }
        }
        Figures.row("clone, " + size.word() + ", ms, whole git", seconds, Figures.median(disk));
        Figures.row("server CPU of that, ms", cpu, Double.NaN);
    }

    private double cloneFrom(String url) throws Exception {
        var target = directory.resolve("clone.git");
        remove(target);
        long begun = System.nanoTime();
        GitProgram.run(directory, "clone", "--quiet", "--bare", url, target.toString());
        double seconds = (System.nanoTime() - begun) / 1e9;
        remove(target);
        return seconds;
    }

    private static void remove(Path directory) throws Exception {
        new ProcessBuilder("rm", "-rf", directory.toString()).start().waitFor();
    }

    /// What a client that has all but the last commit asks.
    private void fetchOne(List<Host> hosts, Size size) throws Exception {
        var source = directory.resolve(size.word() + ".git");
        var tip = tip(size);
        var before = GitProgram.run(source, "rev-parse", "main~1");
        var body = "0011command=fetch0001000fno-progress000dofs-delta" + Replay.packet("want " + tip + "\n")
                + Replay.packet("have " + before + "\n") + Replay.packet("done\n") + "0000";
        var times = new double[hosts.size()][ROUNDS * 4];
        for (int round = -4; round < ROUNDS * 4; round++) {
            for (int i = 0; i < hosts.size(); i++) {
                var request = HttpRequest.newBuilder(URI.create(hosts.get(i).url(size.word()) + "/git-upload-pack"))
                        .header("Git-Protocol", "version=2")
                        .header("Content-Type", "application/x-git-upload-pack-request")
                        .POST(BodyPublishers.ofString(body))
                        .build();
                long begun = System.nanoTime();
                var answer = http.send(request, BodyHandlers.ofByteArray());
                double millis = (System.nanoTime() - begun) / 1e6;
                if (answer.statusCode() != 200 || answer.body().length < 200) {
                    throw new IOException("no pack came");
                }
                if (round >= 0) {
                    times[i][round] = millis;
                }
            }
        }
        Figures.row("fetch of one commit, " + size.word() + ", ms", times, Double.NaN);
    }

    private void pushes(List<Host> hosts, String words) throws Exception {
        var work = directory.resolve("push-work");
        remove(work);
        GitProgram.run(
                directory, "clone", "--quiet", directory.resolve("medium.git").toString(), work.toString());
        var times = new double[hosts.size()][ROUNDS * 2];
        for (int round = -1; round < ROUNDS * 2; round++) {
            Files.writeString(work.resolve("pushed.txt"), "round " + round + " " + System.nanoTime());
            GitProgram.run(work, "add", "--all");
            GitProgram.run(work, "-c", "user.name=A", "-c", "user.email=a@b", "commit", "--quiet", "-m", "Push");
            for (int i = 0; i < hosts.size(); i++) {
                long begun = System.nanoTime();
                GitProgram.run(work, "push", "--quiet", "--force", hosts.get(i).url(PUSHED), "HEAD:bench");
                if (round >= 0) {
                    times[i][round] = (System.nanoTime() - begun) / 1e6;
                }
            }
        }
        Figures.row("push of a small change, ms, pushed, whole git" + words, times, Double.NaN);
    }

    /// How fast refs are told while large clones run.
    private void manyClones(Host host) throws Exception {
        var body = "0011command=fetch0001000fno-progress000dofs-delta"
                + Replay.packet("want " + tip(Size.LARGE) + "\n")
                + Replay.packet("done\n")
                + "0000";
        var clone = HttpRequest.newBuilder(URI.create(host.url("large") + "/git-upload-pack"))
                .header("Git-Protocol", "version=2")
                .POST(BodyPublishers.ofString(body))
                .build();
        var refs = HttpRequest.newBuilder(URI.create(host.url("tiny") + "/info/refs?service=git-upload-pack"))
                .build();
        var over = new AtomicBoolean();
        var latencies = new ArrayList<Double>();
        try (var threads = Executors.newFixedThreadPool(9)) {
            var cloning = new ArrayList<Future<?>>();
            for (int i = 0; i < 8; i++) {
                cloning.add(threads.submit(() -> {
                    try (var in = http.send(clone, BodyHandlers.ofInputStream()).body()) {
                        return in.transferTo(OutputStream.nullOutputStream());
                    }
                }));
            }
            var asking = threads.submit(() -> {
                while (!over.get()) {
                    long begun = System.nanoTime();
                    http.send(refs, BodyHandlers.discarding());
                    latencies.add((System.nanoTime() - begun) / 1e6);
                    TimeUnit.MILLISECONDS.sleep(2);
                }
                return null;
            });
            for (var one : cloning) {
                one.get();
            }
            over.set(true);
            asking.get();
        }
        latencies.sort(null);
        System.out.printf(
                Locale.ROOT,
                "%nWhile 8 large clones ran: %d times `info/refs`, p50 %.1f ms, p99 %.1f ms, most %.1f ms%n",
                latencies.size(),
                latencies.get(latencies.size() / 2),
                latencies.get(latencies.size() * 99 / 100),
                latencies.getLast());
    }
}
