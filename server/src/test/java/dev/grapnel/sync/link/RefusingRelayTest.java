package dev.grapnel.sync.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.message.ClientMessage;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.sync.health.RelayStatus;
import dev.grapnel.sync.sim.Endpoint;
import dev.grapnel.sync.sim.RelayModels;
import java.time.Duration;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Relays that refuse everything, or everything of a kind, however small it is, while more and more is wanted of them
/// (sync R4.20, 6.1, I22): they are soon left alone, and what is new waits with what was refused.
final class RefusingRelayTest {
    private static final int ALWAYS = Integer.MAX_VALUE;

    /// All that a relay is asked in a day that wants nothing.
    private static final int REFUSED_MAX = 60;

    private static OneLink followed() {
        var link = new OneLink(RelayModels.honest(500));
        link.issues(link.repository("refused"), 3);
        return link;
    }

    private static boolean isQuestion(ClientMessage message) {
        return message instanceof ClientMessage.Subscribe || message instanceof ClientMessage.NegOpen;
    }

    /// An issue each ten seconds, or each ten minutes where it lasts for hours.
    private static void discuss(OneLink link, Duration time) {
        var step = time.toHours() > 0 ? Duration.ofMinutes(10) : Duration.ofSeconds(10);
        for (long second = 0; second < time.toSeconds(); second += step.toSeconds()) {
            link.issue(OneLink.coordinate("refused"), "issue at " + link.now());
            link.run(step);
        }
    }

    private static void refuse(OneLink link, String text, Predicate<ClientMessage> which) {
        link.relay().play(Grudge.closing(ALWAYS, text, which));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rate-limited: active subscriptions exceed max size 4000",
                "rate-limited: too many filters",
                "error: number of filters",
                "rate-limited: too many subscriptions",
                "error: too many concurrent REQs",
                "error: filter item too large",
                "error: too many tags",
                "invalid: limit must be positive",
                "restricted: members only",
                "blocked: not for you",
                "invalid: this is no filter"
            })
    void whoeverRefusesEverythingIsLeftAlone(String text) {
        try (var link = followed()) {
            refuse(link, text, RefusingRelayTest::isQuestion);
            discuss(link, Duration.ofMinutes(5));
            int asked = link.relay().asked().size();
            assertTrue(asked <= 50, "asked " + asked + " times in five minutes");
            assertEquals(RelayStatus.POLICY_LIMITED, link.portrait().status());
            assertEquals(LinkState.DISCONNECTED, link.state());
            assertEquals(0, link.portrait().failures(), "it is nobody's failure");
            discuss(link, Duration.ofHours(23));
            asked = link.relay().asked().size();
            assertTrue(asked <= REFUSED_MAX, "asked " + asked + " times in a day");
            assertEquals(RelayStatus.POLICY_LIMITED, link.portrait().status());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rate-limited: too many filters",
                "error: filter item too large",
                "rate-limited: too many subscriptions",
                "restricted: members only"
            })
    void whatWasRefusedForADayIsFetchedWhenTheRelayThinksBetterOfIt(String text) {
        try (var link = followed()) {
            refuse(link, text, RefusingRelayTest::isQuestion);
            discuss(link, Duration.ofMinutes(5));
            link.relay().play(new Ear.Script() {});
            var issue = link.issue(OneLink.coordinate("refused"), "the last one");
            var reactions = link.reactions(issue, 3);
            reactions.forEach(link.relay().relay()::put);
            link.run(Duration.ofHours(26));
            link.assertHas(reactions);
            assertEquals(LinkState.CONNECTED, link.state());
            assertEquals(RelayStatus.HEALTHY, link.portrait().status());
        }
    }

    /// One filter that is accepted is a reason to stay (6.1); what is new of the refused kinds joins them.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "rate-limited: too many filters",
                "error: filter item too large",
                "restricted: members only",
                "invalid: this is no filter"
            })
    void whoeverAcceptsAnnouncementsOnlyIsKeptAndAskedLittleElse(String text) {
        try (var link = followed()) {
            refuse(
                    link,
                    text,
                    message -> isQuestion(message) && !Grudge.hasRole(message, 'a') && !isAboutAnnouncements(message));
            discuss(link, Duration.ofMinutes(10));
            int asked = link.relay().asked().size();
            assertTrue(asked <= 120, "asked " + asked + " times");
            link.relay().forget();
            discuss(link, Duration.ofHours(2));
            assertEquals(0, link.relay().asked().size());
            assertEquals(LinkState.WITH_FAILURES, link.state());
        }
    }

    private static boolean isAboutAnnouncements(ClientMessage message) {
        return switch (message) {
            case ClientMessage.Subscribe(var _, var filters) ->
                filters.size() == 1 && filters.getFirst().tags().isEmpty();
            case ClientMessage.NegOpen(var _, var filter, var _) ->
                filter.tags().isEmpty();
            default -> false;
        };
    }

    @Test
    void oneFilterThatIsNeverTakenDoesNotKeepOthersFromBeingStreamed() {
        try (var link = followed()) {
            var odd = link.repository("odd");
            refuse(
                    link,
                    "error: filter item too large",
                    message -> message instanceof ClientMessage.Subscribe(var _, var filters)
                            && filters.stream()
                                    .anyMatch(filter ->
                                            OneLink.values(filter, 'q').contains(odd)));
            discuss(link, Duration.ofMinutes(10));
            var issue = link.issue(OneLink.coordinate("refused"), "the last one");
            link.run(Duration.ofMinutes(1));
            var reactions = link.reactions(issue, 3);
            reactions.forEach(link.relay().relay()::publish);
            link.run(Duration.ofSeconds(10));
            link.assertHas(reactions);
        }
    }

    @Test
    void comparisonsThatAreAllTooBigAreGivenUpForPages() {
        try (var link = followed()) {
            var issue = link.issue(OneLink.coordinate("refused"), "one more");
            var reactions = link.reactions(issue, 30);
            reactions.forEach(link.relay().relay()::put);
            refuse(link, "blocked: this query is too big", Grudge::isOpening);
            link.run(Duration.ofMinutes(5));
            int opened = link.relay().openings().size();
            assertTrue(opened <= 40, "opened " + opened);
            link.assertHas(reactions);
            assertEquals(LinkState.CONNECTED, link.state());
        }
    }

    @Test
    void aComparisonThatIsRefusedHoweverSmallIsReadByPages() {
        try (var link = followed()) {
            var issue = link.issue(OneLink.coordinate("refused"), "one more");
            var reactions = link.reactions(issue, 30);
            reactions.forEach(link.relay().relay()::put);
            refuse(link, "error: filter item too large", Grudge::isOpening);
            link.run(Duration.ofMinutes(5));
            link.assertHas(reactions);
            assertEquals(LinkState.CONNECTED, link.state());
        }
    }

    /// It says the end of what is stored, and closes the subscription all the same.
    @Test
    void aStreamThatIsAlwaysClosedAfterItsEndIsNotOpenedForEachNewThing() {
        try (var link = followed()) {
            link.relay().play(new Ear.Script() {
                @Override
                public boolean hears(ClientMessage message, Endpoint.Peer client) {
                    if (message instanceof ClientMessage.Subscribe(var id, var _) && Grudge.hasRole(message, 'l')) {
                        client.send(new RelayMessage.EndOfStored(id, RelayMessage.Completeness.UNSTATED));
                        client.send(new RelayMessage.Closed(id, "rate-limited: too many filters"));
                        return true;
                    }
                    return false;
                }
            });
            discuss(link, Duration.ofMinutes(5));
            link.relay().forget();
            discuss(link, Duration.ofHours(2));
            assertEquals(0, link.relay().requests('l').size());
            assertFalse(link.relay().requests('h').isEmpty(), "what is stored is fetched all the same");
            assertEquals(LinkState.WITH_FAILURES, link.state());
        }
    }
}
