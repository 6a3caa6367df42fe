package dev.grapnel.client;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.store.tool.ToolFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A repository on the user's disk, read by the user's own git: it knows every format there is, and what it says
/// is what it will push.
public final class LocalRepository {
    private final Path directory;

    private LocalRepository(Path directory) {
        this.directory = directory;
    }

    /// What git answered.
    private record Answer(int code, String out) {
        List<String> lines() {
            return out.lines().toList();
        }
    }

    /// The repository around a directory.
    ///
    /// @throws ToolFailure if there is none
    public static LocalRepository around(Path directory) {
        var found = new LocalRepository(directory).git("rev-parse", "--absolute-git-dir");
        if (found.code() != 0) {
            throw new ToolFailure(directory.toAbsolutePath().normalize()
                    + " is in no git repository; go into one, or make one with 'git init'");
        }
        return new LocalRepository(directory);
    }

    /// What the user calls it: the name of its directory.
    public String name() {
        var top = git("rev-parse", "--show-toplevel");
        var place = top.code() == 0
                ? Path.of(top.out().strip())
                : Path.of(git("rev-parse", "--absolute-git-dir").out().strip());
        var name = Optional.ofNullable(place.getFileName()).map(Path::toString).orElse("");
        return name.endsWith(".git") ? name.substring(0, name.length() - 4) : name;
    }

    /// Its branches and tags.
    ///
    /// @throws ToolFailure if there are none, or some that nobody can publish
    public LocalRefs refs() {
        var lines = git("for-each-ref", "--format=%(objectname) %(refname)", "refs/heads", "refs/tags")
                .lines();
        if (lines.isEmpty()) {
            throw new ToolFailure("the repository has no commit yet, so there is nothing to publish; make one with"
                    + " 'git add' and 'git commit'");
        }
        return switch (LocalRefs.parse(
                lines, git("symbolic-ref", "-q", "HEAD").out().strip())) {
            case Parsed.Valid<LocalRefs>(var refs) -> refs;
            case Parsed.Invalid<LocalRefs>(var reason) ->
                throw new ToolFailure("the repository cannot be published: " + reason);
        };
    }

    /// Its first commit, which tells copies of one project from other projects of the same name; nothing if history
    /// has several beginnings or is cut off.
    public Optional<Oid> findFirstCommit() {
        if (!git("rev-parse", "--is-shallow-repository").out().strip().equals("false")) {
            return Optional.empty();
        }
        var roots = git("rev-list", "--max-parents=0", "HEAD");
        return roots.code() == 0 && roots.lines().size() == 1
                ? Oid.parse(roots.lines().getFirst()).find()
                : Optional.empty();
    }

    /// Where a remote leads.
    public Optional<String> findRemote(String name) {
        var url = git("config", "--get", "remote." + name + ".url");
        return url.code() == 0 ? Optional.of(url.out().strip()) : Optional.empty();
    }

    /// Gives a remote its name.
    ///
    /// @throws ToolFailure if git will not
    public void addRemote(String name, String url) {
        if (git("remote", "add", "--", name, url).code() != 0) {
            throw new ToolFailure("git made no remote called '" + name + "'");
        }
    }

    private Answer git(String... arguments) {
        var command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(arguments));
        try {
            var process = new ProcessBuilder(command)
                    .directory(directory.toAbsolutePath().toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            process.getOutputStream().close();
            var out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Answer(process.waitFor(), out);
        } catch (IOException e) {
            throw new ToolFailure("git could not be run: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ToolFailure("interrupted", e);
        }
    }
}
