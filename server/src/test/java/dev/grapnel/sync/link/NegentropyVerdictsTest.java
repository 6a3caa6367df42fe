package dev.grapnel.sync.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.message.ClientMessage;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.sync.health.Learned.Trait;
import dev.grapnel.sync.link.Ear.Frame;
import dev.grapnel.sync.sim.Endpoint;
import dev.grapnel.sync.sim.Lies;
import dev.grapnel.sync.sim.RelayModels;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Comparisons, and what follows when they do not work (R5.9 to R5.11, tests 99, 105 to 111 and 114).
final class NegentropyVerdictsTest {
    private static final Duration AWAY = Duration.ofMinutes(20);

    private static List<Event> followed(OneLink link, int reactions) {
        var root = link.issue(link.repository("compared"), "much to say");
        var all = link.reactions(root, reactions);
        all.forEach(link.relay().relay()::put);
        return all;
    }

    private static boolean isJudged(OneLink link) {
        return link.portrait().learned().containsKey(Trait.NO_NEGENTROPY);
    }

    private static List<Frame> pagesBy(OneLink link, char letter) {
        return link.relay().frames(frame -> Grudge.isPageBy(frame.message(), letter));
    }

    private static List<Frame> openingsBy(OneLink link, char letter) {
        return link.relay().frames(frame -> Grudge.isOpeningBy(frame.message(), letter));
    }

    /// So long that everything is compared again.
    private static void away(OneLink link) {
        link.world().network().stop(link.relay().url());
        link.run(AWAY);
        link.world().network().start(link.relay().url());
        int generation = link.portrait().link().generation();
        link.runUntil(() -> link.portrait().link().generation() > generation, Duration.ofHours(1));
        link.settle();
    }

    @Test
    void equalSetsNeedOneRoundAndNothingElse() {
        try (var link = new OneLink(RelayModels.honest(500))) {
            var all = followed(link, 40);
            all.forEach(link::serve);
            link.node().stored().forEach(link.relay().relay()::put);
            link.settle();
            assertEquals(LinkState.CONNECTED, link.state());
            assertEquals(8, link.relay().openings().size());
            assertEquals(
                    8,
                    link.relay()
                            .frames(frame -> frame.message() instanceof ClientMessage.NegClose)
                            .size());
            assertEquals(List.of(), link.relay().frames(frame -> frame.message() instanceof ClientMessage.NegMessage));
            assertEquals(List.of(), link.relay().requests('i'));
            assertEquals(List.of(), link.relay().requests('h'));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "blocked: this query is too big, true",
        "blocked: this query is too big, false",
        "rate-limited: too many negentropy items, true",
        "rate-limited: too many negentropy items, false"
    })
    void whatIsTooMuchIsComparedInPartsOfTimeOneAfterTheOther(String text, boolean isSized) {
        try (var link = new OneLink(RelayModels.honest(500).negItems(20, text))) {
            link.relay().play(new Ear.Script() {
                @Override
                public List<RelayMessage> says(RelayMessage message) {
                    return message instanceof RelayMessage.NegError(var id, var reason, var _) && !isSized
                            ? List.of(new RelayMessage.NegError(id, reason, OptionalLong.empty()))
                            : List.of(message);
                }
            });
            var all = followed(link, 60);
            link.settle();
            link.assertHas(all);
            var parts = openingsBy(link, 'e');
            assertTrue(parts.size() > 4, parts::toString);
            assertTrue(parts.stream()
                    .skip(1)
                    .allMatch(frame -> frame.filter().since().isPresent()
                            || frame.filter().until().isPresent()));
            assertTrue(parts.stream().skip(1).allMatch(frame -> frame.sessions() == 1), parts::toString);
            assertEquals(List.of(), pagesBy(link, 'e'));
            assertEquals(List.of(), link.notes(LinkNote.RateLimited.class));
            assertFalse(isJudged(link));
        }
    }

    @Test
    void whatIsTooMuchInAnyPartOfTimeIsReadByPages() {
        try (var link = new OneLink(RelayModels.honest(500).negItems(0, "blocked: this query is too big"))) {
            var root = link.issue(link.repository("compared"), "said over the years");
            var all = IntStream.range(0, 5)
                    .mapToObj(number -> OneLink.reaction(root, link.wall() - number * 5_000_000L, number))
                    .toList();
            all.forEach(link.relay().relay()::put);
            link.settle();
            link.assertHas(all);
            var parts = openingsBy(link, 'e');
            assertTrue(parts.size() > 64 && parts.size() <= 2 * 64, () -> "parts " + parts.size());
            assertFalse(pagesBy(link, 'e').isEmpty());
        }
    }

    /// Each refusal is about something smaller, so they do not say that it refuses whatever it is asked (6.1).
    @Test
    void aRelayThatIsSlowAndFindsAllTooMuchIsStillListenedTo() {
        try (var link = new OneLink(RelayModels.honest(500).negItems(-1, "blocked: this query is too big"))) {
            link.relay().play(new Ear.Script() {
                @Override
                public List<RelayMessage> says(RelayMessage message) {
                    return message instanceof RelayMessage.NegError ? List.of(message) : List.of();
                }
            });
            link.repository("first");
            link.run(Duration.ofMinutes(1));
            assertTrue(link.relay().openings().size() > 12);
            var second = link.repository("second");
            link.run(Duration.ofSeconds(10));
            assertTrue(link.relay().requests('l').stream()
                    .flatMap(frame -> frame.filters().stream())
                    .anyMatch(filter -> OneLink.values(filter, 'a').contains(second)));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "unknown envelope label",
                "ERROR: bad msg: negentropy disabled",
                "could not parse command",
                "restricted: negentropy is disabled here",
                "invalid: unrecognized message type"
            })
    void aRelayThatDoesNotUnderstandIsReadByPagesAtOnce(String text) {
        try (var link = new OneLink(RelayModels.honest(500))) {
            var all = followed(link, 5);
            var refusedAt = new ArrayList<Duration>();
            link.relay().play(Grudge.noticing(Integer.MAX_VALUE, text, message -> {
                if (Grudge.isOpening(message)) {
                    refusedAt.add(link.now());
                }
                return Grudge.isOpening(message);
            }));
            link.settle();
            link.assertHas(all);
            assertTrue(isJudged(link));
            var first = link.relay().requests('h').getFirst();
            assertTrue(first.at().minus(refusedAt.getFirst()).compareTo(Duration.ofMillis(30)) < 0);
            assertTrue(link.relay().openings().size() <= 2);
        }
    }

    @Test
    void tooManyComparisonsAtOnceAreNoVerdict() {
        try (var link = new OneLink(RelayModels.honest(500))) {
            var all = followed(link, 5);
            link.relay().play(Grudge.noticing(1, "ERROR: too many concurrent NEG requests", Grudge::isOpening));
            link.settle();
            link.assertHas(all);
            assertFalse(isJudged(link));
            assertEquals(1, link.learned(Trait.SESSIONS));
            assertEquals(List.of(), link.relay().requests('h'));
            assertTrue(link.relay().openings().stream().skip(2).allMatch(frame -> frame.sessions() == 1));
        }
    }

    @Test
    void whereNoComparisonIsAllowedPagesAreRead() {
        try (var link = new OneLink(RelayModels.honest(500).sessions(0, "error: too many NEG sessions"))) {
            var all = followed(link, 5);
            link.settle();
            link.assertHas(all);
            assertFalse(isJudged(link));
            assertEquals(0, link.learned(Trait.SESSIONS));
        }
    }

    @Test
    void aFilterWhoseComparisonIsNotAnsweredIsReadByPagesAndOthersAreNot() {
        try (var link = new OneLink(RelayModels.honest(500))) {
            var all = followed(link, 5);
            link.relay().play(new Ear.Script() {
                @Override
                public boolean hears(ClientMessage message, Endpoint.Peer client) {
                    return Grudge.isOpeningBy(message, 'e');
                }
            });
            link.settle();
            link.assertHas(all);
            var asked = openingsBy(link, 'e').getFirst().at();
            assertEquals(10, pagesBy(link, 'e').getFirst().at().minus(asked).toSeconds());
            assertTrue(link.relay().requests('h').stream().allMatch(frame -> frame.asksBy('e')));
            assertFalse(isJudged(link));
            away(link);
            assertTrue(isJudged(link));
        }
    }

    @Test
    void aComparisonThatStopsInTheMiddleIsReadByPagesAfterTwentySeconds() {
        try (var link = new OneLink(RelayModels.honest(500).negFrame(4_096))) {
            var all = followed(link, 300);
            link.relay().play(new Ear.Script() {
                @Override
                public boolean hears(ClientMessage message, Endpoint.Peer client) {
                    return message instanceof ClientMessage.NegMessage;
                }
            });
            link.settle();
            link.assertHas(all);
            var next = link.relay()
                    .frames(frame -> frame.message() instanceof ClientMessage.NegMessage)
                    .getFirst();
            assertEquals(20, pagesBy(link, 'e').getFirst().at().minus(next.at()).toSeconds());
            assertFalse(isJudged(link));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "closed: idle, 16, false",
        "error: busy, 8, false",
        "unsupported: NIP-77 is not enabled, 2, true",
        "no such thing, 2, true"
    })
    void wordsOfAnErrorDecideWhatFollows(String text, int openings, boolean isVerdict) {
        try (var link = new OneLink(RelayModels.honest(500))) {
            var all = followed(link, 5);
            link.relay().play(Grudge.closing(Integer.MAX_VALUE, text, Grudge::isOpening));
            link.settle();
            link.assertHas(all);
            assertEquals(openings, link.relay().openings().size());
            assertEquals(isVerdict, isJudged(link));
            assertEquals(
                    0,
                    link.relay()
                            .frames(frame -> frame.message() instanceof ClientMessage.NegClose)
                            .size());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "62", "61ff"})
    void bytesThatNobodyUnderstandsAreAVerdict(String hex) {
        try (var link = new OneLink(RelayModels.honest(500))) {
            var all = followed(link, 5);
            link.relay().play(new Ear.Script() {
                @Override
                public List<RelayMessage> says(RelayMessage message) {
                    return message instanceof RelayMessage.NegMessage(var id, var _)
                            ? List.of(new RelayMessage.NegMessage(
                                    id, Bytes.wrap(HexFormat.of().parseHex(hex))))
                            : List.of(message);
                }
            });
            link.settle();
            link.assertHas(all);
            assertTrue(isJudged(link));
        }
    }

    /// What the first one names takes several turns to look at.
    @Test
    void anAnswerThatNobodyAskedForIsAVerdict() {
        var world = new OneRelay().comparing().announce(1);
        var all = IntStream.range(0, 600)
                .mapToObj(number -> OneRelay.event(
                        1621, world.wall() - number, "a", OneRelay.repo(1).toString()))
                .toList();
        all.forEach(world.relay::keep);
        world.relay.compares();
        var compare = world.relay.comparing();
        world.relay.comparing(id -> {
            compare.accept(id);
            compare.accept(id);
        });
        world.settled();
        assertTrue(world.linkNotes(LinkNote.Compared.class).contains(new LinkNote.Compared("unsupported")));
        assertTrue(all.stream().allMatch(world.home::has));
        assertEquals(LinkState.CONNECTED, world.state());
    }

    @ParameterizedTest
    @ValueSource(strings = {",\"zz\"", ",\"611\"", ",61", ",{\"hex\":\"61\"}", ""})
    void anAnswerThatIsNoHexIsAVerdictAtOnce(String rest) {
        try (var link = new OneLink(RelayModels.honest(500))) {
            var all = followed(link, 5);
            link.relay().play(new Ear.Script() {
                @Override
                public boolean hears(ClientMessage message, Endpoint.Peer client) {
                    if (message instanceof ClientMessage.NegOpen(var id, var _, var _)) {
                        client.sendRaw(Bytes.wrap(
                                ("[\"NEG-MSG\",\"" + id.text() + "\"" + rest + "]").getBytes(StandardCharsets.UTF_8)));
                        return true;
                    }
                    return false;
                }
            });
            link.runUntil(() -> !link.relay().openings().isEmpty(), Duration.ofMinutes(1));
            link.run(Duration.ofSeconds(1));
            assertTrue(isJudged(link), "nobody waits for an answer that has come");
            link.settle();
            link.assertHas(all);
            assertEquals(List.of(), link.notes(LinkNote.Junk.class));
        }
    }

    @Test
    void whatOneComparisonFoundIsKeptWhenAnotherFails() {
        try (var link = new OneLink(RelayModels.honest(500))) {
            var all = followed(link, 5);
            link.relay()
                    .play(Grudge.closing(
                            Integer.MAX_VALUE, "unsupported: no", message -> Grudge.isOpeningBy(message, 'E')));
            link.settle();
            link.assertHas(all);
            assertEquals(1, openingsBy(link, 'e').size());
            assertEquals(List.of(), pagesBy(link, 'e'));
            assertEquals(1, link.relay().requests('i').size());
            assertEquals(1, pagesBy(link, 'E').size());
        }
    }

    /// Such a comparison ends before anything was asked for, so nothing that did not come could tell.
    @Test
    void aRelayThatNamesMoreThanItMayTwiceIsComparedNoMore() {
        try (var link = new OneLink(RelayModels.honest(500))) {
            link.relay().relay().lie(Lies.flood(16_000));
            followed(link, 40);
            link.run(Duration.ofMinutes(3));
            assertTrue(link.portrait().learned().containsKey(Trait.BROKEN_NEGENTROPY));
            assertTrue(
                    link.relay().openings().size() <= 4,
                    () -> "compared " + link.relay().openings().size());
        }
    }

    @Test
    void aVerdictIsForgottenAfterADay() {
        try (var link = new OneLink(RelayModels.honest(500))) {
            followed(link, 1);
            link.relay().play(Grudge.closing(2, "unsupported: not today", Grudge::isOpening));
            link.settle();
            assertTrue(isJudged(link));
            int opened = link.relay().openings().size();
            link.run(Duration.ofHours(20));
            away(link);
            assertEquals(opened, link.relay().openings().size());
            link.run(Duration.ofHours(5));
            away(link);
            assertTrue(link.relay().openings().size() > opened);
            assertFalse(isJudged(link));
        }
    }

    @Test
    void afterAShortGapNothingIsCompared() {
        try (var link = new OneLink(RelayModels.honest(500))) {
            followed(link, 5);
            link.settle();
            int opened = link.relay().openings().size();
            link.world().network().stop(link.relay().url());
            var issue = link.issue(OneLink.coordinate("compared"), "wanted during the gap");
            link.run(Duration.ofSeconds(20));
            link.world().network().start(link.relay().url());
            link.run(Duration.ofMinutes(2));
            assertEquals(2, link.portrait().link().generation());
            assertFalse(link.relay().requests('c').isEmpty());
            assertTrue(pagesBy(link, 'e').stream()
                    .anyMatch(frame -> OneLink.values(frame.filter(), 'e')
                            .contains(issue.id().toHex())));
            assertEquals(opened, link.relay().openings().size());
        }
    }

    @Test
    void withoutComparisonsTheSameIsThereInTheEnd() {
        try (var link = new OneLink(RelayModels.honest(20), OneLink.withoutNegentropy())) {
            var all = followed(link, 50);
            link.settle();
            link.assertHas(all);
            assertEquals(List.of(), link.relay().openings());
        }
    }

    @Test
    void shortFramesOnBothSidesFindEveryDifference() {
        var model = RelayModels.honest(500).negFrame(4_096).messageBytes(9_500).disclosing();
        try (var link = new OneLink(model)) {
            var all = followed(link, 400);
            for (int number = 0; number < all.size(); number += 2) {
                link.serve(all.get(number));
            }
            link.settle();
            link.assertHas(all);
            var steps = link.relay().frames(frame -> frame.message() instanceof ClientMessage.NegMessage);
            assertTrue(steps.size() > 2, steps::toString);
            assertEquals(List.of(), link.relay().requests('h'));
        }
    }
}
