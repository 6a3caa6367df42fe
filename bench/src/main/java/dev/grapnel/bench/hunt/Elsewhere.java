package dev.grapnel.bench.hunt;

import dev.grapnel.bench.git.GitProgram;
import dev.grapnel.bench.git.Host;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/// A repository that others host: one copy behind stock `git http-backend`, one on a Grapnel.
final class Elsewhere {
    private static final String NPUB = "npub1ccz8l9zpa47k6vz9gphftsrumpw80rjt3nhnefat4symjhrsnmjs38mnyd";
    private static final String NAME = "elsewhere";

    private final Path stock;
    private final Path grapnel;
    private final String tip;
    private final long bytes;
    private final long objects;

    private Elsewhere(Path stock, Path grapnel) throws IOException, InterruptedException {
        this.stock = stock;
        this.grapnel = grapnel;
        var repository = repository(stock);
        this.tip = GitProgram.run(repository, "rev-parse", "main");
        var counted = GitProgram.run(repository, "count-objects", "-v");
        this.objects = counted(counted, "in-pack: ");
        this.bytes = counted(counted, "size-pack: ") * 1024;
    }

    private static long counted(String text, String what) {
        int from = text.indexOf(what) + what.length();
        return Long.parseLong(text.substring(from, text.indexOf('\n', from)));
    }

    private static Path repository(Path stock) {
        return stock.resolve(NAME + ".git");
    }

    /// Makes it, packed as hosts have it, with bitmaps and a commit graph.
    ///
    /// @param commits each of which changes a part of one of many files, so that most objects are deltas, as in
    ///     real histories
    /// @param bytes of each of its files
    static Elsewhere make(Path directory, int commits, int bytes) throws IOException, InterruptedException {
        var stock = Files.createDirectories(directory.resolve("stock"));
        var repository = repository(stock);
        GitProgram.run(Files.createDirectories(repository), "init", "--quiet", "--bare", "-b", "main");
        var _ = GitProgram.feed(repository, out -> new Edits(bytes).write(commits, out), "fast-import", "--quiet");
        GitProgram.run(repository, "config", "uploadpack.allowAnySHA1InWant", "true");
        GitProgram.run(repository, "repack", "-a", "-d", "-b", "-q");
        GitProgram.run(repository, "commit-graph", "write", "--reachable");
        var grapnel = directory.resolve("grapnel");
        try (var host = Host.open(grapnel)) {
            GitProgram.run(repository, "push", "--quiet", "--mirror", host.url(NPUB + "/" + NAME));
        }
        Host.maintain(grapnel);
        return new Elsewhere(stock, grapnel);
    }

    Host stock() throws IOException {
        return Host.backend(stock, false);
    }

    Host grapnel() throws IOException {
        var host = Host.open(grapnel);
        return new Host(host.process(), host.base() + "/" + NPUB);
    }

    /// Where it is at one of its hosts.
    String url(Host host) {
        return host.url(NAME);
    }

    /// Of its only branch, `main`.
    String tip() {
        return tip;
    }

    /// Of its pack.
    long bytes() {
        return bytes;
    }

    long objects() {
        return objects;
    }

    /// Deletes a directory with everything in it.
    static void remove(Path directory) throws IOException {
        try (var files = Files.walk(directory)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
