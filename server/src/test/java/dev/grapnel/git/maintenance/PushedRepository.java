package dev.grapnel.git.maintenance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.git.GitProgram;
import dev.grapnel.git.repository.RepositoryPlace;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RepositoryAddress;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;

/// A repository as pushes leave it: each came as a thin pack that was completed, and refs are packed.
final class PushedRepository {
    static final RepositoryAddress ADDRESS =
            new RepositoryAddress(PublicKey.of(new byte[32], 0), new Identifier("sample"));

    private final Path source;
    private final Path directory;
    private final List<String> commits;
    private int pushed;

    /// @param commits how many the history has that can be pushed
    PushedRepository(Path parent, int commits, long seed) throws IOException {
        this.source = parent.resolve("source.git");
        this.directory = parent.resolve("sample.git");
        new GitProgram(parent).run("init", "-q", "--bare", "-b", "main", source.toString());
        new GitProgram(parent).run("init", "-q", "--bare", "-b", "main", directory.toString());
        new GitProgram(source).pipe(history(commits, seed), "fast-import", "--quiet");
        this.commits = new GitProgram(source)
                .run("rev-list", "--reverse", "main")
                .lines()
                .toList();
    }

    private PushedRepository(PushedRepository original, Path directory) {
        this.source = original.source;
        this.directory = directory;
        this.commits = original.commits;
        this.pushed = original.pushed;
    }

    /// The same once more, with the times of its files.
    PushedRepository copyTo(Path other) throws IOException {
        try (var files = Files.walk(directory)) {
            for (var file : files.toList()) {
                Files.copy(
                        file, other.resolve(directory.relativize(file).toString()), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
        return new PushedRepository(this, other);
    }

    /// Every commit changes a long file a little, so that there are deltas, and adds a small one.
    private static byte[] history(int commits, long seed) {
        var random = new Random(seed);
        var lines = new String[300];
        for (int i = 0; i < lines.length; i++) {
            lines[i] = Long.toHexString(random.nextLong());
        }
        var script = new StringBuilder();
        for (int i = 1; i <= commits; i++) {
            lines[random.nextInt(lines.length)] = Long.toHexString(random.nextLong());
            script.append("commit refs/heads/main\ncommitter A <a@example.com> ")
                    .append(1_700_000_000L + i)
                    .append(" +0000\n")
                    .append(data("commit " + i))
                    .append("M 100644 inline long.txt\n")
                    .append(data(String.join("\n", lines)))
                    .append("M 100644 inline d")
                    .append(i % 7)
                    .append("/f")
                    .append(i % 50)
                    .append("\n")
                    .append(data("file " + i + " " + random.nextLong()));
        }
        return script.append("done\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String data(String text) {
        return "data " + text.length() + "\n" + text + "\n";
    }

    Path directory() {
        return directory;
    }

    Path packs() {
        return directory.resolve("objects").resolve("pack");
    }

    RepositoryPlace place() {
        return new RepositoryPlace(ADDRESS, directory);
    }

    Oid commit(int number) {
        return Oid.parse(commits.get(number)).require();
    }

    int pushed() {
        return pushed;
    }

    /// Pushes so many commits more to the main branch, all in one pack.
    void push(int count) {
        send(count);
        setRef("refs/heads/main", commits.get(pushed - 1));
    }

    /// Pushes so many commits more, from a client that compresses nothing against anything else.
    void pushWhole(int count) {
        new GitProgram(source).run("config", "pack.window", "0");
        new GitProgram(source).run("repack", "-adfq");
        push(count);
        new GitProgram(source).run("config", "--unset", "pack.window");
    }

    /// Pushes so many commits more, each in a pack of its own.
    void pushOneByOne(int count) {
        for (int i = 0; i < count; i++) {
            send(1);
        }
        setRef("refs/heads/main", commits.get(pushed - 1));
    }

    private void send(int count) {
        var from = pushed == 0 ? "" : "^" + commits.get(pushed - 1) + "\n";
        pushed += count;
        receive(commits.get(pushed - 1) + "\n" + from);
    }

    /// Pushes a commit of its own on top of another, to any ref.
    Oid pushAside(String ref, int parent, String text) {
        return pushOn(ref, commit(parent), text);
    }

    Oid pushOn(String ref, Oid parent, String text) {
        var blob = new GitProgram(source).feed(text, "hash-object", "-w", "--stdin");
        var tree = new GitProgram(source).feed("100644 blob " + blob + "\taside\n", "mktree");
        var commit = new GitProgram(source).run("commit-tree", "-p", parent.toString(), "-m", text, tree);
        receive(commit + "\n^" + parent + "\n");
        setRef(ref, commit);
        return Oid.parse(commit).require();
    }

    private void receive(String revisions) {
        var pack = new GitProgram(source)
                .pipe(bytes(revisions), "pack-objects", "-q", "--revs", "--thin", "--delta-base-offset", "--stdout");
        new GitProgram(directory).pipe(pack, "index-pack", "--stdin", "--fix-thin", "--strict");
    }

    void setRef(String name, String target) {
        new GitProgram(directory).run("update-ref", name, target);
        new GitProgram(directory).run("pack-refs", "--all", "--prune");
    }

    void deleteRef(String name) {
        new GitProgram(directory).run("update-ref", "-d", name);
    }

    /// Makes files of all objects in packs, as other programs do.
    void unpack() throws IOException {
        for (var file : files()) {
            var moved = directory.resolve(file);
            Files.move(packs().resolve(file), moved);
            if (file.endsWith(".pack")) {
                new GitProgram(directory).pipe(Files.readAllBytes(moved), "unpack-objects", "-q");
            }
        }
    }

    /// Makes everything look as if it had come in at that time.
    void age(Instant time) throws IOException {
        try (var files = Files.list(packs())) {
            for (var file : files.toList()) {
                Files.setLastModifiedTime(file, FileTime.from(time));
            }
        }
    }

    long packCount() throws IOException {
        try (var files = Files.list(packs())) {
            return files.filter(file -> file.toString().endsWith(".idx")).count();
        }
    }

    List<String> files() throws IOException {
        try (var files = Files.list(packs())) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    boolean has(Oid id) {
        try {
            new GitProgram(directory).run("cat-file", "-e", id.toString());
            return true;
        } catch (AssertionError _) {
            return false;
        }
    }

    /// Everything the refs reach, as git counts it.
    List<String> reachable() {
        return sorted(new GitProgram(directory).run("rev-list", "--objects", "--all"));
    }

    /// As below, and every pack is what its index says.
    void assertSound() throws IOException {
        assertComplete();
        for (var file : files()) {
            if (file.endsWith(".idx")) {
                new GitProgram(packs()).run("verify-pack", file);
            }
        }
    }

    /// Git finds no fault, and the main branch is complete.
    void assertComplete() {
        new GitProgram(directory).run("fsck", "--full", "--strict");
        if (pushed > 0) {
            assertEquals(
                    sorted(new GitProgram(source).run("rev-list", "--objects", commits.get(pushed - 1))),
                    sorted(new GitProgram(directory).run("rev-list", "--objects", "refs/heads/main")));
        }
    }

    /// Ids only: the names of files beside them depend on the order of the walk.
    private static List<String> sorted(String lines) {
        return List.copyOf(new TreeSet<>(
                lines.lines().map(line -> line.substring(0, Oid.DIGITS)).toList()));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
