package dev.grapnel.git.maintenance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.Disk;
import dev.grapnel.git.repository.Repositories;
import dev.grapnel.git.repository.RepositoriesConfig;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@NullUnmarked
@Timeout(120)
final class MaintenanceTest {
    private static final FullRepack.Others OTHERS =
            new FullRepack.Others(KeepRoots.NONE, new FormerTips(Disk.REAL, InstantSource.system()), Uses.NOBODY);

    @TempDir
    private Path temporary;

    private Path data;
    private Repositories repositories;
    private PushedRepository repository;

    @BeforeEach
    void make() throws IOException {
        data = temporary.resolve("data");
        repositories = Repositories.open(data, RepositoriesConfig.defaults(), InstantSource.system());
        repository = new PushedRepository(temporary, 30, 6);
    }

    @AfterEach
    void close() throws IOException {
        repositories.close();
    }

    private static RepositoryAddress address(int owner) {
        var key = new byte[32];
        key[0] = (byte) owner;
        return new RepositoryAddress(PublicKey.of(key, 0), new Identifier("sample"));
    }

    private PushedRepository host(int owner) throws IOException {
        var home = data.resolve(new Npub(address(owner).owner()).text());
        Files.createDirectories(home);
        return repository.copyTo(home.resolve("sample.git"));
    }

    private Maintenance start(Duration lookEvery) {
        var config = new MaintenanceConfig(Duration.ofMillis(20), 50, 100, lookEvery, 1, 1L << 40);
        return start(config, Surroundings.REAL);
    }

    private Maintenance start(MaintenanceConfig config, Surroundings surroundings) {
        var maintenance = new Maintenance(
                config, new UpkeepConfig(Duration.ofHours(24), 50, 256 << 20), surroundings, repositories, OTHERS);
        maintenance.start();
        return maintenance;
    }

    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Test
    void repositoryThatChangedIsVisited() throws Exception {
        repository.push(20);
        repository.push(5);
        var hosted = host(1);
        try (var maintenance = start(Duration.ofHours(1))) {
            maintenance.noteChange(address(1));
            maintenance.noteChange(address(9)); // does not exist any more
            await(() -> maintenance.counts().bytesWritten() > 0
                    && maintenance.counts().waiting() == 0);
            await(() -> count(hosted) == 3);
            assertEquals(1, maintenance.counts().visits());
            assertEquals(0, maintenance.counts().failures());
        }
        assertEquals(1, hosted.packCount());
        hosted.assertSound();
    }

    private static int count(PushedRepository hosted) {
        try {
            return hosted.files().size();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void whatNobodyNotedIsFoundAndEqualPacksAreLinkedAgain() throws Exception {
        repository.push(5);
        var first = host(1);
        var second = host(2);
        var pack = first.files().stream()
                .filter(file -> file.endsWith(".pack"))
                .findFirst()
                .orElseThrow();
        assertFalse(Files.isSameFile(first.packs().resolve(pack), second.packs().resolve(pack)));
        try (var maintenance = start(Duration.ofMillis(50))) {
            await(() -> maintenance.counts().visits() >= 4);
        }
        assertTrue(Files.isSameFile(first.packs().resolve(pack), second.packs().resolve(pack)));
        second.assertSound();
    }

    @Test
    void packsOfOneNameAndDifferentContentStayApart() throws Exception {
        repository.push(5);
        var first = host(1);
        var second = host(2);
        var file = first.files().stream()
                .filter(name -> name.endsWith(".pack"))
                .findFirst()
                .orElseThrow();
        var bytes = Files.readAllBytes(first.packs().resolve(file));
        bytes[bytes.length / 2] ^= 1;
        Files.delete(first.packs().resolve(file));
        Files.write(first.packs().resolve(file), bytes);
        var places = List.of(first.place(), second.place());
        assertEquals(0, new Relink(Disk.REAL, Pace.FREE).run(places));
        second.assertSound();
    }

    @Test
    void closingEndsWorkAtOnce() throws Exception {
        repository.push(20);
        var hosted = host(1);
        var config = new MaintenanceConfig(Duration.ZERO, 1, 100, Duration.ofHours(1), 0.5, 1); // a byte in a second
        var maintenance = start(config, Surroundings.REAL);
        maintenance.noteChange(address(1));
        await(() -> count(hosted) > 2);
        maintenance.close();
        hosted.assertSound();
        assertEquals(1, hosted.packCount());
    }
}
