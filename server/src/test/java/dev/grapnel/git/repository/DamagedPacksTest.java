package dev.grapnel.git.repository;

import static dev.grapnel.git.repository.Home.ALICE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.Disk;
import dev.grapnel.git.GitIds;
import dev.grapnel.git.GitProgram;
import dev.grapnel.git.Listing;
import dev.grapnel.nostr.repository.Oid;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Packs from which nothing can be read make room for good ones.
final class DamagedPacksTest {
    @TempDir
    Path directory;

    private GitProgram elsewhere;
    private Oid one;
    private Repositories repositories;
    private RepositoryLease lease;
    private Path pack;

    @BeforeEach
    void open() throws IOException {
        elsewhere = new GitProgram(Files.createDirectory(directory.resolve("elsewhere")));
        elsewhere.run("init", "--bare", "--quiet", ".");
        one = elsewhere.commit("one");
        repositories = Home.open(directory.resolve("git"));
        lease = repositories.create(Home.of(ALICE, "tool"));
        Home.receive(repositories, lease, elsewhere, one);
        pack = find(".pack");
    }

    @AfterEach
    void close() throws IOException {
        lease.close();
        repositories.close();
    }

    private Path packs() {
        return lease.directory().resolve("objects/pack");
    }

    private Path find(String ending) throws IOException {
        try (var files = Files.list(packs())) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private void cut(Path file, long length) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(length);
        }
    }

    private List<String> names() throws IOException {
        try (var files = Files.list(packs())) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void goodPacksStayWhereTheyAre() throws IOException {
        elsewhere.run("update-ref", "refs/heads/main", one.toString());
        elsewhere.run("-c", "pack.indexVersion=1", "repack", "-q", "-a", "-d");
        var before = Listing.below(directory);
        DamagedPacks.putAside(lease.directory(), Disk.REAL);
        DamagedPacks.putAside(directory.resolve("elsewhere"), Disk.REAL);
        assertEquals(before, Listing.below(directory));
    }

    @Test
    void aPackThatWasCutShortIsKeptUnderAnotherNameAndItsObjectsAreMissed() throws IOException {
        cut(pack, Files.size(pack) / 2);
        var left = Files.readAllBytes(pack);
        lease.markLacking();
        assertEquals(2, names().size());
        assertTrue(names().stream().allMatch(name -> name.endsWith(".damaged")), names()::toString);
        assertArrayEquals(left, Files.readAllBytes(find(".pack.damaged")));
        repositories.reopen(lease.address());
        try (var again = repositories.find(lease.address()).orElseThrow()) {
            assertTrue(again.isLacking());
            assertFalse(Inventory.of(again).has(GitIds.of(one)));
            Home.receive(repositories, again, elsewhere, one);
            assertTrue(Files.exists(pack), "it has the same name as before");
            assertTrue(Inventory.of(again).has(GitIds.of(one)));
        }
    }

    @Test
    void whatIsTooShortForAnyPackGoesAside() throws IOException {
        cut(pack, 3);
        DamagedPacks.putAside(lease.directory(), Disk.REAL);
        assertTrue(names().stream().allMatch(name -> name.endsWith(".damaged")), names()::toString);
    }

    /// Somebody may be bringing the other half.
    @Test
    void halvesAreLeftAlone() throws IOException {
        Files.delete(pack);
        DamagedPacks.putAside(lease.directory(), Disk.REAL);
        assertEquals(List.of(find(".idx").getFileName().toString()), names());
    }
}
