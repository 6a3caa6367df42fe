package dev.grapnel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.GitIds;
import dev.grapnel.git.GitProgram;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.purgatory.hunt.Answer;
import dev.grapnel.purgatory.hunt.HuntPicture;
import dev.grapnel.server.git.StockHost;
import dev.grapnel.store.StoreSamples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Servers that do not have or give everything, and rooms that are full: what can be had comes all the same.
final class HuntLimitsTest {
    private static final int ANN = 1;
    private static final Identifier X = new Identifier("x");
    private static final int BLOB = 30_000;
    private static final List<String> GONE = List.of("refs/heads/gone", "2".repeat(40));

    @TempDir
    Path directory;

    private StockHost host;
    /// Speaks version 0 only.
    private StockHost old;
    private GraspUnderTest server;

    @BeforeEach
    void open() throws IOException {
        var root = Files.createDirectory(directory.resolve("elsewhere"));
        host = new StockHost(root);
        old = new StockHost(root, false);
        server = GraspUnderTest.start(
                directory.resolve("here"),
                new GraspUnderTest.Clock(),
                "HUNT_ENABLED",
                "true",
                "ADDRESS_ALLOW",
                "127.0.0.0/8",
                "SYNC_LOOP_INTERVAL_MS",
                "5",
                "HUNT_AREA_MAX_BYTES",
                String.valueOf(3 * BLOB));
    }

    @AfterEach
    void close() {
        server.close();
        host.close();
        old.close();
    }

    private GitProgram repository() throws IOException {
        var git = new GitProgram(Files.createDirectory(directory.resolve("elsewhere/x.git")));
        git.run("init", "--bare", "--quiet", "--initial-branch=main", ".");
        return git;
    }

    private void announce(StockHost where) {
        server.sync(StoreSamples.event(
                ANN,
                Kinds.ANNOUNCEMENT,
                server.now(),
                List.of(
                        List.of("d", X.text()),
                        List.of(
                                "clone",
                                GraspUnderTest.cloneUrl(ANN, X.text()),
                                where.url(directory.resolve("elsewhere/x.git"))),
                        List.of("relays", "wss://" + GraspUnderTest.DOMAIN)),
                ""));
    }

    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    private Event state(List<String>... refs) {
        var state = server.stateAt(server.now(), ANN, X.text(), refs);
        server.sync(state);
        server.pass(Duration.ofMillis(500));
        return state;
    }

    private static List<String> ref(String name, Oid id) {
        return List.of(name, id.toString());
    }

    private Optional<HuntPicture> hunt() {
        return server.service().hunting().hunt().picture(X);
    }

    private void await(Callable<Boolean> isSo) throws Exception {
        long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        while (!isSo.call()) {
            assertTrue(System.nanoTime() < end, () -> "it does not happen: " + hunt());
            Thread.onSpinWait();
        }
    }

    private void awaitAttempts(int attempts) throws Exception {
        await(() -> hunt().filter(one -> !one.isRunning() && one.attempts() == attempts)
                .isPresent());
    }

    /// The attempt is over, too.
    private void awaitResult(String result) throws Exception {
        await(() -> hunt().filter(one -> !one.isRunning())
                .filter(one -> one.answers().stream()
                        .anyMatch(answer -> answer.result().equals(result)))
                .isPresent());
    }

    private boolean hasHunted(Oid id) throws IOException {
        try (var area = server.service().repositories().hunting().open(X).orElseThrow();
                var reader = area.newReader()) {
            return reader.has(GitIds.of(id));
        }
    }

    /// Incompressible; a commit has it twice.
    private static String blob(int seed) {
        var bytes = new byte[BLOB];
        new SplittableRandom(seed).nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /// Row 141.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void twoOfThreeObjectsComeFromAServerThatLacksTheThird(boolean isVersion2) throws Exception {
        var elsewhere = repository();
        elsewhere.run("config", "uploadpack.allowAnySHA1InWant", "true");
        var one = elsewhere.commit("one");
        var two = elsewhere.commit("two");
        elsewhere.run("update-ref", "refs/heads/main", one.toString());
        elsewhere.run("update-ref", "refs/heads/dev", two.toString());
        announce(isVersion2 ? host : old);
        state(ref("refs/heads/main", one), GONE, ref("refs/heads/dev", two));
        awaitAttempts(1);
        assertTrue(hasHunted(one));
        assertTrue(hasHunted(two));
        assertEquals(
                List.of("ok"),
                hunt().orElseThrow().answers().stream().map(Answer::result).toList());
        assertEquals(1, hunt().orElseThrow().missing());
    }

    /// Row 142: version 0 without the right to ask for anything else.
    @Test
    void branchOfTheSameNameIsTakenWhereOthersAreNotGiven() throws Exception {
        var elsewhere = repository();
        var one = elsewhere.commit("one");
        var two = elsewhere.commit("two", one);
        var other = elsewhere.commit("other");
        elsewhere.run("update-ref", "refs/heads/main", two.toString());
        elsewhere.run("update-ref", "refs/heads/other", other.toString());
        announce(old);
        var state = state(ref("refs/heads/main", one));
        await(() -> server.isServed(state));
        assertTrue(server.advertisement(ANN, "x").contains(one + " refs/heads/main"));
        assertFalse(server.advertisement(ANN, "x").contains(two.toString()), "what nobody signed is not shown");
        assertEquals(2, old.requests(), "once a visit");
    }

    /// Row 142: an annotated tag that is declared by what it stands for.
    @Test
    void whatATagStandsForComesFromAServerThatGivesTheTagOnly() throws Exception {
        var elsewhere = repository();
        var one = elsewhere.commit("one");
        var two = elsewhere.commit("two", one);
        elsewhere.tag("v1", one);
        elsewhere.run("update-ref", "refs/heads/main", two.toString());
        announce(old);
        var state = state(ref("refs/tags/v1", one), ref("refs/heads/main", two));
        await(() -> server.isServed(state));
    }

    /// P-807: data of an event that expired fills the area of the identifier, while another one waits.
    @Test
    void fullAreaIsClearedOfWhatNothingWaitsFor() throws Exception {
        var elsewhere = repository();
        var first = elsewhere.commit(blob(1));
        var young = elsewhere.commit(blob(2));
        elsewhere.run("update-ref", "refs/heads/main", first.toString());
        announce(host);
        var expiring = state(ref("refs/heads/main", first), GONE);
        awaitAttempts(1);
        assertTrue(hasHunted(first));
        elsewhere.run("update-ref", "refs/heads/main", young.toString());
        server.pass(Duration.ofSeconds(1770));
        var state = state(ref("refs/heads/main", young));
        awaitResult("area_full");
        assertTrue(hasHunted(first), "it waits still");
        server.pass(Duration.ofSeconds(30));
        server.sweep();
        await(() -> !server.isHeld(expiring));
        for (int round = 0; round < 9 && !server.isServed(state); round++) {
            int before = hunt().map(HuntPicture::attempts).orElse(0);
            server.pass(Duration.ofMinutes(2));
            await(() -> server.isServed(state)
                    || hunt().filter(one -> !one.isRunning() && one.attempts() > before)
                            .isPresent());
        }
        assertTrue(server.isServed(state));
        await(() -> server.service().repositories().hunting().list().isEmpty());
    }

    /// P-807: what another event waits for is kept.
    @Test
    void fullAreaKeepsWhatSomethingWaitsFor() throws Exception {
        var elsewhere = repository();
        var first = elsewhere.commit(blob(1));
        var young = elsewhere.commit(blob(2));
        elsewhere.run("update-ref", "refs/heads/main", first.toString());
        announce(host);
        state(ref("refs/heads/main", first), ref("refs/heads/next", young));
        awaitAttempts(1);
        elsewhere.run("update-ref", "refs/heads/next", young.toString());
        server.pass(Duration.ofSeconds(20));
        awaitResult("area_full");
        assertTrue(hasHunted(first));
    }
}
