package dev.grapnel.git.repository;

import static dev.grapnel.git.repository.Home.ALICE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.GitIds;
import dev.grapnel.git.GitProgram;
import dev.grapnel.nostr.repository.Oid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What nobody has signed lies apart, is in no repository, and goes at once.
final class StagingTest {
    @TempDir
    private Path directory;

    private Oid stage(Repositories repositories, RepositoryLease into, String name) throws IOException {
        var elsewhere = Files.createDirectories(directory.resolve("elsewhere"));
        var source = new GitProgram(elsewhere);
        source.run("init", "--quiet", "--bare");
        var commit = source.commit("proposal");
        try (var quarantine = repositories.quarantine(into, List.of())) {
            Home.pack(source, quarantine.packDirectory(), commit);
            repositories.staging().keep(quarantine, name);
        }
        return commit;
    }

    @Test
    void stagedObjectsAreInNoRepositoryAndSurviveARestart() throws IOException {
        var data = directory.resolve("data");
        String name;
        Oid commit;
        try (var repositories = Home.open(data);
                var lease = repositories.create(Home.of(ALICE, "x"))) {
            name = repositories.staging().newName();
            commit = stage(repositories, lease, name);
            assertFalse(Home.has(lease, commit));
        }
        try (var repositories = Home.open(data)) {
            assertEquals(List.of(name), repositories.staging().list());
            assertTrue(repositories.staging().bytes(name) > 0);
            try (var staged = repositories.staging().open(name).orElseThrow();
                    var reader = staged.newReader()) {
                assertTrue(reader.has(GitIds.of(commit)));
            }
        }
    }

    @Test
    void deletedAreaIsGoneAtOnce() throws IOException {
        try (var repositories = Home.open(directory.resolve("data"));
                var lease = repositories.create(Home.of(ALICE, "x"))) {
            var staging = repositories.staging();
            var name = staging.newName();
            stage(repositories, lease, name);
            assertTrue(staging.delete(name));
            assertFalse(staging.delete(name));
            assertEquals(List.of(), staging.list());
            assertEquals(0, staging.bytes(name));
            assertTrue(staging.open(name).isEmpty());
        }
    }

    @Test
    void namesAreNewAndNeverLeadElsewhere() throws IOException {
        try (var repositories = Home.open(directory.resolve("data"))) {
            var staging = repositories.staging();
            assertNotEquals(staging.newName(), staging.newName());
            for (var name : List.of("..", "../trash", "a/b", "", "1")) {
                assertThrows(IllegalArgumentException.class, () -> staging.delete(name), name);
            }
        }
    }
}
