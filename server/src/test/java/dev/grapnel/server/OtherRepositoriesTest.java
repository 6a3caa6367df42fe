package dev.grapnel.server;

import static dev.grapnel.server.PushStory.ANN;
import static dev.grapnel.server.PushStory.BOB;
import static dev.grapnel.server.PushStory.CAROL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What pushes have to do with repositories that they do not go to.
final class OtherRepositoriesTest {
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

    private void serveStrangersOfOneName() {
        story.serve(ANN, "z");
        story.server().pass(Duration.ofSeconds(1));
        story.serve(BOB, "z");
    }

    /// README I-14: two owners with the same identifier never influence each other.
    private void assertAnnCanPush() {
        story.server().pass(Duration.ofSeconds(1));
        var next = story.commit("next");
        story.publish(story.state(ANN, "z", next));
        story.push(ANN, "z", "main").orFail();
        assertTrue(story.refs(ANN, "z").contains(next + " refs/heads/main"));
        var proposal = story.proposal(CAROL, story.aside("side"), GraspUnderTest.coordinate(ANN, "z"));
        story.publish(proposal);
        story.propose("side", proposal, ANN, "z").orFail();
        assertTrue(story.server().isServed(proposal));
    }

    @Test
    void strangerWhosePacksAreGoneHindersNobody() throws IOException {
        serveStrangersOfOneName();
        story.stop();
        try (Stream<Path> packs = Files.list(story.onDisk(BOB, "z").resolve("objects/pack"))) {
            for (var pack : packs.toList()) {
                Files.delete(pack);
            }
        }
        story.restart();
        assertAnnCanPush();
    }

    @Test
    void strangerWhoseRefsCannotBeReadHindersNobody() throws IOException {
        serveStrangersOfOneName();
        story.stop();
        Files.writeString(story.onDisk(BOB, "z").resolve("packed-refs"), "garbage\0\n!!");
        story.restart();
        assertAnnCanPush();
    }

    /// README I-7: whoever reads ok finds everything that the push let go of.
    @Test
    void proposalPushedToARepositoryOfAnotherNameIsServedBeforeThePushIsAnswered() throws IOException {
        story.serve(ANN, "x");
        story.serve(BOB, "other");
        for (int i = 0; i < 5; i++) {
            var side = "side" + i;
            var proposal = story.proposal(CAROL, story.aside(side), GraspUnderTest.coordinate(ANN, "x"));
            story.publish(proposal);
            story.propose(side, proposal, BOB, "other").orFail();
            assertTrue(story.server().isServed(proposal), side);
            assertTrue(story.shows(proposal, ANN, "x"), side);
        }
    }

    private static void await(Callable<Boolean> isSo) throws Exception {
        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!isSo.call()) {
            assertTrue(System.nanoTime() < end, "it does not happen");
            Thread.onSpinWait();
        }
    }

    /// What the pack rests on went with the repository; the client's pack is not to blame.
    @Test
    void pushToARepositoryThatGoesMeanwhileIsToldSo() throws Exception {
        var first = story.serve(ANN, "x");
        story.server().pass(Duration.ofSeconds(1));
        var second = story.commit("second");
        story.publish(story.state(ANN, "x", second));
        var pack = HalfPush.pack(story, second, first);
        try (var push = new HalfPush(story.url(ANN, "x"), "", "refs/heads/main", first, second, pack).send(20)) {
            await(() -> story.server().metric("grapnel_git_requests") == 1);
            story.server().pass(Duration.ofSeconds(1));
            story.publish(story.server()
                    .deletionAt(story.server().now(), ANN, List.of(List.of("a", GraspUnderTest.coordinate(ANN, "x")))));
            await(() -> !story.server().isOnDisk(ANN, "x"));
            var answer = push.finish();
            assertTrue(answer.contains("No repository announcement found for owner"), answer);
        }
        assertEquals(0, story.server().service().repositories().staging().list().size());
    }
}
