package dev.grapnel.sync.link;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.sync.sim.RelayModels;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What two repositories or two roots have in common is asked for and streamed once (R2.1, R3.12, I4).
final class SharedValuesTest {
    private static final int OTHER = 2;

    /// How often a value is asked for by a letter.
    private static long asked(OneLink link, char role, char letter, String value) {
        return link.relay().requests(role).stream()
                .flatMap(frame -> frame.filters().stream())
                .flatMap(filter -> OneLink.values(filter, letter).stream())
                .filter(value::equals)
                .count();
    }

    private static void serveSlowly(OneLink link, Event event) {
        link.serve(event);
        link.run(Duration.ofSeconds(20));
    }

    @Test
    void aCommentBelowTwoRootsIsAskedAboutOnce() {
        try (var link = new OneLink(RelayModels.plain(500))) {
            var repository = link.repository("talk");
            var one = link.issue(repository, "one");
            var two = OneLink.event(Kinds.ISSUE, link.wall(), List.of("a", repository), List.of("subject", "two"));
            link.settle();
            var comment = OneLink.event(
                    Kinds.COMMENT,
                    link.wall(),
                    List.of("e", one.id().toHex()),
                    List.of("e", two.id().toHex()));
            serveSlowly(link, comment);
            serveSlowly(link, two);
            assertEquals(1, asked(link, 'l', 'e', two.id().toHex()), "it is followed, too");
            assertEquals(1, asked(link, 'l', 'e', comment.id().toHex()));
            assertEquals(1, asked(link, 'h', 'e', comment.id().toHex()));
        }
    }

    @Test
    void aStateThatCountsForTwoOwnersIsAskedAboutOnce() {
        try (var link = new OneLink(RelayModels.plain(500))) {
            link.repository("common");
            link.settle();
            link.run(Duration.ofSeconds(2));
            serveSlowly(link, announcement(link, OneLink.OWNER, OTHER));
            serveSlowly(link, announcement(link, OTHER, OneLink.OWNER));
            var reference = Kinds.ANNOUNCEMENT + ":" + StoreSamples.author(OTHER) + ":common";
            assertEquals(1, asked(link, 'l', 'a', reference), "the other's is followed, too");
            var address = Kinds.STATE + ":" + StoreSamples.author(OneLink.OWNER) + ":common";
            assertEquals(1, asked(link, 'l', 'a', address));
            assertEquals(1, asked(link, 'h', 'A', address));
        }
    }

    @Test
    void aRepositoryThatLeavesAndReturnsIsStreamedOnce() {
        try (var link = new OneLink(RelayModels.plain(500))) {
            var repository = link.repository("stays");
            link.issues(repository, 10);
            link.repository("returns");
            link.settle();
            link.run(Duration.ofSeconds(2));
            var elsewhere = link.addRelay("elsewhere.example.com", RelayModels.plain(500));
            serveSlowly(link, link.announcement("returns", link.wall(), elsewhere));
            serveSlowly(link, link.announcement("returns", link.wall()));
            link.run(Duration.ofMinutes(2));
            long open = link.relay().relay().live().stream()
                    .filter(filter -> OneLink.values(filter, 'd').contains("returns"))
                    .count();
            assertEquals(1, open);
        }
    }

    /// Of somebody who names somebody else as a maintainer.
    private static Event announcement(OneLink link, int author, int maintainer) {
        var npub = new Npub(StoreSamples.author(author)).toString();
        return StoreSamples.event(
                author,
                Kinds.ANNOUNCEMENT,
                link.wall(),
                List.of(
                        List.of("d", "common"),
                        List.of("clone", "https://" + link.node().name() + "/" + npub + "/common.git"),
                        List.of(
                                "relays",
                                "wss://" + link.node().name(),
                                link.relay().url().text()),
                        List.of("maintainers", StoreSamples.author(maintainer).toHex())),
                "");
    }
}
