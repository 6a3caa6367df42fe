package dev.grapnel.server;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.server.git.GitClient;
import dev.grapnel.store.StoreSamples;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Makes a git data directory as versions 1 and 2 of the existing server leave it: bare repositories that stock
/// git wrote, with all that stock git puts into them.
final class OldServer {
    private final GitClient git;
    private final Path work;
    private final Path data;

    /// @param directory where a story will have its own
    OldServer(Path directory) throws IOException {
        this.git = new GitClient(Files.createDirectories(directory.resolve("old-home")));
        this.work = git.init("old-work");
        this.data = Files.createDirectories(directory.resolve("data").resolve("git"));
    }

    GitClient git() {
        return git;
    }

    Path data() {
        return data;
    }

    String commit(String name) {
        return git.commit(work, name, name);
    }

    /// A commit that no branch here has.
    String aside(String name) {
        git.ok(work, "checkout", "--quiet", "--detach");
        var commit = commit(name);
        git.ok(work, "checkout", "--quiet", "main");
        return commit;
    }

    /// An annotated tag.
    String tag(String name, String commit) {
        git.ok(work, "tag", "--annotate", "-m", name, name, commit);
        return git.ok(work, "rev-parse", "refs/tags/" + name).strip();
    }

    Path place(int owner, String identifier) {
        return data.resolve(new Npub(StoreSamples.author(owner)).text()).resolve(identifier + ".git");
    }

    Path repository(int owner, String identifier) {
        var repository = place(owner, identifier);
        if (!Files.exists(repository)) {
            git.ok(work, "init", "--quiet", "--bare", repository.toString());
        }
        return repository;
    }

    /// Sets refs, each a name and what it names.
    Path fill(int owner, String identifier, String... refs) {
        var repository = repository(owner, identifier);
        for (int i = 0; i < refs.length; i += 2) {
            git.ok(work, "push", "--quiet", repository.toString(), refs[i + 1] + ":" + refs[i]);
        }
        return repository;
    }

    static String ref(Event event) {
        return "refs/nostr/" + event.id();
    }

    /// Every file below a directory with its content.
    static Map<String, String> files(Path directory) {
        try (var all = Files.walk(directory)) {
            return new TreeMap<>(all.filter(Files::isRegularFile)
                    .collect(Collectors.toMap(file -> directory.relativize(file).toString(), OldServer::content)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String content(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
