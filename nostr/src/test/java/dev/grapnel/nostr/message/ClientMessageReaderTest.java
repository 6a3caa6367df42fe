package dev.grapnel.nostr.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Fixture;
import dev.grapnel.nostr.Samples;
import dev.grapnel.nostr.event.EventLimits;
import dev.grapnel.nostr.filter.FilterLimits;
import dev.grapnel.nostr.message.ParsedClientMessage.Read;
import dev.grapnel.nostr.message.ParsedClientMessage.Refused;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ClientMessageReaderTest {
    private static final ClientMessageReader READER = new ClientMessageReader(MessageLimits.DEFAULTS);

    static Stream<Fixture> fixtures() {
        return Fixture.in("message/client");
    }

    @ParameterizedTest
    @MethodSource("fixtures")
    void everyFixtureIsReadOrAnsweredAsWrittenBehindIt(Fixture fixture) {
        assertEquals(fixture.expected(), describe(READER.read(fixture.input().toArray())));
    }

    @ParameterizedTest
    @MethodSource("fixtures")
    void whatIsWrittenIsReadBack(Fixture fixture) {
        if (READER.read(fixture.input().toArray()) instanceof Read(var message)) {
            var again = READER.read(message.json().toArray());

            assertEquals(
                    message.json(),
                    assertInstanceOf(Read.class, again).message().json());
        }
    }

    @ParameterizedTest
    @MethodSource("fixtures")
    void everyBeginningOfAMessageIsAnsweredByNoticeOrIgnored(Fixture fixture) {
        var whole = fixture.input().toArray();
        int end = new String(whole, StandardCharsets.ISO_8859_1).stripTrailing().length();
        if (!(READER.read(whole) instanceof Read)) {
            return;
        }
        for (int length = 1; length < end; length++) {
            var outcome = READER.read(whole, 0, length);
            boolean notice = outcome instanceof Refused(var reply) && reply instanceof RelayMessage.Notice;
            assertTrue(notice || outcome instanceof ParsedClientMessage.Nothing, "length " + length + ": " + outcome);
        }
    }

    @Test
    void valuesAreCountedOverAllFiltersOfAMessage() {
        int max = FilterLimits.DEFAULTS.valuesMax();
        var most = req(values(max - 1) + ",{\"kinds\":[1]}");
        var over = req(values(max - 1) + ",{\"kinds\":[1,2]}");

        assertInstanceOf(Read.class, READER.read(Samples.utf8(most)));
        assertEquals(
                "[\"CLOSED\",\"s\",\"invalid: more than the max values 25000\"]",
                describe(READER.read(Samples.utf8(over))));
    }

    private static String values(int count) {
        return "{\"#d\":["
                + IntStream.range(0, count).mapToObj(i -> "\"" + i + "\"").collect(Collectors.joining(","))
                + "]}";
    }

    private static String req(String filters) {
        return "[\"REQ\",\"s\"," + filters + "]";
    }

    @Test
    void withNegentropyOffItsCommandsTellClientsToFallBack() {
        var off = new ClientMessageReader(new MessageLimits(EventLimits.DEFAULTS, FilterLimits.DEFAULTS, 64, false));
        for (var message : List.of("[\"NEG-OPEN\",\"n\",{},\"61\"]", "[\"NEG-MSG\",\"n\"]", "[\"NEG-CLOSE\",1]")) {
            var answer = describe(off.read(Samples.utf8(message)));
            for (var words : List.of("[\"NOTICE\",\"unsupported: ", "bad msg", "unknown cmd", "negentropy disabled")) {
                assertTrue(answer.contains(words), answer);
            }
        }
    }

    @Test
    void withSearchOnTheFilterCarriesIt() {
        var limits = new FilterLimits(200, 25_000, 8, true);
        var on = new ClientMessageReader(new MessageLimits(EventLimits.DEFAULTS, limits, 64, true));

        assertEquals(
                "read [\"REQ\",\"s\",{\"search\":\"a \\\"b\\\"\"}]",
                describe(on.read(Samples.utf8(req("{\"search\":\"a \\\"b\\\"\"}")))));
        assertEquals(
                "[\"CLOSED\",\"s\",\"invalid: search is not a string\"]",
                describe(on.read(Samples.utf8(req("{\"search\":[1]}")))));
    }

    /// Programs search these texts (relay 2.2); one careless word and another server stays away for a day.
    @ParameterizedTest
    @MethodSource("fixtures")
    void noAnswerHoldsAWordThatOtherServersMisread(Fixture fixture) {
        if (READER.read(fixture.input().toArray()) instanceof Refused(var reply)
                && !(reply instanceof RelayMessage.Ok)) {
            var text = text(reply).toLowerCase(Locale.ROOT);
            for (var word : List.of(
                    "blocked",
                    "restricted",
                    "member",
                    "too many",
                    "slow down",
                    "throttl",
                    "unsupported filter",
                    "filter validation failed")) {
                assertFalse(text.contains(word), text);
            }
            if (reply instanceof RelayMessage.Notice) {
                for (var word : List.of("neg-", "negentropy", "envelope")) {
                    assertFalse(text.contains(word), text);
                }
            }
        }
    }

    private static String text(RelayMessage reply) {
        return switch (reply) {
            case RelayMessage.Notice(var message) -> message;
            case RelayMessage.Closed(var _, var message) -> message;
            case RelayMessage.NegError(var _, var reason, var _) -> reason;
            default -> throw new IllegalStateException(reply.toString());
        };
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[",
                "[\"EVENT\",",
                "[\"EVENT\",{\"x\":",
                "[\"EVENT\",{\"tags\":[",
                "[\"EVENT\",{\"tags\":[[",
                "[\"EVENT\",{\"tags\":[[\"",
                "[\"EVENT\",{\"content\":\"",
                "[\"EVENT\",{\"id\":\"",
                "[\"EVENT\",{\"",
                "[\"REQ\",\"",
                "[\"REQ\",\"s\",{\"#t\":[\"",
                "[\"REQ\",\"s\",{\"",
                "[\"NEG-MSG\",\"n\",\"",
                "\""
            })
    void fourMebibytesOfOneThingCostLittleMemoryAndNoStack(String beginning) {
        for (var filler : List.of("[", "a", "\\u0000", "{\"a\":", "\"", "é", "0", "\\", " ", "[\"a\"],", "\"a\",")) {
            var message = Samples.utf8(beginning + filler.repeat(4 * 1024 * 1024 / filler.length()));
            long before = allocated();
            var outcome = READER.read(message);
            long cost = allocated() - before;

            assertInstanceOf(Refused.class, outcome, beginning + filler);
            assertTrue(cost < 3L * message.length, beginning + filler + " allocated " + cost + " bytes");
        }
    }

    private static long allocated() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }

    @Test
    void messagesHoldValuesThatCannotBeChanged() {
        var bytes = new byte[] {1, 2};
        var message = new ClientMessage.NegMessage(new SubscriptionId("n"), Bytes.copyOf(bytes));
        bytes[0] = 9;

        assertEquals("[\"NEG-MSG\",\"n\",\"0102\"]", new String(message.json().toArray(), StandardCharsets.UTF_8));
    }

    static String describe(ParsedClientMessage outcome) {
        return switch (outcome) {
            case Read(var message) -> "read " + new String(message.json().toArray(), StandardCharsets.UTF_8);
            case Refused(var reply) -> new String(reply.json().toArray(), StandardCharsets.UTF_8);
            case ParsedClientMessage.Nothing() -> "nothing";
        };
    }
}
