package dev.grapnel.git.repository;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.GitIds;
import dev.grapnel.git.GitProgram;
import dev.grapnel.git.Listing;
import dev.grapnel.nostr.repository.Oid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is here is known without a look at the disk for each question.
final class InventoryTest {
    @TempDir
    private Path directory;

    private GitProgram elsewhere;
    private Repositories repositories;
    private RepositoryLease lease;
    private GitProgram stock;
    private Oid one;
    private Oid two;

    @BeforeEach
    void prepare() throws IOException {
        elsewhere = new GitProgram(Files.createDirectory(directory.resolve("elsewhere")));
        elsewhere.run("init", "--bare", "--quiet", ".");
        one = elsewhere.commit("one");
        two = elsewhere.commit("two", one);
        repositories = Home.open(directory.resolve("git"));
        lease = repositories.create(Home.of(Home.ALICE, "tool"));
        stock = new GitProgram(lease.directory());
    }

    @AfterEach
    void close() throws IOException {
        lease.close();
        repositories.close();
    }

    private static boolean has(Inventory inventory, Oid id) throws IOException {
        return inventory.has(GitIds.of(id));
    }

    @Test
    void directoriesAreLookedAtOnceForHoweverManyQuestions() throws IOException {
        var before = Inventory.of(lease);
        assertFalse(has(before, one));
        Home.pack(elsewhere, lease.objects().getPackDirectory().toPath(), two);
        assertFalse(has(before, two));
        assertFalse(has(before, one));
        var after = Inventory.of(lease);
        assertTrue(has(after, one));
        assertTrue(has(after, two));
    }

    @Test
    void whatAPushBringsIsSeenAtOnce() throws IOException {
        var inventory = Inventory.of(lease);
        assertFalse(has(inventory, one));
        Home.receive(repositories, lease, elsewhere, one);
        assertTrue(has(inventory, one));
        assertFalse(has(inventory, two));
        Home.receive(repositories, lease, elsewhere, two, one);
        assertTrue(inventory.hasPacked(GitIds.of(two)));
    }

    @Test
    void whatALinkBringsIsSeenAtOnce() throws IOException {
        try (var other = repositories.create(Home.of(Home.BOB, "tool"))) {
            Home.receive(repositories, other, elsewhere, two);
            var inventory = Inventory.of(lease);
            assertFalse(has(inventory, two));
            new Sharing(repositories).link(other, lease, List.of(two));
            assertTrue(has(inventory, two));
        }
    }

    @Test
    void packsThatMaintenanceReplacesAreNotMissed() throws IOException {
        Home.receive(repositories, lease, elsewhere, one);
        Home.receive(repositories, lease, elsewhere, two, one);
        var packs = lease.objects().getPackDirectory().toPath();
        age(packs, one);
        Home.point(lease, "main", two);
        lease.close();
        repositories.close();
        repositories = Home.open(directory.resolve("git"));
        lease = repositories.create(Home.of(Home.ALICE, "tool"));
        var inventory = Inventory.of(lease);
        assertTrue(has(inventory, two)); // the newer pack is asked first, so that the other was not opened yet
        stock.run("repack", "-a", "-d", "-f", "--quiet");
        assertTrue(has(inventory, one));
        assertTrue(has(inventory, two));
    }

    private static void age(Path packs, Oid inside) throws IOException {
        for (var file : Listing.of(packs)) {
            var path = packs.resolve(file);
            if (file.endsWith(".idx")
                    && new GitProgram(packs)
                            .run("verify-pack", "-v", path.toString())
                            .contains(inside.toString())) {
                var longAgo = FileTime.from(Instant.EPOCH);
                Files.setLastModifiedTime(path, longAgo);
                Files.setLastModifiedTime(packs.resolve(file.replace(".idx", ".pack")), longAgo);
            }
        }
    }

    @Test
    void objectsThatLieAloneAreFoundAndStayFoundWhenTheyArePacked() throws IOException {
        var blob = GitProgram.oid(stock.feed("alone", "hash-object", "-w", "--stdin"));
        var later = GitProgram.oid(stock.feed("later", "hash-object", "-w", "--stdin"));
        var inventory = Inventory.of(lease);
        assertTrue(has(inventory, blob));
        assertFalse(inventory.hasPacked(GitIds.of(blob)));
        stock.feed(
                blob + "\n" + later + "\n",
                "pack-objects",
                "--quiet",
                lease.objects().getPackDirectory().toPath().resolve("pack").toString());
        stock.run("prune-packed", "--quiet");
        assertTrue(has(inventory, later));
        assertTrue(inventory.hasPacked(GitIds.of(blob)));
    }

    @Test
    void repositoryThatIsGoneHasNothing() throws IOException {
        Home.receive(repositories, lease, elsewhere, one);
        repositories.remove(lease.address());
        assertFalse(has(Inventory.of(lease), one));
    }
}
