package dev.grapnel.server;

import static dev.grapnel.server.PushStory.ANN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.GitProgram;
import dev.grapnel.git.repository.Home;
import dev.grapnel.git.repository.HuntingLimits;
import dev.grapnel.nostr.repository.Identifier;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What was fetched from elsewhere belongs to nobody until an event that names it is served.
final class HuntedObjectsTest {
    @TempDir
    private Path directory;

    private PushStory story;

    @BeforeEach
    void open() throws IOException {
        story = new PushStory(directory);
    }

    @AfterEach
    void close() {
        story.close();
    }

    /// What a fetch would leave, while the server is down.
    private void hunt(String tip) throws IOException {
        story.stop();
        try (var repositories = Home.open(story.data().resolve("git"));
                var quarantine =
                        repositories.hunting().receive(new Identifier("x"), List.of(), HuntingLimits.DEFAULTS)) {
            Home.pack(new GitProgram(story.work()), quarantine.packDirectory(), GitProgram.oid(tip));
            assertTrue(quarantine.moveIn(false));
        }
        story.restart();
    }

    /// By somebody who has nothing yet.
    private int fetch(String into, String id) {
        return story.git()
                .run(story.git().init(into), "fetch", "--quiet", story.url(ANN, "x"), id)
                .code();
    }

    /// Row 143 and P-663: one of two commits is there, then the other.
    @Test
    void fetchedObjectsCanBeFetchedFromUsOnlyAfterTheirRelease() throws IOException, InterruptedException {
        story.serve(ANN, "x");
        story.server().pass(Duration.ofSeconds(1));
        var main = story.commit("second");
        var side = story.aside("side");
        var state = story.server()
                .stateAt(
                        story.server().now(),
                        ANN,
                        "x",
                        List.of("refs/heads/main", main),
                        List.of("refs/heads/side", side));
        story.publish(state);
        assertTrue(story.server().isHeld(state));

        hunt(main);
        story.server().awaitReconciled();
        assertTrue(story.server().isHeld(state));
        assertNotEquals(0, fetch("early", main));
        assertFalse(story.refs(ANN, "x").toString().contains(main));

        hunt(side);
        story.server().awaitReconciled();
        assertTrue(story.server().isServed(state));
        assertEquals(0, fetch("later", main));
        assertEquals(0, fetch("last", side));
        assertEquals(
                List.of(main + " HEAD", main + " refs/heads/main", side + " refs/heads/side"), story.refs(ANN, "x"));
    }
}
