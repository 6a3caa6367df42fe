package dev.grapnel.sync.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.sync.sim.RelayModels;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What answers answers, and what names only a state (R3.2a, R3.21, R3.22, tests 164 and 165).
final class ThreadFiltersTest {
    private static final int ARTICLE = 30_023;

    private static Event answer(OneLink link, Event to, String text) {
        return OneLink.event(Kinds.COMMENT, link.wall(), List.of("e", to.id().toHex()), List.of("n", text));
    }

    private static Event deletion(OneLink link, List<String> tag) {
        return OneLink.event(Kinds.DELETION, link.wall() + 1, tag);
    }

    private static boolean isAskedAbout(OneLink link, String value) {
        return link.relay().asked().stream()
                .flatMap(frame -> frame.filters().stream())
                .anyMatch(filter -> filter.tags().stream()
                        .anyMatch(tag -> tag.values().toList().contains(value)));
    }

    @Test
    void theDeletionOfAStateByItsAddressArrives() {
        try (var link = new OneLink(RelayModels.plain(500))) {
            link.repository("gone");
            var address = Kinds.STATE + ":" + StoreSamples.author(OneLink.OWNER) + ":gone";
            var deletion = deletion(link, List.of("a", address));
            link.relay().relay().put(deletion);
            link.settle();
            assertTrue(isAskedAbout(link, address));
            link.assertHas(List.of(deletion));
        }
    }

    @Test
    void whatNamesOnlyACommentArrives() {
        try (var link = new OneLink(RelayModels.plain(500))) {
            var root = link.issue(link.repository("talk"), "much to say");
            var comment = answer(link, root, "one");
            var unwanted = answer(link, root, "two");
            var article = OneLink.event(
                    ARTICLE,
                    link.wall(),
                    List.of("d", "long"),
                    List.of("e", root.id().toHex()));
            List.of(comment, unwanted, article).forEach(link::serve);
            var reply = answer(link, comment, "a reply");
            var deletion = deletion(link, List.of("e", unwanted.id().toHex()));
            var address = ARTICLE + ":" + StoreSamples.author(OneLink.OWNER) + ":long";
            var onArticle = OneLink.event(Kinds.COMMENT, link.wall(), List.of("a", address));
            List.of(reply, deletion, onArticle).forEach(link.relay().relay()::put);
            link.settle();
            link.assertHas(List.of(reply, deletion, onArticle));
            assertFalse(link.has(List.of(unwanted)));
        }
    }

    @Test
    void theNinthAnswerToAnAnswerIsNotAskedAboutNeitherAfterARestart() {
        try (var link = new OneLink(RelayModels.plain(500))) {
            var last = link.issue(link.repository("deep"), "deep down");
            var chain = new ArrayList<Event>();
            for (int depth = 1; depth <= 9; depth++) {
                last = answer(link, last, "depth " + depth);
                chain.add(last);
                link.serve(last);
            }
            link.settle();
            link.run(Duration.ofMinutes(1));
            assertBound(link, chain);
            link.node().stop();
            link.run(Duration.ofMinutes(1));
            link.relay().forget();
            link.node().restart();
            link.settle();
            link.run(Duration.ofMinutes(1));
            assertBound(link, chain);
        }
    }

    private static void assertBound(OneLink link, List<Event> chain) {
        assertEquals(
                chain.subList(0, 8),
                chain.stream()
                        .filter(event -> isAskedAbout(link, event.id().toHex()))
                        .toList());
    }
}
