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
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
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
        var hosted = repository.copyTo(home.resolve("sample.git"));
        Files.writeString(
                home.resolve("sample.git/config"),
                "[grapnel]\n\tidentifier = sample\n",
                StandardOpenOption.APPEND); // as if it were made here
        return hosted;
    }

    /// Purgatory 7.6: nobody knows yet what of it events need.
    @Test
    void repositoriesOfAnotherServerAreLeftAlone() throws Exception {
        repository.pushOneByOne(12);
        var ours = host(1);
        var home = Files.createDirectories(data.resolve(new Npub(address(2).owner()).text()));
        var foreign = repository.copyTo(home.resolve("sample.git"));
        try (var maintenance = startAnew(_ -> {})) {
            await(() -> maintenance.counts().visits() >= 1);
        }
        assertEquals(1, ours.packCount());
        assertEquals(12, foreign.packCount());
    }

    private Maintenance start(Duration lookEvery) {
        var config = new MaintenanceConfig(Duration.ofMillis(20), 50, 100, lookEvery, lookEvery, 1, 1L << 40);
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
            if (Thread.currentThread().isInterrupted()) {
                throw new AssertionError("it did not happen in time");
            }
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
        var hour = Duration.ofHours(1);
        var config = new MaintenanceConfig(Duration.ZERO, 1, 100, hour, hour, 0.5, 1); // a byte in a second
        var maintenance = start(config, Surroundings.REAL);
        maintenance.noteChange(address(1));
        await(() -> count(hosted) > 2);
        maintenance.close();
        hosted.assertSound();
        assertEquals(1, hosted.packCount());
    }

    /// So that a look is due at once, and every step is long enough to be rested from.
    private static LongSupplier hastyClock() {
        var now = new AtomicLong();
        return () -> now.addAndGet(Duration.ofMillis(60).toNanos());
    }

    private Maintenance startAnew(Pauser pauser) {
        return start(
                new MaintenanceConfig(
                        Duration.ZERO, 1, 100, Duration.ofMillis(1), Duration.ofDays(1000), 0.5, 1L << 40),
                new Surroundings(Disk.REAL, pauser, InstantSource.system(), hastyClock()));
    }

    @Test
    void packsThatWaitedDuringARestartAreMergedWithoutAnyPush() throws Exception {
        repository.pushOneByOne(12);
        var hosted = host(1);
        assertEquals(12, hosted.packCount());
        try (var maintenance = startAnew(_ -> {})) {
            await(() -> maintenance.counts().visits() >= 1);
        }
        assertEquals(1, hosted.packCount());
        hosted.assertSound();
    }

    @Test
    void lookAtAllIsRestedFromAfterEachRepository() throws Exception {
        for (int owner = 1; owner <= 5; owner++) {
            repositories.create(address(owner)).close();
        }
        var pauses = new AtomicInteger();
        try (var maintenance = startAnew(_ -> pauses.incrementAndGet())) {
            await(() -> maintenance.counts().visits() == 5 && pauses.get() >= 5);
        }
        assertEquals(5, pauses.get());
    }

    @Test
    void repositoryThatChangesDuringALookAtAllDoesNotWaitForItsEnd() throws Exception {
        repository.pushOneByOne(12);
        for (int owner = 1; owner <= 5; owner++) {
            repositories.create(address(owner)).close();
        }
        var rests = new AtomicInteger();
        var visitsAtMerge = new AtomicLong();
        var running = new AtomicReference<Maintenance>();
        var hosted = new AtomicReference<PushedRepository>();
        Pauser pauser = _ -> {
            if (rests.incrementAndGet() == 1) {
                await(() -> running.get() != null);
                hosted.set(hostUnchecked(9));
                running.get().noteChange(address(9));
            } else if (visitsAtMerge.get() == 0 && isMerged(hosted.get())) {
                visitsAtMerge.set(running.get().counts().visits());
            }
        };
        try (var maintenance = startAnew(pauser)) {
            running.set(maintenance);
            await(() -> visitsAtMerge.get() > 0 && maintenance.counts().visits() == 6);
        }
        assertTrue(visitsAtMerge.get() <= 3, "merged after " + visitsAtMerge + " visits");
    }

    private PushedRepository hostUnchecked(int owner) {
        try {
            return host(owner);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static boolean isMerged(PushedRepository hosted) {
        try {
            return hosted.packCount() == 1;
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
