package dev.grapnel.sync.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.sync.health.Learned.Trait;
import dev.grapnel.sync.sim.RelayModels;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Events that a comparison names and of which something is known here (R5.6).
final class KnownIdsTest {
    @Test
    void anEventThatCameAndWasRefusedIsNotMissing() {
        try (var link = new OneLink(RelayModels.honest(500))) {
            link.repository("compared");
            IntStream.range(0, 30)
                    .mapToObj(number -> StoreSamples.event(
                            number, Kinds.ANNOUNCEMENT, link.wall(), List.of(List.of("d", "elsewhere")), ""))
                    .forEach(link.relay().relay()::put);
            link.settle();
            link.run(Duration.ofHours(3));
            assertEquals(List.of(30), sizes(link));
            assertEquals(LinkState.CONNECTED, link.state());
            assertFalse(link.portrait().learned().containsKey(Trait.BROKEN_NEGENTROPY));
        }
    }

    /// Row 168 of purgatory's part: that a relay names what waits here is no copy of it, and moves no hunt.
    @Test
    void eventThatWaitsHereIsNotAskedForBecauseAComparisonNamesIt() {
        try (var link = new OneLink(RelayModels.honest(500))) {
            var coordinate = link.repository("compared");
            var root = link.issue(coordinate, "much to say");
            var all = link.reactions(root, 30);
            all.forEach(link.relay().relay()::put);
            var waiting = OneLink.event(
                    Kinds.PULL_REQUEST,
                    link.wall(),
                    List.of("a", coordinate),
                    List.of("subject", "data to come"),
                    List.of("c", "%040x".formatted(77)),
                    List.of("clone", "https://elsewhere.example.com/x.git"));
            link.serve(waiting);
            assertTrue(link.node().heldIds().contains(waiting.id()));
            link.relay().relay().put(waiting);
            var ruled = new ArrayList<EventId>();
            link.node().watchRulings(one -> ruled.add(one.event().id()));
            link.settle();
            link.assertHas(all);
            assertTrue(link.notes(LinkNote.Ids.class).contains(new LinkNote.Ids("excluded", 1)));
            assertFalse(isAsked(link, waiting.id()));
            assertFalse(ruled.contains(waiting.id()));
        }
    }

    /// Row 139, the second half.
    @Test
    void eventThatOnlyAStrangersDeletionNamesIsFetchedAndStored() {
        try (var link = new OneLink(RelayModels.honest(500))) {
            var root = link.issue(link.repository("compared"), "much to say");
            var reply = OneLink.reaction(root, link.wall(), 1);
            var deletion = StoreSamples.event(
                    2,
                    Kinds.DELETION,
                    link.wall(),
                    List.of(
                            List.of("e", reply.id().toHex()),
                            List.of("e", root.id().toHex())),
                    "");
            link.serve(deletion);
            link.relay().relay().put(reply);
            link.settle();
            link.assertHas(List.of(root, reply));
        }
    }

    private static List<Integer> sizes(OneLink link) {
        return link.relay().requests('i').stream()
                .map(frame -> frame.filter().ids().orElseThrow().size())
                .toList();
    }

    private static boolean isAsked(OneLink link, EventId id) {
        return link.relay().requests('i').stream()
                .anyMatch(frame -> frame.filter().ids().orElseThrow().contains(id));
    }
}
