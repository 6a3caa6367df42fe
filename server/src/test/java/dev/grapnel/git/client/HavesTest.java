package dev.grapnel.git.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.GitProgram;
import dev.grapnel.nostr.repository.Oid;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.eclipse.jgit.internal.storage.file.FileRepository;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HavesTest {
    private static final Oid NOWHERE =
            Oid.parse("00000000000000000000000000000000000000aa").require();

    @TempDir
    private Path directory;

    private GitProgram git() {
        return new GitProgram(directory);
    }

    private List<Oid> history(int length) {
        var git = git();
        git.run("init", "--quiet", "--bare");
        var stream = new StringBuilder();
        for (int i = 1; i <= length; i++) {
            stream.append("commit refs/heads/main\nmark :")
                    .append(i)
                    .append("\ncommitter A <a@example.org> ")
                    .append(1_000_000 + i)
                    .append(" +0000\ndata 1\nx\n");
        }
        git.feed(stream.toString(), "fast-import", "--quiet");
        var ids = new ArrayList<Oid>();
        git.run("rev-list", "main").lines().forEach(line -> ids.add(GitProgram.oid(line)));
        return ids;
    }

    private List<Oid> choose(List<Oid> tips, Predicate<Oid> isAdvertised, Set<Oid> wants) throws IOException {
        try (var repository = new FileRepository(directory.toFile());
                var reader = repository.newObjectReader()) {
            return Haves.choose(reader, tips, isAdvertised, wants);
        }
    }

    @Test
    void longHistoryIsSampledEverThinnerTowardsThePast() throws IOException {
        var history = history(5000);
        var haves = choose(history.subList(0, 1), _ -> false, Set.of());
        assertEquals(history.subList(0, 10), haves.subList(0, 10));
        assertTrue(haves.size() < 100, "of 5000 commits " + haves.size());
        assertTrue(history.indexOf(haves.getLast()) > 4000, "the last one is not far from the beginning");
    }

    @Test
    void whatTheServerAdvertisesIsSaidHoweverOldItIs() throws IOException {
        var history = history(3000);
        var known = history.get(2222);
        assertFalse(choose(history.subList(0, 1), _ -> false, Set.of()).contains(known));
        assertTrue(choose(history.subList(0, 1), known::equals, Set.of()).contains(known));
    }

    @Test
    void neverMoreIsSaidThanOneRequestHolds() throws IOException {
        var history = history(3000);
        assertEquals(
                Haves.MAX, choose(history.subList(0, 1), _ -> true, Set.of()).size());
    }

    @Test
    void whatIsWantedIsNotSaid() throws IOException {
        var history = history(3);
        assertEquals(history.subList(1, 3), choose(history.subList(0, 1), _ -> true, Set.of(history.getFirst())));
    }

    @Test
    void tagsStandForTheirCommitsAndOtherThingsForNothing() throws IOException {
        var history = history(2);
        var tag = git().tag("v1", history.getLast());
        var tree = GitProgram.oid(git().run("rev-parse", "main^{tree}"));
        assertEquals(history.subList(1, 2), choose(List.of(NOWHERE, tree, tag), _ -> false, Set.of()));
    }
}
