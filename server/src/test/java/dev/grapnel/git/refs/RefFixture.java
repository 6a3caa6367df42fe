package dev.grapnel.git.refs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.grapnel.git.Disk;
import dev.grapnel.git.GitProgram;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// A bare repository made by the real git, with a few objects to point at.
final class RefFixture {
    final Path directory;
    final GitProgram git;
    final Oid one;
    final Oid two;
    final Oid three;

    /// An annotated tag of the first commit.
    final Oid tag;

    RefFixture(Path directory) throws IOException {
        this.directory = directory;
        Files.createDirectories(directory);
        this.git = new GitProgram(directory);
        git.run("init", "--bare", "--quiet", "--initial-branch=main", ".");
        one = git.commit("one");
        two = git.commit("two", one);
        three = git.commit("three", two);
        tag = git.tag("v1", one);
    }

    private RefFixture(Path directory, RefFixture other) {
        this.directory = directory;
        this.git = new GitProgram(directory);
        this.one = other.one;
        this.two = other.two;
        this.three = other.three;
        this.tag = other.tag;
    }

    /// The same once more, elsewhere.
    RefFixture copyTo(Path place) throws IOException {
        try (var files = Files.walk(directory)) {
            for (var file : files.toList()) {
                Files.copy(file, place.resolve(directory.relativize(file)));
            }
        }
        return new RefFixture(place, this);
    }

    /// Asks the real git what tags stand for.
    Optional<Oid> peel(Oid id) {
        var type = git.attempt("", "cat-file", "-t", id.toString()).output().strip();
        return type.equals("tag") ? Optional.of(GitProgram.oid(git.run("rev-parse", id + "^{}"))) : Optional.empty();
    }

    RefStore store() {
        return store(Disk.REAL);
    }

    RefStore store(Disk disk) {
        return new RefStore(directory, disk, this::peel, InstantSource.system(), Duration.ofMillis(200));
    }

    /// One that waits for other programs as long as the product does.
    RefStore patientStore() {
        return new RefStore(directory, Disk.REAL, this::peel, InstantSource.system());
    }

    /// Changes refs, with everything as it should be.
    Refs done(RefStore store, RefChange... changes) throws IOException {
        return done(store, Optional.empty(), changes);
    }

    Refs done(RefStore store, Optional<RefName> head, RefChange... changes) throws IOException {
        return assertInstanceOf(RefOutcome.Done.class, apply(store, head, changes))
                .now();
    }

    RefOutcome apply(RefStore store, RefChange... changes) throws IOException {
        return apply(store, Optional.empty(), changes);
    }

    RefOutcome apply(RefStore store, Optional<RefName> head, RefChange... changes) throws IOException {
        return store.apply(Arrays.asList(changes), head, this::peel);
    }

    /// What the real git sees.
    String seenByGit() {
        return git.run("for-each-ref", "--format=%(objectname) %(refname) %(*objectname)");
    }

    static String text(Refs refs) {
        var lines = new ArrayList<String>();
        refs.values()
                .forEach((name, value) -> lines.add(value.target() + " " + name + " "
                        + value.peeled().map(Oid::toString).orElse("")));
        return String.join("\n", lines).stripTrailing();
    }

    /// Everybody sees the same: this store, a fresh one, and the real git.
    void assertAgreed(RefStore store) throws IOException {
        assertEquals(text(store.current()), text(store().current()));
        assertEquals(lines(text(store.current())), lines(seenByGit()));
        assertEquals(store.current().head().text(), git.run("symbolic-ref", "HEAD"));
    }

    private static List<String> lines(String text) {
        return text.lines().map(String::stripTrailing).toList();
    }

    static RefName name(String text) {
        return new RefName(text);
    }

    static RefName branch(String text) {
        return new RefName("refs/heads/" + text);
    }

    static RefChange added(String branch, Oid id) {
        return new RefChange(branch(branch), Oid.ZERO, id);
    }

    static RefChange moved(String branch, Oid from, Oid to) {
        return new RefChange(branch(branch), from, to);
    }

    static RefChange dropped(String branch, Oid from) {
        return new RefChange(branch(branch), from, Oid.ZERO);
    }
}
