package dev.grapnel.server;

import static dev.grapnel.server.SyncScene.ANN;
import static dev.grapnel.server.SyncScene.BOB;
import static dev.grapnel.server.SyncScene.CAROL;
import static dev.grapnel.server.SyncScene.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whole servers that follow each other.
final class SyncTest {
    private static final int ISSUES = 600;

    @TempDir
    private Path directory;

    private SyncScene scene;

    @BeforeEach
    void begin() throws IOException {
        scene = new SyncScene(directory);
    }

    @Test
    void whatIsPublishedOnOneServerIsCompleteOnTheOther() throws Exception {
        try (var a = new SyncedServer(directory.resolve("a"));
                var b = new SyncedServer(directory.resolve("b"), "SYNC_BOOTSTRAP_RELAY_URL", a.relayUrl())) {
            var main = scene.commit("one");
            scene.serve(ANN, "tool", main, a, b);
            var issue = scene.issue(BOB, ANN, "tool");
            a.publish(issue);
            var comment = scene.comment(CAROL, issue, issue);
            a.publish(comment);
            a.publish(scene.comment(BOB, issue, comment));
            await("refs on the second server", () -> scene.tip(b, ANN, "tool").equals(main));
            await("events on the second server", () -> b.served().equals(a.served()));
            assertEquals(5, a.served().size());
        }
    }

    @Test
    void pullRequestIsOnTheOtherServerWithItsCommit() throws Exception {
        try (var a = new SyncedServer(directory.resolve("a"));
                var b = new SyncedServer(directory.resolve("b"), "SYNC_BOOTSTRAP_RELAY_URL", a.relayUrl())) {
            var main = scene.commit("one");
            scene.serve(ANN, "tool", main, a, b);
            var offered = scene.commit("two");
            var proposal = scene.proposal(BOB, ANN, "tool", offered, a);
            var ref = "refs/nostr/" + proposal.id();
            a.publish(proposal);
            scene.push(a, ANN, "tool", offered, ref);
            var comment = scene.comment(CAROL, proposal, proposal);
            a.publish(comment);
            await("its commit", () -> scene.tip(b, ANN, "tool", ref).equals(offered));
            await("it and what is said of it", () -> b.served().equals(a.served()));
            assertTrue(b.served().containsAll(Set.of(proposal.id(), comment.id())));
            assertEquals(main, scene.tip(b, ANN, "tool"), "nobody has taken it");
        }
    }

    @Test
    void whatWasMissedWhileAwayIsFetchedOnce() throws Exception {
        try (var a = new SyncedServer(directory.resolve("a"));
                var b = new SyncedServer(directory.resolve("b"), "SYNC_BOOTSTRAP_RELAY_URL", a.relayUrl())) {
            scene.serve(ANN, "tool", scene.commit("one"), a, b);
            var issue = scene.issue(BOB, ANN, "tool");
            var comment = scene.comment(CAROL, issue, issue);
            a.publish(issue);
            a.publish(comment);
            var before = a.served();
            await("the repository on the second server", () -> b.served().equals(before));
            b.stop();

            var next = scene.commit("two");
            a.publish(scene.state(ANN, "tool", next));
            scene.push(a, ANN, "tool", next, "refs/heads/main");
            a.publish(scene.comment(BOB, issue, comment));
            var another = scene.issue(CAROL, ANN, "tool");
            a.publish(another);
            a.publish(scene.comment(BOB, another, another));
            var after = a.served();
            var missed = new TreeSet<>(after);
            missed.removeAll(before);
            assertEquals(4, missed.size());

            long sent = sentEvents(a);
            long visits = visits(a);
            long packs = packs(a);
            b.start();
            await("refs after the return", () -> scene.tip(b, ANN, "tool").equals(next));
            await("events after the return", () -> b.served().equals(after));
            compare(b);
            assertEquals(missed.size(), sentEvents(a) - sent, "events that were sent to it since");
            assertEquals(
                    missed.size() - 1, b.metric("ngit_sync_events_synced_total"), "the state waited for its commit");
            assertEquals(1, visits(a) - visits, "visits of its git data since");
            assertEquals(1, packs(a) - packs, "packs that were sent to it since");
            assertEquals(0, b.metric("ngit_sync_junk_total"));
        }
    }

    /// Compares everything once more, after all that is known to be wanted has come.
    private static void compare(SyncedServer server) throws Exception {
        await(
                "everything is settled",
                () -> server.picture().relays().stream()
                        .allMatch(relay -> relay.link().state().text().equals("connected")));
        server.service().syncing().compareNow(Optional.empty());
        await("everything was compared", () -> server.metric("ngit_sync_daily_resyncs_total", "result=\"done\"") > 0);
    }

    private static long sentEvents(SyncedServer server) {
        return server.metric("ngit_websocket_messages_sent_total", "type=\"EVENT\"");
    }

    private static long visits(SyncedServer server) {
        return server.metric("ngit_git_operations_total", "operation=\"fetch\"");
    }

    /// Each visit asks what there is, by a request of the same kind as those for packs.
    private static long packs(SyncedServer server) {
        return server.metric("ngit_git_operations_total", "operation=\"clone\"") - visits(server);
    }

    /// Sync row 114: most of the messages are as long as this server takes them.
    @Test
    void shortMessagesFindAllThatTwoServersDoNotShare() throws Exception {
        try (var b = new SyncedServer(directory.resolve("b"));
                var a = new SyncedServer(
                        directory.resolve("a"),
                        "SYNC_ENABLED",
                        "false",
                        "MAX_MESSAGE_LENGTH",
                        "9000",
                        "MAX_EVENT_BYTES",
                        "8000")) {
            b.stop();
            var main = scene.commit("one");
            var announcement = scene.announcement(ANN, "tool", a, b);
            var state = scene.state(ANN, "tool", main);
            var here = new ArrayList<>(List.of(announcement, state));
            var there = new ArrayList<>(here);
            for (int i = 0; i < ISSUES; i++) { // so that they lie between each other
                here.add(scene.issue(BOB, ANN, "tool"));
                there.add(scene.issue(CAROL, ANN, "tool"));
            }
            publish(a, main, there);
            a.stop();
            b.start();
            publish(b, main, here);
            a.start();
            await("all of both", () -> b.served().size() == 2 + 2 * ISSUES);
            assertTrue(b.served().containsAll(a.served()));
            long steps = a.metric("ngit_websocket_messages_received_total", "type=\"NEG-MSG\"");
            assertTrue(steps >= 4, () -> "what is here is told in several messages, not " + steps);
        }
    }

    /// A repository and issues of its own.
    private void publish(SyncedServer server, String main, List<Event> events) throws IOException {
        try (var client = server.connect()) {
            client.publishOk(events.get(0));
            client.publishOk(events.get(1));
            scene.push(server, ANN, "tool", main, "refs/heads/main");
            for (var issue : events.subList(2, events.size())) {
                client.publishOk(issue);
            }
        }
    }

    @Test
    void bothDirectionsConvergeWithoutBootstrap() throws Exception {
        try (var a = new SyncedServer(directory.resolve("a"));
                var b = new SyncedServer(directory.resolve("b"))) {
            var main = scene.commit("one");
            var announcement = scene.announcement(ANN, "tool", a, b);
            a.publish(announcement);
            b.publish(announcement);
            a.publish(scene.state(ANN, "tool", main));
            scene.push(a, ANN, "tool", main, "refs/heads/main");
            await("refs on the second server", () -> scene.tip(b, ANN, "tool").equals(main));
            var here = scene.issue(BOB, ANN, "tool");
            a.publish(here);
            var there = scene.issue(CAROL, ANN, "tool");
            b.publish(there);
            await(
                    "equal sets",
                    () -> b.served().equals(a.served()) && a.served().size() == 4);
        }
    }
}
