package dev.grapnel.sync.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.message.ClientMessage;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.nostr.message.SubscriptionId;
import dev.grapnel.sync.sim.Endpoint;
import dev.grapnel.sync.sim.RelayModels;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Relays that refuse the same thing for ever, or never stop talking: they are not asked again and again, what they
/// refuse does not pile up, and it is seen that something is wrong.
final class StubbornRelayTest {
    private static final int ALWAYS = Integer.MAX_VALUE;
    private static final int ASKED_IN_AN_HOUR = 300;

    private static OneLink followed() {
        var link = new OneLink(RelayModels.honest(500));
        link.issues(link.repository("stubborn"), 3);
        return link;
    }

    private static boolean isQuestion(ClientMessage message) {
        return message instanceof ClientMessage.Subscribe || message instanceof ClientMessage.NegOpen;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rate-limited: too many concurrent NEG requests",
                "error: too many concurrent REQs",
                "rate-limited: too many filters",
                "rate-limited: active subscriptions exceed max size 4000 bytes",
                "rate-limited: active subscriptions exceed max size 0",
                "rate-limited: active subscriptions exceed max size 1",
                "rate-limited: active subscriptions exceed max size 999999999999999999999999999999",
                "rate-limited: active subscriptions exceed max size -1048576",
                "rate-limited: active subscriptions exceed max size (unknown)",
                "error: filter item too large",
                "invalid: limit must be positive",
                "invalid: this is no filter",
                "error: something broke"
            })
    void whatIsRefusedForEverIsAskedLessAndLess(String text) {
        try (var link = followed()) {
            link.relay().play(Grudge.closing(ALWAYS, text, StubbornRelayTest::isQuestion));
            link.run(Duration.ofMinutes(10));
            int batches = link.portrait().link().batches();
            int before = link.relay().asked().size();
            link.run(Duration.ofHours(1));
            int asked = link.relay().asked().size() - before;
            assertTrue(asked <= ASKED_IN_AN_HOUR, "asked " + asked + " times");
            assertTrue(link.portrait().link().batches() <= batches, "nothing piles up");
            assertTrue(link.notes(LinkNote.Structural.class).size() <= 40, "limits are learned once");
            assertTrue(link.state() != LinkState.CONNECTED, "somebody should look at it");
        }
    }

    /// Each refusal names another number: less and less, or less and more in turns.
    @ParameterizedTest
    @CsvSource({"1000000, 1, 0", "1000000, 0, 300000", "999999999999, 999, 1"})
    void aCapOfBytesThatIsNeverTheSameIsNotRunAfter(long first, long step, long swing) {
        try (var link = followed()) {
            var count = new AtomicLong();
            link.relay().play(new Ear.Script() {
                @Override
                public boolean hears(ClientMessage message, Endpoint.Peer client) {
                    if (message instanceof ClientMessage.Subscribe(var id, var _) && Grudge.hasRole(message, 'l')) {
                        long number = count.incrementAndGet();
                        long cap = first - number * step + (number % 2) * swing;
                        client.send(new RelayMessage.Closed(
                                id, "rate-limited: active subscriptions exceed max size " + cap));
                        return true;
                    }
                    return false;
                }
            });
            link.run(Duration.ofMinutes(10));
            assertTrue(count.get() <= 40, "opened " + count + " times");
            assertTrue(link.notes(LinkNote.Consolidated.class).size() <= 10);
            assertTrue(link.notes(LinkNote.Structural.class).size() <= 2);
        }
    }

    @Test
    void aRelayThatStreamsNothingIsSeenToBeInTrouble() {
        try (var link = followed()) {
            link.relay()
                    .play(Grudge.closing(ALWAYS, "restricted: not for you", message -> Grudge.hasRole(message, 'l')));
            link.settle();
            assertEquals(LinkState.WITH_FAILURES, link.state());
            link.relay().play(new Ear.Script() {});
            link.relay().forget();
            link.run(Duration.ofHours(26));
            assertTrue(link.relay().requests('l').size() > 0, "after a day it is tried again");
            assertEquals(LinkState.CONNECTED, link.state());
        }
    }

    @Test
    void whatWasMissedIsAskedForOnceWhenAGroupDeliversAgain() {
        try (var link = followed()) {
            link.settle();
            link.relay().forget();
            var live = link.relay().open().stream()
                    .filter(id -> id.startsWith("l"))
                    .toList();
            link.relay().play(Grudge.closing(4, "error: not now", message -> Grudge.hasRole(message, 'l')));
            long closedAt = link.wall();
            link.relay().say(new RelayMessage.Closed(new SubscriptionId(live.getFirst()), "error: shutting down"));
            link.run(Duration.ofMinutes(10));
            assertEquals(5, link.relay().requests('l').size());
            var missed = link.relay().requests('c');
            assertEquals(1, missed.size(), "one question, not one for each closing");
            OneLink.assertAbout(
                    closedAt - 900, missed.getFirst().filter().since().orElseThrow());
        }
    }

    private static RelayMessage chatter(String kind, String live, int number) {
        return switch (kind) {
            case "EOSE" ->
                new RelayMessage.EndOfStored(new SubscriptionId("nobody"), RelayMessage.Completeness.UNSTATED);
            case "live EOSE" ->
                new RelayMessage.EndOfStored(new SubscriptionId(live), RelayMessage.Completeness.UNSTATED);
            case "AUTH" -> new RelayMessage.Challenge("challenge " + number);
            case "COUNT" -> new RelayMessage.Counted(new SubscriptionId("nobody"), number, false, Bytes.EMPTY);
            default -> new RelayMessage.Notice("hello");
        };
    }

    /// Each costs little, but nobody needs to listen to a storm (R4.24).
    @ParameterizedTest
    @ValueSource(strings = {"EOSE", "live EOSE", "AUTH", "COUNT", "NOTICE"})
    void aStormOfMessagesThatAnswerNothingEndsTheConnection(String kind) {
        try (var link = followed()) {
            link.settle();
            var live = link.relay().open().stream()
                    .filter(id -> id.startsWith("l"))
                    .toList()
                    .getFirst();
            for (int count = 0; count < 10_001; count++) {
                link.relay().say(chatter(kind, live, count));
            }
            link.run(Duration.ofSeconds(2));
            assertEquals(LinkState.DISCONNECTED, link.state());
            assertEquals(1, link.portrait().failures());
            assertEquals(
                    "was disconnected by us: it sends what nobody asked for",
                    link.portrait().troubles().getFirst().words());
        }
    }

    @Test
    void whoeverNeverStopsTalkingIsNamed() {
        try (var link = followed()) {
            link.settle();
            for (int count = 0; count < 5_000; count++) {
                link.relay().say(new RelayMessage.Notice("hello"));
            }
            link.run(Duration.ofSeconds(30));
            assertEquals(List.of(new LinkNote.Chatter()), link.notes(LinkNote.Chatter.class));
            assertEquals(LinkState.CONNECTED, link.state());
            assertEquals(
                    "sends a flood of messages that answer nothing",
                    link.portrait().troubles().getFirst().words());
        }
    }
}
