package dev.grapnel.nostr.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Fixture;
import dev.grapnel.nostr.Refusal.Prefix;
import dev.grapnel.nostr.event.EventLimits;
import dev.grapnel.nostr.filter.FilterLimits;
import dev.grapnel.nostr.message.ParsedRelayMessage.Malformed;
import dev.grapnel.nostr.message.ParsedRelayMessage.Read;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class RelayMessageReaderTest {
    private static final RelayMessageReader READER = new RelayMessageReader(MessageLimits.DEFAULTS);

    static Stream<Fixture> fixtures() {
        return Fixture.in("message/relay");
    }

    @ParameterizedTest
    @MethodSource("fixtures")
    void everyFixtureIsReadAsWrittenBehindIt(Fixture fixture) {
        assertEquals(fixture.expected(), describe(READER.read(fixture.input().toArray())));
    }

    @ParameterizedTest
    @MethodSource("fixtures")
    void everyBeginningOfAMessageIsMalformed(Fixture fixture) {
        var whole = fixture.input().toArray();
        if (READER.read(whole) instanceof Read) {
            for (int length = 0; length < whole.length; length++) {
                assertInstanceOf(Malformed.class, READER.read(whole, 0, length), "length " + length);
            }
        }
    }

    @Test
    void aRefusalWithoutAReasonCannotBeMade() {
        assertThrows(IllegalArgumentException.class, () -> new RelayMessage.Ok("a".repeat(64), false, ""));
    }

    @Test
    void valuesThatCannotBeSentCannotBeMade() {
        assertThrows(IllegalArgumentException.class, () -> new SubscriptionId("\ud800"));
        assertThrows(IllegalArgumentException.class, () -> new SubscriptionId("é".repeat(513)));
        var id = new SubscriptionId("s");
        assertThrows(
                IllegalArgumentException.class,
                () -> new RelayMessage.Counted(id, 1, false, Bytes.copyOf((byte) 1, (byte) 2)));
        assertThrows(
                IllegalArgumentException.class,
                () -> new MessageLimits(EventLimits.DEFAULTS, FilterLimits.DEFAULTS, 257, true));
    }

    @Test
    void prefixesOfOtherRelaysAreRecognised() {
        assertEquals(Optional.of(Prefix.RATE_LIMITED), Prefix.find("rate-limited: slow down"));
        assertEquals(Optional.of(Prefix.AUTH_REQUIRED), Prefix.find("auth-required:x"));
        assertEquals(Optional.empty(), Prefix.find("rate limited"));
        assertEquals(Optional.empty(), Prefix.find(""));
    }

    private static String describe(ParsedRelayMessage outcome) {
        return switch (outcome) {
            case Read(var message) -> "read " + new String(message.json().toArray(), StandardCharsets.UTF_8);
            case ParsedRelayMessage.BadEvent(var id, var claimed, var defect) ->
                "bad event " + id.text() + " " + claimed.orElse("nameless") + " " + defect.kind();
            case ParsedRelayMessage.Unknown() -> "unknown";
            case Malformed _ -> "malformed";
        };
    }
}
