package dev.grapnel.git.repository;

import static dev.grapnel.git.repository.Home.ALICE;
import static dev.grapnel.git.repository.Home.BOB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.Disk;
import dev.grapnel.git.GitProgram;
import dev.grapnel.git.Listing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is put aside can be brought back, for a while.
final class TrashTest {
    @TempDir
    Path data;

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private Repositories repositories;

    @BeforeEach
    void open() throws IOException {
        repositories = Repositories.open(data, RepositoriesConfig.defaults(), () -> now, Disk.REAL, EntryNames::probe);
    }

    @AfterEach
    void close() throws IOException {
        repositories.close();
    }

    @Test
    void trashedRepositoryIsGoneUntilItIsRestoredAsItWas() throws IOException {
        var address = Home.of(ALICE, "my 💥 repo");
        Trashed trashed;
        try (var lease = repositories.create(address)) {
            var source = new GitProgram(lease.directory());
            var commit = source.commit("hello");
            Home.point(lease, "main", commit);
            trashed = repositories.trash(address).orElseThrow();
        }
        assertEquals(address, trashed.address());
        assertEquals(now, trashed.time());
        assertTrue(repositories.find(address).isEmpty());
        assertEquals(List.of(trashed), repositories.listTrash());
        assertEquals(Restoration.DONE, repositories.restore(trashed));
        try (var lease = repositories.find(address).orElseThrow()) {
            assertEquals(1, lease.refs().current().values().size());
            assertEquals("", Home.faults(lease));
        }
        assertEquals(List.of(), repositories.listTrash());
        assertEquals(Restoration.OCCUPIED, repositories.restore(trashed));
        repositories.remove(address);
        assertEquals(Restoration.GONE, repositories.restore(trashed));
    }

    @Test
    void nothingIsRestoredOverAnotherRepository() throws IOException {
        var address = Home.of(ALICE, "tool");
        repositories.create(address).close();
        var trashed = repositories.trash(address).orElseThrow();
        repositories.create(address).close();
        assertEquals(Restoration.OCCUPIED, repositories.restore(trashed));
        assertEquals(List.of(trashed), repositories.listTrash());
    }

    @Test
    void severalOfOneAddressAreKeptApartAndPurgedByTime() throws IOException {
        var address = Home.of(ALICE, "tool");
        for (int i = 0; i < 3; i++) {
            repositories.create(address).close();
            assertTrue(repositories.trash(address).isPresent());
        }
        now = now.plus(Duration.ofDays(90));
        repositories.create(Home.of(BOB, "tool")).close();
        var last = repositories.trash(Home.of(BOB, "tool")).orElseThrow();
        assertEquals(4, repositories.listTrash().size());
        assertEquals(3, repositories.purgeTrash(now));
        assertEquals(List.of(last), repositories.listTrash());
        assertEquals(0, repositories.purgeTrash(now));
        assertEquals(List.of(), Listing.of(data.resolve(".grapnel/doomed")));
    }

    @Test
    void trashOutlivesTheProcessAndItsUnfinishedEntriesDoNot() throws IOException {
        repositories.create(Home.of(ALICE, "tool")).close();
        var trashed = repositories.trash(Home.of(ALICE, "tool")).orElseThrow();
        Files.createDirectory(data.resolve(".grapnel/trash/17-0"));
        Files.writeString(data.resolve(".grapnel/trash/17-0/label"), "17\nx");
        repositories.close();
        open();
        assertEquals(List.of(trashed), repositories.listTrash());
        assertEquals(1, Listing.of(data.resolve(".grapnel/trash")).size());
    }
}
