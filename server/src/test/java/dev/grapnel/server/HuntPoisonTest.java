package dev.grapnel.server;

import static dev.grapnel.server.PushStory.ANN;
import static dev.grapnel.server.PushStory.BOB;
import static dev.grapnel.server.PushStory.CAROL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.GitIds;
import dev.grapnel.git.GitProgram;
import dev.grapnel.git.repository.GitCaches;
import dev.grapnel.git.repository.GitLibrary;
import dev.grapnel.git.repository.Home;
import dev.grapnel.git.repository.HuntingLimits;
import dev.grapnel.git.repository.RepositoriesConfig;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.repository.Identifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What was fetched for one owner and cannot be looked through is nothing to all others of the same name.
@Timeout(120)
final class HuntPoisonTest {
    private static final Identifier TOOL = new Identifier("tool");
    private static final int MIB = 1 << 20;

    @TempDir
    private Path directory;

    private PushStory story;
    private Event poisoned;
    private String poison;

    /// Ann's repository is served. Bob's state names a commit that is too large to be looked through, and that was
    /// fetched.
    @BeforeEach
    void open() throws IOException, InterruptedException {
        story = new PushStory(directory, "HUNT_ENABLED", "false");
        GitLibrary.configure(new GitCaches(MIB, MIB, MIB, 64));
        story.serve(ANN, "tool");
        story.publish(story.server().announcement(BOB, "tool"));
        var git = new GitProgram(story.work());
        poison = git.feed(
                "tree " + git.run("rev-parse", "HEAD^{tree}").strip()
                        + "\nauthor A <a@example.org> 1 +0000\ncommitter A <a@example.org> 1 +0000\n\n"
                        + "x".repeat(2 * MIB),
                "hash-object",
                "-w",
                "-t",
                "commit",
                "--stdin");
        hunt(false);
        poisoned = story.publish(story.state(BOB, "tool", poison.strip()));
        story.server().awaitReconciled();
    }

    @AfterEach
    void close() {
        story.close();
        GitLibrary.configure(RepositoriesConfig.defaults().caches());
    }

    private void hunt(boolean isClosed) throws IOException {
        var hunting = story.server().service().repositories().hunting();
        try (var quarantine = hunting.receive(TOOL, List.of(), HuntingLimits.DEFAULTS)) {
            Home.pack(new GitProgram(story.work()), quarantine.packDirectory(), GitProgram.oid(poison));
            assertTrue(quarantine.moveIn(isClosed));
        }
    }

    private boolean isHunted() throws IOException {
        var area = story.server().service().repositories().hunting().open(TOOL);
        if (area.isEmpty()) {
            return false;
        }
        try (var objects = area.get();
                var reader = objects.newReader()) {
            return reader.has(GitIds.of(GitProgram.oid(poison)));
        }
    }

    private void assertOthersGoOn() throws InterruptedException {
        story.server().pass(Duration.ofSeconds(1));
        var next = story.commit("next");
        var state = story.publish(story.state(ANN, "tool", next));
        story.push(ANN, "tool", "main").orFail();
        story.server().awaitReconciled();
        assertTrue(story.server().isServed(state));
        assertTrue(story.refs(ANN, "tool").contains(next + " refs/heads/main"));

        story.publish(story.server().announcement(CAROL, "tool"));
        var other = story.publish(story.state(CAROL, "tool", next));
        story.server().awaitReconciled();
        assertTrue(story.server().isServed(other), "somebody new has what others show");
    }

    @Test
    void othersPushAndAreServed() throws IOException, InterruptedException {
        assertOthersGoOn();
        assertTrue(story.server().isHeld(poisoned));
        assertFalse(isHunted());
    }

    /// A pack of which nothing leads outside is not read until it is copied from.
    @Test
    void othersPushAndAreServedBesideAWholePack() throws IOException, InterruptedException {
        hunt(true);
        assertTrue(story.server().service().hunting().world().reconcile(TOOL), "the run comes to its end");
        assertOthersGoOn();
        assertTrue(story.server().isHeld(poisoned));
        assertFalse(isHunted());
    }

    @Test
    void hunterLooksAndSeesThatItIsMissing() throws IOException {
        hunt(false);
        var needs = story.server().service().hunting().world().look(TOOL).needs();
        assertEquals(
                List.of(poisoned.id()), needs.stream().map(need -> need.event()).toList());
        assertFalse(isHunted());
    }

    @Test
    void itExpiresLikeEverythingElse() throws IOException, InterruptedException {
        for (int i = 0; i < 3; i++) {
            hunt(false);
            assertTrue(story.server().service().hunting().world().reconcile(TOOL), "the run comes to its end");
        }
        story.server().pass(Duration.ofMinutes(31));
        story.server().sweep();
        assertFalse(story.server().isHeld(poisoned));
    }

    /// What ended one process does not end the next.
    @Test
    void serverThatEndedOverAnAreaStartsWithoutIt() throws IOException, InterruptedException {
        hunt(false);
        story.stop();
        try (var areas = Files.list(story.data().resolve("git/.grapnel/hunting"))) {
            Files.createFile(areas.findFirst().orElseThrow().resolve("reading"));
        }
        story.restart();
        story.server().awaitReconciled();
        assertFalse(story.server().service().repositories().hunting().isThere(TOOL));
        assertTrue(story.server().isHeld(poisoned));
    }
}
