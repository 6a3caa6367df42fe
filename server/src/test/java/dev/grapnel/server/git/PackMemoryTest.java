package dev.grapnel.server.git;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.push.PushLimits;
import dev.grapnel.server.address.AddressLimits;
import dev.grapnel.server.address.ClientAddress;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What packs in the making may take of the heap.
final class PackMemoryTest {
    private static final ClientAddress ANN = ClientAddress.parse("203.0.113.7").require();
    private static final ClientAddress BOB = ClientAddress.parse("203.0.113.8").require();
    private static final ClientAddress HERE = ClientAddress.parse("127.0.0.1").require();

    private final PackMemory memory = new PackMemory(100, 50, AddressLimits.DEFAULTS);

    private Optional<PackMemory.Held> take(ClientAddress address, long bytes) {
        return memory.take(address, bytes, Duration.ZERO);
    }

    @Test
    void whatIsHeldIsMissingUntilItIsGivenBack() {
        var first = take(ANN, 60).orElseThrow();
        assertTrue(take(BOB, 41).isEmpty());
        var second = take(BOB, 40).orElseThrow();
        assertTrue(take(HERE, 1).isEmpty());
        first.shrinkTo(10);
        assertTrue(take(HERE, 51).isEmpty());
        take(HERE, 50).orElseThrow().close();
        first.close();
        first.close();
        second.close();
        assertTrue(take(BOB, 100).isPresent());
    }

    @Test
    void neverMoreThanWasTakenIsCounted() {
        var first = take(ANN, 60).orElseThrow();
        first.shrinkTo(1000);
        assertTrue(take(BOB, 40).isPresent());
    }

    @Test
    void oneAddressLeavesSomeForOthers() {
        assertTrue(take(ANN, 30).isPresent());
        assertTrue(take(ANN, 21).isEmpty());
        assertTrue(take(ANN, 20).isPresent());
        assertTrue(take(ANN, 1).isEmpty());
        assertTrue(take(BOB, 50).isPresent());
    }

    @Test
    void whoeverHoldsNothingMayHaveAllOfIt() {
        var all = take(ANN, 1_000_000).orElseThrow();
        assertTrue(take(BOB, 1).isEmpty());
        all.close();
        assertTrue(take(BOB, 100).isPresent());
    }

    @Test
    void thisMachineHasNoShareOfItsOwn() {
        assertTrue(take(HERE, 50).isPresent());
        assertTrue(take(HERE, 50).isPresent());
    }

    @Test
    void whoWaitsGetsWhatOthersGiveBack() throws Exception {
        var all = take(ANN, 100).orElseThrow();
        var waiting = CompletableFuture.supplyAsync(() -> memory.take(BOB, 100, Duration.ofMinutes(1)));
        all.close();
        assertTrue(waiting.get(30, TimeUnit.SECONDS).isPresent());
    }

    @Test
    void repositoryThatDoesNotFitIsRefusedInWords(@TempDir Path directory) throws IOException {
        var git = new GitClient(Files.createDirectory(directory.resolve("home")));
        var work = git.init("work");
        git.run(work, manyFiles(30_000), "fast-import", "--quiet").orFail();
        var config = new GitConfig(
                1,
                2,
                2,
                1 << 20,
                Duration.ofSeconds(30),
                16L << 20,
                PushLimits.DEFAULTS,
                Duration.ofMinutes(1),
                1 << 20,
                Duration.ofSeconds(1));
        try (var site = new GitSite(directory.resolve("site"), config, Duration.ofSeconds(30), _ -> false)) {
            git.ok(work, "push", "--quiet", site.url("x"), "main");
            var clone = git.run(directory, "clone", "--quiet", site.url("x"), "clone");
            assertEquals(128, clone.code(), clone.err());
            assertTrue(clone.err().contains("not enough memory to list more than 2621 objects"), clone.err());
            git.ok(directory, "clone", "--quiet", "--filter=tree:0", "--no-checkout", site.url("x"), "small");
            git.ok(directory, "ls-remote", "--quiet", site.url("x"));
        }
    }

    private static byte[] manyFiles(int count) {
        var stream = new StringBuilder("commit refs/heads/main\ncommitter A <a@example.org> 1 +0000\ndata 0\n");
        for (int i = 0; i < count; i++) {
            stream.append("M 100644 inline f")
                    .append(i)
                    .append("\ndata 5\n")
                    .append(10_000 + i)
                    .append('\n');
        }
        return stream.toString().getBytes(StandardCharsets.US_ASCII);
    }
}
