package dev.grapnel.server;

import static dev.grapnel.server.SyncScene.ANN;
import static dev.grapnel.server.SyncScene.BOB;
import static dev.grapnel.server.SyncScene.CAROL;
import static dev.grapnel.server.SyncScene.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.event.Tag;
import dev.grapnel.store.StoreSamples;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What follows in a whole server when an announcement that waited is served. Numbers are rows of sync 11.
final class PromotionTest {
    private static final String LIST_NOTHING = "6100000200";

    @TempDir
    private Path directory;

    private SyncScene scene;

    @BeforeEach
    void begin() throws IOException {
        scene = new SyncScene(directory);
    }

    /// Row 112.
    @Test
    void whoComparesIsToldOfAnAnnouncementOnceItIsServed() throws Exception {
        try (var server = new SyncedServer(directory.resolve("server"));
                var client = server.connect()) {
            var commit = scene.commit("one");
            var announcement = client.publishOk(scene.announcement(ANN, "tool", server));
            var state = client.publishOk(scene.state(ANN, "tool", commit));
            assertEquals(named(), client.ask(opening()));
            scene.push(server, ANN, "tool", commit, "refs/heads/main");
            assertEquals(named(announcement, state), client.ask(opening()));
        }
    }

    private static String opening() {
        return "[\"NEG-OPEN\",\"n\",{},\"" + LIST_NOTHING + "\"]";
    }

    /// The answer to an empty list, which names what was published in this order.
    private static String named(Event... events) {
        var ids = new StringBuilder();
        for (var event : events) {
            ids.append(event.id());
        }
        return "[\"NEG-MSG\",\"n\",\"61000002%02x%s\"]".formatted(events.length, ids);
    }

    /// How the git data of the owner's state comes.
    enum Way {
        PUSH,
        HUNT,
        /// It is here already, in a repository of somebody else, when a relay brings the state.
        SYNC
    }

    /// Row 128. That it does not take longer than a second is shown where time is made.
    @ParameterizedTest
    @EnumSource
    void announcementOfAMaintainerThatWasRefusedIsServedWithTheOwners(Way way) throws Exception {
        try (var elsewhere = new SyncedServer(directory.resolve("elsewhere"), "SYNC_ENABLED", "false");
                var server = new SyncedServer(
                        directory.resolve("server"),
                        "SYNC_BOOTSTRAP_RELAY_URL",
                        elsewhere.relayUrl(),
                        "HUNT_ENABLED",
                        Boolean.toString(way == Way.HUNT))) {
            var commit = scene.commit("one");
            if (way == Way.SYNC) {
                scene.serve(CAROL, "tool", commit, server);
            }
            var bobs = announcement(BOB, ANN, elsewhere);
            publish(elsewhere, bobs, scene.state(BOB, "tool", commit), BOB, commit);
            await("it is refused", () -> server.picture().intake().refused() > 0);
            assertTrue(!server.served().contains(bobs.id()));

            var owners = announcement(ANN, BOB, server, elsewhere);
            publish(way == Way.PUSH ? server : elsewhere, owners, scene.state(ANN, "tool", commit), ANN, commit);
            await("both are served", () -> server.served().containsAll(Set.of(owners.id(), bobs.id())));
            assertTrue(
                    server.metric("ngit_sync_rejected_hot_cache_hits_total") > 0, "what was kept was looked at again");
        }
    }

    /// An announcement that names somebody else as a maintainer.
    private Event announcement(int owner, int other, SyncedServer... servers) {
        var plain = scene.announcement(owner, "tool", servers);
        var tags = new ArrayList<>(plain.tags().stream().map(Tag::elements).toList());
        tags.add(List.of("maintainers", StoreSamples.author(other).toHex()));
        return scene.event(owner, Kinds.ANNOUNCEMENT, tags, "");
    }

    private void publish(SyncedServer at, Event announcement, Event state, int owner, String commit) {
        at.publish(announcement);
        at.publish(state);
        scene.push(at, owner, "tool", commit, "refs/heads/main");
    }
}
