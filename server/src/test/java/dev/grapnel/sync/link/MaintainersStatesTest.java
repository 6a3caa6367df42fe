package dev.grapnel.sync.link;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.sync.sim.RelayModels;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A state of somebody who may not sign yet is looked at again as soon as he may, whatever came first (row 131).
final class MaintainersStatesTest {
    private static final int OWNER = OneLink.OWNER;
    private static final int BOB = 2;
    private static final int CAT = 3;

    private int announced;

    /// @param listed maintainers
    private Event announcement(OneLink link, int author, String server, Integer... listed) {
        var npub = new Npub(StoreSamples.author(author)).toString();
        var people = new ArrayList<>(List.of("maintainers"));
        Arrays.stream(listed).map(person -> StoreSamples.author(person).toHex()).forEach(people::add);
        return StoreSamples.event(
                author,
                Kinds.ANNOUNCEMENT,
                link.wall() + announced++,
                List.of(
                        List.of("d", "x"),
                        List.of("clone", "https://" + server + "/" + npub + "/x.git"),
                        List.of("relays", "wss://" + server, link.relay().url().text()),
                        people),
                "");
    }

    private Event owners(OneLink link, Integer... listed) {
        return announcement(link, OWNER, link.node().name(), listed);
    }

    /// Its repository is elsewhere, so it says no more than whom he works with.
    private Event acceptance(OneLink link, int author) {
        return announcement(link, author, "elsewhere.example.com", OWNER);
    }

    private static Event state(OneLink link, int author, int commit) {
        return StoreSamples.event(
                author,
                Kinds.STATE,
                link.wall() + commit,
                List.of(
                        List.of("d", "x"),
                        List.of("refs/heads/main", "%040x".formatted(commit)),
                        List.of("HEAD", "ref: refs/heads/main")),
                "");
    }

    private static OneLink served() {
        var link = new OneLink(RelayModels.honest(500));
        link.repository("x");
        return link;
    }

    private static boolean isTaken(OneLink link, Event state) {
        return link.node().serves(state.id()) || link.node().heldIds().contains(state.id());
    }

    private static void settle(OneLink link) {
        link.run(Duration.ofSeconds(30));
    }

    @Test
    void listedThenAnnouncingBack() {
        try (var link = served()) {
            var state = state(link, BOB, 5);
            link.relay().relay().put(state);
            link.settle();
            link.serve(owners(link, BOB));
            settle(link);
            assertFalse(isTaken(link, state), "he is only listed");
            link.serve(acceptance(link, BOB));
            settle(link);
            assertTrue(isTaken(link, state));
        }
    }

    @Test
    void announcingBackThenListed() {
        try (var link = served()) {
            var state = state(link, BOB, 5);
            link.relay().relay().put(state);
            link.relay().relay().put(acceptance(link, BOB));
            link.settle();
            assertFalse(isTaken(link, state), "nobody lists him");
            link.serve(owners(link, BOB));
            link.serve(acceptance(link, BOB));
            settle(link);
            assertTrue(isTaken(link, state));
        }
    }

    @Test
    void removedAndListedAgain() {
        try (var link = served()) {
            link.serve(owners(link, BOB));
            link.serve(acceptance(link, BOB));
            link.settle();
            link.serve(owners(link));
            settle(link);
            var state = state(link, BOB, 50);
            link.relay().relay().publish(state);
            settle(link);
            assertFalse(isTaken(link, state), "he was removed");
            link.serve(owners(link, BOB));
            settle(link);
            assertTrue(isTaken(link, state));
        }
    }

    @Test
    void handedOverFromOneToAnother() {
        try (var link = served()) {
            link.serve(owners(link, BOB));
            link.serve(acceptance(link, BOB));
            link.settle();
            var state = state(link, CAT, 50);
            link.relay().relay().put(state);
            settle(link);
            assertFalse(isTaken(link, state));
            link.serve(owners(link, CAT));
            link.serve(acceptance(link, CAT));
            settle(link);
            assertTrue(isTaken(link, state));
        }
    }
}
