package dev.grapnel.server;

import static dev.grapnel.server.GraspUnderTest.coordinate;
import static dev.grapnel.server.GraspUnderTest.maintainers;
import static dev.grapnel.server.PushStory.ANN;
import static dev.grapnel.server.PushStory.BOB;
import static dev.grapnel.server.PushStory.CAROL;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A server that was down for longer than things wait serves what has its data before it lets go of anything
/// (purgatory 7.5, step 6 before step 7).
final class LateStartTest {
    private static final int NAMES = 8;

    @TempDir
    Path directory = Path.of("");

    /// A pull request whose commit nobody could see before the announcement was served is looked at a second
    /// time, and that comes before the sweep, too.
    @Test
    void pullRequestOfAnAnnouncementServedAtTheStartIsServedToo() throws IOException {
        try (var story = new PushStory(directory)) {
            var base = story.commit("base");
            var tip = story.commit("tip");
            var events = new ArrayList<Event>();
            for (int i = 0; i < NAMES; i++) {
                var name = "x" + i;
                var server = story.server();
                events.add(story.publish(server.announcement(ANN, name, maintainers(BOB))));
                events.add(story.publish(server.announcement(BOB, name, maintainers(ANN))));
                events.add(story.publish(story.state(ANN, name, tip)));
                events.add(story.publish(story.proposal(CAROL, base, coordinate(ANN, name))));
            }
            story.stop();
            for (int i = 0; i < NAMES; i++) { // as a push leaves it that has moved refs and no more (K2)
                var work = story.work().toString();
                story.git().ok(story.onDisk(ANN, "x" + i), "fetch", "--quiet", work, "main:refs/heads/main");
            }
            story.server().clock().advance(Duration.ofHours(1));
            story.restart();
            var lost = events.stream()
                    .filter(event -> !story.server().isServed(event))
                    .map(Event::kind)
                    .toList();
            assertTrue(lost.isEmpty(), () -> "kinds not served: " + lost);
        }
    }
}
