package dev.grapnel.git.repository;

import static dev.grapnel.git.repository.Home.ALICE;
import static dev.grapnel.git.repository.Home.BOB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.grapnel.git.GitIds;
import dev.grapnel.git.GitProgram;
import dev.grapnel.git.Listing;
import dev.grapnel.git.pack.IdMemory;
import dev.grapnel.git.pack.IdSequence;
import dev.grapnel.nostr.repository.Oid;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.lib.Constants;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Objects are copied one by one, in packs of limited size, all or none.
final class ExactCopyTest {
    private static final Map<String, Integer> TYPES =
            Map.of("commit", Constants.OBJ_COMMIT, "tree", Constants.OBJ_TREE, "blob", Constants.OBJ_BLOB);

    @TempDir
    private Path directory;

    private GitProgram elsewhere;

    @BeforeEach
    void prepare() throws IOException {
        elsewhere = new GitProgram(Files.createDirectory(directory.resolve("elsewhere")));
        elsewhere.run("init", "--bare", "--quiet", ".");
    }

    private Oid history(int length) {
        var tip = elsewhere.commit("0");
        for (int i = 1; i < length; i++) {
            tip = elsewhere.commit("text " + i, tip);
        }
        return tip;
    }

    @Test
    void manyObjectsComeInSeveralPacks() throws IOException {
        var tip = history(10);
        var more = elsewhere.commit("more", tip);
        try (var repositories = Home.open(directory.resolve("git"));
                var from = repositories.create(Home.of(ALICE, "tool"));
                var to = repositories.create(Home.of(BOB, "tool"));
                var memory = new IdMemory(directory)) {
            Home.receive(repositories, from, elsewhere, more);
            var objects = memory.newSequence();
            var ids = elsewhere.run("rev-list", "--objects", "--no-object-names", tip.toString());
            elsewhere
                    .feed(ids, "cat-file", "--batch-check=%(objectname) %(objecttype)")
                    .lines()
                    .forEach(line -> {
                        var words = line.split(" ", -1);
                        add(objects, GitProgram.oid(words[0]), TYPES.getOrDefault(words[1], Constants.OBJ_BAD));
                    });
            new ExactCopy(repositories, 8).copy(objects, List.of(from.objects()), to);
            assertEquals(30, objects.size());
            assertEquals(8, Listing.of(to.directory().resolve("objects/pack")).size(), "packs and indexes");
            Home.point(to, "main", tip);
            assertEquals("", Home.faults(to));
            assertFalse(Home.has(to, more));
        }
    }

    private static void add(IdSequence objects, Oid id, int type) {
        try {
            objects.add(GitIds.of(id), type);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void objectThatIsNowhereKeepsAllOut() throws IOException {
        var tip = history(1);
        try (var repositories = Home.open(directory.resolve("git"));
                var from = repositories.create(Home.of(ALICE, "tool"));
                var to = repositories.create(Home.of(BOB, "tool"));
                var memory = new IdMemory(directory)) {
            Home.receive(repositories, from, elsewhere, tip);
            var objects = memory.newSequence();
            objects.add(GitIds.of(tip), Constants.OBJ_COMMIT);
            objects.add(GitIds.of(new Oid(1, 2, 3)), Constants.OBJ_BLOB);
            var copy = new ExactCopy(repositories, 1);
            assertThrows(MissingObjectException.class, () -> copy.copy(objects, List.of(from.objects()), to));
            assertFalse(Home.has(to, tip));
        }
        assertEquals(List.of(), Listing.of(directory.resolve("git/.grapnel/quarantine")));
    }
}
