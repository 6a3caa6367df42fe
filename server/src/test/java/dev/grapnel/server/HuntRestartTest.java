package dev.grapnel.server;

import static dev.grapnel.server.HuntSite.ANN;
import static dev.grapnel.server.HuntSite.CAROL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.GitProgram;
import dev.grapnel.nostr.repository.Oid;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What waited before a start is hunted after it (purgatory 7.5, step 8).
@Timeout(120)
final class HuntRestartTest {
    @TempDir
    Path directory;

    private HuntSite site;
    private GitProgram elsewhere;
    private Oid one;

    @BeforeEach
    void open() throws Exception {
        site = new HuntSite(directory);
        elsewhere = site.repository("x");
        one = elsewhere.commit("one");
        elsewhere.run("update-ref", "refs/heads/main", one.toString());
    }

    @AfterEach
    void close() {
        site.close();
    }

    private Duration untilNext() {
        Instant next = site.hunt("x").orElseThrow().nextAttempt().orElseThrow();
        return Duration.between(site.server().clock().instant(), next);
    }

    /// Row 152.
    @Test
    void whatAClientSentWaitsForTheRestOfItsTime() throws Exception {
        site.server().direct(site.announcement(ANN, "x", site.url("x")));
        var state = site.state(ANN, "x", one);
        site.server().direct(state);
        site.server().pass(Duration.ofSeconds(100));
        site.restart();
        assertEquals(Duration.ofSeconds(80), untilNext());
        site.server().pass(Duration.ofSeconds(79));
        assertEquals(0, site.host().requests());
        site.server().pass(Duration.ofSeconds(1));
        site.await(() -> site.server().isServed(state));
    }

    @Test
    void timeWithoutAServerCountsButAllComeTogether() {
        site.server().direct(site.announcement(ANN, "x", site.url("x")));
        site.server().direct(site.state(ANN, "x", one));
        site.server().clock().advance(Duration.ofMinutes(5));
        site.restart();
        assertEquals(Duration.ofMillis(500), untilNext());
    }

    /// Row 152.
    @Test
    void anIdentifierUnderWhichOnlyAPullRequestWaitsIsHunted() throws Exception {
        site.publish(ANN, "x", one, site.url("x"));
        var idea = elsewhere.commit("idea", one);
        elsewhere.run("update-ref", "refs/heads/idea", idea.toString());
        var proposal = site.proposal(CAROL, ANN, "x", idea, site.url("x"));
        site.server().sync(proposal);
        assertTrue(site.server().isHeld(proposal));
        site.restart();
        assertEquals(Duration.ofMillis(500), untilNext());
        site.server().pass(Duration.ofMillis(500));
        site.await(() -> site.server().isServed(proposal));
    }
}
